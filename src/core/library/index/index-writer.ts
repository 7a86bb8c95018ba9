/** Writes to the index in the background: collects lines for a second, then writes one file at a time. */

import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BoundedFolder } from '../../storage/bounded-folder.ts';
import { writeFully } from '../../storage/file-system.ts';
import type { GuardedDisk } from '../../storage/guarded-disk.ts';
import { type FolderLayout, hexDigest, type PathKind, uniqueToken } from '../../storage/layout.ts';
import { UsageIndex } from '../../storage/usage-index.ts';

/** One file of the index. */
export interface IndexFile {
  /** What the file holds: unique, and part of its checksums. */
  readonly id: string;
  /** Its path below the root. */
  readonly name: string;
}

function indexFile(version: string, id: string, extension: 'names' | 'facts'): IndexFile {
  const hash = hexDigest(id, 32);
  return { id, name: path.join(`v${version}`, hash.slice(0, 2), `${hash.slice(2)}.${extension}`) };
}

/** The file for the names in a folder. */
export const namesFile = (version: string, directory: string): IndexFile =>
  indexFile(version, `names\0${directory}`, 'names');

/** The file for the facts of a block of files of a folder. */
export const factsFile = (version: string, directory: string, block: number | string): IndexFile =>
  indexFile(version, `facts\0${block}\0${directory}`, 'facts');

/** The file for the faults of decoders. */
export const faultsFile = (version: string): IndexFile => indexFile(version, 'faults', 'facts');

const folderPattern = /^v[0-9a-f]{16}(?:\/[0-9a-f]{2})?$/;
const filePattern = /^v[0-9a-f]{16}\/[0-9a-f]{2}\/[0-9a-f]{30}\.(?:names|facts)(\.[0-9a-f-]{16,36}\.tmp)?$/;

function classify(name: string): PathKind | undefined {
  const portable = name.split(path.sep).join('/');
  if (folderPattern.test(portable)) return { kind: 'folder' };
  const file = filePattern.exec(portable);
  if (file === null) return undefined;
  return file[1] === undefined ? { kind: 'entry', name } : { kind: 'temporary' };
}

/** Whether a file was written by this version of the header readers. */
export const isOfVersion = (version: string, name: string): boolean => name.startsWith(`v${version}${path.sep}`);

export const layoutIn = (root: string): FolderLayout => ({
  root,
  classify,
  pathOf: (name) => path.join(root, name),
  temporaryFor: (name) => path.join(root, `${name}.${uniqueToken()}.tmp`),
});

/** Lines that arrive within this time are written together. */
const collectMs = 1000;

/** The bound for the bytes that wait to be written; further lines are dropped. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** The bound on disk is enforced after this part of it was written. */
const enforceAfterPart = 1 / 16;

const closeDeadlineMs = 2000;

/** Files of another version of Lectern are removed when they were not used for a week. */
const otherVersionMs = 7 * 24 * 3_600_000;

/** File systems allocate space in blocks of this size. */
const blockBytes = 4096;

export interface IndexWriterOptions {
  readonly disk: GuardedDisk;
  readonly root: string;
  /** The version of the header readers. */
  readonly version: string;
  readonly maxBytes: number;
}

/** What waits for one file: lines to append, after its content was replaced where that is given. */
interface Waiting {
  readonly content: Buffer | undefined;
  readonly lines: string[];
}

export class IndexWriter {
  readonly #disk: GuardedDisk;
  readonly #maxBytes: number;
  readonly #index = new UsageIndex();
  readonly #folder: BoundedFolder;
  /** By the name of the file. */
  readonly #waiting = new Map<string, Waiting>();
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** The bound is enforced after the first write, since other processes have written before. */
  #bytesUntilEnforcement = 0;

  constructor({ disk, root, version, maxBytes }: IndexWriterOptions) {
    this.#disk = disk;
    this.#maxBytes = maxBytes;
    this.#folder = new BoundedFolder({
      files: disk.files,
      layout: layoutIn(root),
      index: this.#index,
      maxBytes,
      bytesOf: ({ size }) => Math.ceil(size / blockBytes) * blockBytes,
      isExpired: (name, lastUseMs) => !isOfVersion(version, name) && Date.now() - lastUseMs > otherVersionMs,
    });
  }

  append(name: string, line: string): void {
    if (!this.#accepts(line.length)) return;
    const waiting = this.#waiting.get(name) ?? { content: undefined, lines: [] };
    waiting.lines.push(line);
    this.#waiting.set(name, waiting);
  }

  replace(name: string, content: Buffer): void {
    if (!this.#accepts(content.length)) return;
    this.#waiting.set(name, { content, lines: this.#waiting.get(name)?.lines ?? [] });
  }

  /** Resolves when everything that waits is written, or after 2 s. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.race([this.#write(), pause(closeDeadlineMs, undefined, { ref: false })]);
  }

  #accepts(bytes: number): boolean {
    if (!this.#disk.isWritable || this.#waitingBytes + bytes > maxWaitingBytes) return false;
    this.#waitingBytes += bytes;
    this.#timer ??= setTimeout(() => void this.#write(), collectMs).unref();
    return true;
  }

  #write(): Promise<void> {
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    const all = [...this.#waiting];
    const bytes = this.#waitingBytes;
    this.#waiting.clear();
    this.#waitingBytes = 0;
    if (all.length === 0 || !this.#disk.isWritable) return;
    try {
      for (const [name, waiting] of all) await this.#writeOne(name, waiting);
      await this.#enforceBound(bytes);
      this.#disk.writeSucceeded();
    } catch (error) {
      this.#disk.writeFailed(error);
    }
  }

  async #writeOne(name: string, { content, lines }: Waiting): Promise<void> {
    if (content !== undefined) {
      await this.#folder.write(name, content.length, (opened) => writeFully(opened, content));
    }
    // They begin with a line end, so that an incomplete line before them does not spoil them.
    if (lines.length > 0) await this.#folder.append(name, Buffer.from(`\n${lines.join('\n')}\n`));
  }

  /** Evicts the least recently used files where that is due. Nothing of the walk stays in memory. */
  async #enforceBound(written: number): Promise<void> {
    this.#bytesUntilEnforcement -= written;
    if (this.#bytesUntilEnforcement > 0) return;
    try {
      await this.#folder.walk({ onDenied: (error) => this.#disk.readFailed(error) });
      await this.#folder.makeSpace(0);
    } finally {
      this.#index.clear();
    }
    this.#bytesUntilEnforcement = this.#maxBytes * enforceAfterPart;
  }
}
