/** Opens JPEG files whose parts can be read without the rest: of one sequential scan with Huffman codes. */
import { codedPartOf, cropJpeg, type JpegHeader, pixelsOf, unitsAround } from './crop.ts';
import { type Rect, type Size, scanOf, unitsOf } from './scan.ts';
import { type ReadBytes, ScanPlaces } from './scan-places.ts';

/** A JPEG of the units (MCUs) around a region. */
export interface Crop {
  readonly bytes: Buffer;
  /** The first pixel of the file that it has. */
  readonly x: number;
  readonly y: number;
}

/** What is known of a file between its crops: its header, and where units lie in it. It holds no open file. */
export interface SequentialJpeg {
  readonly size: Size;
  /** About the memory that it takes, in bytes: 200 KB for 80 megapixels. */
  readonly memoryBytes: number;
  /**
   * A JPEG of a region, with a margin of units at each side with which decoders smooth chroma: its pixels of the region are those of the file.
   * Undefined where the data are damaged. The first crop reads all of the file up to its last row, at about 4 ns for each byte, others only
   * their own part. Rejects where reading does.
   */
  crop(region: Rect, read: ReadBytes): Promise<Crop | undefined>;
  /** Whether its data reach to the last row. It reads what was not read up to then. Rejects where reading does. */
  reachesEnd(read: ReadBytes): Promise<boolean>;
}

/** The numbers of bytes that are read for the header, until it is whole: few have a profile, and fewer a large preview. */
const headerBytes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

async function readHeader(fileBytes: number, read: ReadBytes): Promise<JpegHeader | undefined> {
  for (const length of headerBytes) {
    const start = await read(0, Math.min(length, fileBytes));
    if (start === undefined) return undefined;
    const scan = scanOf(start);
    if (typeof scan === 'object') return { bytes: Buffer.from(start.subarray(0, scan.dataAt)), scan };
    if (fileBytes <= length) return undefined;
  }
  return undefined;
}

/** Reads the header of a file of this length; undefined where it is of another kind, or damaged. Rejects where reading does. */
export async function openSequentialJpeg(fileBytes: number, read: ReadBytes): Promise<SequentialJpeg | undefined> {
  const header = await readHeader(fileBytes, read);
  if (header === undefined) return undefined;
  const places = new ScanPlaces(header.scan, fileBytes);
  return {
    size: header.scan.size,
    memoryBytes: header.bytes.length + places.bytes,
    reachesEnd: (readPart) => places.findUpTo(unitsOf(header.scan).height, readPart),
    async crop(region, readPart) {
      const units = unitsAround(header.scan, region);
      if (!(await places.findUpTo(units.y + units.height, readPart))) return undefined;
      const { at, bytes } = codedPartOf(places, units);
      const coded = await readPart(at, Math.min(bytes, fileBytes - at));
      const jpeg = coded && cropJpeg(header, places, { at, bytes: coded }, units);
      if (jpeg === undefined) return undefined;
      const { x, y } = pixelsOf(header.scan, units);
      return { bytes: jpeg, x, y };
    },
  };
}
