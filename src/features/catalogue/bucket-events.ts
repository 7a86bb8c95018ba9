/** Notifications of changes in buckets, in the form of S3 as AWS, MinIO and Ceph send them. */
import { z } from 'zod';
import type { ObjectChange } from './postgres/changes.ts';

const record = z.object({
  eventName: z.string(),
  eventTime: z.iso.datetime({ offset: true }),
  s3: z.object({
    bucket: z.object({ name: z.string().min(1) }),
    object: z.object({
      key: z.string().min(1).max(4096),
      size: z.number().int().min(0).optional(),
      eTag: z.string().max(200).optional(),
      sequencer: z.string().max(64).optional(),
    }),
  }),
});

/** Tests of a notification have no records. */
const notification = z.object({ Records: z.array(z.unknown()).max(10_000).optional() });

/** Amazon’s SNS has the notification as text. */
const envelope = z.object({ Message: z.string() });

/** Keys are encoded as in forms. */
const decodedKey = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

const isRemoval = (name: string): boolean =>
  /(?:^|:)(?:ObjectRemoved|ObjectLifecycle:Expiration|LifecycleExpiration)\b/.test(name);
const isCreation = (name: string): boolean => /(?:^|:)(?:ObjectCreated|ObjectRestore:Completed)\b/.test(name);

/** Sequencers are compared as text once they have the same length. */
const sequencerLength = 64;

function changeOf(value: unknown): ObjectChange | undefined {
  const { eventName, eventTime, s3 } = record.parse(value);
  const { size, eTag, sequencer } = s3.object;
  const isRemoved = isRemoval(eventName);
  if (!isRemoved && (!isCreation(eventName) || size === undefined || eTag === undefined)) return undefined;
  const atMs = Date.parse(eventTime);
  const etag = `"${(eTag ?? '').replaceAll('"', '')}"`;
  return {
    bucket: s3.bucket.name,
    key: decodedKey(s3.object.key),
    object: isRemoved ? undefined : { size: size ?? 0, etag, modifiedMs: atMs },
    atMs,
    sequencer: sequencer?.padEnd(sequencerLength, '0'),
  };
}

/** The changes in a notification. Throws where it is none. */
export function changesIn(body: unknown): readonly ObjectChange[] {
  const { success, data } = envelope.safeParse(body);
  const { Records = [] } = notification.parse(success ? JSON.parse(data.Message) : body);
  return Records.flatMap((one) => changeOf(one) ?? []);
}
