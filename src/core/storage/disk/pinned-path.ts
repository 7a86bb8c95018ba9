/** What a path leads to at one moment: its real path, its stats and its content belong together, whatever is renamed meanwhile. */
import { type BigIntStats, constants, existsSync, readlinkSync } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';

export interface PinnedPath {
  /** Absolute, without links. */
  readonly real: string;
  readonly stats: BigIntStats;
  /** A path at which the same file or folder is opened. */
  readonly readPath: string;
  close(): Promise<void>;
}

/** On Linux the open files of a process have paths. */
export const hasDescriptorPaths = existsSync('/proc/self/fd');

/** The path at which an open file is opened again, on Linux. */
export const descriptorPath = ({ fd }: Pick<FileHandle, 'fd'>): string => `/proc/self/fd/${fd}`;

/** Linux opens with this flag any kind of file without reading from it: no device is touched, no pipe waits. Node has no name for it. */
const pathOnly = 0x20_00_00;

const unlinkedEnd = ' (deleted)';

/** The error of a path that leads to something else from one call to the next. */
const movedAway = (): Error => Object.assign(new Error('ENOENT: the path is being renamed'), { code: 'ENOENT' });

/** The path of an open file as the kernel names it. Throws as where nothing is there when the file was deleted. */
export function unlessDeleted(real: string): string {
  if (real.endsWith(unlinkedEnd)) throw movedAway();
  return real;
}

/** The path of an open file now, without links; on systems without paths of open files, `path` has to lead to it still. */
export async function realPathOf(handle: FileHandle, path: string): Promise<string> {
  if (hasDescriptorPaths) {
    // The kernel has this path in memory: no disk is asked.
    return unlessDeleted(readlinkSync(descriptorPath(handle)));
  }
  const real = await realpath(path);
  const [opened, found] = await Promise.all([handle.stat({ bigint: true }), stat(real, { bigint: true })]);
  if (opened.ino !== found.ino || opened.dev !== found.dev) throw movedAway();
  return real;
}

/** Rejects with the errors of the disk, and as where nothing is there when the file was deleted or moved meanwhile. */
export async function pinPath(path: string): Promise<PinnedPath> {
  if (!hasDescriptorPaths) return pinByStat(path);
  const handle = await open(path, constants.O_RDONLY | pathOnly);
  try {
    const [real, stats] = [await realPathOf(handle, path), await handle.stat({ bigint: true })];
    return { real, stats, readPath: descriptorPath(handle), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The best that can be told by paths alone: the same file before and after. */
async function pinByStat(path: string): Promise<PinnedPath> {
  const real = await realpath(path);
  const stats = await stat(real, { bigint: true });
  if ((await realpath(path)) !== real) throw movedAway();
  return { real, stats, readPath: real, close: async () => undefined };
}

/** The result of `use` on what a path leads to. */
export async function withPinnedPath<T>(path: string, use: (pinned: PinnedPath) => Promise<T>): Promise<T> {
  const pinned = await pinPath(path);
  try {
    return await use(pinned);
  } finally {
    await pinned.close();
  }
}

/** Whether two paths are the same, also on a disk that ignores case or normalization. */
export function isSamePath(one: string, other: string): boolean {
  return one === other || foldedPath(one) === foldedPath(other);
}

const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase();
