/** Reads the rows of units (MCUs) of a JPEG file in slices, so that little of the file is in memory at a time. */
import { type Scan, unitsOf } from './scan.ts';
import { type ScanPlace, ScanReader } from './scan-reader.ts';

/** Bytes of a file that are needed next. */
export interface Slice {
  readonly at: number;
  readonly bytes: number;
}

/** Asks for slices of a file, and gets the bytes of each, or undefined where the file ends before. */
export type Slices<T> = Generator<Slice, T, Buffer | undefined>;

/** Reads exactly this many bytes of a file; undefined where it ends before. */
export type ReadBytes = (at: number, bytes: number) => Promise<Buffer | undefined>;

/** The result of what asks for slices. Rejects where reading does. */
export async function readSlices<T>(read: ReadBytes, slices: Slices<T>): Promise<T> {
  let step = slices.next();
  while (!step.done) step = slices.next(await read(step.value.at, step.value.bytes));
  return step.value;
}

export interface RowSlices {
  readonly scan: Scan;
  readonly fileBytes: number;
  /** Bytes that are read at once; a row that is longer is read with as many more as it takes. */
  readonly sliceBytes?: number;
}

const defaultSliceBytes = 1024 * 1024;

/** A row of 65,000 pixels at the best quality takes less. */
const maxSliceBytes = 4 * 1024 * 1024;

/** Reads the next row with a reader that is at its beginning; where the slice ends before, the reader has a fault, and the row is read again. */
export type ReadRow = (reader: ScanReader, row: number) => void;

/**
 * Steps through rows, from one that begins at a place in the file up to `end`. Returns the number of the row up to which all were read: less
 * than `end` where the data are damaged or cut short.
 */
export function* rowSteps(slices: RowSlices, from: ScanPlace, end: number, readRow: ReadRow): Slices<number> {
  const { scan, fileBytes, sliceBytes = defaultSliceBytes } = slices;
  const { width } = unitsOf(scan);
  let place = from;
  let length = sliceBytes;
  for (let row = from.unit / width; row < end; ) {
    const bytes = Math.min(length, fileBytes - place.at);
    const slice = bytes > 0 ? yield { at: place.at, bytes } : undefined;
    if (slice === undefined) return row;
    const reader = new ScanReader(scan, { bytes: slice, at: place.at }, place);
    const first = row;
    for (; row < end; row++) {
      readRow(reader, row);
      if (reader.fault !== undefined) break;
      place = reader.place();
    }
    if (row > first) continue;
    if (bytes < length || length >= maxSliceBytes) return row;
    length *= 4;
  }
  return end;
}
