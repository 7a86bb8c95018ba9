/**
 * A derivative as a file: a header that says what it is, then the bytes. Nothing is flushed to the medium (fsync), for
 * what a power cut leaves short or empty fails its checksum, is removed, and is made anew.
 */
import { createHash, webcrypto } from 'node:crypto';
import { codeOf } from '../storage/file-errors.ts';
import type { FileSystem, OpenFile } from './file-system.ts';
import { type Address, formatVersion } from './layout.ts';

/** The longest derivative that is kept on disk, in bytes. */
export const maxPayloadBytes = 32 * 1024 * 1024;

/** Longer keys are of no plan that we know of; such a derivative is not kept on disk. */
export const maxKeyBytes = 64 * 1024;

const magic = Buffer.from('LECTERN\n', 'latin1');
const checksumBytes = 32;

/** Magic bytes (8), version (4), length of the key (4) and of the payload (4), SHA-256 of the payload; then the key. */
const fixedBytes = magic.length + 12 + checksumBytes;

/** The longest file of ours, in bytes. */
export const maxFileBytes = fixedBytes + maxKeyBytes + maxPayloadBytes;

/** The length of an entry’s file, in bytes. */
export const fileBytesOf = (address: Address, payload: Buffer): number =>
  fixedBytes + address.keyBytes.length + payload.length;

/** From this length on, a checksum is computed beside the event loop. */
const longBytes = 1024 * 1024;

async function checksumOf(payload: Buffer): Promise<Buffer> {
  if (payload.length < longBytes) return createHash('sha256').update(payload).digest();
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', payload));
}

async function headerOf({ keyBytes }: Address, payload: Buffer): Promise<Buffer> {
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32LE(formatVersion, 0);
  numbers.writeUInt32LE(keyBytes.length, 4);
  numbers.writeUInt32LE(payload.length, 8);
  return Buffer.concat([magic, numbers, await checksumOf(payload), keyBytes]);
}

export type Reading =
  | { readonly kind: 'found'; readonly payload: Buffer; readonly modifiedMs: number }
  | { readonly kind: 'absent' }
  /** A file under the entry’s name that is not the entry: cut, changed, of another key, or no file at all. */
  | { readonly kind: 'damaged' };

/** Reads until the buffers are full or the file ends; resolves to whether they are full. */
async function fill(file: OpenFile, buffers: readonly Buffer[]): Promise<boolean> {
  let rest = buffers.filter((buffer) => buffer.length > 0);
  while (rest.length > 0) {
    let count = await file.read(rest);
    if (count === 0) return false;
    const left: Buffer[] = [];
    for (const buffer of rest) {
      const used = Math.min(count, buffer.length);
      count -= used;
      if (used < buffer.length) left.push(buffer.subarray(used));
    }
    rest = left;
  }
  return true;
}

async function readOpened(file: OpenFile, address: Address): Promise<Reading> {
  const stats = await file.stat();
  const payloadBytes = stats.size - fixedBytes - address.keyBytes.length;
  if (!stats.isFile() || payloadBytes < 0 || payloadBytes > maxPayloadBytes) return { kind: 'damaged' };
  const header = Buffer.allocUnsafe(fixedBytes + address.keyBytes.length);
  const payload = Buffer.allocUnsafeSlow(payloadBytes);
  if (!(await fill(file, [header, payload]))) return { kind: 'damaged' };
  // One comparison checks all: the header must be the one that this key and these bytes would get.
  const isWhole = header.equals(await headerOf(address, payload));
  return isWhole ? { kind: 'found', payload, modifiedMs: stats.mtimeMs } : { kind: 'damaged' };
}

/** The entry in a file, checked. Rejects where the disk fails. */
export async function readEntry(files: FileSystem, path: string, address: Address): Promise<Reading> {
  let file: OpenFile;
  try {
    file = await files.openToRead(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
    if (codeOf(error) === 'ELOOP') return { kind: 'damaged' };
    throw error;
  }
  try {
    return await readOpened(file, address);
  } finally {
    await file.close();
  }
}

/** Short pieces, so that a slow disk is not taken for one that hangs. */
const pieceBytes = 1024 * 1024;

async function writeAll(file: OpenFile, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += await file.write(bytes.subarray(written, written + pieceBytes));
  }
}

/** Writes a whole entry to a file that is not there yet. Rejects where the disk fails; then a part may be there. */
export async function writeEntry(files: FileSystem, path: string, address: Address, payload: Buffer): Promise<void> {
  const header = await headerOf(address, payload);
  const file = await files.create(path);
  try {
    if (payload.length <= pieceBytes) await writeAll(file, Buffer.concat([header, payload]));
    else {
      await writeAll(file, header);
      await writeAll(file, payload);
    }
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  // Some file systems say only now that there was no room.
  await file.close();
}
