/** Makes pixels of planes of samples as libjpeg does: chroma that is stored at half of a side is smoothed, YCbCr becomes RGB. */
import { highs, lows, pair } from './vectors';

/** How chroma is stored: with all columns and rows, with half of the columns, or with half of both; gray pixels have none. */
const halfColumns: i32 = 1;
const halfBoth: i32 = 2;
const noChroma: i32 = 3;

/** Writes a row as numbers of 16 bits, 8 at a time. */
function widenRow(row: usize, count: usize, to: usize): void {
  for (let at: usize = 0; at < count; at += 8) {
    v128.store(to + 2 * at, v128.load_ext<u8>(row + at));
  }
}

/** The same with three parts of a row and one of the row beside it. */
function blendRows(near: usize, far: usize, count: usize, to: usize): void {
  for (let at: usize = 0; at < count; at += 8) {
    const most = i16x8.mul(v128.load_ext<u8>(near + at), i16x8.splat(3));
    v128.store(to + 2 * at, i16x8.add(most, v128.load_ext<u8>(far + at)));
  }
}

/**
 * Makes two samples of each number: three parts of it, and one of the number beside it. They are rounded up and down in turns, so that the
 * picture becomes neither lighter nor darker.
 */
function spreadRow(numbers: usize, count: usize, shift: i32, to: usize): void {
  const end = numbers + 2 * count;
  store<u16>(numbers - 2, load<u16>(numbers));
  store<u16>(end, load<u16>(end - 2));
  // 1 and 2 of 4, 8 and 7 of 16.
  const first = i16x8.splat(<i16>(shift == 2 ? 1 : 8));
  const second = i16x8.splat(<i16>(shift == 2 ? 2 : 7));
  for (; numbers < end; numbers += 16) {
    const most = i16x8.mul(v128.load(numbers), i16x8.splat(3));
    const left = i16x8.add(i16x8.add(most, v128.load(numbers - 2)), first);
    const right = i16x8.add(i16x8.add(most, v128.load(numbers + 2)), second);
    v128.store(to, v128.or(i16x8.shr_u(left, shift), i16x8.shl(i16x8.shr_u(right, shift), 8)));
    to += 16;
  }
}

/** Eight weighted sums of two numbers, with factors in 1/65536; `more` is added before. */
@inline
function weighted(a: v128, b: v128, by: v128, more: v128): v128 {
  const first = i32x4.dot_i16x8_s(lows(a, b), by);
  const last = i32x4.dot_i16x8_s(highs(a, b), by);
  return i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(first, more), 16), i32x4.shr_s(i32x4.add(last, more), 16));
}

@inline
function redOf(luma: v128, red: v128): v128 {
  return i16x8.add(i16x8.add(luma, red), weighted(red, i16x8.splat(0), pair(26345, 0), i32x4.splat(32768)));
}

@inline
function greenOf(luma: v128, blue: v128, red: v128): v128 {
  return i16x8.add(i16x8.sub(luma, red), weighted(blue, red, pair(-22554, 18734), i32x4.splat(32768)));
}

@inline
function blueOf(luma: v128, blue: v128): v128 {
  const twice = i16x8.add(blue, blue);
  return i16x8.add(i16x8.add(luma, twice), weighted(blue, i16x8.splat(0), pair(-14942, 0), i32x4.splat(32768)));
}

/** Converts samples of YCbCr to RGB, 16 at a time: the factors are 1.402, -0.34414, -0.71414 and 1.772, less their whole parts. */
function colorRow(luma: usize, blue: usize, red: usize, count: usize, to: usize): void {
  for (let at: usize = 0; at < count; at += 16) {
    const lumas = v128.load(luma + at);
    const blues = v128.load(blue + at);
    const reds = v128.load(red + at);
    const y0 = i16x8.extend_low_i8x16_u(lumas);
    const y1 = i16x8.extend_high_i8x16_u(lumas);
    const b0 = i16x8.sub(i16x8.extend_low_i8x16_u(blues), i16x8.splat(128));
    const b1 = i16x8.sub(i16x8.extend_high_i8x16_u(blues), i16x8.splat(128));
    const r0 = i16x8.sub(i16x8.extend_low_i8x16_u(reds), i16x8.splat(128));
    const r1 = i16x8.sub(i16x8.extend_high_i8x16_u(reds), i16x8.splat(128));
    const r = i8x16.narrow_i16x8_u(redOf(y0, r0), redOf(y1, r1));
    const g = i8x16.narrow_i16x8_u(greenOf(y0, b0, r0), greenOf(y1, b1, r1));
    const b = i8x16.narrow_i16x8_u(blueOf(y0, b0), blueOf(y1, b1));
    // Red and green in turns first, with room for blue.
    const first = v128.shuffle<i8>(r, g, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const second = v128.shuffle<i8>(r, g, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const third = v128.shuffle<i8>(r, g, 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    v128.store(to, v128.shuffle<i8>(first, b, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15));
    v128.store(to, v128.shuffle<i8>(second, b, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15), 16);
    v128.store(to, v128.shuffle<i8>(third, b, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31), 32);
    to += 48;
  }
}

/** The address of a row of a plane; `planes` has entries of 16 bytes, which begin with the plane's address and the bytes from row to row. */
@inline
function rowOf(planes: usize, component: usize, row: usize): usize {
  const entry = planes + 16 * component;
  return <usize>load<u32>(entry) + row * <usize>load<u32>(entry, 4);
}

/** Makes a row of chroma as wide as luma. The row beside it is none of the plane's at its edges, where its own counts for it. */
function wideChroma(planes: usize, component: usize, row: i32, chroma: i32, width: usize, height: i32, numbers: usize, to: usize): void {
  if (chroma == halfBoth) {
    const near = row >> 1;
    const far = (row & 1) != 0 ? min(near + 1, height - 1) : max(near - 1, 0);
    blendRows(rowOf(planes, component, near), rowOf(planes, component, far), width, numbers);
    spreadRow(numbers, width, 4, to);
  } else {
    widenRow(rowOf(planes, component, row), width, numbers);
    spreadRow(numbers, width, 2, to);
  }
}

/**
 * Makes pixels from a place in the planes on, gray or RGB, without gaps between rows; up to 47 bytes behind them are overwritten. Where chroma
 * has fewer columns, it has `chromaWidth` by `chromaHeight` samples, and 8 times as many bytes from `scratch` on are overwritten.
 */
export function makePixels(
  planes: usize,
  left: usize,
  top: i32,
  width: usize,
  height: i32,
  chroma: i32,
  chromaWidth: usize,
  chromaHeight: i32,
  scratch: usize,
  to: usize,
): void {
  const numbers = scratch + 16;
  const wideBlue = numbers + 2 * chromaWidth + 32;
  const wideRed = wideBlue + 2 * chromaWidth + 32;
  for (let row = top; row < top + height; row++) {
    const luma = rowOf(planes, 0, row) + left;
    if (chroma == noChroma) {
      memory.copy(to, luma, width);
      to += width;
      continue;
    }
    let blue = wideBlue;
    let red = wideRed;
    if (chroma == halfBoth || chroma == halfColumns) {
      wideChroma(planes, 1, row, chroma, chromaWidth, chromaHeight, numbers, wideBlue);
      wideChroma(planes, 2, row, chroma, chromaWidth, chromaHeight, numbers, wideRed);
    } else {
      blue = rowOf(planes, 1, row);
      red = rowOf(planes, 2, row);
    }
    colorRow(luma, blue + left, red + left, width, to);
    to += 3 * width;
  }
}
