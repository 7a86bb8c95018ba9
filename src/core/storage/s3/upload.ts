/** Puts a file of the local disk into a bucket where there is no object yet: at once, or in parts where it is large. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import { ifFound } from '../file-errors.ts';
import type { BucketRequests, RequestAbout } from './bucket-requests.ts';
import { statusOf, WrongAnswer } from './request-errors.ts';
import type { RequestTimes } from './request-progress.ts';

interface UploadTarget {
  readonly requests: Pick<BucketRequests, 'head' | 'run'>;
  readonly bucket: string;
}

interface Upload extends UploadTarget {
  readonly key: string;
}

/** Nobody waits for an upload, and a slow line takes long for a part. */
export const uploadTimes: RequestTimes = { deadlineMs: 120_000, pauseMs: 60_000 };

const writing = (key: string): RequestAbout => ({ kind: 'write', key, times: uploadTimes });

/** A longer file is put in parts of this length, in bytes; a store takes at most 10,000 of them, of at least 5 MiB. */
export const partBytes = 16 * 2 ** 20;
const maxParts = 10_000;

const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('base64');

const partBytesOf = (size: number): number => Math.max(partBytes, Math.ceil(size / maxParts));

async function readPart(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead < length) throw new Error('The file that is uploaded is cut short.');
  return bytes;
}

type Send<T> = (client: S3Client, signal: AbortSignal) => Promise<T>;

/** False where an object has the key already: another server was faster. */
async function unlessPresent(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    const status = error instanceof Error ? statusOf(error.cause) : undefined;
    // 409: another upload under the key is being completed at this moment.
    if (status === 412 || status === 409) return false;
    throw error;
  }
}

/** Whether a store refuses conditions of writing, as some do: Swift, and older versions of others. */
const refusesConditions = (error: unknown): boolean => error instanceof Error && statusOf(error.cause) === 501;

const isPresent = async ({ requests, key }: Upload): Promise<boolean> =>
  (await ifFound(requests.head(key, uploadTimes))) !== undefined;

/** The parts that were put, one after the other, so that one of them is in memory. */
async function putParts({ requests, bucket, key }: Upload, id: string, file: FileHandle, size: number) {
  const { UploadPartCommand } = await import('@aws-sdk/client-s3');
  const length = partBytesOf(size);
  const parts: CompletedPart[] = [];
  for (let at = 0; at < size; at += length) {
    const bytes = await readPart(file, at, Math.min(length, size - at));
    const number = parts.length + 1;
    const part = { Bucket: bucket, Key: key, UploadId: id, PartNumber: number, Body: bytes, ContentMD5: md5Of(bytes) };
    const send: Send<CompletedPart> = async (client, abortSignal) => {
      const { ETag } = await client.send(new UploadPartCommand(part), { abortSignal });
      if (ETag === undefined) throw new WrongAnswer('a part of an upload has no ETag');
      return { ETag, PartNumber: number };
    };
    parts.push(await requests.run(writing(key), send));
  }
  return parts;
}

async function putInParts(upload: Upload, file: FileHandle, size: number): Promise<boolean> {
  const { requests, bucket, key } = upload;
  const { AbortMultipartUploadCommand, CompleteMultipartUploadCommand, CreateMultipartUploadCommand } = await import(
    '@aws-sdk/client-s3'
  );
  const place = { Bucket: bucket, Key: key };
  const begin: Send<string> = async (client, abortSignal) => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(place), { abortSignal });
    if (UploadId === undefined) throw new WrongAnswer('an upload has no identifier');
    return UploadId;
  };
  const UploadId = await requests.run(writing(key), begin);
  const abort: Send<unknown> = (client, abortSignal) =>
    client.send(new AbortMultipartUploadCommand({ ...place, UploadId }), { abortSignal });
  try {
    const MultipartUpload = { Parts: await putParts(upload, UploadId, file, size) };
    const complete: Send<unknown> = (client, abortSignal) => {
      const command = new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload, IfNoneMatch: '*' });
      return client.send(command, { abortSignal });
    };
    const isNew = await unlessPresent(() => requests.run(writing(key), complete));
    if (!isNew) await requests.run({ kind: 'write', key }, abort).catch(() => undefined);
    return isNew;
  } catch (error) {
    // What can't be deleted now, a rule of the bucket deletes (AbortIncompleteMultipartUpload).
    await requests.run({ kind: 'write', key }, abort).catch(() => undefined);
    throw error;
  }
}

/** Puts files into a bucket, each under a key that has one content for ever. */
export class Uploader {
  readonly #target: UploadTarget;
  /** Known after the first file: a store may refuse conditions only when it has the whole file. */
  #refusesConditions = false;

  constructor(target: UploadTarget) {
    this.#target = target;
  }

  /** Resolves to whether the file was put; false where an object has the key already. Rejects as all requests do. */
  async putNew(key: string, localFile: string): Promise<boolean> {
    const upload = { ...this.#target, key };
    const file = await open(localFile);
    try {
      const { size } = await file.stat();
      return size <= partBytes
        ? await this.#putAtOnce(upload, await readPart(file, 0, size))
        : await putInParts(upload, file, size);
    } finally {
      await file.close();
    }
  }

  async #putAtOnce(upload: Upload, bytes: Buffer): Promise<boolean> {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3');
    const { requests, bucket, key } = upload;
    const put = { Bucket: bucket, Key: key, Body: bytes, ContentMD5: md5Of(bytes) };
    const send =
      (condition: { readonly IfNoneMatch?: string }): Send<unknown> =>
      (client, abortSignal) =>
        client.send(new PutObjectCommand({ ...put, ...condition }), { abortSignal });
    if (!this.#refusesConditions) {
      try {
        return await unlessPresent(() => requests.run(writing(key), send({ IfNoneMatch: '*' })));
      } catch (error) {
        if (!refusesConditions(error)) throw error;
        this.#refusesConditions = true;
      }
    }
    // Two that put the same content at the same time then replace each other's whole object.
    if (await isPresent(upload)) return false;
    await requests.run(writing(key), send({}));
    return true;
  }
}
