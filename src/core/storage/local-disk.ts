/** Tells which paths lie on disks of this machine, as opposed to network file systems. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { followLocally } from './mount-table.ts';
import { isRemoteAddress, isRemotePath } from './storage.ts';

/** The path itself, or its nearest parent that exists. */
const existingPath = (file: string): string =>
  existsSync(file) || file === path.dirname(file) ? file : existingPath(path.dirname(file));

/** Whether an absolute path, which need not exist yet, lies on a disk of this machine. */
export function isLocal(file: string): boolean {
  if (isRemoteAddress(file) || isRemotePath(file)) return false;
  try {
    return followLocally(file).remote === undefined;
  } catch {
    return false;
  }
}

/** The device numbers of the local disks that hold these absolute paths. */
export const localDevices = (paths: readonly string[]): ReadonlySet<bigint> =>
  new Set(paths.filter(isLocal).map((file) => statSync(existingPath(file), { bigint: true }).dev));
