/** Reads the facts of image files from their headers, and caches them until the file changes. */

import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { fileChanged } from '../image/model/errors.ts';
import type { SourceFormat } from '../image/model/formats.ts';
import { isTransposed, transpose } from '../image/model/geometry.ts';
import type { ImageHeader, PageFacts, Resolution, SourceFile } from '../image/model/image-set.ts';
import { isSamePath } from '../storage/disk/pinned-path.ts';
import { ifReadable } from '../storage/file-errors.ts';
import { type FileStats, fingerprintOf, isSettled, type StoredFile } from '../storage/storage.ts';
import { Storages } from '../storage/storages.ts';
import type { ByteSource } from './headers/byte-source.ts';
import { HeaderError, readHeader } from './headers/header.ts';
import { createListing, type Listing, noEntries, pathIn } from './listings/listing.ts';
import type { Containment } from './roots/containment.ts';
import { type LinkTarget, RequestStatCache } from './stats/request-stat-cache.ts';
import { SharedReads } from './stats/shared-reads.ts';

/** Whether EXIF orientation is applied, or ignored as digilib ignores it (digilib.md, "Where we differ", 9). */
export type OrientationRule = 'apply' | 'ignore';

/** The facts that the bytes of a file contain. */
export interface FileFacts {
  readonly header: ImageHeader;
  /** Whether the file ends as its format says it must. */
  readonly complete: boolean;
}

/** A cache of facts that outlasts the process. */
export interface FactsStore {
  /** The facts of the file with this fingerprint; undefined where none are stored, or they can’t be trusted. */
  factsOf(listing: Listing, name: string, fingerprint: string): Promise<FileFacts | undefined>;
  storeFacts(listing: Listing, name: string, fingerprint: string, facts: FileFacts): void;
}

/** What is known of files beside images, such as texts, which outlasts the process too. Facts are of those who store them, under names of theirs. */
export interface SidecarStore {
  /** What was stored last of the file with this fingerprint; undefined where nothing is stored, or it can’t be trusted. */
  sidecarFactOf(listing: Listing, name: string, fingerprint: string): Promise<unknown>;
  /** A fact is JSON of at most some 250 kB; a longer one is not stored. */
  storeSidecarFact(listing: Listing, name: string, fingerprint: string, fact: object): void;
}

export interface ProberParts {
  readonly isContained: Containment;
  readonly orientation: OrientationRule;
  /** Called with the path of each image file whose header can't be read, and the reason as a sentence. */
  readonly onUnreadable: (path: string, reason: string) => void;
  readonly storages?: Storages;
  readonly store?: FactsStore;
  /** About how many bytes of memory the cached facts may take. */
  readonly maxBytes?: number;
}

/** The pages of a file with this fingerprint; none for a file that can't be read as an image. */
interface CachedPages {
  readonly fingerprint: string;
  readonly pages: readonly Resolution[];
}

/** How complete files of a format end; formats whose files are never sent unchanged need no entry. */
const endings: Partial<Record<SourceFormat, { readonly bytes: number; readonly mark: Buffer }>> = {
  jpeg: { bytes: 64, mark: Buffer.from([0xff, 0xd9]) },
  png: { bytes: 12, mark: Buffer.from('IEND') },
};

/** Of JPEG 2000 files the code-stream ends so, behind which there can be other boxes (ISO 15444-1, section A.4.4). */
const endOfCodeStream = Buffer.from([0xff, 0xd9]);

async function isComplete(
  source: ByteSource,
  { format, truncated, pages: [{ jpeg2000 }] }: ImageHeader,
): Promise<boolean> {
  if (jpeg2000 !== undefined) {
    const { at, bytes } = jpeg2000.codeStream;
    return !truncated && (await source.read(at + bytes - 2, 2)).equals(endOfCodeStream);
  }
  const ending = endings[format];
  if (ending === undefined) return false;
  const tail = await source.read(Math.max(0, source.size - ending.bytes), ending.bytes);
  return tail.includes(ending.mark);
}

interface ReadFacts {
  readonly facts: FileFacts;
  /** Of the file that was read, which may be another one than was found before. */
  readonly stats: FileStats;
  readonly fingerprint: string;
  /** Whether it was the same from first to last. */
  readonly isConstant: boolean;
}

/** The bytes of an open file, which has `size` of them. */
const bytesOfFile = (file: StoredFile, size: number): ByteSource => ({
  size,
  read: (offset, length) => file.read(offset, Math.max(0, Math.min(length, size - offset))),
});

/**
 * Throws HeaderError where the file is no readable image, ImageError `changed` where a link in the path leads elsewhere than to
 * the real path by now.
 */
async function readFacts(real: string, file: StoredFile, isAtHand: boolean): Promise<ReadFacts> {
  const opened = await ifReadable(file.realPath());
  if (opened === undefined || !isSamePath(opened, real)) throw fileChanged();
  const stats = await file.stats();
  const fingerprint = fingerprintOf(stats);
  const source = bytesOfFile(file, Number(stats.size));
  const header = await readHeader(source, isAtHand);
  const facts = { header, complete: await isComplete(source, header) };
  const isConstant = fingerprintOf(await file.stats()) === fingerprint;
  return { facts, stats, fingerprint, isConstant };
}

function resolutionOf(
  page: PageFacts,
  { header: { format, truncated }, complete }: FileFacts,
  file: SourceFile,
  rule: OrientationRule,
): Resolution {
  const orientation = rule === 'apply' ? page.orientation : 1;
  const [full] = page.levels;
  const { width, height } = isTransposed(orientation) ? transpose(full) : full;
  // With the spread before the other members, each cached image would take half as much memory again.
  const facts = { width, height, file, format, complete, ...page, orientation };
  return truncated ? { ...facts, truncated } : facts;
}

/** About how many bytes of memory the facts of a file take, as measured (docs/performance.md). */
const bytesOf = (path: string, facts: FileFacts | undefined): number =>
  350 + path.length + (facts === undefined ? 0 : 2.5 * JSON.stringify(facts.header).length);

export class Prober {
  readonly #parts: ProberParts;
  readonly #storages: Storages;
  readonly #cache: LRUCache<string, CachedPages>;
  readonly #reads = new SharedReads<readonly Resolution[]>();

  constructor(parts: ProberParts) {
    this.#parts = parts;
    this.#storages = parts.storages ?? new Storages();
    this.#cache = new LRUCache<string, CachedPages>({ maxSize: parts.maxBytes ?? 16 * 1024 * 1024 });
  }

  /** The facts of each page of a file in a listed folder; none where it is no readable image, or a link leads out. */
  async probe(
    listing: Listing,
    name: string,
    statCache = new RequestStatCache(this.#storages),
  ): Promise<readonly Resolution[]> {
    const path = pathIn(listing, name);
    const found = await statCache.contained(path, this.#parts.isContained);
    if (!found?.stats.isFile()) return [];
    const { fingerprint, stats, requestedMs } = found;
    // While a change may leave the same fingerprint, nothing is cached, and no request gets what was read before it came.
    if (!isSettled(stats, requestedMs)) return this.#pagesOf(await this.#read(path, found), path);
    const cached = this.#cache.get(path);
    if (cached?.fingerprint === fingerprint) return cached.pages;
    return this.#reads.run(path, fingerprint, () => this.#readThroughCaches(listing, name, found));
  }

  size(): { readonly files: number; readonly bytes: number } {
    return { files: this.#cache.size, bytes: this.#cache.calculatedSize };
  }

  /** Takes the facts of a file from the store, or reads and stores them; caches them in memory. */
  async #readThroughCaches(listing: Listing, name: string, found: LinkTarget): Promise<readonly Resolution[]> {
    const { store } = this.#parts;
    const path = pathIn(listing, name);
    const { fingerprint } = found;
    const stored = await store?.factsOf(listing, name, fingerprint);
    const read = stored === undefined ? await this.#read(path, found) : { ...found, facts: stored, isConstant: true };
    const pages = this.#pagesOf(read, path);
    const isFound = read === undefined || (read.isConstant && read.fingerprint === fingerprint);
    if (!isFound) return pages;
    if (read !== undefined && stored === undefined) store?.storeFacts(listing, name, fingerprint, read.facts);
    const size = Math.ceil(Math.min(bytesOf(path, read?.facts), this.#cache.maxSize / 2));
    this.#cache.set(path, { fingerprint, pages }, { size });
    return pages;
  }

  async #read(path: string, { real, stats }: LinkTarget): Promise<ReadFacts | undefined> {
    const { onUnreadable } = this.#parts;
    try {
      const storage = this.#storages.of(real);
      const isAtHand = storage.byName === undefined;
      const read = await ifReadable(storage.use(real, (file) => readFacts(real, file, isAtHand), stats));
      if (read === undefined) onUnreadable(path, 'The file may not be read.');
      return read;
    } catch (error) {
      if (!(error instanceof HeaderError)) throw error;
      onUnreadable(path, error.message);
      return undefined;
    }
  }

  #pagesOf(read: ReadFacts | undefined, path: string): readonly Resolution[] {
    if (read === undefined) return [];
    const { facts, stats, fingerprint } = read;
    const file = { path, bytes: Number(stats.size), modifiedMs: Number(stats.mtimeMs), fingerprint };
    return facts.header.pages.map((page) => resolutionOf(page, facts, file, this.#parts.orientation));
  }
}

/** Returns a function that reads the facts of each page of a file as stored upright; none for links and unreadable files. */
export function createFileProbe(storages = new Storages()): (file: string) => Promise<readonly Resolution[]> {
  const prober = new Prober({
    storages,
    isContained: () => false,
    orientation: 'apply',
    onUnreadable: () => undefined,
  });
  return (file) => prober.probe(createListing(path.dirname(file), noEntries()), path.basename(file));
}
