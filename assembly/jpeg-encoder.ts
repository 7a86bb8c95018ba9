/**
 * Encodes rows of units (MCUs) of a sequential JPEG (ITU-T T.81) to the same bytes as libjpeg does: its conversion of colors, its chroma
 * at half of both sides, its accurate DCT (jfdctint.c), its rounding, with one set of Huffman tables. AssemblyScript, which becomes
 * WebAssembly: it has vector instructions.
 *
 * src/core/render/jpeg/encode-jpeg.ts lays out the memory: it writes tables and rows to the addresses that are exported here, and calls
 * the functions. Of two tables the first one is for luma, the second one for chroma.
 */
import { highs, lows, pair, storeColumns } from './vectors';

/** What coefficients are multiplied by, in rows: a little more than 1/8 of 1/q, so that halves are rounded away from 0. */
export const factors: usize = 0x100; // f32[64][2]

/** Codes times 32 plus their lengths: of the sizes of differences, and of the symbols of coefficients. */
export const differenceCodes: usize = 0x300; // u32[16][2]
export const coefficientCodes: usize = 0x400; // u32[256][2]

/** The place in its block of each coefficient, in the order of the scan (figure A.6). */
export const zigzag: usize = 0xc00; // u8[64]

/** The current block, in rows, and the same in bytes. */
const block: usize = 0xc80; // i16[64]
const narrow: usize = 0xd00; // i8[64]

/** The last pixels of two rows, with copies of the last one. */
const rests: usize = 0xd80; // u8[64][2]

/** By the zeros before a coefficient and its value: its code and its own bits, times 32, plus their number; 0 for -128 and 127. */
const quickCodes: usize = 0x1000; // u32[256][16][2]
const quickBytes: usize = 0x4000;

/** By row and its coefficients that are not 0, a bit for each: their bits in the order of the scan. */
const scanTables: usize = 0x9000; // u64[256][8]

/** The first address that is free for rows, planes and the coded data. */
export const free: usize = 0xd000;

/** Where the next byte is written; the last `pendingCount` bits of `pending`, less than 32, are not yet. */
let output: usize = 0;
let pending: u64 = 0;
let pendingCount: u32 = 0;

/** The DC values that the next ones are predicted from. */
let luma: i32 = 0;
let blue: i32 = 0;
let red: i32 = 0;

export function getOutput(): usize {
  return output;
}

/** The number of bits of a value without its sign. */
@inline
function sizeOf(value: i32): u32 {
  return 32 - clz(value < 0 ? -value : value);
}

/** A code with the bits of a value behind it (section F.1.2.1). */
@inline
function withValue(code: u32, value: i32, size: u32): u32 {
  const bits = <u32>(value < 0 ? value - 1 : value) & ((1 << size) - 1);
  return (((code >>> 5) << size) | bits) << 5 | ((code & 31) + size);
}

/** The code of a coefficient behind `run` zeros. */
function codeOf(table: usize, run: usize, value: i32): u32 {
  const size = sizeOf(value);
  return withValue(load<u32>(coefficientCodes + (table << 10) + (run << 6) + (<usize>size << 2)), value, size);
}

/** Adds the bit of a coefficient to its row's table. */
function addScanBit(index: usize): void {
  const place = <usize>load<u8>(zigzag + index);
  const bit: usize = 1 << (place & 7);
  for (let bits: usize = 0; bits < 256; bits++) {
    const entry = scanTables + ((place >> 3) << 11) + (bits << 3);
    if ((bits & bit) != 0) store<u64>(entry, load<u64>(entry) | (<u64>1 << index));
  }
}

/** Makes the tables of bits and of quick codes. */
export function prepare(): void {
  for (let index: usize = 0; index < 64; index++) addScanBit(index);
  for (let table: usize = 0; table < 2; table++) {
    for (let run: usize = 0; run < 16; run++) {
      const row = quickCodes + table * quickBytes + (run << 10);
      for (let value = -127; value < 127; value++) {
        if (value != 0) store<u32>(row + (<usize>(value & 255) << 2), codeOf(table, run, value));
      }
    }
  }
}

/** Begins a picture whose coded data go to an address. */
export function begin(address: usize): void {
  output = address;
  pending = 0;
  pendingCount = 0;
  luma = 0;
  blue = 0;
  red = 0;
}

/** Writes bytes one by one, with a 0 behind each 255; returns the address behind them. */
function stuff(bits: u32, to: usize): usize {
  for (let shift: i32 = 24; shift >= 0; shift -= 8) {
    const byte = <u8>(bits >>> shift);
    store<u8>(to++, byte);
    if (byte == 0xff) store<u8>(to++, 0);
  }
  return to;
}

/** Writes 32 bits. */
@inline
function write(bits: u32, to: usize): usize {
  if (((~bits - 0x01010101) & bits & 0x80808080) != 0) return stuff(bits, to);
  store<u32>(to, bswap<u32>(bits));
  return to + 4;
}

/** Writes the last bits, filled up with ones to a byte; returns the address behind the coded data. */
export function finish(): usize {
  pending = (pending << 7) | 127;
  pendingCount += 7;
  while (pendingCount >= 8) {
    pendingCount -= 8;
    const byte = <u8>(pending >>> pendingCount);
    store<u8>(output++, byte);
    if (byte == 0xff) store<u8>(output++, 0);
  }
  pendingCount = 0;
  return output;
}

@inline
function row(index: usize): v128 {
  return v128.load(block + (index << 4));
}

@inline
function setRow(index: usize, values: v128): void {
  v128.store(block + (index << 4), values);
}

@inline
function samples(address: usize): v128 {
  return i16x8.sub(v128.load_ext<u8>(address), i16x8.splat(128));
}

/** Rounds sums of the first pass, which leaves two bits for fractions. */
@inline
function rounded(low: v128, high: v128): v128 {
  const half = i32x4.splat(1 << 10);
  return i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(low, half), 11), i32x4.shr_s(i32x4.add(high, half), 11));
}

/**
 * Quantizes integers to 16 bits. Adding 1.5 * 2^23 to a number rounds it to the nearest integer, which is then in the last bits.
 */
@inline
function quantized(low: v128, high: v128, at: usize): v128 {
  const magic = f32x4.splat(12582912);
  const first = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(low), v128.load(at)), magic);
  const last = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(high), v128.load(at, 16)), magic);
  return v128.shuffle<i16>(first, last, 0, 2, 4, 6, 8, 10, 12, 14);
}

/** Rounds sums of the second pass, and quantizes them. */
@inline
function finished(low: v128, high: v128, at: usize): v128 {
  const half = i32x4.splat(1 << 14);
  return quantized(i32x4.shr_s(i32x4.add(low, half), 15), i32x4.shr_s(i32x4.add(high, half), 15), at);
}

/** The same for sums that have only the fractions of the first pass. */
@inline
function finishedPlain(sums: v128, at: usize): v128 {
  const values = i16x8.shr_s(i16x8.add(sums, i16x8.splat(2)), 2);
  return quantized(i32x4.extend_low_i16x8_s(values), i32x4.extend_high_i16x8_s(values), at);
}

/** The forward DCT of the block's columns, in place; the `last` pass quantizes with the factors at an address. */
@inline
function transform(last: bool, at: usize): void {
  const sum0 = i16x8.add(row(0), row(7));
  const sum1 = i16x8.add(row(1), row(6));
  const sum2 = i16x8.add(row(2), row(5));
  const sum3 = i16x8.add(row(3), row(4));
  const odd4 = i16x8.sub(row(3), row(4));
  const odd5 = i16x8.sub(row(2), row(5));
  const odd6 = i16x8.sub(row(1), row(6));
  const odd7 = i16x8.sub(row(0), row(7));

  const even0 = i16x8.add(sum0, sum3);
  const even1 = i16x8.add(sum1, sum2);
  const even2 = i16x8.sub(sum1, sum2);
  const even3 = i16x8.sub(sum0, sum3);
  const first = i16x8.add(even0, even1);
  const fourth = i16x8.sub(even0, even1);
  setRow(0, last ? finishedPlain(first, at) : i16x8.shl(first, 2));
  setRow(4, last ? finishedPlain(fourth, at + 128) : i16x8.shl(fourth, 2));
  const low23 = lows(even2, even3);
  const high23 = highs(even2, even3);
  const c2 = pair(4433, 10703);
  const c6 = pair(-10704, 4433);
  const low2 = i32x4.dot_i16x8_s(low23, c2);
  const high2 = i32x4.dot_i16x8_s(high23, c2);
  const low6 = i32x4.dot_i16x8_s(low23, c6);
  const high6 = i32x4.dot_i16x8_s(high23, c6);
  setRow(2, last ? finished(low2, high2, at + 64) : rounded(low2, high2));
  setRow(6, last ? finished(low6, high6, at + 192) : rounded(low6, high6));

  const sum46 = i16x8.add(odd4, odd6);
  const sum57 = i16x8.add(odd5, odd7);
  const lowSums = lows(sum46, sum57);
  const highSums = highs(sum46, sum57);
  const c37 = pair(-6436, 9633);
  const c15 = pair(9633, 6437);
  const low37 = i32x4.dot_i16x8_s(lowSums, c37);
  const high37 = i32x4.dot_i16x8_s(highSums, c37);
  const low15 = i32x4.dot_i16x8_s(lowSums, c15);
  const high15 = i32x4.dot_i16x8_s(highSums, c15);
  const low47 = lows(odd4, odd7);
  const high47 = highs(odd4, odd7);
  const low56 = lows(odd5, odd6);
  const high56 = highs(odd5, odd6);
  const c1 = pair(-7373, 4926);
  const c3 = pair(-20995, 4177);
  const c5 = pair(-4176, -20995);
  const c7 = pair(-4927, -7373);
  const low1 = i32x4.add(i32x4.dot_i16x8_s(low47, c1), low15);
  const high1 = i32x4.add(i32x4.dot_i16x8_s(high47, c1), high15);
  const low3 = i32x4.add(i32x4.dot_i16x8_s(low56, c3), low37);
  const high3 = i32x4.add(i32x4.dot_i16x8_s(high56, c3), high37);
  const low5 = i32x4.add(i32x4.dot_i16x8_s(low56, c5), low15);
  const high5 = i32x4.add(i32x4.dot_i16x8_s(high56, c5), high15);
  const low7 = i32x4.add(i32x4.dot_i16x8_s(low47, c7), low37);
  const high7 = i32x4.add(i32x4.dot_i16x8_s(high47, c7), high37);
  setRow(1, last ? finished(low1, high1, at + 32) : rounded(low1, high1));
  setRow(3, last ? finished(low3, high3, at + 96) : rounded(low3, high3));
  setRow(5, last ? finished(low5, high5, at + 160) : rounded(low5, high5));
  setRow(7, last ? finished(low7, high7, at + 224) : rounded(low7, high7));
}

/** Rows as bytes, of which those that need more than 8 bits become -128 or 127; two rows are written. Returns a bit for each that is not 0. */
@inline
function narrowRows(index: usize): u32 {
  const values = i8x16.narrow_i16x8_s(row(index), row(index + 1));
  v128.store(narrow + (index << 3), values);
  return i8x16.bitmask(i8x16.eq(values, i8x16.splat(0))) ^ 0xffff;
}

/** The bits of two rows in the order of the scan. */
@inline
function scanBits(index: usize, bits: u32): u64 {
  const table = scanTables + (index << 11);
  return load<u64>(table + (<usize>(bits & 255) << 3)) | load<u64>(table + 0x800 + (<usize>(bits >>> 8) << 3));
}

/** A bit for each coefficient of the block that is not 0, in the order of the scan. */
@inline
function scan(): u64 {
  return (
    scanBits(0, narrowRows(0)) | scanBits(2, narrowRows(2)) | scanBits(4, narrowRows(4)) | scanBits(6, narrowRows(6))
  );
}

/** The code of the coefficient at a place behind `run` zeros. */
@inline
function coefficientCode(table: usize, run: usize, place: usize): u32 {
  const found = load<u32>(quickCodes + table * quickBytes + (run << 10) + (<usize>load<u8>(narrow + place) << 2));
  return found != 0 ? found : codeOf(table, run, load<i16>(block + (place << 1)));
}

/** Codes the block (section F.1.2) behind a DC value of `predicted`; returns its own. */
function code(table: usize, predicted: i32): i32 {
  const symbols = coefficientCodes + (table << 10);
  let to = output;
  let bits = pending;
  let count = pendingCount;
  // What is left of the block; bit 0 is that of the DC value.
  let left = scan() & ~1;
  const value = <i32>load<i16>(block);
  const size = sizeOf(value - predicted);
  let found = withValue(load<u32>(differenceCodes + (table << 6) + (<usize>size << 2)), value - predicted, size);
  let next: usize = 1;
  do {
    bits = (bits << (found & 31)) | (found >>> 5);
    count += found & 31;
    if (count >= 32) {
      count -= 32;
      to = write(<u32>(bits >>> count), to);
    }
    if (left != 0) {
      const index = <usize>ctz(left);
      const run = index - next;
      if (run < 16) {
        left &= left - 1;
        next = index + 1;
        found = coefficientCode(table, run, load<u8>(zigzag + index));
      } else {
        next += 16;
        found = load<u32>(symbols + (0xf0 << 2));
      }
    } else {
      // The end of the block, which no code marks where its last coefficient is not 0.
      found = next < 64 ? load<u32>(symbols) : 0;
      next = 64;
    }
  } while (found != 0);
  output = to;
  pending = bits;
  pendingCount = count;
  return value;
}

/** Encodes 8 x 8 samples; returns the DC value. */
function encode(from: usize, stride: usize, table: usize, predicted: i32): i32 {
  storeColumns(
    block,
    samples(from),
    samples(from + stride),
    samples(from + 2 * stride),
    samples(from + 3 * stride),
    samples(from + 4 * stride),
    samples(from + 5 * stride),
    samples(from + 6 * stride),
    samples(from + 7 * stride),
  );
  transform(false, 0);
  storeColumns(block, row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7));
  transform(true, factors + (table << 8));
  return code(table, predicted);
}

/** Codes a block of luma beyond the last one of its row or column: it has the DC value of the one before, and no other coefficients. */
function encodeBeyond(): void {
  for (let at = block; at < block + 128; at += 16) v128.store(at, i64x2.splat(0));
  store<i16>(block, <i16>luma);
  code(0, luma);
}

/** Repeats the last row of a plane. */
function repeatRows(plane: usize, stride: usize, rows: usize, all: usize): void {
  for (let index = rows; index < all; index++) {
    memory.copy(plane + index * stride, plane + (rows - 1) * stride, stride);
  }
}

/** Encodes a row of blocks of gray samples: rows of `width`, at most 8 of them. */
export function grayUnits(from: usize, width: usize, rows: usize, plane: usize): void {
  const stride = (width + 7) & ~7;
  for (let index: usize = 0; index < rows; index++) {
    const line = plane + index * stride;
    memory.copy(line, from + index * width, width);
    memory.fill(line + width, load<u8>(line + width - 1), stride - width);
  }
  repeatRows(plane, stride, rows, 8);
  for (let x: usize = 0; x < stride; x += 8) luma = encode(plane + x, stride, 0, luma);
}

/** Four pixels as pairs of red and green. */
@inline
function redGreen(pixels: v128): v128 {
  return i8x16.swizzle(pixels, i8x16(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1));
}

/** The same with blue and green. */
@inline
function blueGreen(pixels: v128): v128 {
  return i8x16.swizzle(pixels, i8x16(2, -1, 1, -1, 5, -1, 4, -1, 8, -1, 7, -1, 11, -1, 10, -1));
}

/** Luma by the factors of jccolor.c, in 1/65536; that of green is divided, since it needs more than 15 bits. */
@inline
function lumaOf(rg: v128, bg: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(rg, pair(19595, 22086)), i32x4.dot_i16x8_s(bg, pair(7471, 16384)));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768)), 16);
}

/** A chroma by the factors of two colors, and half of the third one, which is the first of each pair: 1/2 needs more than 15 bits, -1/2 does not. */
@inline
function chromaOf(two: v128, colors: v128, third: v128): v128 {
  const sum = i32x4.sub(i32x4.dot_i16x8_s(two, colors), i32x4.dot_i16x8_s(third, pair(-32768, 0)));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat((128 << 16) + 32767)), 16);
}

@inline
function blueOf(rg: v128, bg: v128): v128 {
  return chromaOf(rg, pair(-11059, -21709), bg);
}

@inline
function redOf(rg: v128, bg: v128): v128 {
  return chromaOf(bg, pair(-5329, -27439), rg);
}

/** The means of 2 x 2 values, of sums of two rows; halves are rounded down and up in turns. */
@inline
function means(left: v128, right: v128): v128 {
  const sums = i32x4.dot_i16x8_s(i16x8.narrow_i32x4_s(left, right), i16x8.splat(1));
  return i32x4.shr_s(i32x4.add(sums, i32x4(1, 2, 1, 2)), 2);
}

/** Eight pixels of two rows: luma to both rows of the plane, chroma to both planes. */
@inline
function convertEight(upper: usize, lower: usize, y: usize, stride: usize, cb: usize, cr: usize): void {
  const a = v128.load(upper);
  const b = v128.load(upper, 12);
  const c = v128.load(lower);
  const d = v128.load(lower, 12);
  const rgA = redGreen(a);
  const bgA = blueGreen(a);
  const rgB = redGreen(b);
  const bgB = blueGreen(b);
  const rgC = redGreen(c);
  const bgC = blueGreen(c);
  const rgD = redGreen(d);
  const bgD = blueGreen(d);
  const lumas = i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(lumaOf(rgA, bgA), lumaOf(rgB, bgB)),
    i16x8.narrow_i32x4_s(lumaOf(rgC, bgC), lumaOf(rgD, bgD)),
  );
  v128.store_lane<u64>(y, lumas, 0);
  v128.store_lane<u64>(y + stride, lumas, 1);
  const blues = means(i32x4.add(blueOf(rgA, bgA), blueOf(rgC, bgC)), i32x4.add(blueOf(rgB, bgB), blueOf(rgD, bgD)));
  const reds = means(i32x4.add(redOf(rgA, bgA), redOf(rgC, bgC)), i32x4.add(redOf(rgB, bgB), redOf(rgD, bgD)));
  const both = i16x8.narrow_i32x4_s(blues, reds);
  const chroma = i8x16.narrow_i16x8_u(both, both);
  v128.store_lane<u32>(cb, chroma, 0);
  v128.store_lane<u32>(cr, chroma, 1);
}

/** Copies the last pixels of a row, less than 16, and repeats the last one. */
function copyRest(to: usize, from: usize, pixels: usize): void {
  memory.copy(to, from, pixels * 3);
  for (let at = to + pixels * 3; at < to + 48; at += 3) memory.copy(at, at - 3, 3);
}

/** Converts two rows of pixels; the last pixel is repeated up to a whole unit. */
function convertRows(upper: usize, lower: usize, width: usize, y: usize, stride: usize, cb: usize, cr: usize): void {
  const whole = width & ~15;
  for (let x: usize = 0; x < whole; x += 8) {
    convertEight(upper + x * 3, lower + x * 3, y + x, stride, cb + (x >> 1), cr + (x >> 1));
  }
  if (whole == width) return;
  copyRest(rests, upper + whole * 3, width - whole);
  copyRest(rests + 64, lower + whole * 3, width - whole);
  for (let x: usize = 0; x < 16; x += 8) {
    const at = (whole + x) >> 1;
    convertEight(rests + x * 3, rests + 64 + x * 3, y + whole + x, stride, cb + at, cr + at);
  }
}

/** Encodes a row of units of 16 x 16 RGB pixels: rows of `width`, at most 16 of them; behind them lie bytes that may be read. */
export function colorUnits(from: usize, width: usize, rows: usize, planes: usize): void {
  const stride = (width + 15) & ~15;
  const half = stride >> 1;
  const cb = planes + 16 * stride;
  const cr = cb + 8 * half;
  const rowBytes = width * 3;
  for (let index: usize = 0; index < rows; index += 2) {
    const upper = from + index * rowBytes;
    const lower = index + 1 < rows ? upper + rowBytes : upper;
    const chroma = (index >> 1) * half;
    convertRows(upper, lower, width, planes + index * stride, stride, cb + chroma, cr + chroma);
  }
  repeatRows(planes, stride, (rows + 1) & ~1, 16);
  repeatRows(cb, half, (rows + 1) >> 1, 8);
  repeatRows(cr, half, (rows + 1) >> 1, 8);
  for (let x: usize = 0; x < stride; x += 16) {
    const isWide = x + 8 < width;
    luma = encode(planes + x, stride, 0, luma);
    if (isWide) luma = encode(planes + x + 8, stride, 0, luma);
    else encodeBeyond();
    if (rows > 8) luma = encode(planes + x + 8 * stride, stride, 0, luma);
    else encodeBeyond();
    if (rows > 8 && isWide) luma = encode(planes + x + 8 * stride + 8, stride, 0, luma);
    else encodeBeyond();
    blue = encode(cb + (x >> 1), half, 1, blue);
    red = encode(cr + (x >> 1), half, 1, red);
  }
}
