/** Reads `.meta` files, and keeps what they say until they change. */
import { LRUCache } from 'lru-cache';
import type { MetadataFault } from '../../image/folder/folder-metadata.ts';
import { unreadableAccess } from '../../image/model/image-metadata.ts';
import { type FileContent, readFileIn } from '../listings/folder-files.ts';
import { type Listing, pathIn } from '../listings/listing.ts';
import type { Containment } from '../roots/containment.ts';
import { isSettled } from '../stats/fingerprint.ts';
import { LibraryFileSystem, type PathStats } from '../stats/library-file-system.ts';
import { RequestStatCache } from '../stats/request-stat-cache.ts';
import { emptyMetaFile, type MetaFile, parseMetaFile } from './parse.ts';
import type { XmlFault } from './xml.ts';

/** The longest file that is read, in bytes. */
const maxBytes = 1024 * 1024;

/** From this size in bytes a file counts as large; of those only a few are kept. */
const largeBytes = 8 * 1024;

interface Remembered {
  readonly version: string;
  readonly file: MetaFile;
}

/** A version of a file that is being read. */
interface Reading {
  readonly version: string;
  readonly file: Promise<MetaFile>;
}

export class MetaFileReader {
  readonly #isContained: Containment;
  readonly #onFault: (path: string, fault: MetadataFault) => void;
  readonly #disk: LibraryFileSystem;
  readonly #small = new LRUCache<string, Remembered>({ max: 10_000 });
  readonly #large = new LRUCache<string, Remembered>({ max: 50 });
  /** By path, what is being read now: many who ask at once wait for one reading. */
  readonly #readings = new Map<string, Reading>();
  /** By path, what was reported last; so that each fault is reported once. */
  readonly #reported = new LRUCache<string, string>({ max: 5000 });

  /** `onFault` is told of each fault with the file's absolute path, once for each version of the file. */
  constructor(
    isContained: Containment,
    onFault: (path: string, fault: MetadataFault) => void,
    disk: LibraryFileSystem = new LibraryFileSystem(),
  ) {
    this.#isContained = isContained;
    this.#onFault = onFault;
    this.#disk = disk;
  }

  /**
   * What the file of this name in a listed folder says; nothing where there is none. Faults are reported, never thrown.
   * Throws where the disk fails: what can't be read could have said that the image is not open to all.
   */
  async read(listing: Listing, name: string, moment = new RequestStatCache(this.#disk)): Promise<MetaFile> {
    if (!listing.metaFiles.has(name)) return emptyMetaFile;
    const path = pathIn(listing, name);
    const look = await this.#lookContained(path, moment);
    if (look === undefined) return emptyMetaFile;
    const version = look.fingerprint;
    const kept = [this.#small, this.#large].map((recent) => recent.get(path)).find((one) => one?.version === version);
    if (kept !== undefined) return kept.file;
    const current = this.#readings.get(path);
    if (current?.version === version) return current.file;
    const reading = { version, file: this.#readVersion(listing, name, look) };
    this.#readings.set(path, reading);
    try {
      return await reading.file;
    } finally {
      if (this.#readings.get(path) === reading) this.#readings.delete(path);
    }
  }

  /** Of the file that a link leads to, where that is inside of the roots; else of the link itself. */
  async #lookContained(path: string, moment: RequestStatCache): Promise<PathStats | undefined> {
    const look = await moment.lstat(path);
    if (!look?.stats.isSymbolicLink()) return look;
    const target = await this.#disk.resolve(path);
    const inside = target !== undefined && this.#isContained(target);
    return (inside ? await moment.stat(target) : undefined) ?? look;
  }

  async #readVersion(listing: Listing, name: string, look: PathStats): Promise<MetaFile> {
    const { stats, fingerprint: version, beganMs } = look;
    const content = await this.#contentOf(listing, name, look);
    const { file: read, fault } =
      content.kind === 'bytes'
        ? parseMetaFile(content.bytes)
        : { file: emptyMetaFile, fault: { line: 0, message: content.reason } };
    // What can’t be read could have said that the image is not open to all.
    const file = fault === undefined ? read : { ...read, general: { ...read.general, access: unreadableAccess } };
    const path = pathIn(listing, name);
    if (fault !== undefined) this.#report(path, name, version, fault);
    if (isSettled(stats, beganMs)) {
      (stats.size > largeBytes ? this.#large : this.#small).set(path, { version, file });
    }
    return file;
  }

  async #contentOf(listing: Listing, name: string, { stats }: PathStats): Promise<FileContent> {
    // Devices, pipes and sockets are not even opened.
    if (!stats.isFile() && !stats.isSymbolicLink()) return { kind: 'refused', reason: 'This is no file.' };
    const { directory } = listing;
    return this.#disk.run(directory, () => readFileIn(directory, name, this.#isContained, maxBytes));
  }

  #report(path: string, name: string, version: string, { line, message }: XmlFault): void {
    const said = `${version} ${line} ${message}`;
    if (this.#reported.get(path) === said) return;
    this.#reported.set(path, said);
    this.#onFault(path, { file: name, line, message });
  }
}
