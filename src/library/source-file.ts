/** Reads source files, and makes sure before and after that each is still the file that a plan was made for. */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fileChanged } from '../image/model/errors.ts';
import type { SourceFile } from '../image/model/image-set.ts';
import { fingerprintOf } from './stats/fingerprint.ts';

function requireSame(file: SourceFile, stats: BigIntStats): void {
  if (fingerprintOf(stats) !== file.fingerprint) throw fileChanged();
}

function throwChanged(cause: unknown): never {
  throw fileChanged(cause);
}

/** Throws ImageError `changed` where the file is no longer the one that was planned with. */
export async function requireCurrent(file: SourceFile): Promise<void> {
  requireSame(file, await stat(file.path, { bigint: true }).catch(throwChanged));
}

/** Files up to this length in bytes are read completely before they are sent, so that they can be checked once more. */
const maxBufferedBytes = 8 * 1024 * 1024;

export type FileBody = Buffer | NodeJS.ReadableStream;

/** The bytes of a file that is still the one that was planned with. Throws ImageError `changed` where it is not. */
export async function readCurrent(file: SourceFile): Promise<FileBody> {
  const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK).catch(throwChanged);
  try {
    requireSame(file, await handle.stat({ bigint: true }));
    if (file.bytes > maxBufferedBytes) {
      const stream = Readable.from(chunksOf(handle, file), { objectMode: false });
      // The generator of a stream that is destroyed before the first read never runs, nor does its `finally`.
      stream.once('close', () => void handle.close());
      return stream;
    }
    const bytes = await handle.readFile();
    requireSame(file, await handle.stat({ bigint: true }));
    await handle.close();
    return bytes;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const chunkBytes = 256 * 1024;

/** Fails before the last chunk if the file was changed meanwhile, so that the response is cut off instead of mixed. */
async function* chunksOf(handle: FileHandle, file: SourceFile): AsyncGenerator<Buffer> {
  try {
    for (let position = 0; position < file.bytes; ) {
      const length = Math.min(chunkBytes, file.bytes - position);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
      position += bytesRead;
      if (bytesRead === 0) throw fileChanged();
      if (position === file.bytes) requireSame(file, await handle.stat({ bigint: true }));
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
