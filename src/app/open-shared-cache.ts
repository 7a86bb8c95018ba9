/** Opens the bucket that servers share their pictures in, as the settings say. */
import { readFile } from 'node:fs/promises';
import type { Settings } from '../config/settings.ts';
import type { SharedObjects } from '../core/cache/shared-cache.ts';
import type { BucketOptions } from '../core/storage/s3/bucket-requests.ts';
import { isRemoteAddress, storagePathOf } from '../core/storage/storage.ts';

/** The SDK asks for a key again five minutes before its end: the file of the secret is read once a minute, so that it can be replaced. */
const keyLastsMs = 6 * 60_000;

/** The key of the settings; undefined where the SDK finds one. */
export function credentialsOf({
  accessKeyId,
  secretAccessKeyFile,
}: Settings['objectStorage']): BucketOptions['credentials'] {
  if (accessKeyId === undefined || secretAccessKeyFile === undefined) return undefined;
  return async () => {
    const secretAccessKey = (await readFile(secretAccessKeyFile, 'utf8')).trim();
    return { accessKeyId, secretAccessKey, expiration: new Date(Date.now() + keyLastsMs) };
  };
}

/** The objects of the shared cache, whose code is loaded with the first of them; undefined where the settings name none. */
export function openSharedObjects({ cache, objectStorage }: Settings): SharedObjects | undefined {
  if (cache.shared === undefined || !isRemoteAddress(cache.shared)) return undefined;
  const { endpoint, region, pathStyle } = objectStorage;
  const [, bucket = '', ...prefix] = storagePathOf(cache.shared).split('/');
  const credentials = credentialsOf(objectStorage);
  const options = { bucket, endpoint, region, pathStyle, credentials };
  const open = async () => {
    const { BucketObjects } = await import('../core/storage/s3/bucket-objects.ts');
    return new BucketObjects(options, prefix.map((name) => `${name}/`).join(''));
  };
  let opened: ReturnType<typeof open> | undefined;
  const objects = () => {
    opened ??= open();
    return opened;
  };
  return {
    get: async (name, maxBytes) => (await objects()).get(name, maxBytes),
    put: async (name, bytes) => (await objects()).put(name, bytes),
    close: async () => (await opened)?.close(),
  };
}
