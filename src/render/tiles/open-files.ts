/** Keeps the files that tiles are read from open for a while: a few of them, and only as long as they stay the same. */
import { type BigIntStats, constants, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ImageError } from '../../image/model/errors.ts';
import type { SourceFile } from '../../image/model/image-set.ts';
import { isNotFound } from '../../storage/file-errors.ts';

/** What changes with every write to a file. */
export type Fingerprint = (stats: BigIntStats) => string;

export interface OpenFilesOptions {
  readonly fingerprintOf: Fingerprint;
  /** The devices of local disks: a look at a file of theirs that is open takes no time. */
  readonly localDevices?: ReadonlySet<bigint>;
  /** How many files stay open while nobody reads them; more are open only while they are read. */
  readonly maxFiles?: number;
  /** A file that nobody has read is closed after once or twice this time. */
  readonly idleMs?: number;
}

export interface OpenFile<Notes> {
  readonly handle: FileHandle;
  readonly isLocal: boolean;
  /** What is remembered of the file until it is closed. */
  readonly notes: Notes;
}

/** A file in the cache, from the moment that it is to be opened. */
interface Entry<Notes> {
  readonly fingerprint: string;
  readonly opening: Promise<OpenFile<Notes>>;
  readers: number;
  /** Whether somebody has read it since idle files were last looked for. */
  isFresh: boolean;
  /** Whether it is no longer in the cache, so that its last reader closes it. */
  isRetired: boolean;
}

const changed = (cause?: unknown): ImageError =>
  new ImageError('changed', 'The image’s file is being replaced; ask again.', { cause });

/** Open files by their paths, the longest unread first. */
export class OpenFiles<Notes> {
  readonly #entries = new Map<string, Entry<Notes>>();
  readonly #fingerprintOf: Fingerprint;
  readonly #localDevices: ReadonlySet<bigint>;
  readonly #maxFiles: number;
  readonly #idleMs: number;
  readonly #notesOf: () => Notes;
  #timer: NodeJS.Timeout | undefined;

  /** `notesOf` makes what is remembered of a file that was opened. */
  constructor(options: OpenFilesOptions, notesOf: () => Notes) {
    const { fingerprintOf, localDevices = new Set(), maxFiles = 128, idleMs = 10_000 } = options;
    this.#fingerprintOf = fingerprintOf;
    this.#localDevices = localDevices;
    this.#maxFiles = maxFiles;
    this.#idleMs = idleMs;
    this.#notesOf = notesOf;
  }

  /** How many files are kept open. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * What `read` makes of the file, which is the one that was planned with, before and after it was read. Throws
   * ImageError `changed` where it is not.
   */
  async read<T>(file: SourceFile, read: (opened: OpenFile<Notes>) => Promise<T>): Promise<T> {
    const entry = this.#entryOf(file);
    entry.readers++;
    entry.isFresh = true;
    try {
      const opened = await entry.opening;
      const result = await read(opened);
      await this.#requireSame(file, opened);
      return result;
    } catch (error) {
      // Whatever went wrong, the next reader begins anew.
      this.#retire(file.path, entry);
      throw error;
    } finally {
      entry.readers--;
      this.#closeIfDone(entry);
    }
  }

  /** Closes all files as soon as nobody reads them. */
  close(): void {
    for (const [path, entry] of this.#entries) this.#retire(path, entry);
  }

  /** Closes the files that nobody has read since the last call. */
  closeIdle(): void {
    for (const [path, entry] of this.#entries) {
      if (entry.readers === 0 && !entry.isFresh) this.#retire(path, entry);
      entry.isFresh = false;
    }
  }

  #entryOf(file: SourceFile): Entry<Notes> {
    const { path, fingerprint } = file;
    const known = this.#entries.get(path);
    if (known?.fingerprint === fingerprint) {
      this.#entries.delete(path);
      this.#entries.set(path, known);
      return known;
    }
    if (known !== undefined) this.#retire(path, known);
    const opening = this.#open(file);
    // Each reader sees the failure; this keeps it from being reported when the entry is retired meanwhile.
    opening.catch(() => undefined);
    const entry: Entry<Notes> = { fingerprint, opening, readers: 0, isFresh: true, isRetired: false };
    this.#entries.set(path, entry);
    this.#retireOldest();
    this.#timer ??= setInterval(() => this.closeIdle(), this.#idleMs).unref();
    return entry;
  }

  async #open(file: SourceFile): Promise<OpenFile<Notes>> {
    const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
      throw isNotFound(cause) ? changed(cause) : new ImageError('failed', 'The picture could not be made.', { cause });
    });
    try {
      const stats = await handle.stat({ bigint: true });
      this.#requireFingerprint(file, stats);
      return { handle, isLocal: this.#localDevices.has(stats.dev), notes: this.#notesOf() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #requireSame(file: SourceFile, { handle, isLocal }: OpenFile<Notes>): Promise<void> {
    this.#requireFingerprint(
      file,
      isLocal ? fstatSync(handle.fd, { bigint: true }) : await handle.stat({ bigint: true }),
    );
  }

  #requireFingerprint(file: SourceFile, stats: BigIntStats): void {
    if (this.#fingerprintOf(stats) !== file.fingerprint) throw changed();
  }

  #retireOldest(): void {
    const [oldest] = this.#entries;
    if (this.#entries.size > this.#maxFiles && oldest !== undefined) this.#retire(...oldest);
  }

  #retire(path: string, entry: Entry<Notes>): void {
    if (this.#entries.get(path) === entry) this.#entries.delete(path);
    entry.isRetired = true;
    this.#closeIfDone(entry);
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #closeIfDone(entry: Entry<Notes>): void {
    if (!entry.isRetired || entry.readers > 0) return;
    // A second call closes nothing, and of a file that was only read there is nothing to lose.
    entry.opening.then(({ handle }) => handle.close()).catch(() => undefined);
  }
}
