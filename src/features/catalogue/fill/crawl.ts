/** Lists all objects of a bucket, or of a part of it, in the order of their keys. */
import type { BucketRequests } from '../../../core/storage/s3/bucket-requests.ts';
import type { StagedObject } from './staging.ts';

/** Keys of a listing are encoded as in forms. */
const decodedKey = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

/** Nobody waits for an answer. */
const patient = { deadlineMs: 60_000, pauseMs: 20_000 };

interface KeyPage {
  readonly objects: readonly StagedObject[];
  readonly isLast: boolean;
}

/** A page of up to 1000 keys behind one. */
const pageBehind = (
  requests: BucketRequests,
  bucket: string,
  prefix: string,
  after: string | undefined,
): Promise<KeyPage> =>
  requests.run({ kind: 'list', key: prefix, times: patient }, async (client, signal) => {
    const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    const wanted = { Bucket: bucket, Prefix: prefix, EncodingType: 'url' } as const;
    const command = new ListObjectsV2Command({ ...wanted, ...(after !== undefined && { StartAfter: after }) });
    const { Contents = [], EncodingType, IsTruncated } = await client.send(command, { abortSignal: signal });
    if (IsTruncated === undefined) throw new Error('the answer is no listing');
    const objects = Contents.map(({ Key = '', Size = 0, ETag = '', LastModified }) => ({
      key: EncodingType === 'url' ? decodedKey(Key) : Key,
      size: Size,
      etag: ETag === '' || ETag.endsWith('"') ? ETag : `"${ETag}"`,
      modifiedMs: LastModified?.getTime() ?? 0,
    }));
    return { objects, isLast: !IsTruncated || objects.length === 0 };
  });

/** The pages behind a key; the next one is read ahead. */
export async function* crawl(
  requests: BucketRequests,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  after: string | undefined,
): AsyncGenerator<readonly StagedObject[]> {
  let next = pageBehind(requests, bucket, prefix, after);
  for (;;) {
    const { objects, isLast } = await next;
    const last = objects.at(-1)?.key;
    if (!isLast) next = pageBehind(requests, bucket, prefix, last);
    // It may fail while nobody waits for it.
    next.catch(() => undefined);
    yield objects;
    if (isLast) return;
  }
}
