/** Documents that were made or are being made: each once for all who ask, kept in a bounded folder, and abandoned when nobody waits. */

import { createReadStream } from 'node:fs';
import { mkdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { BoundedFolder } from '../../../core/storage/bounded-folder.ts';
import { isNoSpace } from '../../../core/storage/file-errors.ts';
import { nodeFileSystem } from '../../../core/storage/file-system.ts';
import { cacheTag, type FolderLayout, flatLayout, flatNameDigits, hexDigest } from '../../../core/storage/layout.ts';
import { UsageIndex } from '../../../core/storage/usage-index.ts';
import { abandoned, noSpace, tooLong, tooMany } from './document-errors.ts';
import { GrowingFile } from './document-file.ts';
import { createDocumentVersions } from './document-version.ts';

export interface DocumentStoreOptions {
  readonly directory: string;
  /** The folder in it that holds them, and the extension of their files. */
  readonly kind: { readonly folder: string; readonly extension: string };
  /** The bound for all documents together, in bytes. */
  readonly maxBytes: number;
  /** No document is longer, in bytes. */
  readonly maxDocumentBytes: number;
  /** How many documents are made at the same time: so many for readers, and as many for strangers. */
  readonly workers: number;
  /** How many more may wait for it, of readers and of strangers, and half of them of one owner; further ones are refused. */
  readonly maxWaiting: number;
  readonly onFault: (message: string, error: unknown) => void;
}

/** How far a document is. */
export type DocumentProgress =
  | { readonly kind: 'none' }
  | { readonly kind: 'making'; readonly pages: number; readonly of: number; readonly bytes: number }
  /** `version` changes when the document is made anew; the times of its file tell when it was used. */
  | { readonly kind: 'done'; readonly bytes: number; readonly version: string }
  | { readonly kind: 'failed'; readonly error: unknown };

/** For whom a document is made. */
export interface DocumentOwner {
  /** Equal for those who take turns as one. */
  readonly name: string;
  /** Whether it is of those who get what others leave: what they ask for keeps no others waiting. */
  readonly isOfCrowd: boolean;
}

const nobody: DocumentOwner = { name: '', isOfCrowd: false };

/** Makes the bytes of a document; `onPage` is to be called after each of its pages. */
export type MakeDocument = (signal: AbortSignal, onPage: () => void) => AsyncIterable<Buffer>;

/** A document that is being made, or waits for it. */
export interface Making {
  /** Resolves when the first page is written; rejects where making fails before. */
  readonly begun: Promise<void>;
  /** Resolves when the document is kept; rejects where making fails. */
  readonly done: Promise<void>;
  /** The bytes as they are made; who reads them waits for the document until they leave off. */
  stream(signal: AbortSignal): Readable;
  /** Waits for the document until `signal` is aborted, so that it is not abandoned. */
  waitUntil(signal: AbortSignal): void;
  /** Somebody asked for the document and will ask again: it is not abandoned for this time, in ms. */
  waitFor(ms: number): void;
}

/** How long it is remembered that a document could not be made, in ms. */
const failureMs = 60_000;

/** The waiting of all who want a document; when the last of them is gone, it is abandoned. */
class Waiters {
  readonly #controller = new AbortController();
  #count = 0;
  #lease: { readonly timer: NodeJS.Timeout; readonly untilMs: number } | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  enter(signal: AbortSignal): void {
    this.#count++;
    const leave = (): void => this.#leave();
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  }

  lease(ms: number): void {
    const untilMs = performance.now() + ms;
    // Of several who will come back, the last one counts.
    if (this.#lease !== undefined && this.#lease.untilMs >= untilMs) return;
    if (this.#lease === undefined) this.#count++;
    clearTimeout(this.#lease?.timer);
    const timer = setTimeout(() => this.end(), ms);
    timer.unref();
    this.#lease = { timer, untilMs };
  }

  /** Ends the lease. */
  end(): void {
    if (this.#lease === undefined) return;
    clearTimeout(this.#lease.timer);
    this.#lease = undefined;
    this.#leave();
  }

  #leave(): void {
    if (--this.#count === 0) this.abandon();
  }

  abandon(): void {
    this.#controller.abort();
  }
}

class Job implements Making {
  readonly waiters = new Waiters();
  readonly of: number;
  /** The name of the first one who asked for it. */
  readonly owner: string;
  readonly begun: Promise<void>;
  done: Promise<void> = Promise.resolve();
  isStarted = false;
  pages = 0;
  file: GrowingFile | undefined;
  readonly #readKept: () => Readable;
  readonly begin: { readonly resolve: () => void; readonly reject: (error: unknown) => void };

  /** `readKept` reads the document once it is kept. */
  constructor(of: number, owner: string, readKept: () => Readable) {
    this.of = of;
    this.owner = owner;
    this.#readKept = readKept;
    let begin = { resolve: (): void => undefined, reject: (_error: unknown): void => undefined };
    this.begun = new Promise((resolve, reject) => {
      begin = { resolve, reject };
    });
    this.begin = begin;
    this.begun.catch(() => undefined);
  }

  stream(signal: AbortSignal): Readable {
    if (this.file === undefined) throw new TypeError('a document is read before it has begun');
    return this.file.stream(signal) ?? this.#readKept();
  }

  waitUntil(signal: AbortSignal): void {
    this.waiters.enter(signal);
  }

  waitFor(ms: number): void {
    this.waiters.lease(ms);
  }
}

export class DocumentStore {
  readonly #options: DocumentStoreOptions;
  readonly #layout: FolderLayout;
  readonly #folder: BoundedFolder;
  readonly #queues: Readonly<Record<'crowd' | 'others', PQueue>>;
  readonly #jobs = new Map<string, Job>();
  readonly #versionOf = createDocumentVersions();
  readonly #failures = new LRUCache<string, { readonly error: unknown }>({ max: 1000, ttl: failureMs });
  /** Entries and temporary files of former processes are found before anything is written. */
  #indexed: Promise<unknown> | undefined;

  constructor(options: DocumentStoreOptions) {
    this.#options = options;
    this.#layout = flatLayout(path.join(options.directory, options.kind.folder), options.kind.extension);
    this.#folder = new BoundedFolder({
      files: nodeFileSystem,
      layout: this.#layout,
      index: new UsageIndex(),
      maxBytes: options.maxBytes,
      immutable: true,
    });
    const { workers: concurrency } = options;
    this.#queues = { crowd: new PQueue({ concurrency }), others: new PQueue({ concurrency }) };
  }

  /** How far the document of a key is. Never rejects. */
  async progress(key: string): Promise<DocumentProgress> {
    const job = this.#jobs.get(key);
    if (job !== undefined) return { kind: 'making', pages: job.pages, of: job.of, bytes: job.file?.bytes ?? 0 };
    const file = this.#layout.pathOf(nameOf(key));
    const kept = await stat(file).catch(() => undefined);
    const version = kept?.isFile() ? await this.#versionOf(file, kept).catch(() => undefined) : undefined;
    if (kept !== undefined && version !== undefined) return { kind: 'done', bytes: kept.size, version };
    const failure = this.#failures.get(key);
    return failure === undefined ? { kind: 'none' } : { kind: 'failed', error: failure.error };
  }

  /** Whether `make` would join those who wait already. Throws as that does where too many wait. */
  joins(key: string, owner = nobody): boolean {
    if (this.#jobs.get(key)?.waiters.signal.aborted === false) return true;
    this.#requirePlace(owner);
    return false;
  }

  /** Somebody will ask again for a document that is being made, as `Making.waitFor`; nothing where it is not. */
  waitFor(key: string, ms: number): void {
    this.#jobs.get(key)?.waitFor(ms);
  }

  /** The bytes from `first` to `last` of a document that is done. */
  read(key: string, first: number, last: number): Readable {
    const name = nameOf(key);
    void this.#folder.touch(name);
    return createReadStream(this.#layout.pathOf(name), { start: first, end: last });
  }

  /** The document of a key that is being made; it is begun where it is not. Throws ImageError `overloaded` where too many wait. */
  make(key: string, pages: number, make: MakeDocument, owner = nobody): Making {
    const existing = this.#jobs.get(key);
    if (existing !== undefined && !existing.waiters.signal.aborted) return existing;
    const before = this.#requirePlace(owner);
    const job: Job = new Job(pages, owner.name, () => this.read(key, 0, Number.POSITIVE_INFINITY));
    this.#jobs.set(key, job);
    this.#failures.delete(key);
    // Whoever has asked for more comes after those who have asked for less.
    job.done = this.#queueOf(owner)
      .add(() => this.#run(nameOf(key), job, make), { priority: -before })
      .then(() => undefined)
      .catch((cause: unknown) => {
        const error = isNoSpace(cause) ? noSpace(cause) : cause;
        job.begin.reject(error);
        if (!job.waiters.signal.aborted) this.#failures.set(key, { error });
        throw error;
      })
      .finally(() => {
        job.waiters.end();
        if (this.#jobs.get(key) === job) this.#jobs.delete(key);
      });
    job.done.catch(() => undefined);
    return job;
  }

  /** Abandons what is being made. */
  async close(): Promise<void> {
    const running = [...this.#jobs.values()];
    for (const job of running) job.waiters.abandon();
    await Promise.allSettled(running.map(({ done }) => done));
  }

  #queueOf({ isOfCrowd }: DocumentOwner): PQueue {
    return this.#queues[isOfCrowd ? 'crowd' : 'others'];
  }

  /** How many documents of an owner wait. Throws ImageError `overloaded` where no more may. */
  #requirePlace(owner: DocumentOwner): number {
    const { maxWaiting } = this.#options;
    const own = [...this.#jobs.values()].filter((job) => job.owner === owner.name && !job.isStarted).length;
    if (this.#queueOf(owner).size >= maxWaiting || own >= Math.ceil(maxWaiting / 2)) throw tooMany();
    return own;
  }

  async #run(name: string, job: Job, make: MakeDocument): Promise<void> {
    job.isStarted = true;
    const { signal } = job.waiters;
    if (signal.aborted) throw abandoned();
    const file = await this.#create(name);
    job.file = file;
    try {
      await this.#write(file, job, make);
      file.end();
      await this.#folder.makeSpace(file.bytes);
      await this.#folder.moveIn(name, file.path);
      job.begin.resolve();
    } catch (error) {
      file.end(error);
      await unlink(file.path).catch(() => undefined);
      // The next one has the space of older ones.
      if (isNoSpace(error)) await this.#folder.evict(Math.max(1, file.bytes)).catch(() => undefined);
      throw error;
    } finally {
      await file.release();
    }
  }

  async #write(file: GrowingFile, job: Job, make: MakeDocument): Promise<void> {
    const { signal } = job.waiters;
    const onPage = (): void => {
      job.pages++;
    };
    if (signal.aborted) throw abandoned();
    for await (const bytes of make(signal, onPage)) {
      if (signal.aborted) throw abandoned();
      if (file.bytes + bytes.length > this.#options.maxDocumentBytes) throw tooLong(this.#options.maxDocumentBytes);
      await file.append(bytes);
      if (job.pages > 0) job.begin.resolve();
    }
  }

  async #create(name: string): Promise<GrowingFile> {
    const { root, tag } = this.#layout;
    await mkdir(root, { recursive: true, mode: 0o700 });
    if (tag !== undefined) await nodeFileSystem.createText(tag, cacheTag.text).catch(() => undefined);
    this.#indexed ??= this.#folder
      .walk()
      .catch((error: unknown) => this.#options.onFault('The folder of documents can’t be read.', error));
    await this.#indexed;
    return GrowingFile.create(this.#layout.temporaryFor(name));
  }
}

const nameOf = (key: string): string => hexDigest(key, flatNameDigits);
