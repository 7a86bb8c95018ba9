/** The pages of a folder with their sizes, cached as long as the folder and its files stay the same, within bounds of memory. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pMap, { pMapSkip } from 'p-map';
import PQueue from 'p-queue';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { bounded } from '../../core/access/if-answering.ts';
import type { Reading } from '../../core/access/long-reads.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { FolderEntry, PageDescription } from '../../core/image/folder/folder-description.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { childOf, formatIdentifier, type Identifier, joinPage, joinTier } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet, type SourceFile } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';

export interface CanvasesParts {
  readonly admission: Admission;
  /** Throws ImageError `changed` where the file is no longer the one that was described. */
  readonly requireCurrent: (file: SourceFile) => Promise<void>;
  /** Maximum number of pages of one folder; as many again are cached of others. */
  readonly maxPages: number;
}

interface CachedFile {
  /** The path by which it was requested: two paths can lead to one folder and so share its listing. */
  readonly path: string;
  readonly source: SourceFile;
  readonly pages: readonly PageDescription[];
}

function pageOf(ofFile: string, file: string, image: Admitted<ImageSet>): PageDescription {
  const { width, height, truncated, file: source } = highest(image);
  const path = joinTier(ofFile, image.terms?.tier.name);
  const isClosed = image.terms !== undefined || image.isOpen === false;
  const { modifiedMs } = source;
  return {
    ...{ path, file, width, height, modifiedMs },
    ...(isClosed && { closedPath: ofFile }),
    ...(truncated && { truncated }),
  };
}

const tooManyPages = (maxPages: number): ImageError =>
  new ImageError(
    'too-large',
    `This folder has more pages than a manifest of this server may have, which are ${maxPages}.`,
  );

/** Whether a file is still the one that was described; overwriting it leaves the listing of its folder the same. */
async function isCurrent(source: SourceFile, requireCurrent: CanvasesParts['requireCurrent']): Promise<boolean> {
  try {
    await requireCurrent(source);
    return true;
  } catch (error) {
    if (error instanceof ImageError && error.code === 'changed') return false;
    throw error;
  }
}

/** Only a few folders with more images than this are described at the same time: each takes much memory. */
const largeFrom = 5000;
const maxLarge = 2;

/** How many files are described before other requests have their turn, which takes a few milliseconds. */
const filesPerTurn = 128;

/**
 * Returns the pages of a folder that the caller may see, in the order of `pn`; unreadable files have none. Throws ImageError
 * `too-large` where there are too many. Two requests for the same folder should come one after the other, so that the second one
 * finds what the first one has read.
 */
export type PagesOf = (
  folder: Admitted<Folder>,
  caller: Caller,
  reading: Reading,
) => Promise<readonly PageDescription[]>;

export function createCanvases({ admission, requireCurrent, maxPages }: CanvasesParts): PagesOf {
  // The key is the array of names in a listing, which is the same object until the folder changes; the size is in pages. The files
  // of a folder are by their names, and the tier in which the caller sees them.
  const cache = new LRUCache<readonly string[], Map<string, CachedFile>>({ maxSize: 2 * maxPages });
  const large = new PQueue({ concurrency: maxLarge });

  function pagesInside(path: string, file: string, count: number, caller: Caller): Promise<readonly PageDescription[]> {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const describePage = async (pageInFile: number) => {
      const pagePath = joinPage(path, pageInFile);
      const image = await ifAdmitted(admission.admit(pagePath, 1, caller));
      return image ? { ...pageOf(pagePath, file, image), pageInFile } : pMapSkip;
    };
    return pMap(numbers, describePage, bounded);
  }

  async function describe(path: string, file: string, caller: Caller): Promise<CachedFile | undefined> {
    const image = await ifAdmitted(admission.admit(path, 1, caller));
    if (image === undefined) return undefined;
    const { pageCount } = image;
    const pages = pageCount > 1 ? await pagesInside(path, file, pageCount, caller) : [pageOf(path, file, image)];
    return { path, source: highest(image).file, pages };
  }

  async function pagesOfFile(
    files: Map<string, CachedFile>,
    folder: Identifier,
    file: string,
    tier: string | undefined,
    caller: Caller,
  ): Promise<readonly PageDescription[]> {
    const path = formatIdentifier(childOf(folder, file));
    const key = joinTier(file, tier);
    const cached = files.get(key);
    if (cached?.path === path && (await isCurrent(cached.source, requireCurrent))) return cached.pages;
    const described = await describe(path, file, caller);
    if (described === undefined) files.delete(key);
    else files.set(key, described);
    return described?.pages ?? [];
  }

  async function describeAll(
    folder: Admitted<Folder>,
    files: Map<string, CachedFile>,
    caller: Caller,
    reading: Reading,
  ): Promise<readonly PageDescription[]> {
    const { identifier } = folder;
    const entries = await admission.entriesOf(folder, caller);
    const tiers = await admission.tiersIn(folder, caller);
    reading.begin('pages', entries.length);
    const pagesOf = async ({ name }: FolderEntry): Promise<readonly PageDescription[]> => {
      const pages = await pagesOfFile(files, identifier, name, tiers.get(name)?.name, caller);
      reading.step();
      return pages;
    };
    const all: PageDescription[] = [];
    for (let from = 0; from < entries.length; from += filesPerTurn) {
      // What is cached is found without waiting for any I/O, which would block the event loop.
      if (from > 0) await nextTurn();
      const part = entries.slice(from, from + filesPerTurn);
      const pages = await pMap(part, pagesOf, bounded);
      for (const page of pages.flat()) all.push(page);
      if (all.length > maxPages) throw tooManyPages(maxPages);
    }
    return all;
  }

  return async (folder, caller, reading) => {
    const { images } = folder;
    if (images.length > maxPages) throw tooManyPages(maxPages);
    const files = cache.get(images) ?? new Map<string, CachedFile>();
    const store = (size: number) => cache.set(images, files, { size: Math.max(1, size) });
    store(files.size);
    reading.begin('pages', images.length);
    const describeFolder = async (): Promise<readonly PageDescription[]> => {
      const all = await describeAll(folder, files, caller, reading);
      store(all.length);
      return all;
    };
    return images.length > largeFrom ? large.add(describeFolder) : describeFolder();
  };
}
