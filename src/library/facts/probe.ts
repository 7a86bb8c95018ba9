/** Reads the facts of an image file from its header, and keeps them as long as the file stays the same. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { SourceFormat } from '../../image/model/formats.ts';
import { transpose } from '../../image/model/geometry.ts';
import {
  type ImageHeader,
  isTransposed,
  type PageFacts,
  type Resolution,
  type SourceFile,
} from '../../image/model/image-set.ts';
import { ifReadable } from '../../storage/file-errors.ts';
import type { ByteSource } from '../headers/byte-source.ts';
import { HeaderError, readHeader } from '../headers/header.ts';
import { type Listing, pathIn } from '../listings/listing.ts';
import type { Containment } from '../roots/containment.ts';
import { fingerprintOf, isSettled } from '../stats/fingerprint.ts';
import { LibraryFileSystem, type PathStats } from '../stats/library-file-system.ts';
import { RequestStatCache } from '../stats/request-stat-cache.ts';

/** Whether EXIF orientation turns the picture, or is ignored as digilib ignores it (digilib.md, "Where we differ", 9). */
export type OrientationRule = 'apply' | 'ignore';

/** What the bytes of a file say. */
export interface FileFacts {
  readonly header: ImageHeader;
  /** Whether the file ends as its format says it must. */
  readonly complete: boolean;
}

/** Facts that outlast the process. */
export interface FactsStore {
  /** What was kept of the file with this fingerprint; undefined where there is nothing that can be trusted. */
  factsOf(listing: Listing, name: string, fingerprint: string): Promise<FileFacts | undefined>;
  keepFacts(listing: Listing, name: string, fingerprint: string, facts: FileFacts): void;
}

export interface ProberParts {
  readonly isContained: Containment;
  readonly orientation: OrientationRule;
  readonly onUnreadable: (path: string, reason: string) => void;
  readonly disk?: LibraryFileSystem;
  readonly store?: FactsStore;
  /** Bounds what is remembered; about, in bytes of memory. */
  readonly maxBytes?: number;
}

interface Remembered {
  readonly fingerprint: string;
  /** One for each page of the file; none for a file that can't be read as an image. */
  readonly pages: readonly Resolution[];
}

interface Reading {
  readonly fingerprint: string;
  readonly pages: Promise<readonly Resolution[]>;
}

function byteSourceOf(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    read: async (offset, length) => {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    },
  };
}

/** How a whole file of a format ends; formats that are never sent in place of a picture need no entry. */
const endings: Partial<Record<SourceFormat, { readonly bytes: number; readonly mark: Buffer }>> = {
  jpeg: { bytes: 64, mark: Buffer.from([0xff, 0xd9]) },
  png: { bytes: 12, mark: Buffer.from('IEND') },
};

async function isComplete(source: ByteSource, format: SourceFormat): Promise<boolean> {
  const ending = endings[format];
  if (ending === undefined) return false;
  const tail = await source.read(Math.max(0, source.size - ending.bytes), ending.bytes);
  return tail.includes(ending.mark);
}

interface Read {
  readonly facts: FileFacts;
  /** Whether the file that was read is the one that was looked at. */
  readonly isCurrent: boolean;
}

/** Undefined where the file may not be opened. Throws HeaderError where it is no readable image. */
async function readFacts(path: string, bytes: number, fingerprint: string): Promise<Read | undefined> {
  const handle = await ifReadable(open(path, constants.O_RDONLY | constants.O_NONBLOCK));
  if (handle === undefined) return undefined;
  try {
    const source = byteSourceOf(handle, bytes);
    const header = await readHeader(source);
    const facts = { header, complete: await isComplete(source, header.format) };
    return { facts, isCurrent: fingerprintOf(await handle.stat({ bigint: true })) === fingerprint };
  } finally {
    await handle.close();
  }
}

function resolutionOf(
  page: PageFacts,
  { header: { format }, complete }: FileFacts,
  file: SourceFile,
  rule: OrientationRule,
): Resolution {
  const orientation = rule === 'apply' ? page.orientation : 1;
  const [full] = page.levels;
  const { width, height } = isTransposed(orientation) ? transpose(full) : full;
  // The spread behind the others: before them it takes half as much memory again for each image that is remembered.
  return { width, height, file, format, complete, ...page, orientation };
}

/** About how many bytes of memory the facts of a file take, as measured (docs/performance.md). */
const bytesOf = (path: string, facts: FileFacts | undefined): number =>
  350 + path.length + (facts === undefined ? 0 : 2.5 * JSON.stringify(facts.header).length);

/** Opens image files for their facts. */
export class Prober {
  readonly #parts: ProberParts;
  readonly #disk: LibraryFileSystem;
  readonly #remembered: LRUCache<string, Remembered>;
  /** By path, what is being read now: many who ask at once wait for one reading. */
  readonly #readings = new Map<string, Reading>();

  constructor(parts: ProberParts) {
    this.#parts = parts;
    this.#disk = parts.disk ?? new LibraryFileSystem();
    this.#remembered = new LRUCache<string, Remembered>({ maxSize: parts.maxBytes ?? 16 * 1024 * 1024 });
  }

  /** The facts of each page of a file in a listed folder; none where it is no readable image, or a link leads out. */
  async probe(
    listing: Listing,
    name: string,
    moment = new RequestStatCache(this.#disk),
  ): Promise<readonly Resolution[]> {
    const path = pathIn(listing, name);
    const look = await this.#lookContained(path, moment);
    if (!look?.stats.isFile()) return [];
    const { fingerprint, stats, beganMs } = look;
    // While a change may leave no trace, nothing is kept, and nobody gets what was read before the question.
    if (!isSettled(stats, beganMs)) return this.#pagesOf((await this.#read(path, look))?.facts, path, look);
    const remembered = this.#remembered.get(path);
    if (remembered?.fingerprint === fingerprint) return remembered.pages;
    const running = this.#readings.get(path);
    if (running?.fingerprint === fingerprint) return running.pages;
    const reading = { fingerprint, pages: this.#remember(listing, name, path, look) };
    this.#readings.set(path, reading);
    try {
      return await reading.pages;
    } finally {
      if (this.#readings.get(path) === reading) this.#readings.delete(path);
    }
  }

  /** How many files are remembered, and about how many bytes of memory they take. */
  size(): { readonly files: number; readonly bytes: number } {
    return { files: this.#remembered.size, bytes: this.#remembered.calculatedSize };
  }

  /** The folder around the file is known to be contained, so only a link can lead out of the roots. */
  async #lookContained(path: string, moment: RequestStatCache): Promise<PathStats | undefined> {
    const look = await moment.lstat(path);
    if (!look?.stats.isSymbolicLink()) return look;
    const target = await this.#disk.resolve(path);
    if (target === undefined || !this.#parts.isContained(target)) return undefined;
    return moment.stat(target);
  }

  /** What was kept on disk, or what is read now; it is remembered. */
  async #remember(listing: Listing, name: string, path: string, look: PathStats): Promise<readonly Resolution[]> {
    const { store } = this.#parts;
    const { fingerprint } = look;
    const kept = await store?.factsOf(listing, name, fingerprint);
    const read = kept === undefined ? await this.#read(path, look) : { facts: kept, isCurrent: true };
    const pages = this.#pagesOf(read?.facts, path, look);
    if (read !== undefined && !read.isCurrent) return pages;
    if (read !== undefined && kept === undefined) store?.keepFacts(listing, name, fingerprint, read.facts);
    const size = Math.ceil(Math.min(bytesOf(path, read?.facts), this.#remembered.maxSize / 2));
    this.#remembered.set(path, { fingerprint, pages }, { size });
    return pages;
  }

  /** Undefined where the file is no readable image. */
  async #read(path: string, { stats, fingerprint }: PathStats): Promise<Read | undefined> {
    const { onUnreadable } = this.#parts;
    try {
      const read = await this.#disk.run(path, () => readFacts(path, Number(stats.size), fingerprint));
      if (read === undefined) onUnreadable(path, 'The file may not be read.');
      return read;
    } catch (error) {
      if (!(error instanceof HeaderError)) throw error;
      onUnreadable(path, error.reason);
      return undefined;
    }
  }

  #pagesOf(facts: FileFacts | undefined, path: string, { stats, fingerprint }: PathStats): readonly Resolution[] {
    if (facts === undefined) return [];
    const file = { path, bytes: Number(stats.size), modifiedMs: Number(stats.mtimeMs), fingerprint };
    return facts.header.pages.map((page) => resolutionOf(page, facts, file, this.#parts.orientation));
  }
}
