/** Reads the metadata of folders in which the store told a change, so that searches find what it says now. */
import { setTimeout as pause } from 'node:timers/promises';
import pMap from 'p-map';
import { FaultReporter, type OnFault } from '../../core/storage/fault-reporter.ts';
import type { BucketReader } from './bucket-reader.ts';
import { describeFolders } from './fill/folder-words.ts';
import type { ObjectChange } from './postgres/changes.ts';
import type { Database } from './postgres/database.ts';
import { folderPath, splitKey } from './postgres/stored-forms.ts';

interface ChangedFoldersParts {
  readonly database: Pick<Database, 'patiently'>;
  readonly reader: BucketReader;
  readonly onFault: OnFault;
}

/** Changes of a folder within this time are read once; what failed is tried again after the longer one, in ms. */
const collectMs = 1000;
const retryMs = 10_000;

/** Folders that wait; those of further changes are read by the next filling. */
const maxWaiting = 10_000;

const foldersAtOnce = 4;

export class ChangedFolders {
  readonly #parts: ChangedFoldersParts;
  readonly #faults: FaultReporter<'reading'>;
  readonly #ending = new AbortController();
  #waiting = new Set<string>();
  #reading: Promise<void> | undefined;

  constructor(parts: ChangedFoldersParts) {
    this.#parts = parts;
    this.#faults = new FaultReporter(parts.onFault);
  }

  /** Their folders are read behind the answer; those without metadata take no request. */
  add(changes: readonly Pick<ObjectChange, 'bucket' | 'key'>[]): void {
    for (const { bucket, key } of changes)
      if (this.#waiting.size < maxWaiting) this.#waiting.add(folderPath(bucket, splitKey(key).prefix));
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#reading;
    await this.#parts.reader.close();
  }

  /** Never rejects. */
  async #readAll(): Promise<void> {
    let waitMs = collectMs;
    while (this.#waiting.size > 0) {
      await pause(waitMs, undefined, { ref: false, signal: this.#ending.signal }).catch(() => undefined);
      if (this.#ending.signal.aborted) return;
      waitMs = (await this.#readSome()) ? collectMs : retryMs;
    }
  }

  /** Whether all were read; the others wait again. */
  async #readSome(): Promise<boolean> {
    const { database, reader } = this.#parts;
    const paths = [...this.#waiting];
    this.#waiting = new Set();
    const failed = await pMap(
      paths,
      (path) =>
        describeFolders(database, { path, scope: 'alone' }, reader).then(
          () => [],
          (error: unknown) => [{ path, error }],
        ),
      { concurrency: foldersAtOnce },
    );
    const [first] = failed.flat();
    if (first === undefined) this.#faults.recover('reading');
    else
      this.#faults.report('reading', 'The metadata of changed folders can’t be read into the catalogue.', first.error);
    for (const { path } of failed.flat()) this.#waiting.add(path);
    return first === undefined;
  }
}
