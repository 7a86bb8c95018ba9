import { bufferSource, readerOf } from '../src/bytes.ts';
import { readHeader } from '../src/header.ts';

let files = 0;

/** A file in memory with its header, as a reader of regions takes it; each has a key of its own. */
export async function openBytes(content: Buffer) {
  const header = await readHeader(bufferSource(content));
  return { readAt: readerOf(content), bytes: content.length, key: `${files++}`, header };
}
