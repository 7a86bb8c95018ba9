/** Reads the texts of pages, and caches them until their files change. */
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { MetadataFault } from '../../core/image/folder/folder-metadata.ts';
import { fileChanged } from '../../core/image/model/errors.ts';
import type { PlainBlocks, SourcePage } from '../../core/image/page-text/page-text.ts';
import { readFileIn } from '../../core/library/listings/folder-files.ts';
import type { Containment } from '../../core/library/roots/containment.ts';
import { SharedReads } from '../../core/library/stats/shared-reads.ts';
import { codeOf, isSystemError } from '../../core/storage/file-errors.ts';
import type { Storages } from '../../core/storage/storages.ts';
import { maxPageBytes, type TextFault, TextFaultError } from './formats/text-fault.ts';
import type { TextFile } from './recognize-text.ts';

/** How much memory cached texts may take together, in bytes. */
const defaultCacheBytes = 16 * 1024 * 1024;

/** About what a word takes in memory, with its box, and what a line does, in bytes. */
const [wordBytes, lineBytes] = [160, 120];

/** How many files are read and parsed at once: each takes memory. */
const concurrency = 4;

export interface TextReaderParts {
  readonly storages: Storages;
  readonly isContained: Containment;
  /** Called with a file's absolute path and its fault, once for each version of the file. */
  readonly onFault: (path: string, fault: MetadataFault) => void;
  /** How much memory cached texts may take, in bytes: 16 MiB by default; 0 where each is read once. */
  readonly cacheBytes?: number;
}

/** About how much memory a page takes, in bytes. */
function memoryOf(page: SourcePage | undefined): number {
  const lines = page?.blocks.flatMap((block) => block.lines) ?? [];
  return lines.reduce((bytes, { words }) => bytes + lineBytes + words.length * wordBytes, lineBytes);
}

/** The parsers are loaded with the first such file: many libraries have none. */
const loadParsers = () => import('./formats/parse-text.ts');
let parsers: ReturnType<typeof loadParsers> | undefined;

async function parse(file: TextFile, bytes: Buffer): Promise<SourcePage | undefined> {
  parsers ??= loadParsers();
  return (await parsers).parseText(file, bytes);
}

async function parsePlain(file: TextFile, bytes: Buffer): Promise<PlainBlocks | undefined> {
  parsers ??= loadParsers();
  return (await parsers).parsePlain(file, bytes);
}

const keyOf = ({ directory, name, page, span }: TextFile): string =>
  `${path.join(directory, name)}\0${span === undefined ? page : `@${span.from}`}`;

export class TextReader {
  readonly #parts: TextReaderParts;
  readonly #cache:
    | LRUCache<string, { readonly fingerprint: string; readonly page: SourcePage | undefined }>
    | undefined;
  readonly #reads = new SharedReads<SourcePage | undefined>();
  readonly #counts = new LRUCache<string, { readonly fingerprint: string; readonly pages: number }>({ max: 5000 });
  readonly #counting = new SharedReads<number>();
  readonly #queue = new PQueue({ concurrency });
  /** The last report by path, so that each fault is reported once. */
  readonly #reported = new LRUCache<string, string>({ max: 5000 });

  constructor(parts: TextReaderParts) {
    const { cacheBytes = defaultCacheBytes } = parts;
    this.#parts = parts;
    if (cacheBytes > 0)
      this.#cache = new LRUCache({ maxSize: cacheBytes, sizeCalculation: ({ page }) => memoryOf(page) });
  }

  /**
   * The text of a page; undefined where the file has no such page, or can't be read, which is reported. Throws ImageError
   * `overloaded` where the disk does not answer.
   */
  async read(file: TextFile): Promise<SourcePage | undefined> {
    const key = keyOf(file);
    const { fingerprint } = file;
    const cached = this.#cache?.get(key);
    if (cached?.fingerprint === fingerprint) return cached.page;
    return this.#reads.run(key, fingerprint, () => this.#queue.add(() => this.#readAndCache(key, file)));
  }

  /**
   * The words of a file of plain text, which are not cached; otherwise as `read`. Each call holds a file in memory, so that the
   * caller bounds their number.
   */
  readPlain(file: TextFile): Promise<PlainBlocks | undefined> {
    return this.#parsed(file, parsePlain);
  }

  /**
   * How many pages a file of an image has; at least 1, which is the number of a file that is faulty or can't be read. Throws
   * ImageError `overloaded` where the disk does not answer.
   */
  async pagesIn(file: TextFile): Promise<number> {
    const { directory, name, fingerprint, isSettled } = file;
    const key = path.join(directory, name);
    const cached = this.#counts.get(key);
    if (cached?.fingerprint === fingerprint) return cached.pages;
    return this.#counting.run(key, fingerprint, async () => {
      const pages = await this.#queue.add(() => this.#countPages(file));
      if (isSettled) this.#counts.set(key, { fingerprint, pages });
      return pages;
    });
  }

  /**
   * The bytes of the file, or of the page's part of it; or why they can't be read, as a sentence. Throws ImageError `changed`
   * where the file is no longer the one that was found.
   */
  async bytesOf({ directory, name, fingerprint, span }: TextFile): Promise<Buffer | TextFault> {
    if (span !== undefined && span.to - span.from > maxPageBytes) return tooLong;
    const content = await readFileIn(directory, name, this.#parts, maxPageBytes, span);
    if (content.kind === 'refused') return { line: 0, message: content.reason };
    // A link may lead elsewhere by now, to what was not checked.
    if (content.fingerprint !== fingerprint) throw fileChanged();
    return content.bytes;
  }

  async #readAndCache(key: string, file: TextFile): Promise<SourcePage | undefined> {
    const { fingerprint, isSettled } = file;
    const page = await this.#parsed(file, parse);
    if (isSettled) this.#cache?.set(key, { fingerprint, page });
    return page;
  }

  async #parsed<T>(file: TextFile, parseBytes: (file: TextFile, bytes: Buffer) => Promise<T>): Promise<T | undefined> {
    try {
      const bytes = await this.bytesOf(file);
      if (Buffer.isBuffer(bytes)) return await parseBytes(file, bytes);
      this.#report(file, bytes);
    } catch (error) {
      if (error instanceof TextFaultError) this.#report(file, error);
      else if (!isSystemError(error)) throw error;
      else this.#report(file, { line: 0, message: `This file can’t be read (${codeOf(error)}).` });
    }
    return undefined;
  }

  async #countPages(file: TextFile): Promise<number> {
    try {
      const bytes = await this.bytesOf(file);
      return Buffer.isBuffer(bytes) ? await (await loadParsers()).countPages(file, bytes) : 1;
    } catch (error) {
      // Reading the first page reports it.
      if (error instanceof TextFaultError || isSystemError(error)) return 1;
      throw error;
    }
  }

  #report(file: TextFile, { line, message }: TextFault): void {
    const { directory, name, fingerprint } = file;
    const location = path.join(directory, name);
    const report = `${fingerprint} ${line} ${message}`;
    if (this.#reported.get(location) === report) return;
    this.#reported.set(location, report);
    this.#parts.onFault(location, { file: name, line, message });
  }
}

const tooLong: TextFault = {
  line: 0,
  message: `The page is longer than ${maxPageBytes / 1024 / 1024} MiB, and is not read.`,
};
