/** The kinds of storages: a folder and a row each. */
import { diskKind } from './disk/open-disk.ts';
import { s3Kind } from './s3/open-bucket.ts';
import type { StorageKind } from './storage.ts';

/** The first one that has an address opens it; disks have all paths. */
export const storageKinds: readonly StorageKind[] = [
  s3Kind,
  // Every address that no other kind has is a path.
  diskKind,
];
