/** The hOCR files that hold the pages of a whole folder: found by their names, and indexed by their pages. */
import { LRUCache } from 'lru-cache';
import { stemOf } from '../../core/image/model/formats.ts';
import type { SidecarStore } from '../../core/library/file-facts.ts';
import { readFileIn } from '../../core/library/listings/folder-files.ts';
import type { Listing } from '../../core/library/listings/listing.ts';
import type { TextFolder } from '../../core/library/listings/text-folders.ts';
import { textKindOf } from '../../core/library/listings/text-names.ts';
import type { Containment } from '../../core/library/roots/containment.ts';
import { SharedReads } from '../../core/library/stats/shared-reads.ts';
import { isSystemError } from '../../core/storage/file-errors.ts';
import type { Storages } from '../../core/storage/storages.ts';
import { maxBookBytes } from './formats/text-fault.ts';
import type { BookPage, TextFile } from './recognize-text.ts';

/** A folder's texts are in one of these many files at most. */
const maxFiles = 3;

/** Names of a file for a whole folder, without its extension; the folder's own name is one too. */
const bookStems: ReadonlySet<string> = new Set(['hocr', 'ocr', 'book']);

/** How much of a file is read at once, in bytes. */
const chunkBytes = 256 * 1024;

const found = new WeakMap<
  readonly string[],
  { readonly images: readonly string[]; readonly names: readonly string[] }
>();

/**
 * The names of the hOCR files of a folder that are none of a single scan: with the scans, those whose names say so; in a
 * folder for texts, all.
 */
export function bookNamesIn(
  { listing, isForTexts }: TextFolder,
  scans: Listing,
  folderName: string,
): readonly string[] {
  const { textFiles } = listing;
  const known = found.get(textFiles);
  if (known?.images === scans.images) return known.names;
  const isBook = (name: string): boolean => {
    const stem = stemOf(name);
    if (textKindOf(name) !== 'html' || scans.find(stem) !== undefined) return false;
    return isForTexts || /\.hocr$/i.test(name) || bookStems.has(stem.toLowerCase()) || stem === folderName;
  };
  const names = textFiles.filter(isBook).slice(0, maxFiles);
  found.set(textFiles, { images: scans.images, names });
  return names;
}

/** Part of the fingerprint of what is kept: another number where other pages are found in a file than before. */
const pagesVersion = 1;

export interface BookFilesParts {
  readonly storages: Storages;
  readonly isContained: Containment;
  /** Keeps what was found for the next process. */
  readonly facts?: SidecarStore | undefined;
}

export class BookFiles {
  readonly #parts: BookFilesParts;
  readonly #cache = new LRUCache<string, { readonly fingerprint: string; readonly pages: readonly BookPage[] }>({
    max: 200,
  });
  readonly #reads = new SharedReads<readonly BookPage[]>();

  constructor(parts: BookFilesParts) {
    this.#parts = parts;
  }

  /** The pages of a file of a listed folder; none where it can't be read, or is longer than a file of a folder may be. */
  async pagesOf(file: TextFile, listing: Listing): Promise<readonly BookPage[]> {
    const { directory, name, fingerprint, bytes } = file;
    const key = `${directory}\0${name}`;
    const cached = this.#cache.get(key);
    if (cached?.fingerprint === fingerprint) return cached.pages;
    if (bytes > maxBookBytes) return [];
    return this.#reads.run(key, fingerprint, async () => {
      const pages = await (file.isSettled ? this.#stored(file, listing) : this.#read(file));
      if (pages !== undefined && file.isSettled) this.#cache.set(key, { fingerprint, pages });
      return pages ?? [];
    });
  }

  /** As they were found before, maybe by another process. */
  async #stored(file: TextFile, listing: Listing): Promise<readonly BookPage[] | undefined> {
    const { facts } = this.#parts;
    const [key, version] = [`${file.name}/pages`, `${pagesVersion}-${file.fingerprint}`];
    const stored = (await facts?.sidecarFactOf(listing, key, version)) as readonly BookPage[] | undefined;
    const pages = stored ?? (await this.#read(file));
    if (stored === undefined && pages !== undefined) facts?.storeSidecarFact(listing, key, version, pages);
    return pages;
  }

  /** Undefined where the file can’t be read. */
  async #read({ directory, name, bytes }: TextFile): Promise<readonly BookPage[] | undefined> {
    const { BookPages } = await import('./formats/parse-text.ts');
    const pages = new BookPages();
    try {
      for (let from = 0; from < bytes; from += chunkBytes) {
        const span = { from, to: Math.min(from + chunkBytes, bytes) };
        const content = await readFileIn(directory, name, this.#parts, chunkBytes, span);
        if (content.kind === 'refused') return undefined;
        await pages.add(content.bytes);
      }
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return undefined;
    }
    return pages.end();
  }
}
