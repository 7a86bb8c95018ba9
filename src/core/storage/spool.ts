/** Whole copies of remote files on a local disk: made once for all who ask, bounded, and evicted by use. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ImageError } from '../image/model/errors.ts';
import { BoundedFolder } from './bounded-folder.ts';
import { ifFound } from './file-errors.ts';
import { nodeFileSystem, writeFully } from './file-system.ts';
import { type FolderLayout, flatLayout, flatNameDigits, hexDigest } from './layout.ts';
import { type FileVersion, fingerprintOf } from './storage.ts';
import type { CopyStats } from './store-observer.ts';
import { UsageIndex } from './usage-index.ts';

interface SpoolOptions {
  /** Copies are kept in `lectern-copies` in this folder. */
  readonly directory: string;
  /** The bound for all copies together, in bytes. */
  readonly maxBytes: number;
  readonly onFault: (message: string, error: unknown) => void;
}

/** Reads a part of the file that is copied, exactly. */
type ReadPart = (at: number, length: number) => Promise<Buffer>;

/** The length of the parts that a file is read in, in bytes, and how many of them are read at the same time. */
const partBytes = 4 * 2 ** 20;
const partsAhead = 4;

/** The parts in order, some of them read ahead. */
async function* partsOf(bytes: number, read: ReadPart): AsyncIterable<Buffer> {
  const pending: Promise<Buffer>[] = [];
  for (let at = 0; at < bytes || pending.length > 0; ) {
    while (at < bytes && pending.length < partsAhead) {
      const part = read(at, Math.min(partBytes, bytes - at));
      part.catch(() => undefined);
      pending.push(part);
      at += partBytes;
    }
    const first = pending.shift();
    if (first !== undefined) yield await first;
  }
}

const isDiskFull = (code: unknown): boolean => code === 'ENOSPC' || code === 'EDQUOT';

const nameOf = ({ path: of, fingerprint }: FileVersion): string =>
  hexDigest(JSON.stringify([of, fingerprint]), flatNameDigits);

export class Spool {
  readonly #options: SpoolOptions;
  readonly #layout: FolderLayout;
  readonly #index = new UsageIndex();
  readonly #folder: BoundedFolder;
  readonly #copying = new Map<string, Promise<void>>();
  /** Copies of former processes are found before the first one is made. */
  #indexed: Promise<unknown> | undefined;
  readonly #faults = { full: 0, other: 0 };

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#layout = flatLayout(path.join(options.directory, 'lectern-copies'), '.copy');
    this.#folder = new BoundedFolder({
      files: nodeFileSystem,
      layout: this.#layout,
      index: this.#index,
      maxBytes: options.maxBytes,
      immutable: true,
    });
  }

  stats(): CopyStats {
    const { entries: files, bytes } = this.#index.totals();
    const { maxBytes } = this.#options;
    return { files, bytes, maxBytes, evictions: this.#folder.evictions, faults: { ...this.#faults } };
  }

  /** A copy of a version of a file, as a file of the local disk. Rejects where the file can’t be read. */
  async copy<File extends FileVersion>(file: File, read: ReadPart): Promise<File> {
    if (file.bytes > this.#options.maxBytes)
      throw new ImageError('too-large', 'The image’s file is larger than the space for copies of the object store.');
    const name = nameOf(file);
    const location = this.#layout.pathOf(name);
    const kept = (await this.#find(location, file)) ?? (await this.#make(name, file, read));
    this.#index.use(name, file.bytes);
    return { ...file, path: location, fingerprint: kept };
  }

  /** Whether there is a whole copy of a version of a file. */
  async has(file: FileVersion): Promise<boolean> {
    return (await this.#find(this.#layout.pathOf(nameOf(file)), file)) !== undefined;
  }

  /** The fingerprint of a whole copy; undefined where there is none. */
  async #find(location: string, { bytes }: FileVersion): Promise<string | undefined> {
    const stats = await ifFound(stat(location, { bigint: true }));
    return stats?.isFile() && stats.size === BigInt(bytes) ? fingerprintOf(stats) : undefined;
  }

  async #make(name: string, file: FileVersion, read: ReadPart): Promise<string> {
    const making = this.#copying.get(name) ?? this.#write(name, file, read).finally(() => this.#copying.delete(name));
    this.#copying.set(name, making);
    await making;
    const made = await this.#find(this.#layout.pathOf(name), file);
    if (made === undefined) throw new ImageError('failed', 'The copy of the image’s file is gone.');
    return made;
  }

  async #write(name: string, { bytes }: FileVersion, read: ReadPart): Promise<void> {
    this.#indexed ??= this.#folder
      .walk()
      .catch((error: unknown) => this.#options.onFault('The folder of copies can’t be read.', error));
    await this.#indexed;
    try {
      await this.#folder.write(name, bytes, async (target) => {
        for await (const part of partsOf(bytes, read)) await writeFully(target, part);
      });
    } catch (error) {
      // What the store says is an ImageError; of the disk there are codes of the system.
      const code = error instanceof Error && !(error instanceof ImageError) && 'code' in error ? error.code : undefined;
      if (code !== undefined) this.#faults[isDiskFull(code) ? 'full' : 'other']++;
      throw error;
    }
  }
}
