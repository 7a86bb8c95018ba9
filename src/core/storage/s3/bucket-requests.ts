/** Requests to one bucket: retried with jitter, within deadlines, behind a circuit breaker; every answer is checked. */
import { addAbortSignal, type Readable } from 'node:stream';
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { BrokenCircuitError } from 'cockatiel';
import { fileChanged } from '../../image/model/errors.ts';
import { ifFound } from '../file-errors.ts';
import type { StoreAccess } from '../storage.ts';
import type { SentRequest } from './endpoint.ts';
import { Endpoints, type FallbackUse } from './endpoints.ts';
import type { RequestKind } from './request-attempts.ts';
import { errorFor, isTransient, statusOf, WrongAnswer } from './request-errors.ts';
import type { RequestTimes } from './request-progress.ts';

export interface BucketOptions extends StoreAccess {
  readonly bucket: string;
  /** How many names a page of a listing has at most. */
  readonly pageKeys?: number;
  /** Whether the key may list the bucket, as by default: a store does not tell another one which keys are missing. */
  readonly mayList?: boolean;
  /** By default those for visitors, who get an error within 5 s. */
  readonly times?: RequestTimes;
}

/** One version of an object. */
export interface StoredObject {
  readonly size: number;
  readonly etag: string;
  /** In ms since 1970. */
  readonly modifiedMs: number;
}

/** An object, and its first bytes. */
export interface FirstBytes {
  readonly object: StoredObject;
  readonly bytes: Buffer;
}

/** A page of a listing; names are relative to the prefix. */
export interface ListedPage {
  readonly objects: readonly (readonly [name: string, object: StoredObject])[];
  readonly folders: readonly string[];
  /** For the next page; undefined at the end. */
  readonly next: string | undefined;
  /** Whether the fallback endpoint gave it. */
  readonly isReplica?: true;
}

/** What a request is about, besides its commands. */
export interface RequestAbout {
  readonly kind: RequestKind;
  /** What fails together: a key, or the prefix of a listing. */
  readonly key: string;
  readonly times?: RequestTimes | undefined;
  /** Called again and again while bytes of the answer arrive. */
  readonly onProgress?: (() => void) | undefined;
  readonly fallback?: FallbackUse;
}

/** What precedes the token of a list of the fallback endpoint, which goes on there. */
const replicaMark = 'fallback\n';

/** A visitor waits for an answer. */
const readTimes: RequestTimes = { deadlineMs: 4500, pauseMs: 2000 };

const maxPageKeys = 1000;

const none = (): void => undefined;

/** A key of a listing whose encoding type is `url`: as in forms, a space may be a plus sign. */
function decodedKey(text: string): string {
  try {
    return /[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
  } catch (cause) {
    throw new WrongAnswer('a key of a listing is not encoded as it says', { cause });
  }
}

/** An entity tag (RFC 9110, 8.8.3); some stores leave out the quotation marks in lists. */
const quoted = (etag: string): string => (etag === '' || etag.endsWith('"') ? etag : `"${etag}"`);

/** The entity tag of an answer, without which it is none for an object. */
function requireTag(tag: string | undefined): string {
  if (!tag) throw new WrongAnswer('the answer has no ETag');
  return quoted(tag);
}

/**
 * Methods reject with ImageError `store-failed`, `store-busy` or `store-late` where the store fails: within 5 s, or 2 s after the
 * last bytes of an answer; with `changed` where an object is another version by now, and with a system error `ENOENT` where
 * there is none.
 */
export class BucketRequests {
  readonly #options: BucketOptions;
  readonly #endpoints: Endpoints;
  #isFailing = false;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#endpoints = new Endpoints(options);
  }

  /** Whether the request that ended last had no answer, or one that says that the store fails. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /**
   * A page of the names below a prefix up to the next slash; the first one begins behind `startAfter`, a whole key. With the token of a
   * page the list goes on at the endpoint that gave it.
   */
  async list(prefix: string, token?: string, options: ListOptions = {}): Promise<ListedPage> {
    const isReplica = token?.startsWith(replicaMark) === true;
    if (isReplica) return asReplica(await this.#list(prefix, token.slice(replicaMark.length), options, 'alone'));
    let isFallback = false;
    const onFallback = (): void => {
      isFallback = true;
    };
    const mayFallBack = token === undefined && options.mayFallBack !== false;
    const page = await this.#list(prefix, token, options, mayFallBack ? onFallback : 'never');
    return isFallback ? asReplica(page) : page;
  }

  #list(
    prefix: string,
    token: string | undefined,
    { maxKeys = this.#options.pageKeys ?? maxPageKeys, startAfter }: ListOptions,
    fallback: FallbackUse,
  ): Promise<ListedPage> {
    return this.run({ kind: 'list', key: prefix, fallback }, async (client, signal) => {
      const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
      const { bucket: Bucket } = this.#options;
      const page = new ListObjectsV2Command({
        // XML has no control characters, which keys may have, and changes the ends of lines.
        ...{ Bucket, Prefix: prefix, Delimiter: '/', MaxKeys: maxKeys, EncodingType: 'url' },
        ...(token === undefined
          ? startAfter !== undefined && { StartAfter: startAfter }
          : { ContinuationToken: token }),
      });
      const answer = await client.send(page, { abortSignal: signal });
      const { Contents = [], CommonPrefixes = [], IsTruncated, NextContinuationToken: next } = answer;
      // Required in every listing; any other document would be read as an empty folder.
      if (IsTruncated === undefined) throw new WrongAnswer('the answer is no listing');
      if (IsTruncated && (!next || next === token)) throw new WrongAnswer('a listing goes on without a new token');
      const nameOf = (text: string): string =>
        (answer.EncodingType === 'url' ? decodedKey(text) : text).slice(prefix.length);
      const objects = Contents.map(({ Key = '', Size = 0, ETag = '', LastModified }) => {
        const object = { size: Size, etag: quoted(ETag), modifiedMs: LastModified?.getTime() ?? 0 };
        return [nameOf(Key), object] as const;
      });
      const folders = CommonPrefixes.map(({ Prefix = '' }) => nameOf(Prefix).slice(0, -1));
      return { objects, folders, next: IsTruncated ? next : undefined };
    });
  }

  head(key: string, times?: RequestTimes): Promise<StoredObject> {
    return this.run({ kind: 'read', key, times, fallback: none }, (client, signal) => this.#head(client, key, signal));
  }

  async #head(client: S3Client, key: string, signal: AbortSignal): Promise<StoredObject> {
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
    const command = new HeadObjectCommand({ Bucket: this.#options.bucket, Key: key });
    const { ContentLength, ETag, LastModified } = await client.send(command, { abortSignal: signal });
    return { size: ContentLength ?? 0, etag: requireTag(ETag), modifiedMs: LastModified?.getTime() ?? 0 };
  }

  /**
   * An object with its first bytes, up to this number; `unchanged`, without any, where it is still the known one. Rejects as all
   * do.
   */
  readFirst(
    key: string,
    length: number,
    known?: StoredObject,
    fallback: FallbackUse = none,
  ): Promise<FirstBytes | 'unchanged'> {
    return this.run({ kind: 'read', key, fallback }, async (client, signal) => {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3');
      const range = { Bucket: this.#options.bucket, Key: key, Range: `bytes=0-${length - 1}` };
      const command = new GetObjectCommand({ ...range, ...(known && { IfNoneMatch: known.etag }) });
      try {
        return await firstBytesOf(await client.send(command, { abortSignal: signal }), length, signal);
      } catch (error) {
        if (statusOf(error) === 304) return 'unchanged';
        // No range lies within an empty object.
        if (statusOf(error) !== 416) throw error;
        return { object: { ...(await this.#head(client, key, signal)), size: 0 }, bytes: Buffer.alloc(0) };
      }
    });
  }

  /** Rejects where the store fails, has no such bucket or refuses the key, by the least that tells. */
  async requireAnswer(prefix: string): Promise<void> {
    if (this.#options.mayList !== false) await this.list(prefix, undefined, { maxKeys: 1 });
    // Most likely there is none of this name; any answer about it is one.
    else await ifFound(this.readFirst(`${prefix}.lectern`, 1));
  }

  /** Exactly these bytes of a version of an object; they must be within it. */
  read(
    key: string,
    { etag, size }: StoredObject,
    at: number,
    length: number,
    onProgress?: () => void,
  ): Promise<Buffer> {
    if (length === 0) return Promise.resolve(Buffer.alloc(0));
    return this.run({ kind: 'read', key, onProgress }, async (client, signal) => {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3');
      const range = `bytes=${at}-${at + length - 1}`;
      const command = new GetObjectCommand({ Bucket: this.#options.bucket, Key: key, Range: range, IfMatch: etag });
      const answer = await client.send(command, { abortSignal: signal });
      const body = answer.Body as Readable;
      try {
        if (requireTag(answer.ETag) !== etag) throw fileChanged();
        const isWhole = at === 0 && length === size && answer.ContentRange === undefined;
        if (!isWhole && answer.ContentRange !== `bytes ${at}-${at + length - 1}/${size}`)
          throw new WrongAnswer('the store ignored the range');
        if (answer.ContentLength !== length) throw new WrongAnswer('the answer has another length');
        return await readBody(body, length, signal);
      } finally {
        body.destroy();
      }
    });
  }

  /** All bytes of an object; undefined where it is longer. */
  readWhole(key: string, maxBytes: number): Promise<Buffer | undefined> {
    return this.run({ kind: 'read', key }, async (client, signal) => {
      const { GetObjectCommand } = await import('@aws-sdk/client-s3');
      const command = new GetObjectCommand({ Bucket: this.#options.bucket, Key: key });
      const { Body, ContentLength } = await client.send(command, { abortSignal: signal });
      const body = Body as Readable;
      try {
        if (ContentLength === undefined) throw new WrongAnswer('the answer has no length');
        return ContentLength > maxBytes ? undefined : await readBody(body, ContentLength, signal);
      } finally {
        body.destroy();
      }
    });
  }

  async write(key: string, bytes: Buffer): Promise<void> {
    await this.run({ kind: 'write', key }, async (client, signal) => {
      const { PutObjectCommand } = await import('@aws-sdk/client-s3');
      const command = new PutObjectCommand({ Bucket: this.#options.bucket, Key: key, Body: bytes });
      await client.send(command, { abortSignal: signal });
    });
  }

  /** Deletes an object, also where there is none. */
  async remove(key: string): Promise<void> {
    await this.run({ kind: 'write', key }, async (client, signal) => {
      const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
      await client.send(new DeleteObjectCommand({ Bucket: this.#options.bucket, Key: key }), { abortSignal: signal });
    });
  }

  close(): Promise<void> {
    return this.#endpoints.close();
  }

  /** Any other request, with retries and deadlines as all have them. */
  async run<T>(about: RequestAbout, request: SentRequest<T>): Promise<T> {
    try {
      const { kind, key, times = this.#options.times ?? readTimes, onProgress = none, fallback } = about;
      const asked = { kind, key, times, onProgress, beganMs: performance.now() };
      const answer = await this.#endpoints.run(asked, request, fallback);
      this.#isFailing = false;
      return answer;
    } catch (error) {
      this.#isFailing = error instanceof BrokenCircuitError || isTransient(error);
      if (error instanceof BrokenCircuitError) this.#options.observer?.refused(this.#options.bucket);
      throw errorFor(error, this.#options.mayList !== false);
    }
  }
}

interface ListOptions {
  /** By default as the settings say. */
  readonly maxKeys?: number;
  readonly startAfter?: string;
  /** Whether the fallback endpoint may give the list, as by default. */
  readonly mayFallBack?: boolean;
}

const asReplica = ({ next, ...page }: ListedPage): ListedPage => ({
  ...page,
  next: next === undefined ? undefined : replicaMark + next,
  isReplica: true,
});

/** What an answer to a request for the first bytes of an object has: fewer where the object is shorter. */
async function firstBytesOf(answer: GetObjectCommandOutput, length: number, signal: AbortSignal): Promise<FirstBytes> {
  const body = answer.Body as Readable;
  try {
    const { ContentRange, ContentLength = -1 } = answer;
    const [, last, whole] = /^bytes 0-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? [];
    const size = ContentRange === undefined ? ContentLength : Number(whole ?? -1);
    const expected = Math.min(size, length);
    if (size < 0 || ContentLength !== expected || (last !== undefined && Number(last) !== expected - 1))
      throw new WrongAnswer('the store ignored the range');
    const object = { size, etag: requireTag(answer.ETag), modifiedMs: answer.LastModified?.getTime() ?? 0 };
    return { object, bytes: await readBody(body, expected, signal) };
  } finally {
    body.destroy();
  }
}

/** The body of an answer whose length is known. Rejects where the body is shorter or longer, where it fails, and when the signal is aborted. */
async function readBody(body: Readable, length: number, signal: AbortSignal): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for await (const chunk of addAbortSignal(signal, body) as AsyncIterable<Buffer>) {
    if (filled + chunk.length > length) throw new WrongAnswer('the body is longer than it says');
    filled += chunk.copy(bytes, filled);
  }
  if (filled < length) throw new WrongAnswer('the body is shorter than it says');
  return bytes;
}
