/** Metadata that lies beside images, whole, on a local disk: it decides who may see them, also while the store fails. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { BoundedFolder } from '../bounded-folder.ts';
import { ifFound } from '../file-errors.ts';
import { nodeFileSystem, writeFully } from '../file-system.ts';
import { type FolderLayout, flatLayout, flatNameDigits, hexDigest } from '../layout.ts';
import { UsageIndex } from '../usage-index.ts';

interface StoredContentsOptions {
  /** Contents are kept in `lectern-metadata` in this folder. */
  readonly directory: string;
  readonly onFault: (message: string, error: unknown) => void;
}

/** The bound for all together, in bytes: 65,000 short files. */
const maxBytes = 256 * 2 ** 20;

/** File systems allocate space in blocks of this size. */
const blockBytes = 4096;
const bytesOnDisk = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

const sumOf = (version: string, bytes: Buffer): Buffer => createHash('sha256').update(version).update(bytes).digest();
const sumBytes = 32;

const nameOf = (version: string): string => hexDigest(version, flatNameDigits);

/** The names of metadata of images and of folders. */
export const isMetadata = (key: string): boolean => /(?:\.meta|(?:^|\/)metadata\.(?:ya?ml|csv))$/.test(key);

export class StoredContents {
  readonly #options: StoredContentsOptions;
  readonly #layout: FolderLayout;
  readonly #folder: BoundedFolder;
  /** Files of former processes are counted before the first one is written. */
  #indexed: Promise<unknown> | undefined;

  constructor(options: StoredContentsOptions) {
    this.#options = options;
    this.#layout = flatLayout(path.join(options.directory, 'lectern-metadata'), '.content');
    this.#folder = new BoundedFolder({
      ...{ files: nodeFileSystem, layout: this.#layout, index: new UsageIndex(), maxBytes },
      bytesOf: ({ size }) => bytesOnDisk(size),
    });
  }

  /** The content of a version of a file; undefined where it is not kept, or damaged. Never rejects. */
  async read(version: string): Promise<Buffer | undefined> {
    try {
      const file = await ifFound(readFile(this.#layout.pathOf(nameOf(version))));
      const bytes = file?.subarray(sumBytes);
      return file && bytes && file.subarray(0, sumBytes).equals(sumOf(version, bytes)) ? bytes : undefined;
    } catch (error) {
      this.#options.onFault('Stored metadata can’t be read.', error);
      return undefined;
    }
  }

  /** Never rejects. */
  async write(version: string, bytes: Buffer): Promise<void> {
    try {
      this.#indexed ??= this.#folder.walk();
      await this.#indexed;
      const file = Buffer.concat([sumOf(version, bytes), bytes]);
      await this.#folder.write(nameOf(version), bytesOnDisk(file.length), (opened) => writeFully(opened, file));
    } catch (error) {
      this.#options.onFault('Metadata can’t be stored.', error);
    }
  }
}
