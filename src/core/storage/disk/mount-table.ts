/** Tells which disk holds a path without asking that disk, which could hang (Linux). */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** A place at which a file system is mounted. */
export interface MountedDisk {
  /** Its absolute path. */
  readonly point: string;
  /** The name of the file system’s type, such as `ext4`. */
  readonly type: string;
}

/** Types that never wait for a network or another process. */
const localTypes: ReadonlySet<string> = new Set([
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'bcachefs', 'tmpfs', 'overlay'],
]);

/** Spaces, tabs, line ends and backslashes of paths are written as octal numbers. */
const unescaped = (text: string): string =>
  Buffer.from(
    text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    'latin1',
  ).toString('utf8');

/** Parses `/proc/self/mountinfo` (proc_pid_mountinfo(5)), read as Latin-1. */
export function parseMounts(text: string): readonly MountedDisk[] {
  return text.split('\n').flatMap((line) => {
    const [place = '', source = ''] = line.split(' - ');
    const point = place.split(' ')[4];
    const [type] = source.split(' ');
    return point === undefined || !type ? [] : [{ point: unescaped(point), type }];
  });
}

/** No disks on systems without such a table: then every disk may hang. */
function readMounts(): readonly MountedDisk[] {
  try {
    return parseMounts(readFileSync('/proc/self/mountinfo', 'latin1'));
  } catch {
    return [];
  }
}

/** The disk that holds an absolute path without links: of those mounted at one place, the last hides the others. */
export function diskOf(file: string, mounts: readonly MountedDisk[]): MountedDisk | undefined {
  const contains = ({ point }: MountedDisk): boolean =>
    file === point || file.startsWith(point === '/' ? point : `${point}/`);
  return mounts.filter(contains).reduce<MountedDisk | undefined>((best, mount) => {
    return best !== undefined && best.point.length > mount.point.length ? best : mount;
  }, undefined);
}

/** How far a path leads on local disks. */
export interface FollowedPath {
  /** The path without the links on local disks. */
  readonly path: string;
  /** The first disk on the way that may hang; undefined where the whole path is on local disks, or missing there. */
  readonly remote: MountedDisk | undefined;
}

/** As many links as Linux follows. */
const maxLinks = 40;

/** Follows the links of an absolute path up to the first disk that may hang. */
export function followLocally(file: string, mounts: readonly MountedDisk[] = readMounts()): FollowedPath {
  const unknown = { point: path.parse(file).root, type: 'unknown' };
  const names = path.resolve(file).split(path.sep).filter(Boolean);
  let followed = path.parse(file).root;
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = path.join(followed, name);
    const disk = diskOf(next, mounts) ?? unknown;
    if (!localTypes.has(disk.type)) return { path: path.join(next, ...names), remote: disk };
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() && ++links <= maxLinks) {
      const target = path.resolve(followed, readlinkSync(next));
      names.unshift(...target.split(path.sep).filter(Boolean));
      followed = path.parse(target).root;
    } else followed = next;
  }
  return { path: followed, remote: undefined };
}

/** Whether an absolute path, which need not exist yet, lies on a disk of this machine. */
export function isOnLocalDisk(file: string): boolean {
  try {
    return followLocally(file).remote === undefined;
  } catch {
    return false;
  }
}
