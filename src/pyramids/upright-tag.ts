/** Sets the orientation that a TIFF file says of itself: libvips writes that of the source, whatever was turned. */
import { type FileHandle, open } from 'node:fs/promises';

const orientationTag = 274;

/** More directories than any pyramid has levels. */
const maxDirectories = 64;

/** How the numbers of a file are stored. */
interface Form {
  readonly littleEndian: boolean;
  /** BigTIFF: 64-bit offsets and counts. */
  readonly big: boolean;
}

async function readView(handle: FileHandle, at: number, length: number): Promise<DataView> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new Error('The TIFF file that was written is cut short.');
  return new DataView(buffer.buffer, buffer.byteOffset, length);
}

const wordAt = (view: DataView, at: number, { littleEndian, big }: Form): number =>
  big ? Number(view.getBigUint64(at, littleEndian)) : view.getUint32(at, littleEndian);

/** Sets the tag in the directory at an offset, and gives the offset of the next one; 0 where there is none. */
async function setInDirectory(handle: FileHandle, at: number, form: Form): Promise<number> {
  const { littleEndian, big } = form;
  const [countBytes, entryBytes, valueAt] = big ? [8, 20, 12] : [2, 12, 8];
  const counter = await readView(handle, at, countBytes);
  const count = big ? Number(counter.getBigUint64(0, littleEndian)) : counter.getUint16(0, littleEndian);
  const length = count * entryBytes + (big ? 8 : 4);
  const entries = await readView(handle, at + countBytes, length);
  for (let entry = 0; entry < count * entryBytes; entry += entryBytes) {
    if (entries.getUint16(entry, littleEndian) !== orientationTag) continue;
    const one = littleEndian ? Buffer.from([1, 0]) : Buffer.from([0, 1]);
    await handle.write(one, 0, one.length, at + countBytes + entry + valueAt);
  }
  return wordAt(entries, count * entryBytes, form);
}

/** Says in every directory of a TIFF file that its pixels are stored upright. Throws where it is none. */
export async function setUpright(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const head = await readView(handle, 0, 16);
    const littleEndian = head.getUint16(0) === 0x4949;
    const form: Form = { littleEndian, big: head.getUint16(2, littleEndian) === 43 };
    let next = wordAt(head, form.big ? 8 : 4, form);
    for (let seen = 0; next !== 0 && seen < maxDirectories; seen++) next = await setInDirectory(handle, next, form);
  } finally {
    await handle.close();
  }
}
