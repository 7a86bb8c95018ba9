/** Sets the orientation tag of a TIFF file: libvips writes that of the source, although the pixels were turned. */
import { type FileHandle, open } from 'node:fs/promises';

const orientationTag = 274;

/** A bound that is larger than the number of levels of any pyramid. */
const maxDirectories = 64;

/** The number format of a file. */
interface NumberFormat {
  readonly littleEndian: boolean;
  /** BigTIFF: 64-bit offsets and counts. */
  readonly big: boolean;
}

async function readView(handle: FileHandle, offset: number, length: number): Promise<DataView> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead < length) throw new Error('The TIFF file that was written is cut short.');
  return new DataView(buffer.buffer, buffer.byteOffset, length);
}

const readOffset = (view: DataView, offset: number, { littleEndian, big }: NumberFormat): number =>
  big ? Number(view.getBigUint64(offset, littleEndian)) : view.getUint32(offset, littleEndian);

/** Sets the tag in the directory at an offset; resolves to the offset of the next directory, 0 where there is none. */
async function setInDirectory(handle: FileHandle, offset: number, form: NumberFormat): Promise<number> {
  const { littleEndian, big } = form;
  const [countBytes, entryBytes, valueOffset] = big ? [8, 20, 12] : [2, 12, 8];
  const counter = await readView(handle, offset, countBytes);
  const count = big ? Number(counter.getBigUint64(0, littleEndian)) : counter.getUint16(0, littleEndian);
  const length = count * entryBytes + (big ? 8 : 4);
  const entries = await readView(handle, offset + countBytes, length);
  for (let entry = 0; entry < count * entryBytes; entry += entryBytes) {
    if (entries.getUint16(entry, littleEndian) !== orientationTag) continue;
    const one = littleEndian ? Buffer.from([1, 0]) : Buffer.from([0, 1]);
    await handle.write(one, 0, one.length, offset + countBytes + entry + valueOffset);
  }
  return readOffset(entries, count * entryBytes, form);
}

/** Sets the tag in every directory of a TIFF file to upright. Rejects where the file is no TIFF. */
export async function setUpright(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const header = await readView(handle, 0, 16);
    const littleEndian = header.getUint16(0) === 0x4949;
    const form: NumberFormat = { littleEndian, big: header.getUint16(2, littleEndian) === 43 };
    let next = readOffset(header, form.big ? 8 : 4, form);
    for (let count = 0; next !== 0 && count < maxDirectories; count++) next = await setInDirectory(handle, next, form);
  } finally {
    await handle.close();
  }
}
