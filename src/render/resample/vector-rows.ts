/** Resamples gray and RGB samples with vector instructions: about five times as fast as JavaScript. */
import type { Size } from '../../image/model/geometry.ts';
import { type WasmMemory, type WasmModule, wasm, wasmPageBytes } from '../web-assembly.ts';
import { assemble, type WasmFunction } from './assembler.ts';
import type { IntegerTaps } from './taps.ts';

// Weights have 14 bits for fractions, and sums of rows have 5, so that they hold up to four times white. Sums are rounded
// to the nearest: 2^8 is half of the 2^9 that weighted samples are divided by, and 2^18 half of the 2^19 at the end.

/** Weights of rows and of colors are applied in pairs, those of gray pixels eight at a time. */
export const pairOfTaps = 2;
export const groupOfTaps = 8;

/** Adds weighted rows, whose samples have 8 bits, two rows and eight samples at a time. */
const sumRows: WasmFunction = {
  parameters: ['sums', 'from', 'end', 'stride', 'weights', 'weightsEnd'],
  integers: ['at', 'tap'],
  vectors: ['upper', 'lower', 'first', 'last', 'pair'],
  code: `
    loop columns
      i32.const 256 i32x4.splat local.tee first local.set last
      local.get from local.set at
      local.get weights local.set tap
      loop rows
        local.get at i16x8.load8x8_u local.set upper
        local.get at local.get stride i32.add local.tee at i16x8.load8x8_u local.set lower
        local.get at local.get stride i32.add local.set at
        local.get tap v128.load32_splat local.set pair
        ;; Samples of both rows in turns, each pair of which is weighted and added.
        local.get upper local.get lower i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23
        local.get pair i32x4.dot_i16x8_s local.get first i32x4.add local.set first
        local.get upper local.get lower i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31
        local.get pair i32x4.dot_i16x8_s local.get last i32x4.add local.set last
        local.get tap i32.const 4 i32.add local.tee tap local.get weightsEnd i32.lt_u br_if rows
      end
      local.get sums
      local.get first i32.const 9 i32x4.shr_s
      local.get last i32.const 9 i32x4.shr_s
      i16x8.narrow_i32x4_s v128.store
      local.get sums i32.const 16 i32.add local.set sums
      local.get from i32.const 8 i32.add local.tee from local.get end i32.lt_u br_if columns
    end`,
};

/** The end of a pixel: its sums with 19 bits of fractions become bytes. */
const toBytes = `
      i32.const 19 i32x4.shr_s local.tee sum
      local.get sum i16x8.narrow_i32x4_s local.tee sum
      local.get sum i8x16.narrow_i16x8_u i32x4.extract_lane 0`;

/** Makes the pixels of a row, three samples each, from the sums of rows; `firsts` are the places of the first samples in bytes. */
const colorRow: WasmFunction = {
  parameters: ['to', 'end', 'sums', 'firsts', 'tap', 'tapBytes'],
  integers: ['at', 'tapsEnd'],
  vectors: ['sum', 'samples'],
  code: `
    loop pixels
      i32.const 262144 i32x4.splat local.set sum
      local.get sums local.get firsts i32.load i32.add local.set at
      local.get tap local.get tapBytes i32.add local.set tapsEnd
      loop taps
        ;; Two pixels: both reds, both greens, both blues.
        local.get at v128.load local.tee samples
        local.get samples i8x16.shuffle 0 1 6 7 2 3 8 9 4 5 10 11 12 13 14 15
        local.get tap v128.load32_splat i32x4.dot_i16x8_s local.get sum i32x4.add local.set sum
        local.get at i32.const 12 i32.add local.set at
        local.get tap i32.const 4 i32.add local.tee tap local.get tapsEnd i32.lt_u br_if taps
      end
      ;; The fourth byte is overwritten by the next pixel.
      local.get to
      local.get sum ${toBytes} i32.store
      local.get firsts i32.const 4 i32.add local.set firsts
      local.get to i32.const 3 i32.add local.tee to local.get end i32.lt_u br_if pixels
    end`,
};

/** The same with one sample each. */
const grayRow: WasmFunction = {
  parameters: ['to', 'end', 'sums', 'firsts', 'tap', 'tapBytes'],
  integers: ['at', 'tapsEnd'],
  vectors: ['sum'],
  code: `
    loop pixels
      ;; Four sums, which are added at the end: a quarter of the half that rounds.
      i32.const 65536 i32x4.splat local.set sum
      local.get sums local.get firsts i32.load i32.add local.set at
      local.get tap local.get tapBytes i32.add local.set tapsEnd
      loop taps
        local.get at v128.load local.get tap v128.load i32x4.dot_i16x8_s local.get sum i32x4.add local.set sum
        local.get at i32.const 16 i32.add local.set at
        local.get tap i32.const 16 i32.add local.tee tap local.get tapsEnd i32.lt_u br_if taps
      end
      local.get sum
      local.get sum i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7
      local.get sum i32x4.add local.tee sum
      local.get sum i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11
      local.get sum i32x4.add local.set sum
      local.get to
      local.get sum ${toBytes} i32.store8
      local.get firsts i32.const 4 i32.add local.set firsts
      local.get to i32.const 1 i32.add local.tee to local.get end i32.lt_u br_if pixels
    end`,
};

interface Vectors {
  readonly memory: WasmMemory;
  sumRows(sums: number, from: number, end: number, stride: number, weights: number, weightsEnd: number): void;
  colorRow(to: number, end: number, sums: number, firsts: number, taps: number, tapBytes: number): void;
  grayRow(to: number, end: number, sums: number, firsts: number, taps: number, tapBytes: number): void;
}

let compiled: WasmModule | undefined;

function openVectors(): Vectors {
  compiled ??= new wasm.Module(assemble({ sumRows, colorRow, grayRow }));
  const memory = new wasm.Memory({ initial: 1 });
  const { exports } = new wasm.Instance(compiled, { env: { memory } });
  return { ...(exports as unknown as Omit<Vectors, 'memory'>), memory };
}

/** Kept for the next picture, unless its memory, which never shrinks, became larger than `mostKeptBytes`. */
let kept: Vectors | undefined;

const mostKeptBytes = 16 * 2 ** 20;

/** Rows are resampled in bands, of which no more than this is in the vectors' memory, in bytes: about what a processor caches. */
const bandBytes = 2 ** 20;

/** Bytes that may be read beyond the last sample, and written beyond the last pixel. */
const slack = 32;

const aligned = (bytes: number): number => Math.ceil(bytes / 16) * 16 + slack;

/** Columns of pixels whose rows lie one after the other in memory, as those of tiles below each other do. */
export interface PixelStrip {
  /** The width of the rows. */
  readonly width: number;
  /** The part of them that is read. */
  readonly left: number;
  readonly used: number;
  /** Copies the interleaved samples of whole rows from `first` on, and before `last`, counted from the first one that is read. */
  copyRows(first: number, last: number, to: Uint8Array): void;
}

/** Pixels of 8 bits, gray or RGB, in strips from left to right. */
export interface PixelStrips {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly strips: readonly PixelStrip[];
}

/** Rows of the result, and the rows of the source that they are made of. */
interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** The longest band from a row of the result on, at least of one row. */
function bandAt(top: number, { firsts, count }: IntegerTaps, strideBytes: number, rowBytes: number): Band {
  const firstRow = firsts[top] ?? 0;
  const rowsTo = (bottom: number): number => (firsts[bottom - 1] ?? 0) + count - firstRow;
  let bottom = top + 1;
  while (
    bottom < firsts.length &&
    rowsTo(bottom + 1) * strideBytes <= bandBytes &&
    (bottom + 1 - top) * rowBytes <= bandBytes
  ) {
    bottom++;
  }
  return { top, bottom, firstRow, lastRow: firstRow + rowsTo(bottom) };
}

function bandsOf(down: IntegerTaps, strideBytes: number, rowBytes: number): readonly Band[] {
  const bands: Band[] = [];
  for (let top = 0; top < down.firsts.length; top = bands.at(-1)?.bottom ?? down.firsts.length) {
    bands.push(bandAt(top, down, strideBytes, rowBytes));
  }
  return bands;
}

/** A strip in the vectors' memory: the addresses of its rows, of the first sample that is read, and of its sums. */
interface PlacedStrip extends Pick<PixelStrip, 'copyRows'> {
  readonly rows: number;
  readonly from: number;
  readonly sums: number;
  readonly strideBytes: number;
  readonly usedBytes: number;
}

/** What the vectors' memory holds, by the address where it begins. */
interface Layout {
  readonly firsts: number;
  readonly acrossTaps: number;
  readonly downTaps: number;
  readonly sums: number;
  readonly result: number;
  readonly strips: readonly PlacedStrip[];
  /** Where it ends. */
  readonly bytes: number;
}

function layoutOf(read: PixelStrips, to: Size, down: IntegerTaps, across: IntegerTaps, bands: readonly Band[]): Layout {
  const { channels } = read;
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
  const sums = place(read.width * channels * 2);
  const result = place(mostOf(({ top, bottom }) => bottom - top) * to.width * channels);
  let sumsEnd = sums;
  const strips = read.strips.map(({ width, left, used, copyRows }) => {
    const rows = place(mostRows * width * channels);
    const stripSums = sumsEnd;
    sumsEnd += used * channels * 2;
    const from = rows + left * channels;
    return { copyRows, rows, from, sums: stripSums, strideBytes: width * channels, usedBytes: used * channels };
  });
  return { firsts, acrossTaps, downTaps, sums, result, strips, bytes: end };
}

/** The functions with a memory of at least so many bytes. */
function vectorsOf(bytes: number): Vectors {
  const vectors = kept ?? openVectors();
  const { memory } = vectors;
  if (bytes > memory.buffer.byteLength) memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / wasmPageBytes));
  kept = memory.buffer.byteLength > mostKeptBytes ? undefined : vectors;
  return vectors;
}

/** The pixels of a part by the taps of its rows, in pairs, and of its columns, in pairs for RGB and in groups of eight for gray. */
export function resampleVectors(read: PixelStrips, to: Size, down: IntegerTaps, across: IntegerTaps): Buffer {
  const { height, channels, strips } = read;
  const rowBytes = to.width * channels;
  const strideBytes = strips.reduce((sum, { width }) => sum + width, 0) * channels;
  const bands = bandsOf(down, strideBytes, rowBytes);
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
    for (const { copyRows, rows } of at.strips) copyRows(firstRow, Math.min(lastRow, height), bytes.subarray(rows));
    for (let y = top; y < bottom; y++) {
      const row = (down.firsts[y] ?? 0) - firstRow;
      const tap = at.downTaps + y * downBytes;
      // What is written beyond the sums of a strip is overwritten by the next one.
      for (const strip of at.strips) {
        const from = strip.from + row * strip.strideBytes;
        addRows(strip.sums, from, from + strip.usedBytes, strip.strideBytes, tap, tap + downBytes);
      }
      const made = at.result + (y - top) * rowBytes;
      makeRow(made, made + rowBytes, at.sums, at.firsts, at.acrossTaps, acrossBytes);
    }
    result.set(bytes.subarray(at.result, at.result + (bottom - top) * rowBytes), top * rowBytes);
  }
  return result;
}
