/** Random access to a file's bytes, and the few ways to narrow and speed it up that header readers need. */

export interface ByteSource {
  /** Length in bytes. */
  readonly size: number;
  /** The bytes from `offset` on; a read past the end returns what there is. Nobody writes to the result. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** The bytes of a buffer. */
export function bufferSource(buffer: Buffer): ByteSource {
  return {
    size: buffer.length,
    read: async (offset, length) => buffer.subarray(offset, offset + length),
  };
}

/** A part of a source as a source of its own, cut off where the outer one ends. */
export function sliceSource(source: ByteSource, start: number, length: number): ByteSource {
  const size = Math.max(0, Math.min(length, source.size - start));
  return {
    size,
    read: async (offset, wanted) =>
      offset >= size ? Buffer.alloc(0) : source.read(start + offset, Math.min(wanted, size - offset)),
  };
}

/** Exactly the bytes asked for, or undefined where the source does not have all of them. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Buffer | undefined> {
  // Offsets come from the file itself: what is no position in it is never passed on to the file system.
  if (!Number.isSafeInteger(offset) || offset < 0 || !(length >= 0) || offset + length > source.size) return undefined;
  const bytes = await source.read(offset, length);
  return bytes.length === length ? bytes : undefined;
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

/** The same bytes, read in larger pieces: the head of the file is kept, and behind it the last few blocks. */
export function windowedSource(source: ByteSource): ByteSource {
  const heads: Window[] = [];
  const blocks: Window[] = [];

  async function load(offset: number, length: number): Promise<Window> {
    const inHead = offset + length <= headBytes;
    const start = inHead ? 0 : offset - (offset % blockBytes);
    const wanted = inHead ? headBytes : Math.max(blockBytes, offset - start + length);
    const window = { start, bytes: await source.read(start, Math.min(wanted, source.size - start)) };
    const kept = inHead ? heads : blocks;
    kept.push(window);
    if (kept.length > (inHead ? 1 : maxBlocks)) kept.shift();
    return window;
  }

  return {
    size: source.size,
    read: async (offset, wanted) => {
      const length = Math.min(wanted, source.size - offset);
      if (length <= 0) return Buffer.alloc(0);
      if (length > headBytes) return source.read(offset, length);
      const { start, bytes } =
        find(heads, offset, length) ?? find(blocks, offset, length) ?? (await load(offset, length));
      return bytes.subarray(offset - start, offset - start + length);
    },
  };
}
