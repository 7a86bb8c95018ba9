/** Tells which paths lie on disks of this machine, as opposed to network file systems. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * File system types (statfs, Linux) that never wait for a network: ext, XFS, Btrfs, ZFS, F2FS, tmpfs, overlay. A synchronous
 * stat on any other could block the whole process.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630,
]);

/** The path itself, or its nearest parent that exists. */
const existingPath = (file: string): string =>
  existsSync(file) || file === path.dirname(file) ? file : existingPath(path.dirname(file));

/** Whether an absolute path, which need not exist yet, lies on a disk of this machine. */
export function isLocal(file: string): boolean {
  try {
    return process.platform === 'linux' && localTypes.has(statfsSync(existingPath(file)).type);
  } catch {
    return false;
  }
}

/** The device numbers of the local disks that hold these absolute paths. */
export const localDevices = (paths: readonly string[]): ReadonlySet<bigint> =>
  new Set(paths.filter(isLocal).map((file) => statSync(existingPath(file), { bigint: true }).dev));
