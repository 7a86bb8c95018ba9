/** Reads of a file as a sequence of steps, which is the same whether threads take them or this one does. */

import type { StoredBytes } from '../../image/model/stored-tiles.ts';
import type { FileVersion, RemoteStorage } from '../../storage/storage.ts';
import type { SyncReads } from '../../storage/sync-reads.ts';
import type { ReadHandle } from './read-handle.ts';

/** Bytes of a file that are needed next. */
export interface ReadStep extends StoredBytes {
  /** Number of bytes in the buffer that stay free before them. */
  readonly room?: number;
  /** Whether these are pixels, which are read once; other bytes say where pixels lie, and are needed again. */
  readonly arePixels?: true;
}

/** Asks for bytes, and gets a buffer with them, or undefined where the file ends before. */
export type ReadSteps<T> = Generator<ReadStep, T, Buffer | undefined>;

/** Exactly the bytes of a step, which threads read; undefined where the file ends before. */
export async function readBytes(handle: ReadHandle, { at, bytes, room = 0 }: ReadStep): Promise<Buffer | undefined> {
  const buffer = Buffer.allocUnsafe(room + bytes);
  const { bytesRead } = await handle.read(buffer, room, bytes, at);
  return bytesRead === bytes ? buffer : undefined;
}

/** The result of steps that are taken by threads. Rejects where the disk fails. */
export async function readInTurns<T>(handle: ReadHandle, steps: ReadSteps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await readBytes(handle, step.value));
  return step.value;
}

/** The result of steps on a file of an object store. */
export async function readRemotely<T>(file: FileVersion, storage: RemoteStorage, steps: ReadSteps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    const { at, bytes, room = 0, arePixels } = step.value;
    if (at + bytes > file.bytes) {
      step = steps.next(undefined);
      continue;
    }
    const part = await storage.readPart(file, at, bytes, arePixels ? 'pixels' : 'directory');
    step = steps.next(room === 0 ? part : Buffer.concat([Buffer.allocUnsafe(room), part]));
  }
  return step.value;
}

/** The result of steps that are taken at once. Throws where the disk fails. */
export function readAtOnce<T>(fd: number, steps: ReadSteps<T>, reads: SyncReads): T {
  let step = steps.next();
  while (!step.done) {
    const { at, bytes, room = 0 } = step.value;
    const buffer = Buffer.allocUnsafe(room + bytes);
    step = steps.next(reads.read(fd, buffer, room, bytes, at) === bytes ? buffer : undefined);
  }
  return step.value;
}
