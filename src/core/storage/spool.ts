/** Whole copies of remote files on a local disk: made once for all who ask, bounded, and evicted by use. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ImageError } from '../image/model/errors.ts';
import { BoundedFolder } from './bounded-folder.ts';
import { CopySpace, type MeasureDisk } from './copy-space.ts';
import { isNoSpace } from './file-errors.ts';
import { type FileSystem, nodeFileSystem, type OpenFile, pieceBytes } from './file-system.ts';
import { type FolderLayout, flatLayout, flatNameDigits, hexDigest } from './layout.ts';
import { type FileVersion, fingerprintOf } from './storage.ts';
import type { CopyStats } from './store-observer.ts';
import { UsageIndex } from './usage-index.ts';

interface SpoolOptions {
  /** Copies are kept in `lectern-copies` in this folder. */
  readonly directory: string;
  /** The bound for all copies together, in bytes. */
  readonly maxBytes: number;
  readonly onFault: (message: string, error?: unknown) => void;
  /** Those of the system, and its figures, by default. */
  readonly files?: FileSystem;
  readonly measure?: MeasureDisk;
}

/** What a copy is made of. */
export interface CopySource {
  /** Reads a part of the file, exactly. */
  read(at: number, length: number): Promise<Buffer>;
  /** Waits for a copy that is being made, which goes on where this rejects. */
  wait<T>(copying: Promise<T>): Promise<T>;
}

/** The length of the parts that a file is read in, in bytes, and how many of them are read at the same time. */
const partBytes = 4 * 2 ** 20;
const partsAhead = 4;

/** The parts in order, some of them read ahead. */
async function* partsOf(bytes: number, read: CopySource['read']): AsyncIterable<Buffer> {
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

const nameOf = ({ path: of, fingerprint }: FileVersion): string =>
  hexDigest(JSON.stringify([of, fingerprint]), flatNameDigits);

export class Spool {
  readonly #options: SpoolOptions;
  readonly #layout: FolderLayout;
  readonly #index = new UsageIndex();
  readonly #folder: BoundedFolder;
  readonly #copying = new Map<string, Promise<void>>();
  readonly #space: CopySpace;
  /** Copies of former processes are found before the first one is made. */
  #indexed: Promise<unknown> | undefined;

  constructor(options: SpoolOptions) {
    const { directory, maxBytes, onFault, measure, files = nodeFileSystem } = options;
    this.#options = options;
    this.#layout = flatLayout(path.join(directory, 'lectern-copies'), '.copy');
    this.#folder = new BoundedFolder({ files, layout: this.#layout, index: this.#index, maxBytes, immutable: true });
    this.#space = new CopySpace({ directory, folder: this.#folder, index: this.#index, onFault, measure });
  }

  stats(): CopyStats {
    const { entries: files, bytes } = this.#index.totals();
    const { maxBytes } = this.#options;
    const { faults, lack } = this.#space;
    return { files, bytes, maxBytes, evictions: this.#folder.evictions, faults, lack };
  }

  /**
   * The result of work on a copy of a version of a file, as a file of the local disk, which is not evicted meanwhile. Rejects where
   * the file can’t be read, and with ImageError `no-space` where the disk has no space.
   */
  async use<File extends FileVersion, T>(file: File, source: CopySource, work: (copy: File) => Promise<T>): Promise<T> {
    if (file.bytes > this.#options.maxBytes)
      throw new ImageError('too-large', 'The image’s file is larger than the space for copies of the object store.');
    const name = nameOf(file);
    const make = (): Promise<File> => source.wait(this.#copy(name, file, source));
    this.#index.hold(name);
    try {
      const copy = await make();
      try {
        return await work(copy);
      } catch (error) {
        // Another process, or a person, may have deleted it before it was opened.
        if ((await this.#find(copy.path, file)) === copy.fingerprint) throw error;
        return await work(await make());
      }
    } finally {
      this.#index.release(name);
    }
  }

  /** Whether there is a whole copy of a version of a file. */
  async has(file: FileVersion): Promise<boolean> {
    return (await this.#find(this.#layout.pathOf(nameOf(file)), file)) !== undefined;
  }

  async #copy<File extends FileVersion>(name: string, file: File, source: CopySource): Promise<File> {
    const location = this.#layout.pathOf(name);
    const kept = (await this.#find(location, file)) ?? (await this.#make(name, file, source));
    this.#index.use(name, file.bytes);
    return { ...file, path: location, fingerprint: kept, isCopy: true };
  }

  /** The fingerprint of a whole copy; undefined where there is none that can be read. */
  async #find(location: string, { bytes }: FileVersion): Promise<string | undefined> {
    const stats = await stat(location, { bigint: true }).catch(() => undefined);
    return stats?.isFile() && stats.size === BigInt(bytes) ? fingerprintOf(stats) : undefined;
  }

  async #make(name: string, file: FileVersion, source: CopySource): Promise<string> {
    const making = this.#copying.get(name) ?? this.#write(name, file, source).finally(() => this.#copying.delete(name));
    this.#copying.set(name, making);
    await making;
    const made = await this.#find(this.#layout.pathOf(name), file);
    if (made === undefined) throw new ImageError('failed', 'The copy of the image’s file is gone.');
    return made;
  }

  async #write(name: string, { bytes }: FileVersion, { read }: CopySource): Promise<void> {
    this.#indexed ??= this.#folder
      .walk()
      .catch((error: unknown) => this.#options.onFault('The folder of copies can’t be read.', error));
    await this.#indexed;
    await this.#space.write(bytes, (wrote) =>
      this.#folder.write(name, bytes, async (target) => {
        let left = bytes;
        for await (const part of partsOf(bytes, read)) {
          await this.#writePart(target, part, left);
          left -= part.length;
          wrote(part.length);
        }
      }),
    );
  }

  /** Where the disk becomes full meanwhile, older copies make room for what is left. */
  async #writePart(target: OpenFile, part: Buffer, left: number): Promise<void> {
    for (let written = 0; written < part.length; ) {
      try {
        written += await target.write(part.subarray(written, written + pieceBytes));
      } catch (error) {
        if (!isNoSpace(error) || !(await this.#space.evict(left - written))) throw error;
      }
    }
  }
}
