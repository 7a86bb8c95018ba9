/** Random access to the bytes of a file for the header readers, and the error that they throw. */
import { type ByteSource, TiffError } from '@lectern/tiff';

export { type ByteSource, bufferSource, readExactly } from '@lectern/tiff';

/** The message is a sentence for the log, without the path or any bytes of the file. */
export class HeaderError extends Error {
  override readonly name = 'HeaderError';
}

/** The value, or a HeaderError with `reason` where there is none. */
export function required<T>(value: T | undefined, reason: string): T {
  if (value === undefined) throw new HeaderError(reason);
  return value;
}

/** An optional part of a header: undefined where it is damaged. */
export async function ifIntact<T>(part: Promise<T>): Promise<T | undefined> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof HeaderError || error instanceof TiffError) return undefined;
    throw error;
  }
}

/** A source of a part of another one, cut off where that one ends. */
export function sliceSource(source: ByteSource, start: number, length: number): ByteSource {
  const size = Math.max(0, Math.min(length, source.size - start));
  return {
    size,
    read: async (offset, requested) =>
      offset >= size ? Buffer.alloc(0) : source.read(start + offset, Math.min(requested, size - offset)),
  };
}

interface Window {
  readonly start: number;
  readonly bytes: Buffer;
}

const headBytes = 64 * 1024;
const blockBytes = 8 * 1024;
const maxBlocks = 16;

const find = (windows: readonly Window[], offset: number, length: number): Window | undefined =>
  windows.find(({ start, bytes }) => offset >= start && offset + length <= start + bytes.length);

/** The same bytes, read in larger blocks. The head of the file and the last few blocks are cached. */
export function windowedSource(source: ByteSource): ByteSource {
  const heads: Window[] = [];
  const blocks: Window[] = [];

  async function load(offset: number, length: number): Promise<Window> {
    const inHead = offset + length <= headBytes;
    const start = inHead ? 0 : offset - (offset % blockBytes);
    const readLength = inHead ? headBytes : Math.max(blockBytes, offset - start + length);
    const window = { start, bytes: await source.read(start, Math.min(readLength, source.size - start)) };
    const cache = inHead ? heads : blocks;
    cache.push(window);
    if (cache.length > (inHead ? 1 : maxBlocks)) cache.shift();
    return window;
  }

  return {
    size: source.size,
    read: async (offset, requested) => {
      const length = Math.min(requested, source.size - offset);
      if (length <= 0) return Buffer.alloc(0);
      if (length > headBytes) return source.read(offset, length);
      const { start, bytes } =
        find(heads, offset, length) ?? find(blocks, offset, length) ?? (await load(offset, length));
      return bytes.subarray(offset - start, offset - start + length);
    },
  };
}
