/** Opens the buckets among the folders of the settings, so that their paths can be read. */
import path from 'node:path';
import type { Logger } from 'pino';
import { userCacheDirectory } from '../config/cache-directory.ts';
import { imageFolders } from '../config/groups/library.ts';
import type { Settings } from '../config/settings.ts';
import { SettingsError } from '../config/settings-error.ts';
import { ImageError } from '../core/image/model/errors.ts';
import { isClockSkew } from '../core/storage/s3/request-errors.ts';
import { isRemoteAddress, mountStorage, type RemoteStorage, storagePathOf } from '../core/storage/storage.ts';
import { withStoreTime } from '../core/storage/store-time.ts';
import { pyramidRootOf } from './open-pyramids.ts';
import { credentialsOf } from './open-shared-cache.ts';

/** What is open until it is closed. */
export interface OpenBuckets {
  /** Runs the work for a request, which waits for the buckets for a bounded time; undefined where there are none. */
  readonly forRequest?: typeof withStoreTime;
  close(): Promise<void>;
}

const none: OpenBuckets = { close: async () => undefined };

/** The bucket of an address such as `s3://bucket/prefix`. */
const bucketOf = (address: string): string => storagePathOf(address).split('/')[1] ?? '';

/** Names of errors of requests that are signed for, or sent to, another region than that of the bucket. */
const otherRegion: ReadonlySet<string> = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

/** A sentence that names no key; undefined for a store that fails only now, which may answer later. */
function problemOf(bucket: string, error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  if (code === 'ENOENT' || cause?.name === 'NoSuchBucket') return `there is no bucket ${bucket}`;
  if (cause !== undefined && isClockSkew(cause))
    return `the object store refuses requests for the bucket ${bucket}, since its clock and that of this machine differ`;
  if (error instanceof ImageError && /refuses/.test(error.message))
    return `the object store refuses the key for the bucket ${bucket}`;
  if (cause?.name === 'CredentialsProviderError')
    return `there is no key for the bucket ${bucket}; set objectStorage or the environment of the AWS SDK`;
  if (cause?.message === 'Region is missing')
    return `there is no region for the bucket ${bucket}; set objectStorage.region or the environment of the AWS SDK`;
  if (cause !== undefined && otherRegion.has(cause.name))
    return `the bucket ${bucket} is in another region; set objectStorage.region`;
  return undefined;
}

/** Rejects with SettingsError where a bucket does not exist or refuses the key; one that does not answer is waited for later. */
export async function openBuckets(settings: Settings, logger: Logger): Promise<OpenBuckets> {
  const addresses = imageFolders(settings.library).filter(isRemoteAddress);
  const buckets = [...new Set(addresses.map(bucketOf))];
  const pyramidRoot = pyramidRootOf(settings);
  if (buckets.length === 0 && pyramidRoot === undefined) return none;
  const [{ S3Storage }, { SingleObjects }, { Spool }, { StoredLists }] = await Promise.all([
    import('../core/storage/s3/s3-storage.ts'),
    import('../core/storage/s3/single-objects.ts'),
    import('../core/storage/s3/spool.ts'),
    import('../core/storage/s3/stored-lists.ts'),
  ]);
  const { endpoint, region, pathStyle, refreshSeconds, spoolDirectory, spoolMaxBytes } = settings.objectStorage;
  const directory = spoolDirectory ?? path.resolve(userCacheDirectory());
  const onFault = (message: string, err: unknown): void => logger.warn({ err }, message);
  const spool = new Spool({ directory, maxBytes: spoolMaxBytes, onFault });
  const lists = new StoredLists({ directory, onFault });
  const credentials = credentialsOf(settings.objectStorage);
  const common = { endpoint, region, pathStyle, credentials, spool };
  const mount = (bucket: string, root: string, storage: RemoteStorage) => ({
    ...{ bucket, storage, unmount: mountStorage(root, storage) },
  });
  const opened = buckets.map((bucket) => {
    const bucketPath = `s3:/${bucket}`;
    return mount(
      bucket,
      bucketPath,
      new S3Storage({ ...common, bucket, bucketPath, refreshMs: refreshSeconds * 1000, lists }),
    );
  });
  if (pyramidRoot !== undefined) {
    const [, bucket = '', ...names] = storagePathOf(settings.pyramids.shared ?? '').split('/');
    const prefix = names.map((name) => `${name}/`).join('');
    opened.push(mount(bucket, pyramidRoot, new SingleObjects({ ...common, bucket, prefix, rootPath: pyramidRoot })));
  }
  const close = async (): Promise<void> => {
    for (const { storage, unmount } of opened) {
      unmount();
      await storage.close();
    }
  };
  const problems = await Promise.all(
    opened.map(({ bucket, storage }) =>
      storage.check().then(
        () => undefined,
        (error: unknown) => {
          const problem = problemOf(bucket, error);
          if (problem === undefined)
            logger.warn({ err: error, bucket }, 'a bucket does not answer; it is served as soon as it does');
          return problem;
        },
      ),
    ),
  );
  const fatal = problems.filter((problem) => problem !== undefined);
  if (fatal.length === 0) return { close, forRequest: withStoreTime };
  await close();
  throw new SettingsError(fatal);
}
