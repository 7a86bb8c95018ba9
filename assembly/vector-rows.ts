/**
 * Adds weighted samples with vector instructions, to which V8 has no other way. AssemblyScript, which becomes WebAssembly;
 * src/core/render/resample/vector-rows.ts lays out the memory, and calls the functions. All numbers are addresses and bytes.
 *
 * Weights have 14 bits for fractions, and sums of rows have 5, so that they hold up to four times white. Sums are rounded to the nearest: 2^8
 * is half of the 2^9 that weighted samples are divided by, and 2^18 half of the 2^19 at the end.
 */
import { highs, lows } from './vectors';

/** Adds weighted rows, whose samples have 8 bits, two rows and eight samples at a time. */
export function sumRows(sums: usize, from: usize, end: usize, stride: usize, weights: usize, weightsEnd: usize): void {
  do {
    let first = i32x4.splat(256);
    let last = first;
    let at = from;
    for (let tap = weights; tap < weightsEnd; tap += 4) {
      const upper = v128.load_ext<u8>(at);
      const lower = v128.load_ext<u8>(at + stride);
      at += 2 * stride;
      const pair = v128.load_splat<i32>(tap);
      // Samples of both rows in turns, each pair of which is weighted and added.
      const left = lows(upper, lower);
      const right = highs(upper, lower);
      first = i32x4.add(first, i32x4.dot_i16x8_s(left, pair));
      last = i32x4.add(last, i32x4.dot_i16x8_s(right, pair));
    }
    v128.store(sums, i16x8.narrow_i32x4_s(i32x4.shr_s(first, 9), i32x4.shr_s(last, 9)));
    sums += 16;
    from += 8;
  } while (from < end);
}

/** The end of a pixel: its sums with 19 bits of fractions become bytes. */
@inline
function toBytes(sum: v128): i32 {
  const levels = i32x4.shr_s(sum, 19);
  const narrow = i16x8.narrow_i32x4_s(levels, levels);
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(narrow, narrow), 0);
}

/** Makes the pixels of a row, three samples each, from the sums of rows; `firsts` are the places of the first samples in bytes. */
export function colorRow(to: usize, end: usize, sums: usize, firsts: usize, taps: usize, tapBytes: usize): void {
  do {
    let sum = i32x4.splat(1 << 18);
    let at = sums + load<u32>(firsts);
    const tapsEnd = taps + tapBytes;
    for (; taps < tapsEnd; taps += 4) {
      // Two pixels: both reds, both greens, both blues.
      const samples = v128.load(at);
      const pairs = v128.shuffle<i16>(samples, samples, 0, 3, 1, 4, 2, 5, 6, 7);
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(pairs, v128.load_splat<i32>(taps)));
      at += 12;
    }
    // The fourth byte is overwritten by the next pixel.
    store<i32>(to, toBytes(sum));
    firsts += 4;
    to += 3;
  } while (to < end);
}

/** The same with one sample each. */
export function grayRow(to: usize, end: usize, sums: usize, firsts: usize, taps: usize, tapBytes: usize): void {
  do {
    // Four sums, which are added at the end: a quarter of the half that rounds.
    let sum = i32x4.splat(1 << 16);
    let at = sums + load<u32>(firsts);
    const tapsEnd = taps + tapBytes;
    for (; taps < tapsEnd; taps += 16) {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(at), v128.load(taps)));
      at += 16;
    }
    const halves = i32x4.add(sum, v128.shuffle<i32>(sum, sum, 2, 3, 0, 1));
    store<u8>(to, <u8>toBytes(i32x4.add(halves, v128.shuffle<i32>(halves, halves, 1, 0, 3, 2))));
    firsts += 4;
    to += 1;
  } while (to < end);
}
