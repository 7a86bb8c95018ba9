/** Resamples gray and RGB samples with vector instructions: about five times as fast as JavaScript. */
import { growTo, maxKeptWasmBytes, type WasmMemory, wasmProgram } from '@lectern/jpeg/web-assembly';
import type { Pixels } from '@lectern/tiff';
import type { Size } from '../../image/model/geometry.ts';
import type { IntegerTaps } from './taps.ts';
import { program } from './vector-rows-wasm.ts';

/** Weights of rows and of colors are applied in pairs, those of gray pixels eight at a time. */
export const pairOfTaps = 2;
export const groupOfTaps = 8;

/** The functions of `assembly/vector-rows.ts`, whose parameters are addresses and bytes. */
interface Vectors {
  readonly memory: WasmMemory;
  sumRows(sums: number, from: number, end: number, stride: number, weights: number, weightsEnd: number): void;
  colorRow(to: number, end: number, sums: number, firsts: number, taps: number, tapBytes: number): void;
  grayRow(to: number, end: number, sums: number, firsts: number, taps: number, tapBytes: number): void;
}

const instantiate = wasmProgram(program);

/** Kept for the next picture, unless its memory, which never shrinks, became too large. */
let kept: Vectors | undefined;

/** Rows are resampled in bands, of which no more than this is in the vectors' memory, in bytes: about what a processor caches. */
const bandBytes = 2 ** 20;

/** Bytes that may be read beyond the last sample, and written beyond the last pixel. */
const slack = 32;

const aligned = (bytes: number): number => Math.ceil(bytes / 16) * 16 + slack;

/** Pixels without alpha: gray or RGB. */
interface OpaquePixels extends Pixels {
  readonly channels: 1 | 3;
}

/** Rows of the result, and the rows of the source that they are made of. */
interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** The longest band from a row of the result on, at least of one row. */
function bandAt(top: number, { firsts, count }: IntegerTaps, readBytes: number, rowBytes: number): Band {
  const firstRow = firsts[top] ?? 0;
  const rowsTo = (bottom: number): number => (firsts[bottom - 1] ?? 0) + count - firstRow;
  let bottom = top + 1;
  while (
    bottom < firsts.length &&
    rowsTo(bottom + 1) * readBytes <= bandBytes &&
    (bottom + 1 - top) * rowBytes <= bandBytes
  ) {
    bottom++;
  }
  return { top, bottom, firstRow, lastRow: firstRow + rowsTo(bottom) };
}

function bandsOf(down: IntegerTaps, readBytes: number, rowBytes: number): readonly Band[] {
  const bands: Band[] = [];
  for (let top = 0; top < down.firsts.length; top = bands.at(-1)?.bottom ?? down.firsts.length) {
    bands.push(bandAt(top, down, readBytes, rowBytes));
  }
  return bands;
}

/** What the vectors' memory holds, by the address where it begins. */
interface Layout {
  readonly firsts: number;
  readonly acrossTaps: number;
  readonly downTaps: number;
  readonly sums: number;
  readonly result: number;
  readonly rows: number;
  /** Where it ends. */
  readonly bytes: number;
}

function layoutOf(
  read: OpaquePixels,
  to: Size,
  down: IntegerTaps,
  across: IntegerTaps,
  bands: readonly Band[],
): Layout {
  const rowBytes = read.width * read.channels;
  const mostOf = (count: (band: Band) => number): number =>
    bands.reduce((most, band) => Math.max(most, count(band)), 0);
  const mostRows = mostOf(({ firstRow, lastRow }) => lastRow - firstRow);
  let end = 0;
  const place = (bytes: number): number => {
    const start = end;
    end += aligned(bytes);
    return start;
  };
  const firsts = place(across.firsts.byteLength);
  const acrossTaps = place(across.weights.byteLength);
  const downTaps = place(down.weights.byteLength);
  // Sums have two bytes.
  const sums = place(rowBytes * 2);
  const result = place(mostOf(({ top, bottom }) => bottom - top) * to.width * read.channels);
  const rows = place(mostRows * rowBytes);
  return { firsts, acrossTaps, downTaps, sums, result, rows, bytes: end };
}

/** The functions with a memory of at least this many bytes. */
function vectorsOf(bytes: number): Vectors {
  const vectors = kept ?? (instantiate() as unknown as Vectors);
  const { memory } = vectors;
  growTo(memory, bytes);
  kept = memory.buffer.byteLength > maxKeptWasmBytes ? undefined : vectors;
  return vectors;
}

/** The pixels of a part by the taps of its rows, in pairs, and of its columns, in pairs for RGB and in groups of eight for gray. */
export function resampleVectors(read: OpaquePixels, to: Size, down: IntegerTaps, across: IntegerTaps): Buffer {
  const { data, width, channels } = read;
  const readBytes = width * channels;
  const rowBytes = to.width * channels;
  const bands = bandsOf(down, readBytes, rowBytes);
  const at = layoutOf(read, to, down, across, bands);
  const { memory, sumRows: addRows, colorRow: makeColors, grayRow: makeGrays } = vectorsOf(at.bytes);
  const makeRow = channels === 3 ? makeColors : makeGrays;
  const bytes = new Uint8Array(memory.buffer);
  new Int32Array(memory.buffer, at.firsts).set(across.firsts.map((first) => first * channels * 2));
  new Int16Array(memory.buffer, at.acrossTaps).set(across.weights);
  new Int16Array(memory.buffer, at.downTaps).set(down.weights);
  const [downBytes, acrossBytes] = [down.count * 2, across.count * 2];
  const result = Buffer.allocUnsafe(to.height * rowBytes);
  for (const { top, bottom, firstRow, lastRow } of bands) {
    bytes.set(data.subarray(firstRow * readBytes, lastRow * readBytes), at.rows);
    for (let y = top; y < bottom; y++) {
      const from = at.rows + ((down.firsts[y] ?? 0) - firstRow) * readBytes;
      const tap = at.downTaps + y * downBytes;
      addRows(at.sums, from, from + readBytes, readBytes, tap, tap + downBytes);
      const made = at.result + (y - top) * rowBytes;
      makeRow(made, made + rowBytes, at.sums, at.firsts, at.acrossTaps, acrossBytes);
    }
    result.set(bytes.subarray(at.result, at.result + (bottom - top) * rowBytes), top * rowBytes);
  }
  return result;
}
