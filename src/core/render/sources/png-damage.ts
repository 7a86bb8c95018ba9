/** Tells PNG files that lack a part, wherever it is, from whole ones: libvips decodes no more rows than a region needs. */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { cutShort } from '../../image/model/errors.ts';
import { readBytes } from '../../storage/read-steps.ts';
import type { OpenedRender } from './opened-file.ts';

/** Reads exactly this many bytes of a file; undefined where it ends before. */
export type ReadExactly = (at: number, bytes: number) => Promise<Buffer | undefined>;

/** Bytes that are read at once. */
const sliceBytes = 1024 * 1024;

const signatureBytes = 8;

/** Reads a file from a position on, slice by slice. */
function createCursor(fileBytes: number, read: ReadExactly, start: number) {
  let next = start;
  let slice: Buffer = Buffer.alloc(0);
  /** At least one byte and at most so many; undefined at the end of the file. */
  async function some(most: number): Promise<Buffer | undefined> {
    if (slice.length === 0) {
      const bytes = Math.min(sliceBytes, fileBytes - next);
      slice = (bytes > 0 && (await read(next, bytes))) || slice;
      next += bytes;
    }
    const taken = slice.subarray(0, most);
    slice = slice.subarray(taken.length);
    return taken.length === 0 ? undefined : taken;
  }
  return {
    /** Calls `use` with so many bytes in order; false where the file ends before. */
    async take(bytes: number, use: (part: Buffer) => void): Promise<boolean> {
      for (let left = bytes; left > 0; ) {
        const part = await some(left);
        if (part === undefined) return false;
        use(part);
        left -= part.length;
      }
      return true;
    },
  };
}

/** Chunks without which the image can't be decoded have a capital first letter (PNG 3, section 5.4). */
const isCritical = (type: Buffer): boolean => ((type[0] ?? 0) & 0x20) === 0;

/**
 * Whether the chunks of a PNG follow each other up to its end, and those of the image have their checksums (PNG 3, section 5.3). It reads all of
 * the file, at 1 ms for each MB, and decodes nothing. Rejects where reading does.
 */
export async function isWholePng(fileBytes: number, read: ReadExactly): Promise<boolean> {
  const cursor = createCursor(fileBytes, read, signatureBytes);
  const exactly = async (bytes: number): Promise<Buffer | undefined> => {
    const parts: Buffer[] = [];
    return (await cursor.take(bytes, (part) => parts.push(part))) ? Buffer.concat(parts) : undefined;
  };
  for (;;) {
    const head = await exactly(8);
    if (head === undefined) return false;
    const type = head.subarray(4);
    let checksum = crc32(type);
    const hasData = await cursor.take(head.readUInt32BE(0), (part) => {
      checksum = crc32(part, checksum);
    });
    const stored = hasData ? await exactly(4) : undefined;
    if (stored === undefined || (isCritical(type) && stored.readUInt32BE(0) !== checksum)) return false;
    if (type.toString('latin1') === 'IEND') return true;
  }
}

/** Files that are whole. */
const whole = new LRUCache<string, true>({ max: 1000 });

/** The result of work that decodes the plan’s source. Throws ImageError `damaged` where a PNG lacks a part, also below the one that is decoded. */
export async function requireWholePng<T>(plan: OpenedRender, work: () => Promise<T>): Promise<T> {
  const { sourceFormat, truncated, file } = plan;
  const result = await work();
  if (sourceFormat !== 'png' || truncated) return result;
  const key = `${file.fingerprint} ${file.path}`;
  if (whole.has(key)) return result;
  if (!(await isWholePng(file.bytes, (at, bytes) => readBytes(file.handle, { at, bytes })))) throw cutShort();
  whole.set(key, true);
  return result;
}
