/** Opens a file to read its header: with the threads of libuv, or at once where the system most likely has it in memory. */
import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ifReadable } from '../../storage/file-errors.ts';
import { descriptorPath, hasDescriptorPaths, realPathOf, unlessDeleted } from '../../storage/pinned-path.ts';
import type { FileStats, RemoteStorage } from '../../storage/storage.ts';
import type { SyncReads } from '../../storage/sync-reads.ts';
import type { ByteSource } from '../headers/byte-source.ts';

/** A file that is open. Its methods reject where the disk fails. */
export interface OpenHeader {
  /** The path of the open file now, without links. Rejects as where nothing is there when the file was deleted or moved. */
  realPath(): Promise<string>;
  stats(): Promise<FileStats>;
  /** The bytes of the file, which has `size` of them. */
  source(size: number): ByteSource;
  close(): Promise<void>;
}

/** Devices and pipes are opened without waiting for them. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/** The part of the requested bytes that the file has. */
const bufferFor = (offset: number, length: number, size: number): Buffer =>
  Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));

function withThreads(
  handle: FileHandle,
  path: string,
  statsOf: (handle: FileHandle) => Promise<FileStats>,
): OpenHeader {
  return {
    realPath: () => realPathOf(handle, path),
    stats: () => statsOf(handle),
    source: (size) => ({
      size,
      read: async (offset, length) => {
        const buffer = bufferFor(offset, length, size);
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
        return buffer.subarray(0, bytesRead);
      },
    }),
    close: () => handle.close(),
  };
}

function atOnce(fd: number, reads: SyncReads): OpenHeader {
  return {
    realPath: async () => unlessDeleted(readlinkSync(descriptorPath({ fd }))),
    stats: async () => fstatSync(fd, { bigint: true }),
    source: (size) => ({
      size,
      read: async (offset, length) => {
        const buffer = bufferFor(offset, length, size);
        return buffer.subarray(0, reads.read(fd, buffer, 0, buffer.length, offset));
      },
    }),
    close: async () => closeSync(fd),
  };
}

/** Whether a file can be opened at once: its disk is a local one whose reads were fast just now. */
export const canOpenAtOnce = (reads: SyncReads | undefined): reads is SyncReads =>
  hasDescriptorPaths && reads?.areAllowed === true;

/** Undefined where nothing can be read at the path. */
export const openAtOnce = (path: string, reads: SyncReads): Promise<OpenHeader | undefined> =>
  ifReadable((async () => atOnce(openSync(path, flags), reads))());

/** The same; `statsOf` are the current stats of an open file. */
export async function openWithThreads(
  path: string,
  statsOf: (handle: FileHandle) => Promise<FileStats>,
): Promise<OpenHeader | undefined> {
  const handle = await ifReadable(open(path, flags));
  return handle && withThreads(handle, path, statsOf);
}

/** The same of a remote storage, in few requests. */
export async function openRemote(path: string, storage: RemoteStorage): Promise<OpenHeader | undefined> {
  const file = await ifReadable(storage.open(path));
  return (
    file && {
      realPath: () => file.realPath(),
      stats: () => file.stats(),
      source: (size) => ({
        size,
        read: (offset, length) => file.read(offset, Math.max(0, Math.min(length, size - offset))),
      }),
      close: () => file.close(),
    }
  );
}
