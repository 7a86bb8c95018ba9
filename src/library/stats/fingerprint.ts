/** Makes sure that a file is still the one that a plan was made for, before and after its bytes are read. */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ImageError } from '../../image/model/errors.ts';
import type { SourceFile } from '../../image/model/image-set.ts';

/** Changes with every write: the status change time also tells of one that kept length and modification time. */
export const fingerprintOf = (stats: BigIntStats): string =>
  `${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}-${stats.ino}`;

/** Times of files are coarse: within this time after a change, the next one may leave no trace. */
export const settledAfterMs = 2000;

/**
 * Whether what is read of a file or folder at this time (ms since 1970) or later may be kept under its fingerprint: any
 * change after that gives it another one. A modification time can be set to any time, also to one that is yet to come.
 */
export function isSettled({ mtimeMs, ctimeMs }: BigIntStats, atMs: number): boolean {
  const changedMs = mtimeMs > ctimeMs && Number(mtimeMs) <= atMs ? mtimeMs : ctimeMs;
  return atMs - Number(changedMs) > settledAfterMs;
}

const changed = (cause?: unknown): ImageError =>
  new ImageError('changed', 'The image’s file is being replaced; ask again.', { cause });

function requireSame(file: SourceFile, stats: BigIntStats): void {
  if (fingerprintOf(stats) !== file.fingerprint) throw changed();
}

/** Throws ImageError `changed` where the file is no longer the one that was planned with. */
export async function requireCurrent(file: SourceFile): Promise<void> {
  const stats = await stat(file.path, { bigint: true }).catch((cause: unknown) => {
    throw changed(cause);
  });
  requireSame(file, stats);
}

/** Up to this length in bytes a file is read whole before it is sent, so that it can be checked once more. */
const wholeBytes = 8 * 1024 * 1024;

/** What is sent of a file: its bytes, or where these are many a stream of them. */
export type FileBody = Buffer | NodeJS.ReadableStream;

/** The bytes of a file that is still the one that was planned with. Throws ImageError `changed` where it is not. */
export async function readCurrent(file: SourceFile): Promise<FileBody> {
  const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw changed(cause);
  });
  try {
    requireSame(file, await handle.stat({ bigint: true }));
    if (file.bytes > wholeBytes) {
      const stream = Readable.from(chunksOf(handle, file), { objectMode: false });
      // A stream that nobody began to read ends without running any of its generator, not even what stands in `finally`.
      stream.once('close', () => void handle.close());
      return stream;
    }
    return await readWhole(handle, file);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readWhole(handle: FileHandle, file: SourceFile): Promise<Buffer> {
  const bytes = await handle.readFile();
  requireSame(file, await handle.stat({ bigint: true }));
  await handle.close();
  return bytes;
}

const chunkBytes = 256 * 1024;

/** Fails before its last chunk where the file was written to meanwhile, so that the answer is cut off, not mixed. */
async function* chunksOf(handle: FileHandle, file: SourceFile): AsyncGenerator<Buffer> {
  try {
    for (let position = 0; position < file.bytes; ) {
      const wanted = Math.min(chunkBytes, file.bytes - position);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
      position += bytesRead;
      if (bytesRead === 0) throw changed();
      if (position === file.bytes) requireSame(file, await handle.stat({ bigint: true }));
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
