/** Reads `.meta` files, and keeps what they say until they change. */
import type { BigIntStats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import type { MetadataFault } from '../../image/folder-metadata.ts';
import { fingerprintOf, settledAfterMs } from '../current.ts';
import { type FileContent, readFileIn } from '../folder-files.ts';
import { type Containment, ifThere, type Listing, pathIn } from '../folders.ts';
import { Recent } from '../recent.ts';
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
  readonly #small = new Recent<string, Remembered>(10_000);
  readonly #large = new Recent<string, Remembered>(50);
  /** By path, what is being read now: many who ask at once wait for one reading. */
  readonly #readings = new Map<string, Reading>();
  /** By path, what was reported last; so that each fault is reported once. */
  readonly #reported = new Recent<string, string>(5000);

  /** `onFault` is told of each fault with the file's absolute path, once for each version of the file. */
  constructor(isContained: Containment, onFault: (path: string, fault: MetadataFault) => void) {
    this.#isContained = isContained;
    this.#onFault = onFault;
  }

  /**
   * What the file of this name in a listed folder says; nothing where there is none. Faults are reported, never thrown.
   * Throws where the disk fails: what can't be read could have said that the image is not open to all.
   */
  async read(listing: Listing, name: string): Promise<MetaFile> {
    if (!listing.metaFiles.has(name)) return emptyMetaFile;
    const path = pathIn(listing, name);
    const stats = await this.#statContained(path);
    if (stats === undefined) return emptyMetaFile;
    const version = fingerprintOf(stats);
    const kept = [this.#small, this.#large].map((recent) => recent.get(path)).find((one) => one?.version === version);
    if (kept !== undefined) return kept.file;
    const current = this.#readings.get(path);
    if (current?.version === version) return current.file;
    const reading = { version, file: this.#readVersion(listing, name, stats, version) };
    this.#readings.set(path, reading);
    try {
      return await reading.file;
    } finally {
      if (this.#readings.get(path) === reading) this.#readings.delete(path);
    }
  }

  /** Of the file that a link leads to, where that is inside of the roots; else of the link itself. */
  async #statContained(path: string): Promise<BigIntStats | undefined> {
    const stats = await ifThere(lstat(path, { bigint: true }));
    if (!stats?.isSymbolicLink()) return stats;
    const target = await ifThere(realpath(path));
    const inside = target !== undefined && this.#isContained(target);
    return (inside ? await ifThere(stat(target, { bigint: true })) : undefined) ?? stats;
  }

  async #readVersion(listing: Listing, name: string, stats: BigIntStats, version: string): Promise<MetaFile> {
    const readAt = Date.now();
    const content = await this.#contentOf(listing, name, stats);
    const { file, fault } =
      content.kind === 'bytes'
        ? parseMetaFile(content.bytes)
        : { file: emptyMetaFile, fault: { line: 0, message: content.reason } };
    const path = pathIn(listing, name);
    if (fault !== undefined) this.#report(path, name, version, fault);
    if (readAt - Number(stats.ctimeMs) > settledAfterMs) {
      (stats.size > largeBytes ? this.#large : this.#small).set(path, { version, file });
    }
    return file;
  }

  async #contentOf(listing: Listing, name: string, stats: BigIntStats): Promise<FileContent> {
    // Devices, pipes and sockets are not even opened.
    if (!stats.isFile() && !stats.isSymbolicLink()) return { kind: 'refused', reason: 'This is no file.' };
    return readFileIn(listing.directory, name, this.#isContained, maxBytes);
  }

  #report(path: string, name: string, version: string, { line, message }: XmlFault): void {
    const said = `${version} ${line} ${message}`;
    if (this.#reported.get(path) === said) return;
    this.#reported.set(path, said);
    this.#onFault(path, { file: name, line, message });
  }
}
