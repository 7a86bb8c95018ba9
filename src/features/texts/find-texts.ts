/** Finds the files that hold the texts of images, and recognizes their formats. */
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { bounded } from '../../core/access/if-answering.ts';
import type { Reading } from '../../core/access/long-reads.ts';
import type { MetadataFault } from '../../core/image/folder/folder-metadata.ts';
import { childOf, type Identifier, splitLast } from '../../core/image/model/identifier.ts';
import type { SidecarStore } from '../../core/library/file-facts.ts';
import type { Folders } from '../../core/library/listings/folder-cache.ts';
import { readFileIn } from '../../core/library/listings/folder-files.ts';
import { insertionIndex, type Listing, pathIn } from '../../core/library/listings/listing.ts';
import { type TextFolder, type TextFolderNames, textFoldersIn } from '../../core/library/listings/text-folders.ts';
import { isOfPage, ownPagesIn } from '../../core/library/listings/text-names.ts';
import type { Containment } from '../../core/library/roots/containment.ts';
import { type MountPoint, mountedPaths } from '../../core/library/roots/virtual-folders.ts';
import { type LinkTarget, RequestStatCache } from '../../core/library/stats/request-stat-cache.ts';
import { isSystemError } from '../../core/storage/file-errors.ts';
import { isSettled } from '../../core/storage/storage.ts';
import type { Storages } from '../../core/storage/storages.ts';
import { BookFiles, bookNamesIn } from './book-files.ts';
import {
  type BookPage,
  pageOfImage,
  type SniffedFormat,
  sniffedBytes,
  sniffFormat,
  type TextFile,
} from './recognize-text.ts';
import { type Candidate, candidatesIn, taggedCandidatesIn } from './text-candidates.ts';

export interface TextFilesParts {
  /** The base directories, the first one before the others. */
  readonly roots: readonly Folders[];
  readonly mountPoints: readonly MountPoint[];
  readonly storages: Storages;
  readonly isContained: Containment;
  readonly folderNames: TextFolderNames;
  /** Keeps what was recognized for the next process. */
  readonly facts?: SidecarStore | undefined;
  /** Called with the absolute path of a file in a folder for texts that is none of the formats, once for each version. */
  readonly onFault: (path: string, fault: MetadataFault) => void;
}

/** The image whose text is wanted: a file of a folder, and a page in it, from 1. */
export interface ImageOfText {
  readonly folder: Identifier;
  /** The file's name alone. */
  readonly name: string;
  readonly page: number;
}

/** A file with the pages of a folder, and the images of that folder. */
interface Book {
  readonly file: TextFile;
  readonly scans: Listing;
  readonly pages: readonly BookPage[];
}

/** The most texts of a page that are offered. */
const maxTexts = 20;

/** What the first bytes of a file say: no format where it is none of those that hold texts of pages. */
interface Sniffed {
  readonly format?: SniffedFormat;
}

/** Part of the fingerprint of what is kept: another number where `sniffFormat` tells other formats apart than before. */
const sniffVersion = 1;

/** A file is recognized anew when it has changed; this many are remembered. */
const maxRemembered = 100_000;

export class TextFiles {
  readonly #parts: TextFilesParts;
  readonly #formats = new LRUCache<
    string,
    { readonly fingerprint: string; readonly format: SniffedFormat | undefined }
    // With `max` the cache would allocate its tables at once, which takes as long as a tenth of the start.
  >({ maxSize: maxRemembered, sizeCalculation: () => 1 });

  readonly #books: BookFiles;

  constructor(parts: TextFilesParts) {
    this.#parts = parts;
    this.#books = new BookFiles(parts);
  }

  /** The file with the text of an image; undefined where there is none. */
  async find(image: ImageOfText): Promise<TextFile | undefined> {
    const statCache = new RequestStatCache(this.#parts.storages);
    const folders = await this.#foldersFor(image.folder, statCache);
    return (
      (await this.#firstText(candidatesIn(folders, image.name, image.page), statCache)) ??
      (image.page === 1
        ? this.#inBook(image.name, await this.#booksIn(folders, image.folder, statCache))
        : undefined) ??
      this.#firstText(taggedCandidatesIn(folders, image.name, image.page), statCache)
    );
  }

  /** All files with a text of an image, the one that `find` gives first; not more than are offered. */
  async findEach(image: ImageOfText): Promise<readonly TextFile[]> {
    const statCache = new RequestStatCache(this.#parts.storages);
    const folders = await this.#foldersFor(image.folder, statCache);
    const describe = async (candidates: readonly Candidate[]): Promise<readonly TextFile[]> =>
      (await pMap(candidates.slice(0, maxTexts), (one) => this.#describe(one, statCache), bounded)).filter(
        (file) => file !== undefined,
      );
    const own = await describe(candidatesIn(folders, image.name, image.page));
    const books = image.page === 1 ? await this.#booksIn(folders, image.folder, statCache) : [];
    const inBook = this.#inBook(image.name, books);
    const tagged = await describe(taggedCandidatesIn(folders, image.name, image.page));
    return [...own, ...(inBook === undefined ? [] : [inBook]), ...tagged].slice(0, maxTexts);
  }

  /** The files with the texts of some images of a folder (page 1 of each), by the names of the images. */
  async findAll(
    folder: Identifier,
    images: readonly string[],
    reading?: Pick<Reading, 'step'>,
  ): Promise<ReadonlyMap<string, TextFile>> {
    const statCache = new RequestStatCache(this.#parts.storages);
    const folders = await this.#foldersFor(folder, statCache);
    if (folders.every(({ listing }) => listing.textFiles.length === 0)) return new Map();
    const books = await this.#booksIn(folders, folder, statCache);
    const textOf = async (name: string): Promise<readonly (readonly [string, TextFile])[]> => {
      const own = await this.#firstText(candidatesIn(folders, name, 1), statCache);
      const file =
        own ?? this.#inBook(name, books) ?? (await this.#firstText(taggedCandidatesIn(folders, name, 1), statCache));
      reading?.step();
      return file === undefined ? [] : [[name, file]];
    };
    return new Map((await pMap(images, textOf, bounded)).flat());
  }

  /**
   * The files of pages behind the first one of images with several, in the order in which these are named; undefined where
   * there is none. Whether a file has as many pages is not known yet.
   */
  async findInside(
    folder: Identifier,
    pages: readonly Omit<ImageOfText, 'folder'>[],
    reading?: Pick<Reading, 'step'>,
  ): Promise<readonly (TextFile | undefined)[]> {
    const statCache = new RequestStatCache(this.#parts.storages);
    const folders = await this.#foldersFor(folder, statCache);
    const textOf = async ({ name, page }: Omit<ImageOfText, 'folder'>): Promise<TextFile | undefined> => {
      const candidates = [...candidatesIn(folders, name, page), ...taggedCandidatesIn(folders, name, page)];
      const file = await this.#firstText(candidates, statCache);
      reading?.step();
      return file;
    };
    return pMap(pages, textOf, bounded);
  }

  /** The files that have the text of one page alone, behind the first one of images with several, by the names of the images. */
  async findOwnPages(folder: Identifier, images: readonly string[]): Promise<ReadonlyMap<string, readonly TextFile[]>> {
    const statCache = new RequestStatCache(this.#parts.storages);
    const folders = await this.#foldersFor(folder, statCache);
    const pages = folders.flatMap(({ listing }) => ownPagesIn(listing.textFiles, images));
    const found = new Map<string, readonly TextFile[]>();
    for (const { image, page } of pages) {
      const own = candidatesIn(folders, image, page).filter(({ name }) => isOfPage(name, image, page));
      const file = await this.#firstText(own, statCache);
      if (file !== undefined) found.set(image, [...(found.get(image) ?? []), file]);
    }
    return found;
  }

  /** The names of the text files in a folder of the first base directory, in code-unit order. */
  async namesIn(folder: Identifier): Promise<readonly string[]> {
    return (await this.#listFirst(folder, new RequestStatCache(this.#parts.storages)))?.textFiles ?? [];
  }

  /** A text file of any content in a folder of the first base directory, by its name; undefined where there is none. */
  async named(folder: Identifier, name: string): Promise<TextFile | undefined> {
    const statCache = new RequestStatCache(this.#parts.storages);
    const listing = await this.#listFirst(folder, statCache);
    if (!listing?.textFiles.includes(name)) return undefined;
    return this.#describe(
      { folder: { identifier: folder, listing, isForTexts: false }, name, kind: 'plain', page: 1 },
      statCache,
    );
  }

  /** Whether folders of this name are for texts. */
  isTextFolder(name: string): boolean {
    return this.#parts.folderNames.has(name);
  }

  #listFirst(folder: Identifier, statCache: RequestStatCache): Promise<Listing | undefined> {
    const [first] = this.#parts.roots;
    return first === undefined ? Promise.resolve(undefined) : first.list(folder.segments, statCache);
  }

  async #foldersFor(folder: Identifier, statCache: RequestStatCache): Promise<readonly TextFolder[]> {
    const { roots, folderNames } = this.#parts;
    return (await Promise.all(roots.map((root) => textFoldersIn(root, folder, folderNames, statCache)))).flat();
  }

  /** The files with the pages of a whole folder. */
  async #booksIn(
    folders: readonly TextFolder[],
    folder: Identifier,
    statCache: RequestStatCache,
  ): Promise<readonly Book[]> {
    const scans = folders.find(({ isForTexts }) => !isForTexts)?.listing;
    if (scans === undefined) return [];
    const { name: folderName } = splitLast(folder);
    const books: Book[] = [];
    for (const one of folders) {
      for (const name of bookNamesIn(one, scans, folderName)) {
        const file = await this.#describe({ folder: one, name, kind: 'html', page: 1 }, statCache);
        if (file !== undefined) books.push({ file, scans, pages: await this.#books.pagesOf(file, one.listing) });
      }
    }
    return books;
  }

  #inBook(image: string, books: readonly Book[]): TextFile | undefined {
    for (const { file, scans, pages } of books) {
      const page = pageOfImage(pages, image, insertionIndex(scans.images, image));
      if (page !== undefined) return { ...file, span: page.span };
    }
    return undefined;
  }

  async #firstText(candidates: readonly Candidate[], statCache: RequestStatCache): Promise<TextFile | undefined> {
    for (const candidate of candidates) {
      const file = await this.#describe(candidate, statCache);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** The file of a candidate; undefined where it is none of the formats, or a link that leads out or nowhere. */
  async #describe(candidate: Candidate, statCache: RequestStatCache): Promise<TextFile | undefined> {
    const { folder, name, page, language } = candidate;
    const path = pathIn(folder.listing, name);
    const found = await statCache.contained(path, this.#parts.isContained);
    if (found === undefined || !found.stats.isFile()) return undefined;
    const format = await this.#formatOf(path, found, candidate);
    if (format === undefined) return undefined;
    const paths = mountedPaths(childOf(folder.identifier, name), [path, found.real], this.#parts.mountPoints);
    return {
      ...format,
      name,
      directory: folder.listing.directory,
      paths,
      fingerprint: found.fingerprint,
      bytes: Number(found.stats.size),
      modifiedMs: Number(found.stats.mtimeMs),
      isSettled: isSettled(found.stats, found.requestedMs),
      page,
      ...(language === undefined ? {} : { language }),
    };
  }

  async #formatOf(path: string, found: LinkTarget, candidate: Candidate): Promise<SniffedFormat | undefined> {
    if (candidate.kind === 'plain') return { format: 'plain' };
    const { fingerprint, stats, requestedMs } = found;
    const known = this.#formats.get(path);
    if (known?.fingerprint === fingerprint) return known.format;
    const isLasting = isSettled(stats, requestedMs);
    const stored = isLasting ? await this.#storedFormat(candidate, fingerprint) : undefined;
    const sniffed = stored ?? (await this.#sniff(candidate));
    const format = sniffed?.format;
    const { name: file } = candidate;
    const message = 'This is neither ALTO, PAGE nor hOCR, so that it is not used as the text of a page.';
    if (format === undefined && candidate.folder.isForTexts) this.#parts.onFault(path, { file, line: 0, message });
    if (isLasting) this.#formats.set(path, { fingerprint, format });
    if (isLasting && sniffed !== undefined && stored === undefined) this.#storeFormat(candidate, fingerprint, sniffed);
    return format;
  }

  /** As it was recognized before, maybe by another process. */
  async #storedFormat({ folder, name }: Candidate, fingerprint: string): Promise<Sniffed | undefined> {
    const version = `${sniffVersion}-${fingerprint}`;
    return (await this.#parts.facts?.sidecarFactOf(folder.listing, name, version)) as Sniffed | undefined;
  }

  #storeFormat({ folder, name }: Candidate, fingerprint: string, sniffed: Sniffed): void {
    this.#parts.facts?.storeSidecarFact(folder.listing, name, `${sniffVersion}-${fingerprint}`, sniffed);
  }

  /** A file that can't be read, for which this is undefined, has no format: then the next one may have the text. */
  async #sniff({ folder, name, kind }: Candidate): Promise<Sniffed | undefined> {
    const { directory } = folder.listing;
    try {
      const content = await readFileIn(directory, name, this.#parts, sniffedBytes, { from: 0, to: sniffedBytes });
      if (content.kind !== 'bytes') return undefined;
      const format = sniffFormat(kind, content.bytes);
      return format === undefined ? {} : { format };
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return undefined;
    }
  }
}
