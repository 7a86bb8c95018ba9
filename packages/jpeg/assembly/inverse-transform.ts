/**
 * The inverse DCT of a block to 8 x 8 samples, with the integers of libjpeg (jpeg_idct_islow): factors have 13 bits for fractions, sums
 * between the two passes have 2. Vectors have eight numbers of 16 bits, one for each column.
 */
import { highs, lows, pair, storeColumns } from './vectors';

/** Factors: cosines of multiples of pi/16, and sums of them, in 1/8192. */
const f0_298: i32 = 2446;
const f0_390: i32 = 3196;
const f0_541: i32 = 4433;
const f0_765: i32 = 6270;
const f0_899: i32 = 7373;
const f1_175: i32 = 9633;
const f1_501: i32 = 12299;
const f1_847: i32 = 15137;
const f1_961: i32 = 16069;
const f2_053: i32 = 16819;
const f2_562: i32 = 20995;
const f3_072: i32 = 25172;

/** Transforms the columns of eight rows, divides by 2^shift, and writes the columns of the result as rows. */
@inline
function pass(from: usize, to: usize, shift: i32): void {
  const in0 = v128.load(from);
  const in1 = v128.load(from, 16);
  const in2 = v128.load(from, 32);
  const in3 = v128.load(from, 48);
  const in4 = v128.load(from, 64);
  const in5 = v128.load(from, 80);
  const in6 = v128.load(from, 96);
  const in7 = v128.load(from, 112);
  const half = i32x4.splat(1 << (shift - 1));

  const sum = i16x8.add(in0, in4);
  const difference = i16x8.sub(in0, in4);
  const sumLow = i32x4.add(i32x4.shl(i32x4.extend_low_i16x8_s(sum), 13), half);
  const sumHigh = i32x4.add(i32x4.shl(i32x4.extend_high_i16x8_s(sum), 13), half);
  const differenceLow = i32x4.add(i32x4.shl(i32x4.extend_low_i16x8_s(difference), 13), half);
  const differenceHigh = i32x4.add(i32x4.shl(i32x4.extend_high_i16x8_s(difference), 13), half);
  const low26 = lows(in2, in6);
  const high26 = highs(in2, in6);
  const cosine2 = pair(f0_541 + f0_765, f0_541);
  const cosine6 = pair(f0_541, f0_541 - f1_847);
  const even3Low = i32x4.dot_i16x8_s(low26, cosine2);
  const even3High = i32x4.dot_i16x8_s(high26, cosine2);
  const even2Low = i32x4.dot_i16x8_s(low26, cosine6);
  const even2High = i32x4.dot_i16x8_s(high26, cosine6);
  const e0Low = i32x4.add(sumLow, even3Low);
  const e0High = i32x4.add(sumHigh, even3High);
  const e3Low = i32x4.sub(sumLow, even3Low);
  const e3High = i32x4.sub(sumHigh, even3High);
  const e1Low = i32x4.add(differenceLow, even2Low);
  const e1High = i32x4.add(differenceHigh, even2High);
  const e2Low = i32x4.sub(differenceLow, even2Low);
  const e2High = i32x4.sub(differenceHigh, even2High);

  const z3 = i16x8.add(in7, in3);
  const z4 = i16x8.add(in5, in1);
  const zLow = lows(z3, z4);
  const zHigh = highs(z3, z4);
  const factors3 = pair(f1_175 - f1_961, f1_175);
  const factors4 = pair(f1_175, f1_175 - f0_390);
  const z3Low = i32x4.dot_i16x8_s(zLow, factors3);
  const z3High = i32x4.dot_i16x8_s(zHigh, factors3);
  const z4Low = i32x4.dot_i16x8_s(zLow, factors4);
  const z4High = i32x4.dot_i16x8_s(zHigh, factors4);
  const low71 = lows(in7, in1);
  const high71 = highs(in7, in1);
  const low53 = lows(in5, in3);
  const high53 = highs(in5, in3);
  const factors0 = pair(f0_298 - f0_899, -f0_899);
  const factors1 = pair(f2_053 - f2_562, -f2_562);
  const factors2 = pair(-f2_562, f3_072 - f2_562);
  const factors7 = pair(-f0_899, f1_501 - f0_899);
  const o0Low = i32x4.add(i32x4.dot_i16x8_s(low71, factors0), z3Low);
  const o0High = i32x4.add(i32x4.dot_i16x8_s(high71, factors0), z3High);
  const o1Low = i32x4.add(i32x4.dot_i16x8_s(low53, factors1), z4Low);
  const o1High = i32x4.add(i32x4.dot_i16x8_s(high53, factors1), z4High);
  const o2Low = i32x4.add(i32x4.dot_i16x8_s(low53, factors2), z3Low);
  const o2High = i32x4.add(i32x4.dot_i16x8_s(high53, factors2), z3High);
  const o3Low = i32x4.add(i32x4.dot_i16x8_s(low71, factors7), z4Low);
  const o3High = i32x4.add(i32x4.dot_i16x8_s(high71, factors7), z4High);

  const out0 = narrowed(i32x4.add(e0Low, o3Low), i32x4.add(e0High, o3High), shift);
  const out7 = narrowed(i32x4.sub(e0Low, o3Low), i32x4.sub(e0High, o3High), shift);
  const out1 = narrowed(i32x4.add(e1Low, o2Low), i32x4.add(e1High, o2High), shift);
  const out6 = narrowed(i32x4.sub(e1Low, o2Low), i32x4.sub(e1High, o2High), shift);
  const out2 = narrowed(i32x4.add(e2Low, o1Low), i32x4.add(e2High, o1High), shift);
  const out5 = narrowed(i32x4.sub(e2Low, o1Low), i32x4.sub(e2High, o1High), shift);
  const out3 = narrowed(i32x4.add(e3Low, o0Low), i32x4.add(e3High, o0High), shift);
  const out4 = narrowed(i32x4.sub(e3Low, o0Low), i32x4.sub(e3High, o0High), shift);
  storeColumns(to, out0, out1, out2, out3, out4, out5, out6, out7);
}

@inline
function narrowed(lower: v128, upper: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(i32x4.shr_s(lower, shift), i32x4.shr_s(upper, shift));
}

/** Writes two rows of samples: levels from -128 on become bytes from 0 on. */
@inline
function storeRows(from: usize, to: usize, stride: usize): void {
  const levels = i8x16.narrow_i16x8_s(v128.load(from), v128.load(from, 16));
  const samples = v128.xor(levels, i8x16.splat(-128));
  v128.store_lane<u64>(to, samples, 0);
  v128.store_lane<u64>(to + stride, samples, 1);
}

/** Makes the samples of what the first pass leaves. */
@inline
function finish(numbers: usize, to: usize, stride: usize): void {
  pass(numbers, numbers, 18);
  storeRows(numbers, to, stride);
  storeRows(numbers + 32, to + 2 * stride, stride);
  storeRows(numbers + 64, to + 4 * stride, stride);
  storeRows(numbers + 96, to + 6 * stride, stride);
}

/**
 * Makes the samples of a block whose dequantized coefficients are 64 numbers of 16 bits, which become others; `stride` is in bytes from row to
 * row.
 */
export function transformBlock(coefficients: usize, to: usize, stride: usize): void {
  pass(coefficients, coefficients, 11);
  finish(coefficients, to, stride);
}

/**
 * What the first pass makes of a column that has only its first coefficient. libjpeg's vector instructions drop the first bits of one that is too
 * large, while sums of several are limited: damaged data show it.
 */
@inline
function alone(coefficient: i32): i16 {
  return <i16>(coefficient << 2);
}

/** The same for a block that has coefficients in its first row only. */
export function transformFirstRow(coefficients: usize, to: usize, stride: usize): void {
  for (let column: usize = 8; column-- > 0; ) {
    v128.store(coefficients + (column << 4), i16x8.splat(alone(load<i16>(coefficients + (column << 1)))));
  }
  finish(coefficients, to, stride);
}

/** Makes the samples of a block that has only a DC value. */
export function fillBlock(dequantized: i32, to: usize, stride: usize): void {
  const level = ((<i32>alone(dequantized) + 16) >> 5) + 128;
  const row = <u64>max(0, min(level, 255)) * 0x0101010101010101;
  for (let end = to + 8 * stride; to < end; to += stride) store<u64>(to, row);
}
