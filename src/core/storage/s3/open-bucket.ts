/** Buckets as a kind of storage: their addresses are like `s3://bucket/prefix`. What asks them is loaded with the first one. */
import { ImageError } from '../../image/model/errors.ts';
import { Spool } from '../spool.ts';
import type { AddressUse, OpenedStorage, StorageKind, StorageOptions, UsedAddress } from '../storage.ts';
import { isClockSkew } from './request-errors.ts';

const scheme = 's3://';

/** Names of buckets as all makers allow them; a prefix without empty names and dots. */
const addressForm = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/(?!\.{1,2}(?:\/|$))[^/\0\\]+)*\/?$/;

/** Paths of buckets begin so; no absolute path of a system does, and no folder of the library is around files of the server. */
const roots: Readonly<Record<AddressUse, string>> = { library: 's3:/', 'own-files': 's3:/pyramids:' };

function pathOf(address: string, use: AddressUse): string {
  return address.replace(/\/+/g, '/').replace(/\/$/, '').replace('s3:/', roots[use]);
}

/** The bucket of an address, and what precedes the names in it: empty, or with a slash at the end. */
function partsOf(address: string): { readonly bucket: string; readonly prefix: string } {
  const [, bucket = '', ...names] = pathOf(address, 'library').split('/');
  return { bucket, prefix: names.map((name) => `${name}/`).join('') };
}

/** The bucket and the key of a file of the library by its path; undefined for a file of a disk. */
export function objectAt(path: string): { readonly bucket: string; readonly key: string } | undefined {
  const slash = path.indexOf('/', roots.library.length);
  if (!path.startsWith(roots.library) || path.startsWith(roots['own-files']) || slash < 0) return undefined;
  return { bucket: path.slice(roots.library.length, slash), key: path.slice(slash + 1) };
}

/** Names of errors of requests that are signed for, or sent to, another region than that of the bucket. */
const otherRegion: ReadonlySet<string> = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

/** A sentence that names no key. */
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

async function open(addresses: readonly UsedAddress[], options: StorageOptions): Promise<readonly OpenedStorage[]> {
  if (addresses.length === 0) return [];
  const [{ S3Storage }, { SingleObjects }, { StoredLists }, { StoredRows }, { StoredContents }] = await Promise.all([
    import('./s3-storage.ts'),
    import('./single-objects.ts'),
    import('./stored-lists.ts'),
    import('./stored-rows.ts'),
    import('./stored-contents.ts'),
  ]);
  const { directory, maxCopyBytes: maxBytes, onFault, observer } = options;
  const spool = new Spool({ directory, maxBytes, onFault });
  observer?.copies(() => spool.stats());
  const lists = new StoredLists({ directory, onFault });
  const rows = new StoredRows({ directory, onFault });
  const contents = new StoredContents({ directory, onFault });
  const opened = new Map<string, OpenedStorage>();
  for (const { address, use } of addresses) {
    const { bucket: name, prefix } = partsOf(address);
    const common = { ...options, bucket: name, spool, rows };
    const root = use === 'library' ? roots.library + name : pathOf(address, use);
    if (opened.has(root)) continue;
    const catalogue = use === 'library' ? options.catalogue?.bucket(name) : undefined;
    const storage =
      use === 'library'
        ? new S3Storage({ ...common, bucketPath: root, lists, contents, catalogue })
        : new SingleObjects({ ...common, prefix, rootPath: root });
    opened.set(root, { root, storage, name });
  }
  return [...opened.values()];
}

export const s3Kind: StorageKind = {
  has: (address) => address.startsWith(scheme),
  needsSettings: true,
  resolve: (_folder, address) => address,
  join: (address, ...names) => [address.replace(/\/+$/, ''), ...names].join('/'),
  faultsOf: (address) =>
    addressForm.test(address) ? [] : [`${address} is no address of a bucket, such as s3://bucket/prefix`],
  pathOf,
  open,
  problemOf,
  async openObjects(address, access) {
    const { BucketObjects } = await import('./bucket-objects.ts');
    const { bucket, prefix } = partsOf(address);
    return new BucketObjects({ ...access, bucket }, prefix);
  },
};
