/** Reads small files, such as metadata, that lie beside the images of a folder. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { ifReadable } from '../../storage/file-errors.ts';
import { fingerprintOf } from '../../storage/fingerprint.ts';
import { type PinnedPath, pinPath } from '../../storage/pinned-path.ts';
import type { Containment } from '../roots/containment.ts';

const maxTextBytes = 16 * 1024 * 1024;

/** The bytes of a file, or the reason, as a sentence, why they are not read. */
export type FileContent =
  | { readonly kind: 'bytes'; readonly bytes: Buffer /** Of the file that was read. */; readonly fingerprint: string }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;

/** A part of a file, from its byte `from` up to its byte `to`, which is not a part of it. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

type Read = { readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'refused'; readonly reason: string };

async function readSpan(handle: FileHandle, { from, to }: ByteSpan): Promise<Read> {
  const buffer = Buffer.alloc(to - from);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { kind: 'bytes', bytes: buffer.subarray(0, filled) };
}

async function readBounded(handle: FileHandle, maxBytes: number, span?: ByteSpan): Promise<Read> {
  const stats = await handle.stat();
  if (!stats.isFile()) return refused('This is no file.');
  if (span !== undefined) return readSpan(handle, span);
  if (stats.size > maxBytes) return refused(`The file is longer than ${maxBytes / 1024 / 1024} MiB, and is not read.`);
  // One byte more than the size shows whether the file grows while it is read.
  const buffer = Buffer.alloc(stats.size + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  if (filled > stats.size) return refused('The file was written to while it was read.');
  return { kind: 'bytes', bytes: buffer.subarray(0, filled) };
}

async function readPinned(
  pinned: PinnedPath,
  isContained: Containment,
  maxBytes: number,
  span?: ByteSpan,
): Promise<FileContent> {
  const { real, stats, readPath } = pinned;
  if (!isContained(real)) return refused('This link leads out of the library, and is not followed.');
  if (!stats.isFile()) return refused('This is no file.');
  const handle = await ifReadable(open(readPath, constants.O_RDONLY | constants.O_NONBLOCK));
  if (handle === undefined) return refused('This file may not be read.');
  try {
    const read = await readBounded(handle, maxBytes, span);
    return read.kind === 'bytes' ? { ...read, fingerprint: fingerprintOf(stats) } : read;
  } finally {
    await handle.close();
  }
}

/**
 * The bytes of a regular file in a directory, or of a span of it, whose length is the caller's bound. Throws where the disk
 * fails, but not for a name that leads nowhere.
 */
export async function readFileIn(
  directory: string,
  name: string,
  isContained: Containment,
  maxBytes: number,
  span?: ByteSpan,
): Promise<FileContent> {
  const pinned = await ifReadable(pinPath(path.join(directory, name)));
  if (pinned === undefined) return refused('This file may not be read, or leads nowhere.');
  try {
    return await readPinned(pinned, isContained, maxBytes, span);
  } finally {
    await pinned.close();
  }
}

/** The text of a regular file in a directory; undefined where there is none, it is longer than 16 MiB, or a link leads out. */
export async function readTextIn(
  directory: string,
  name: string,
  isContained: Containment,
): Promise<string | undefined> {
  if (path.basename(name) !== name || name.startsWith('.')) return undefined;
  const content = await readFileIn(directory, name, isContained, maxTextBytes);
  return content.kind === 'bytes' ? content.bytes.toString('utf8') : undefined;
}
