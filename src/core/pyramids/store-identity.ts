/** The identity of a folder of pyramids: the same for all processes and machines that use the folder. */
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { alreadyExists, ifFound } from '../storage/file-errors.ts';
import { uniqueToken } from '../storage/layout.ts';

const fileName = 'identity';
const pattern = /^[0-9a-f]{16}$/;

async function read(file: string): Promise<string | undefined> {
  const text = (await ifFound(readFile(file, 'utf8')))?.trim();
  return text !== undefined && pattern.test(text) ? text : undefined;
}

/** 16 hexadecimal digits, which the first who asks writes into the folder. Rejects where the folder can't be written to. */
export async function storeIdentity(directory: string): Promise<string> {
  const file = path.join(directory, fileName);
  const found = await read(file);
  if (found !== undefined) return found;
  await mkdir(directory, { recursive: true });
  const own = `${file}.${uniqueToken()}`;
  try {
    await writeFile(own, uniqueToken(), { mode: 0o644 });
    // A complete file appears under the name at once, and only one of several processes puts it there.
    await link(own, file).catch((error: unknown) => {
      if (!alreadyExists(error)) throw error;
    });
  } finally {
    await rm(own, { force: true });
  }
  const identity = await read(file);
  if (identity === undefined) throw new Error(`The file ${file} does not hold 16 hexadecimal digits; delete it.`);
  return identity;
}
