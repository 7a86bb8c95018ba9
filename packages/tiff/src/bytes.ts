/** The bytes of files, and the error of those that are no TIFF or damaged. */

/** Random access to the bytes of a file. */
export interface ByteSource {
  /** Length in bytes. */
  readonly size: number;
  /** The bytes from `offset` on, fewer where the source ends before. The result is not modified. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** The source of bytes in memory. */
export const bufferSource = (buffer: Buffer): ByteSource => ({
  size: buffer.length,
  read: async (offset, length) => buffer.subarray(offset, offset + length),
});

/** Exactly the requested bytes, or undefined where the source does not have all of them. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Buffer | undefined> {
  // Offsets come from the file itself, so invalid ones must not reach the source.
  if (!Number.isSafeInteger(offset) || offset < 0 || !(length >= 0) || offset + length > source.size) return undefined;
  const bytes = await source.read(offset, length);
  return bytes.length === length ? bytes : undefined;
}

/** The bytes are no TIFF, or damaged; the message is a sentence. */
export class TiffError extends Error {
  override readonly name = 'TiffError';
}

/** The value; throws TiffError with `reason` where there is none. */
export function required<T>(value: T | undefined, reason: string): T {
  if (value === undefined) throw new TiffError(reason);
  return value;
}

/** An optional part: undefined where it is damaged. */
export async function ifIntact<T>(part: Promise<T>): Promise<T | undefined> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof TiffError) return undefined;
    throw error;
  }
}
