/** Listings of buckets on a local disk, so that a server that starts anew need not list them before it answers. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BoundedFolder } from '../bounded-folder.ts';
import { FaultReporter } from '../fault-reporter.ts';
import { isNotFound } from '../file-errors.ts';
import { nodeFileSystem, writeFully } from '../file-system.ts';
import { type FolderLayout, flatLayout, flatNameDigits, hexDigest } from '../layout.ts';
import { UsageIndex } from '../usage-index.ts';
import type { StoredObject } from './bucket-requests.ts';
import type { BucketFolder } from './paged-list.ts';

interface StoredListsOptions {
  /** Listings are kept in `lectern-lists` in this folder. */
  readonly directory: string;
  readonly onFault: (message: string, error: unknown) => void;
}

/** The bound for all listings together, in bytes: some ten million names, or 65,000 short listings. */
const maxBytes = 256 * 2 ** 20;

/** File systems allocate space in blocks of this size. */
const blockBytes = 4096;
const bytesOnDisk = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

/** The names in a line. */
const namesInLine = 1000;

/** The first line; the last one is `end`, which a file that was cut does not have. */
interface Head {
  readonly key: string;
  readonly version: string;
  readonly listedMs: number;
  /** The number of files. */
  readonly files: number;
  readonly folders: readonly string[];
}
const end = '"end"';

/** Of long lists the names alone. */
type Row = readonly [name: string, size: number, etag: string, modifiedMs: number] | readonly [name: string];

/** A line of JSON; readline would divide it at the separators of lines and paragraphs too. */
const lineOf = (value: unknown): string =>
  `${JSON.stringify(value).replace(/[\u2028\u2029]/g, (separator) => `\\u${separator.charCodeAt(0).toString(16)}`)}\n`;

function* linesOf(key: string, { files, folders, version, listedMs }: BucketFolder): Iterable<string> {
  yield lineOf({ key, version: String(version), listedMs, files: files.size, folders: [...folders] } satisfies Head);
  let rows: Row[] = [];
  for (const [name, object] of files) {
    rows.push(object === undefined ? [name] : [name, object.size, object.etag, object.modifiedMs]);
    if (rows.length < namesInLine) continue;
    yield lineOf(rows);
    rows = [];
  }
  yield `${lineOf(rows)}${end}\n`;
}

/** The listing in the lines of a file; undefined where it is another one, too long, or not whole. Gzip’s checksum is verified by reading it. */
async function folderOf(
  key: string,
  maxNames: number,
  lines: AsyncIterable<string>,
): Promise<BucketFolder | undefined> {
  const files = new Map<string, StoredObject | undefined>();
  let head: Head | undefined;
  let isWhole = false;
  for await (const line of lines) {
    if (head === undefined) {
      head = JSON.parse(line) as Head;
      if (head.key !== key || head.files + head.folders.length > maxNames) return undefined;
    } else if (line === end) isWhole = true;
    else {
      for (const [name, size, etag = '', modifiedMs = 0] of JSON.parse(line) as Row[])
        files.set(name, size === undefined ? undefined : { size, etag, modifiedMs });
      await turn();
    }
  }
  if (head === undefined || !isWhole) return undefined;
  // A mark is needed only where there are no names.
  return {
    files,
    folders: new Set(head.folders),
    isMarked: false,
    version: BigInt(head.version),
    listedMs: head.listedMs,
  };
}

export class StoredLists {
  readonly #options: StoredListsOptions;
  readonly #faults: FaultReporter<'writing'>;
  readonly #layout: FolderLayout;
  readonly #index = new UsageIndex();
  readonly #folder: BoundedFolder;
  /** Listings of former processes are counted before the first one is written. */
  #indexed: Promise<unknown> | undefined;

  constructor(options: StoredListsOptions) {
    this.#options = options;
    this.#faults = new FaultReporter(options.onFault);
    this.#layout = flatLayout(path.join(options.directory, 'lectern-lists'), '.list');
    this.#folder = new BoundedFolder({
      files: nodeFileSystem,
      layout: this.#layout,
      index: this.#index,
      maxBytes,
      bytesOf: ({ size }) => bytesOnDisk(size),
    });
  }

  /** A listing that was kept; undefined where there is none that is whole, or a longer one. Never rejects. */
  async read(key: string, maxNames = Number.POSITIVE_INFINITY): Promise<BucketFolder | undefined> {
    const source = createReadStream(this.#layout.pathOf(nameOf(key)));
    const text = createGunzip();
    // The reader of lines does not see errors of streams.
    const failed = Promise.race([once(source, 'error'), once(text, 'error')]).then(([error]) => {
      throw error;
    });
    failed.catch(() => undefined);
    try {
      const lines = createInterface({ input: source.pipe(text), crlfDelay: Number.POSITIVE_INFINITY });
      return await Promise.race([folderOf(key, maxNames, lines), failed]);
    } catch (error) {
      if (!isNotFound(error)) this.#options.onFault('A stored list of a bucket can’t be read.', error);
      return undefined;
    } finally {
      source.destroy();
      text.destroy();
    }
  }

  /** Keeps a listing, where it has names. Never rejects. */
  async write(key: string, folder: BucketFolder): Promise<void> {
    if (folder.files.size + folder.folders.size === 0) return;
    try {
      this.#indexed ??= this.#folder.walk();
      await this.#indexed;
      const parts: Buffer[] = [];
      for await (const part of Readable.from(linesOf(key, folder)).pipe(createGzip({ level: 1 }))) parts.push(part);
      const bytes = Buffer.concat(parts);
      if (bytes.length > maxBytes) return;
      await this.#folder.write(nameOf(key), bytesOnDisk(bytes.length), (file) => writeFully(file, bytes));
      this.#faults.recover('writing');
    } catch (error) {
      this.#faults.report('writing', 'Lists of buckets can’t be stored.', error);
    }
  }
}

const nameOf = (key: string): string => hexDigest(key, flatNameDigits);
