/** The file operations that stored folders need, on local disks only: an interface, so that tests can make them fail, and Node's implementation. */
import { constants, type Dirent, lstatSync, type Stats } from 'node:fs';
import { appendFile, lstat, lutimes, mkdir, open, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { codeOf, isLinkRefused } from './file-errors.ts';

/** An open file. Each call continues at the position where the last one ended. */
export interface OpenFile {
  stat(): Promise<Stats>;
  /** Resolves to the number of bytes read, which may be fewer than the buffer has; 0 at the end of the file. */
  read(buffer: Buffer): Promise<number>;
  /** Resolves to the number of bytes written, which may be fewer than were given. */
  write(bytes: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** File operations by absolute path; each rejects with the error of `node:fs`. */
export interface FileSystem {
  /** Whether certainly nothing has this path, synchronously; false also where that can't be determined. */
  isAbsent(path: string): boolean;
  /** Opens a file, never through a symbolic link and without waiting for the other end of a pipe. */
  openToRead(path: string): Promise<OpenFile>;
  /** Creates a file that must not exist yet. */
  create(path: string): Promise<OpenFile>;
  /** Writes a small text file that must not exist yet. */
  createText(path: string, text: string): Promise<void>;
  /** Appends to a file, which is created where it does not exist. */
  append(path: string, bytes: Buffer): Promise<void>;
  /** Creates a folder and those above it, as far as they do not exist. */
  makeFolder(path: string): Promise<void>;
  list(directory: string): Promise<readonly Dirent[]>;
  lstat(path: string): Promise<Stats>;
  stat(path: string): Promise<Stats>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Sets the modification time, in milliseconds since 1970. */
  setModified(path: string, modifiedMs: number): Promise<void>;
}

/** The files hold names and pictures that only some callers may see, so only the server's own user may read them. */
const fileMode = 0o600;
const folderMode = 0o700;

async function openFile(path: string, flags: number): Promise<OpenFile> {
  const handle = await open(path, flags, fileMode);
  return {
    stat: () => handle.stat(),
    read: async (buffer) => (await handle.read(buffer)).bytesRead,
    write: async (bytes) => (await handle.write(bytes)).bytesWritten,
    close: () => handle.close(),
  };
}

function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

export const nodeFileSystem: FileSystem = {
  isAbsent,
  openToRead: (path) => openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
  create: (path) => openFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL),
  createText: (path, text) => writeFile(path, text, { flag: 'wx' }),
  append: (path, bytes) => appendFile(path, bytes, { mode: fileMode }),
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: folderMode });
  },
  list: (directory) => readdir(directory, { withFileTypes: true }),
  lstat: (path) => lstat(path),
  stat: (path) => stat(path),
  rename: (from, to) => rename(from, to),
  unlink: (path) => unlink(path),
  setModified: (path, modifiedMs) => lutimes(path, modifiedMs / 1000, modifiedMs / 1000),
};

/**
 * The result of reading a file; `absent` where nothing has the path, `invalid` where a symbolic link has it. Rejects where the
 * disk fails.
 */
export async function readFile<T>(
  files: FileSystem,
  path: string,
  read: (file: OpenFile) => Promise<T>,
): Promise<T | 'absent' | 'invalid'> {
  try {
    const file = await files.openToRead(path);
    return await read(file).finally(() => file.close());
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'absent';
    if (isLinkRefused(error)) return 'invalid';
    throw error;
  }
}

/** Fills a buffer from a file; resolves to whether the file was long enough. */
export async function readFully(file: OpenFile, buffer: Buffer): Promise<boolean> {
  for (let filled = 0; filled < buffer.length; ) {
    const count = await file.read(buffer.subarray(filled));
    if (count === 0) return false;
    filled += count;
  }
  return true;
}

/** Short pieces, so that a slow disk is not mistaken for one that hangs. */
export const pieceBytes = 1024 * 1024;

export async function writeFully(file: OpenFile, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += await file.write(bytes.subarray(written, written + pieceBytes));
  }
}
