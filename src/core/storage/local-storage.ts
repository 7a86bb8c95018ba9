/** The local file system as a storage: links are followed and pinned, devices and pipes never waited for. */
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ifReadable } from './file-errors.ts';
import { isSamePath, pinPath, withPinnedPath } from './pinned-path.ts';
import {
  isRemotePath,
  remoteStorageOf,
  type Storage,
  type StoredEntry,
  type StoredFile,
  type StoredKind,
} from './storage.ts';

const kindOf = (entry: Pick<Dirent, 'isFile' | 'isDirectory'>): StoredKind =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : undefined;

async function linkEntry(file: string, name: string): Promise<StoredEntry> {
  const target = await ifReadable(withPinnedPath(file, async (pinned) => pinned));
  return { name, kind: target && kindOf(target.stats), link: { target: target?.real } };
}

const notThere = (code: string): Error => Object.assign(new Error(`${code}: the path leads elsewhere`), { code });

/** Rejects as where nothing is there where the path leads elsewhere by now. */
async function* list(directory: string): AsyncIterable<readonly StoredEntry[]> {
  const pinned = await pinPath(directory);
  try {
    if (!isSamePath(pinned.real, directory)) throw notThere('ENOENT');
    if (!pinned.stats.isDirectory()) throw notThere('ENOTDIR');
    const entries: StoredEntry[] = [];
    for (const entry of await readdir(pinned.readPath, { withFileTypes: true })) {
      const { name } = entry;
      const isLink = entry.isSymbolicLink();
      entries.push(isLink ? await linkEntry(path.join(pinned.readPath, name), name) : { name, kind: kindOf(entry) });
    }
    yield entries;
  } finally {
    await pinned.close();
  }
}

/** Fills a buffer as far as the file goes. */
async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Nothing is opened that can be read from before something is read. */
async function openPinned(file: string): Promise<StoredFile> {
  const pinned = await pinPath(file);
  let opening: Promise<FileHandle> | undefined;
  return {
    realPath: async () => pinned.real,
    stats: async () => pinned.stats,
    async read(at, length) {
      opening ??= open(pinned.readPath, constants.O_RDONLY | constants.O_NONBLOCK);
      return readAt(await opening, at, length);
    },
    async close() {
      await Promise.all([pinned.close(), opening?.then((handle) => handle.close()).catch(() => undefined)]);
    },
  };
}

export const localStorage: Storage = {
  isLocal: true,
  lstat: (file) => lstat(file, { bigint: true }),
  stat: (file) => stat(file, { bigint: true }),
  realPath: (file) => realpath(file),
  list,
  open: openPinned,
};

/** The storage that a path is in. Throws as where nothing is there where it is none that is open. */
export function storageOf(file: string): Storage {
  const remote = remoteStorageOf(file);
  if (remote === undefined && isRemotePath(file)) throw notThere('ENOENT');
  return remote ?? localStorage;
}
