/**
 * The file of a derivative: a header that identifies it, then its bytes. Nothing is flushed to the medium (fsync): a file that
 * a power cut leaves short or empty fails its checksum, is removed, and is made anew.
 */
import { createHash, webcrypto } from 'node:crypto';
import path from 'node:path';
import { type FileSystem, type OpenFile, pieceBytes, readFile, readFully, writeFully } from '../storage/file-system.ts';
import { cacheTag, type FolderLayout, hexDigest, type PathKind, uniqueToken } from '../storage/layout.ts';

/** Changes with the format of the files; files of another format are never read, so they are evicted as the least used. */
const formatVersion = 1;

/** How a key is stored on disk. */
export interface Address {
  /** 32 hexadecimal digits: half of a SHA-256. The file holds the whole key, so two keys with one name do no harm. */
  readonly name: string;
  /** The key as text that represents every string exactly, also one with half of a surrogate pair. */
  readonly keyBytes: Buffer;
}

export function addressOf(key: string): Address {
  const text = JSON.stringify(key);
  return { name: hexDigest(`${formatVersion}\n${text}`, 32), keyBytes: Buffer.from(text) };
}

const temporary = 'temporary';
const shardPattern = /^[0-9a-f]{2}$/;
const entryPattern = /^([0-9a-f]{2})\/(\1[0-9a-f]{30})\.derivative$/;
const temporaryPattern = /^temporary\/[0-9a-f]{32}-[0-9a-f]{16}\.temporary$/;

function classify(relativePath: string): PathKind | undefined {
  const portable = relativePath.split(path.sep).join('/');
  if (portable === temporary || shardPattern.test(portable)) return { kind: 'folder' };
  if (temporaryPattern.test(portable)) return { kind: 'temporary' };
  const name = entryPattern.exec(portable)?.[2];
  return name === undefined ? undefined : { kind: 'entry', name };
}

/**
 * The layout below a cache directory: a folder of its own, since the directory may hold other things, which the tag must not
 * keep out of backups; in it a folder for each first byte of a name.
 */
export function layoutIn(directory: string): FolderLayout {
  const root = path.join(directory, 'lectern-derivatives');
  return {
    root,
    classify,
    pathOf: (name) => path.join(root, name.slice(0, 2), `${name}.derivative`),
    temporaryFor: (name) => path.join(root, temporary, `${name}-${uniqueToken()}.temporary`),
    tag: path.join(root, cacheTag.name),
  };
}

/** The longest derivative that is stored on disk, in bytes. */
export const maxPayloadBytes = 32 * 1024 * 1024;

/** No plan has a longer key; a derivative with one is not stored on disk. */
export const maxKeyBytes = 64 * 1024;

const magic = Buffer.from('LECTERN\n', 'latin1');
const checksumBytes = 32;

/** Magic bytes (8), version (4), length of the key (4) and of the payload (4), SHA-256 of the payload; then the key. */
const fixedBytes = magic.length + 12 + checksumBytes;

/** The length of the longest entry file, in bytes. */
export const maxFileBytes = fixedBytes + maxKeyBytes + maxPayloadBytes;

/** The length of an entry’s file, in bytes. */
export const fileBytesOf = (address: Address, payload: Buffer): number =>
  fixedBytes + address.keyBytes.length + payload.length;

/** From this length in bytes on, a checksum is computed in another thread. */
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

interface StoredEntry {
  readonly payload: Buffer;
  readonly modifiedMs: number;
}

async function readOpened(file: OpenFile, address: Address): Promise<StoredEntry | 'invalid'> {
  const stats = await file.stat();
  const headerBytes = fixedBytes + address.keyBytes.length;
  if (!stats.isFile() || stats.size < headerBytes || stats.size > headerBytes + maxPayloadBytes) return 'invalid';
  const bytes = Buffer.allocUnsafeSlow(stats.size);
  if (!(await readFully(file, bytes))) return 'invalid';
  const payload = await payloadOf(bytes, address);
  return payload === undefined ? 'invalid' : { payload, modifiedMs: stats.mtimeMs };
}

/**
 * Reads and verifies an entry; `invalid` where its path holds something else: a file that was cut or changed, one of another
 * key, or no regular file. Rejects where the disk fails.
 */
export const readEntry = (files: FileSystem, path: string, address: Address) =>
  readFile(files, path, (file) => readOpened(file, address));

/** A whole entry, for stores that write no files. */
export const entryBytes = async (address: Address, payload: Buffer): Promise<Buffer> =>
  Buffer.concat([await headerOf(address, payload), payload]);

/** The derivative in the bytes of an entry; undefined where these are of another key, cut or changed. */
export async function payloadOf(bytes: Buffer, address: Address): Promise<Buffer | undefined> {
  const headerBytes = fixedBytes + address.keyBytes.length;
  if (bytes.length < headerBytes) return undefined;
  const payload = bytes.subarray(headerBytes);
  // One comparison checks everything: the header must be the one that this key and these bytes would get.
  return bytes.subarray(0, headerBytes).equals(await headerOf(address, payload)) ? payload : undefined;
}

/** Writes a whole entry. Rejects where the disk fails. */
export async function writeEntry(file: OpenFile, address: Address, payload: Buffer): Promise<void> {
  const header = await headerOf(address, payload);
  if (payload.length <= pieceBytes) return writeFully(file, Buffer.concat([header, payload]));
  await writeFully(file, header);
  await writeFully(file, payload);
}
