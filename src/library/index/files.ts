/** Reads and writes the files of the index; what is written is there as a whole or not at all. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { appendFile, type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../storage/file-errors.ts';
import { type Place, temporaryName } from './layout.ts';

/** A file in use has its time renewed after so many ms, so that what is not used can be told. */
const renewAfterMs = 24 * 3_600_000;

/** Names of images that only some may see are in here, so nobody but the server's own user reads them. */
const fileMode = 0o600;
const folderMode = 0o700;

/** What a file holds, or that there is none, or something that is no file of the index and has to be replaced. */
export type Kept =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unusable' };

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Links are not followed. Throws where the disk fails. */
export async function readKept({ file }: Place, maxBytes: number): Promise<Kept> {
  try {
    const handle = await open(file, flags);
    try {
      return await readOpen(handle, maxBytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'nothing' };
    if (codeOf(error) === 'ELOOP') return { kind: 'unusable' };
    throw error;
  }
}

async function readOpen(handle: FileHandle, maxBytes: number): Promise<Kept> {
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size > maxBytes) return { kind: 'unusable' };
  const now = new Date();
  if (now.getTime() - stats.mtimeMs > renewAfterMs) await handle.utimes(now, now).catch(() => undefined);
  return { kind: 'bytes', bytes: await handle.readFile() };
}

/** Does what needs a folder around a file, and makes the folder where it is missing. */
async function insideFolder(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await mkdir(path.dirname(file), { recursive: true, mode: folderMode });
    await work();
  }
}

/** Adds lines. They begin with the end of a line: what a crash left of the one before must not spoil them. */
export function appendLines({ file }: Place, lines: readonly string[]): Promise<void> {
  const bytes = Buffer.from(`\n${lines.join('\n')}\n`, 'utf8');
  return insideFolder(file, () => appendFile(file, bytes, { mode: fileMode }));
}

/** Replaces a file. */
export async function replaceKept(place: Place, bytes: Buffer): Promise<void> {
  const temporary = temporaryName(place, randomUUID());
  try {
    await insideFolder(temporary, () => writeFile(temporary, bytes, { mode: fileMode, flag: 'wx' }));
    await rename(temporary, place.file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}
