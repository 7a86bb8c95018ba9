/**
 * Reads the coded data of a sequential JPEG (ITU-T T.81, annexes C and F): skips units (MCUs), copies them, or decodes them. AssemblyScript, which becomes WebAssembly: there are registers of 64 bits, and no first calls that are slow.
 *
 * src/coded-scan.ts lays out the memory: it writes tables and data to the addresses that are exported here, and calls the
 * functions. All positions are in bits from `plain` on.
 */
import { fillBlock, transformBlock, transformFirstRow } from './inverse-transform';

export { makePixels } from './pixels';

/** What the functions return. */
const done: i32 = 0;
const damaged: i32 = 1;
const ended: i32 = 2;
const uncoded: i32 = 3;

/** Three sets of tables, of this many bytes: components that have the same share one, since a processor caches few of these bytes. */
export const tables: usize = 0x1000;
export const tableBytes: usize = 0xa000;

/** Addresses within a set. */
export const wholeAt: usize = 0; // i16[4096]
export const severalAt: usize = 0x2000; // u16[4096]
export const differenceSymbolsAt: usize = 0x4000; // u16[1024]
export const stepSymbolsAt: usize = 0x4800; // u16[1024]
export const differenceLongAt: usize = 0x5000; // see `longSymbol`
export const stepLongAt: usize = 0x5200;
export const codesAt: usize = 0x5400; // u16[12]
export const codeLengthsAt: usize = 0x5420; // u8[12]
export const valuesAt: usize = 0x6000; // i32[4096]

/** At most ten blocks of a unit: component, set of tables, column and row of its first sample in the unit. */
export const blocks: usize = 0x1f000; // u8[8] each

/** The DC values that the next blocks are predicted from, in the input and in the output. */
export const inputValues: usize = 0x1f100; // i32[3]
const outputValues: usize = 0x1f110; // i32[3]

/**
 * By component: where the samples of the first row of units go, the bytes from one row of samples to the next, and the samples of a unit across
 * and down.
 */
export const planes: usize = 0x1f120; // { address: u32, stride: u32, across: u32, down: u32 }[3]

/** By component: numbers in zigzag order. */
export const quantization: usize = 0x1f600; // i32[64][3]

export const zigzag: usize = 0x1f200; // u8[64]

const coefficients: usize = 0x1f300; // i16[64]

/** The first address that is free for data. */
export const free: usize = 0x20000;

let plain: usize = 0;
let blockCount: i32 = 0;
let position: u32 = 0;
let endBit: u32 = 0;

/** Where the next byte is written; the last `pendingCount` bits of `pending`, less than 8, are not yet. */
let output: usize = 0;
let pending: u64 = 0;
let pendingCount: u32 = 0;

/** Up to where the input is copied. */
let copiedTo: u32 = 0;

/** Where `unstuff` ended: at a marker, or at the end. */
let stoppedAt: usize = 0;

/** Begins to read: coded bytes between two addresses, from a bit on. */
export function open(from: usize, to: usize, bit: u32, count: i32): void {
  plain = from;
  endBit = <u32>(to - from) << 3;
  position = bit;
  copiedTo = bit;
  blockCount = count;
}

export function getPosition(): u32 {
  return position;
}

export function getStop(): usize {
  return stoppedAt;
}

/**
 * Copies bytes up to the next marker or to `end`, without the 0 behind each 255; returns the address behind the last copied one. Fill bytes
 * of 255 are skipped where a marker follows.
 */
export function unstuff(from: usize, end: usize, to: usize): usize {
  while (from < end) {
    if (from + 8 <= end) {
      const bytes = load<u64>(from);
      // Whether none of them is 255.
      if (((~bytes - 0x0101010101010101) & bytes & 0x8080808080808080) == 0) {
        store<u64>(to, bytes);
        from += 8;
        to += 8;
        continue;
      }
    }
    const byte = load<u8>(from);
    if (byte == 0xff) {
      if (from + 1 >= end || load<u8>(from + 1) != 0) break;
      from++;
    }
    store<u8>(to++, byte);
    from++;
  }
  stoppedAt = from;
  // What is peeked at behind the end.
  store<u64>(to, 0);
  store<u64>(to + 8, 0);
  return to;
}

/** The next 57 bits at least, as the first ones of 64. */
@inline
function peek(at: u32): u64 {
  return bswap<u64>(load<u64>(plain + (at >>> 3))) << (at & 7);
}

/**
 * The symbol of a code of more than 10 bits, times 32, plus the code's length; -1 where there is none. A table has, by code length, the
 * first 16 bits after those that begin with the last code of this length, what is added to a code for its index, and the symbols.
 */
function longSymbol(table: usize, bits: u32): i32 {
  for (let length: u32 = 11; length <= 16; length++) {
    if (bits < load<u32>(table + (length << 2))) {
      const index = <i32>(bits >>> (16 - length)) + load<i32>(table + 68 + (length << 2));
      return (<i32>load<u8>(table + 136 + index) << 5) | <i32>length;
    }
  }
  return -1;
}

/** As `longSymbol`, for any code: `short` has the same for 10 bits; 0 where these begin with a longer code or with none. */
@inline
function symbolOf(short: usize, long: usize, bits: u64): i32 {
  const found = <i32>load<u16>(short + (<usize>(bits >>> 54) << 1));
  return found != 0 ? found : longSymbol(long, <u32>(bits >>> 48));
}

/** The value with a category's bits (table F.1). */
@inline
function extended(bits: i32, category: i32): i32 {
  return bits < 1 << (category - 1) ? bits - (1 << category) + 1 : bits;
}

const invalid: i32 = i32.MIN_VALUE;

/** The difference at a position, times 32, plus the number of bits that it takes; `invalid` where there is none. */
@inline
function differenceAt(set: usize, at: u32): i32 {
  const bits = peek(at);
  const whole = <i32>load<i16>(set + wholeAt + (<usize>(bits >>> 52) << 1));
  if (whole != 0) return ((whole >> 4) << 5) | (whole & 15);
  const found = symbolOf(set + differenceSymbolsAt, set + differenceLongAt, bits);
  const category = found >> 5;
  const length = found & 31;
  if (found < 0 || category > 11) return invalid;
  if (category == 0) return length;
  const value = <i32>((bits << length) >>> (64 - category));
  return (extended(value, category) << 5) | (length + category);
}

const nowhere: u32 = 0xffff_ffff;

/** The position behind the coefficients that follow a DC value; `nowhere` where they are no block. */
@inline
function afterCoefficients(set: usize, start: u32): u32 {
  let at = start;
  let bits = peek(at);
  // The last position from which 12 bits are left of those that were read.
  let limit = (at & ~7) + 52;
  let index: i32 = 1;
  while (true) {
    const found = <i32>load<u16>(set + severalAt + (<usize>(bits >>> 52) << 1));
    const next = index + (found >> 6);
    // Further codes than the block has would be those of the next one.
    if (found != 0 && (next <= 64 || (next >= 128 && next < 192))) {
      const length = found & 63;
      at += length;
      if (next >= 64) return at;
      index = next;
      bits <<= length;
    } else {
      bits = peek(at);
      const code = symbolOf(set + stepSymbolsAt, set + stepLongAt, bits);
      const symbol = code >> 5;
      const size = symbol & 15;
      const length = (code & 31) + size;
      if (code < 0 || (size == 0 && symbol != 0 && symbol != 0xf0)) return nowhere;
      limit = (at & ~7) + 52;
      at += length;
      bits <<= length;
      if (symbol == 0) return at;
      index += (symbol >> 4) + 1;
      if (index > 64) return nowhere;
      if (index == 64) return at;
    }
    if (at > limit) {
      bits = peek(at);
      limit = (at & ~7) + 52;
    }
  }
}

@inline
function componentOf(block: i32): usize {
  return load<u8>(blocks + (<usize>block << 3));
}

@inline
function setOf(block: i32): usize {
  return tables + <usize>load<u8>(blocks + (<usize>block << 3) + 1) * tableBytes;
}

/** Skips units, none of which follows a restart. */
export function skipUnits(units: i32): i32 {
  let at = position;
  for (let unit = 0; unit < units; unit++) {
    for (let block = 0; block < blockCount; block++) {
      const component = componentOf(block);
      const set = setOf(block);
      const found = differenceAt(set, at);
      if (found == invalid) return damaged;
      const value = inputValues + (component << 2);
      store<i32>(value, load<i32>(value) + (found >> 5));
      at = afterCoefficients(set, at + (found & 31));
      if (at > endBit) return at == nowhere ? damaged : ended;
    }
  }
  position = at;
  return done;
}

/** Begins to write at an address; bits that are not written yet stay. */
export function writeTo(address: usize): void {
  output = address;
}

/** Begins a scan. */
export function beginOutput(address: usize): void {
  output = address;
  pendingCount = 0;
  memory.fill(outputValues, 0, 12);
}

/** Ends the scan: the last byte is padded with ones. Returns the address behind it. */
export function finish(): usize {
  flush(position);
  if (pendingCount > 0) put(0xff >>> pendingCount, 8 - pendingCount);
  return output;
}

/** The address behind the last byte that was written. */
export function getOutput(): usize {
  return output;
}

/** Writes at most 32 bits. */
function put(bits: u32, count: u32): void {
  pending = (pending << count) | bits;
  pendingCount += count;
  if (pendingCount >= 32) {
    const word = <u32>(pending >>> (pendingCount - 32));
    if (((~word - 0x01010101) & word & 0x80808080) == 0) {
      store<u32>(output, bswap<u32>(word));
      output += 4;
      pendingCount -= 32;
    }
  }
  while (pendingCount >= 8) {
    pendingCount -= 8;
    const byte = <u8>(pending >>> pendingCount);
    store<u8>(output++, byte);
    if (byte == 0xff) store<u8>(output++, 0);
  }
}

/** Copies the input up to a position. */
function flush(to: u32): void {
  let at = copiedTo;
  for (; at + 32 <= to; at += 32) put(<u32>(peek(at) >>> 32), 32);
  if (to > at) put(<u32>(peek(at) >>> (64 - (to - at))), to - at);
  copiedTo = to;
}

/** Copies what was read and not skipped, before other data are opened. */
export function flushOutput(): void {
  flush(position);
}

/** Continues to copy from here on: what comes before is left out. */
export function leaveOut(): void {
  copiedTo = position;
}

/** Writes the difference of a DC value; false where there is no code for it. */
function putDifference(set: usize, difference: i32): bool {
  const category = 32 - clz(difference < 0 ? -difference : difference);
  if (category > 11) return false;
  const length = <u32>load<u8>(set + codeLengthsAt + category);
  if (length == 0) return false;
  put(load<u16>(set + codesAt + (category << 1)), length);
  if (category > 0) put(difference < 0 ? difference + (1 << category) - 1 : difference, category);
  return true;
}

/** Copies units; a difference is written anew where the value that it is predicted from is another one in the output. */
export function copyUnits(units: i32): i32 {
  let at = position;
  for (let unit = 0; unit < units; unit++) {
    for (let block = 0; block < blockCount; block++) {
      const component = componentOf(block);
      const set = setOf(block);
      const input = inputValues + (component << 2);
      const written = outputValues + (component << 2);
      const isPredicted = load<i32>(input) == load<i32>(written);
      if (!isPredicted) flush(at);
      const found = differenceAt(set, at);
      if (found == invalid) return damaged;
      const value = load<i32>(input) + (found >> 5);
      at += found & 31;
      if (!isPredicted) {
        if (!putDifference(set, value - load<i32>(written))) return uncoded;
        copiedTo = at;
      }
      store<i32>(input, value);
      store<i32>(written, value);
      at = afterCoefficients(set, at);
      if (at > endBit) return at == nowhere ? damaged : ended;
    }
  }
  position = at;
  return done;
}

/** The bits of all places of the last block's coefficients, none of which is 0, without its DC value. */
let places: usize = 0;

/**
 * Reads a block's coefficients behind its DC value, dequantized and in rows; the position behind them, or `nowhere`. They were 0 before. By 12
 * bits, a table has a value that its code and its own bits say, times 512, plus its run of zeros times 32, plus the bits of both; 0 where
 * they do not end there, and for symbols without a value.
 */
function readCoefficients(set: usize, numbers: usize, start: u32): u32 {
  let at = start;
  let bits = peek(at);
  // The last position from which a code and a value are left of those that were read.
  let limit = (at & ~7) + 32;
  let index: usize = 1;
  let seen: usize = 0;
  while (index < 64) {
    const found = load<i32>(set + valuesAt + (<usize>(bits >>> 52) << 2));
    let value: i32;
    let length: u32;
    if (found != 0) {
      value = found >> 9;
      length = found & 31;
      index += (found >> 5) & 15;
    } else {
      const code = symbolOf(set + stepSymbolsAt, set + stepLongAt, bits);
      const symbol = code >> 5;
      const size = symbol & 15;
      length = (code & 31) + size;
      if (code < 0 || (size == 0 && symbol != 0 && symbol != 0xf0)) return nowhere;
      if (symbol == 0) {
        at += length;
        break;
      }
      if (size == 0) {
        // A run of 16 zeros, without a value.
        index += 16;
        if (index > 64) return nowhere;
        at += length;
        bits = peek(at);
        limit = (at & ~7) + 32;
        continue;
      }
      index += symbol >> 4;
      value = extended(<i32>((bits << (code & 31)) >>> (64 - size)), size);
    }
    if (index > 63) return nowhere;
    at += length;
    bits <<= length;
    if (at > limit) {
      bits = peek(at);
      limit = (at & ~7) + 32;
    }
    const place = <usize>load<u8>(zigzag + index);
    seen |= place;
    store<i16>(coefficients + (place << 1), <i16>(value * load<i32>(numbers + (index << 2))));
    index++;
  }
  places = seen;
  return at;
}

@inline
function clearCoefficients(): void {
  for (let at = coefficients; at < coefficients + 128; at += 16) v128.store(at, i64x2.splat(0));
}

/** Writes the samples of a block, all coefficients of which were read. */
function makeSamples(dequantized: i32, address: usize, stride: usize): void {
  if (places == 0) {
    fillBlock(dequantized, address, stride);
    return;
  }
  store<i16>(coefficients, <i16>dequantized);
  if (places < 8) transformFirstRow(coefficients, address, stride);
  else transformBlock(coefficients, address, stride);
  clearCoefficients();
}

/** Decodes units to the planes, from the `first` unit of a row of units on; `row` is the number of the row in the planes. */
export function decodeUnits(row: i32, first: i32, units: i32): i32 {
  let at = position;
  for (let unit = first; unit < first + units; unit++) {
    for (let block = 0; block < blockCount; block++) {
      const entry = blocks + (<usize>block << 3);
      const component = <usize>load<u8>(entry);
      const set = setOf(block);
      const found = differenceAt(set, at);
      if (found == invalid) return damaged;
      const input = inputValues + (component << 2);
      const value = load<i32>(input) + (found >> 5);
      store<i32>(input, value);
      at += found & 31;
      const plane = planes + (component << 4);
      const stride = <usize>load<u32>(plane, 4);
      const left = <usize>unit * load<u32>(plane, 8) + load<u8>(entry + 2);
      const top = <usize>row * load<u32>(plane, 12) + load<u8>(entry + 3);
      const address = <usize>load<u32>(plane) + top * stride + left;
      const numbers = quantization + (component << 8);
      // Numbers of 16 bits, as libjpeg has them.
      const dequantized = <i32><i16>value * <i32>load<i16>(numbers);
      at = readCoefficients(set, numbers, at);
      if (at > endBit) {
        clearCoefficients();
        return at == nowhere ? damaged : ended;
      }
      makeSamples(dequantized, address, stride);
    }
  }
  position = at;
  return done;
}
