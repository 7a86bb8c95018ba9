/** Finds units (MCUs) in the coded data of a JPEG file, so that a part of the picture is read without what comes before it. */

import { type Scan, unitsOf } from './scan.ts';
import type { ScanPlace, ScanReader } from './scan-reader.ts';
import { type ReadBytes, readSlices, rowSteps, type Slices } from './scan-rows.ts';

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
