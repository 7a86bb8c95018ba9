/** Tells which disk holds a path without asking that disk, which could hang (Linux). */

import { spawn } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FolderState } from '../storage.ts';

/** A place at which a file system is mounted. */
interface MountedDisk {
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
function parseMounts(text: string): readonly MountedDisk[] {
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
function diskOf(file: string, mounts: readonly MountedDisk[]): MountedDisk | undefined {
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
function followLocally(file: string, mounts: readonly MountedDisk[] = readMounts()): FollowedPath {
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

const deadlineMs = 2000;

/** For this time in ms, a disk that did not answer is not asked again. */
const rememberedMs = 10_000;

/** By mount point, when a disk did not answer, on the clock of `performance.now()`. */
const hungAtMs = new Map<string, number>();

const sleepSync = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Prints the path without links where it is a folder, then the mark of the end. */
const program = 'cd -P -- "$1" 2>/dev/null && pwd -P; printf .';

/**
 * Asks in a process of its own: a thread that waits for a disk that hangs can’t be ended, and would keep this process from
 * ending. Undefined where there is no answer within the deadline.
 */
function askElsewhere(folder: string): FolderState | undefined {
  const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-start-'));
  const file = path.join(scratch, 'answer');
  const output = openSync(file, 'w');
  try {
    const child = spawn('/bin/sh', ['-c', program, 'sh', folder], { stdio: ['ignore', output, 'ignore'], cwd: '/' });
    child.on('error', () => undefined).unref();
    for (const endMs = performance.now() + deadlineMs; performance.now() < endMs; sleepSync(2)) {
      const text = readFileSync(file, 'utf8');
      if (text === '.') return { kind: 'none' };
      if (text.endsWith('\n.')) return { kind: 'folder', real: text.slice(0, -2) };
    }
    child.kill('SIGKILL');
    return undefined;
  } finally {
    closeSync(output);
    rmSync(scratch, { recursive: true, force: true });
  }
}

function stateHere(folder: string): FolderState {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? { kind: 'folder', real: realpathSync(folder) } : { kind: 'none' };
}

/** The state of an absolute path, within 2 s. Throws where a local disk fails. */
export function folderStateOf(folder: string): FolderState {
  const { path: real, remote } = followLocally(folder);
  if (remote === undefined || process.platform === 'win32') return stateHere(folder);
  const hanging = { kind: 'hanging', real } as const;
  if (performance.now() - (hungAtMs.get(remote.point) ?? Number.NEGATIVE_INFINITY) < rememberedMs) return hanging;
  const state = askElsewhere(folder);
  if (state === undefined) hungAtMs.set(remote.point, performance.now());
  return state ?? hanging;
}
