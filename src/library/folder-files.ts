/** Reads the small text files that lie in folders beside the images, contained like these. */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Containment, ifThere } from './folders.ts';

/** The longest text that is read, in bytes. */
const maxBytes = 16 * 1024 * 1024;

async function readBounded(handle: FileHandle): Promise<string | undefined> {
  const stats = await handle.stat();
  if (!stats.isFile() || stats.size > maxBytes) return undefined;
  // One byte more than there should be tells of a file that grows while it is read.
  const buffer = Buffer.alloc(stats.size + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled > stats.size ? undefined : buffer.toString('utf8', 0, filled);
}

/**
 * The text of a regular file in a directory, by its name alone. Undefined where there is none, where a link leads out of the
 * roots, and for more than 16 MiB.
 */
export async function readTextIn(
  directory: string,
  name: string,
  isContained: Containment,
): Promise<string | undefined> {
  if (path.basename(name) !== name || name.startsWith('.')) return undefined;
  const real = await ifThere(realpath(path.join(directory, name)));
  if (real === undefined || !isContained(real)) return undefined;
  const handle = await ifThere(open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  if (handle === undefined) return undefined;
  try {
    return await readBounded(handle);
  } finally {
    await handle.close();
  }
}
