/** Finds units (MCUs) in the coded data of a JPEG file, so that a part of the picture is read without what comes before it. */

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

interface RowSlices {
  readonly scan: Scan;
  readonly fileBytes: number;
  /** Bytes that are read at once; a row that is longer is read with as many more as it takes. */
  readonly sliceBytes?: number;
}

const defaultSliceBytes = 1024 * 1024;

/** A row of 65,000 pixels at the best quality takes less. */
const maxSliceBytes = 4 * 1024 * 1024;

/** Reads the next row with a reader that is at its beginning; where the slice ends before, the reader has a fault, and the row is read again. */
type ReadRow = (reader: ScanReader, row: number) => void;

/**
 * Steps through rows, from one that begins at a place in the file up to `end`. Returns the number of the row up to which all were read: less
 * than `end` where the data are damaged or cut short.
 */
function* rowSteps(slices: RowSlices, from: ScanPlace, end: number, readRow: ReadRow): Slices<number> {
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

/** The least number of units of a row from one place to the next, and the most places of an image of which not every row needs one. */
const minStride = 32;
const maxPlaces = 40_000;

const bitsOfByte = 8;

export interface ScanPlacesOptions {
  /** Bytes of the file that are read at once. */
  readonly sliceBytes?: number;
}

/** The places of some units of each row, at equal distances from the first one on. */
export class ScanPlaces {
  readonly #scan: Scan;
  readonly #fileBytes: number;
  readonly #options: ScanPlacesOptions;
  /** Number of units in a row, from one place to the next, and number of places in a row. */
  readonly #units: number;
  readonly #stride: number;
  readonly #inRow: number;
  /** By row and place, up to the beginning of the row behind the last: the position in the file, in bits. */
  readonly #positions: Float64Array;
  /** The same with three predicted DC values each. */
  readonly #values: Int32Array;
  /** Number of rows whose beginning is known; the other places of all but the last of them are known too. */
  #known = 1;
  /** The last call, for which the next one waits: both would read the same bytes. */
  #reading: Promise<unknown> = Promise.resolve();

  /** Of a file whose header has this scan. */
  constructor(scan: Scan, fileBytes: number, options: ScanPlacesOptions = {}) {
    const { width, height } = unitsOf(scan);
    this.#scan = scan;
    this.#fileBytes = fileBytes;
    this.#options = options;
    this.#units = width;
    this.#stride = Math.max(minStride, Math.ceil((width * height) / maxPlaces));
    this.#inRow = Math.ceil(width / this.#stride);
    const places = height * this.#inRow + 1;
    this.#positions = new Float64Array(places);
    this.#values = new Int32Array(3 * places);
    this.#positions[0] = scan.dataAt * bitsOfByte;
  }

  /** The memory that they take. */
  get bytes(): number {
    return this.#positions.byteLength + this.#values.byteLength;
  }

  /**
   * Reads the file until the places of all rows before this one are known, and where it begins itself, or, for the number of rows, where the
   * last one ends. False where the data before it are damaged or cut short. Rows are skipped once, at about 4 ns for each byte, with
   * a turn of the event loop after every MiB. Rejects where the disk fails.
   */
  async findUpTo(row: number, read: ReadBytes): Promise<boolean> {
    const found = this.#reading.then(() => readSlices(read, this.steps(row)));
    this.#reading = found.catch(() => undefined);
    return found;
  }

  /** The same as steps, for one caller at a time. */
  *steps(row: number): Slices<boolean> {
    const from = this.#placeOf(this.#known - 1, 0);
    const slices = { scan: this.#scan, fileBytes: this.#fileBytes, ...this.#options };
    yield* rowSteps(slices, from, row, (reader, next) => this.#readRow(reader, next));
    return this.#known > row;
  }

  /** The last place that is no later than a unit of a row, up to the end of which places were found. */
  before(row: number, column: number): ScanPlace {
    return this.#placeOf(row, Math.floor(column / this.#stride));
  }

  /** Position in the file behind all bytes of the units before one of a row, up to the end of which places were found. */
  endOf(row: number, column: number): number {
    // The last byte may be one of 255, which has a 0 behind it.
    return this.#placeOf(row, Math.min(this.#inRow, Math.ceil(column / this.#stride))).at + 2;
  }

  #readRow(reader: ScanReader, row: number): void {
    for (let index = 1; index <= this.#inRow; index++) {
      reader.skipUnits(Math.min(this.#stride, this.#units - (index - 1) * this.#stride));
      if (reader.fault !== undefined) return;
      const { at, bit, dc } = reader.place();
      this.#positions[row * this.#inRow + index] = at * bitsOfByte + bit;
      this.#values.set(dc, 3 * (row * this.#inRow + index));
    }
    this.#known = row + 2;
  }

  #placeOf(row: number, inRow: number): ScanPlace {
    const index = row * this.#inRow + inRow;
    const position = this.#positions[index] ?? 0;
    const [first = 0, second = 0, third = 0] = this.#values.subarray(3 * index);
    return {
      at: Math.floor(position / bitsOfByte),
      bit: position % bitsOfByte,
      dc: [first, second, third],
      unit: row * this.#units + Math.min(inRow * this.#stride, this.#units),
    };
  }
}
