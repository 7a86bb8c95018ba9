/** A plain JPEG encoder for tests: any coefficients, sampling, Huffman tables and restarts (ITU-T T.81). */

import { randomNumbers } from '../../../test/fixtures/files/random.mjs';
import type { Size } from '../src/scan.ts';

/** How many codes there are of each length from 1 on, and their symbols in this order. */
export interface Codes {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

const categories = Array.from({ length: 12 }, (_, category) => category);

/** The end of a block, the run of 16 zeros, and then all runs for each size. */
const steps = [0x00, 0xf0, ...Array.from({ length: 160 }, (_, at) => ((at % 16) << 4) | (Math.floor(at / 16) + 1))];

/** As many codes of each length as annex K has, so that many are long. */
export const commonCodes = {
  differences: [
    { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1], symbols: categories },
    { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1], symbols: categories },
  ],
  steps: [
    { counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], symbols: steps },
    { counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], symbols: steps },
  ],
} as const satisfies Record<string, readonly Codes[]>;

export interface JpegSketch extends Size {
  /** Of each component: how many blocks a unit has across and down. */
  readonly factors: readonly (readonly [across: number, down: number])[];
  /** The 64 coefficients of a block in zigzag order, by its component, column and row. */
  readonly coefficients: (component: number, column: number, row: number) => readonly number[];
  /** How many units there are between restarts; 0 where the head says that there are none. */
  readonly restartInterval?: number;
  /** Of the first component and of the others. */
  readonly differences?: readonly Codes[];
  /** The marker of the frame; 0xc0 by default. */
  readonly frame?: number;
  /** Segments that come first. */
  readonly first?: readonly Buffer[];
  /** By what coefficients are multiplied; 3 by default. */
  readonly quantization?: number;
}

export function segment(marker: number, content: readonly number[] | Buffer): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content]);
}

const binary = (value: number, length: number): string => (length === 0 ? '' : value.toString(2).padStart(length, '0'));

/** The bits of each symbol's code. */
function bitsOf({ counts, symbols }: Codes): ReadonlyMap<number, string> {
  const bits = new Map<number, string>();
  let code = 0;
  for (const [index, count] of counts.entries()) {
    for (let taken = 0; taken < count; taken++) bits.set(symbols[bits.size] ?? 0, binary(code++, index + 1));
    code *= 2;
  }
  return bits;
}

const categoryOf = (value: number): number => (value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1);

function valueBits(value: number): string {
  const category = categoryOf(value);
  return binary(value < 0 ? value + 2 ** category - 1 : value, category);
}

function codeOf(table: ReadonlyMap<number, string>, symbol: number): string {
  const code = table.get(symbol);
  if (code === undefined) throw new Error(`no code for ${symbol}`);
  return code;
}

/** The bits of all but the first coefficient. */
function stepBits(coefficients: readonly number[], table: ReadonlyMap<number, string>): string {
  let [bits, run] = ['', 0];
  for (const value of coefficients.slice(1)) {
    if (value === 0) {
      run++;
      continue;
    }
    for (; run >= 16; run -= 16) bits += codeOf(table, 0xf0);
    bits += codeOf(table, (run << 4) | categoryOf(value)) + valueBits(value);
    run = 0;
  }
  return run > 0 ? bits + codeOf(table, 0x00) : bits;
}

/** Bits as bytes, filled up with ones, and with a 0 behind each byte of 255. */
function bytesOf(bits: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8).padEnd(8, '1'), 2);
    bytes.push(byte, ...(byte === 255 ? [0] : []));
  }
  return Buffer.from(bytes);
}

interface Unit {
  readonly column: number;
  readonly row: number;
}

function unitsOf({ width, height, factors }: JpegSketch): readonly Unit[] {
  const side = (at: 0 | 1): number => (factors.length === 1 ? 8 : 8 * Math.max(...factors.map((factor) => factor[at])));
  const [columns, rows] = [Math.ceil(width / side(0)), Math.ceil(height / side(1))];
  return Array.from({ length: columns * rows }, (_, at) => ({ column: at % columns, row: Math.floor(at / columns) }));
}

function scanData(sketch: JpegSketch, differences: readonly Codes[]): Buffer {
  const { factors, coefficients, restartInterval = 0 } = sketch;
  const [differenceBits, coefficientBits] = [differences.map(bitsOf), commonCodes.steps.map(bitsOf)];
  const parts: Buffer[] = [];
  let [bits, before] = ['', factors.map(() => 0)];
  for (const [index, unit] of unitsOf(sketch).entries()) {
    if (restartInterval > 0 && index > 0 && index % restartInterval === 0) {
      parts.push(bytesOf(bits), Buffer.from([0xff, 0xd0 + ((index / restartInterval - 1) % 8)]));
      [bits, before] = ['', factors.map(() => 0)];
    }
    for (const [component, factor] of factors.entries()) {
      const [across, down] = factors.length === 1 ? [1, 1] : factor;
      const destination = component === 0 ? 0 : 1;
      for (let at = 0; at < across * down; at++) {
        const column = unit.column * across + (at % across);
        const block = coefficients(component, column, unit.row * down + Math.floor(at / across));
        const difference = (block[0] ?? 0) - (before[component] ?? 0);
        before[component] = block[0] ?? 0;
        bits += codeOf(differenceBits[destination] ?? new Map(), categoryOf(difference)) + valueBits(difference);
        bits += stepBits(block, coefficientBits[destination] ?? new Map());
      }
    }
  }
  return Buffer.concat([...parts, bytesOf(bits)]);
}

const tableOf = (kindAndPlace: number, { counts, symbols }: Codes): number[] => [
  kindAndPlace,
  ...Array.from({ length: 16 }, (_, at) => counts[at] ?? 0),
  ...symbols,
];

const word = (value: number): number[] => [value >> 8, value & 255];

/** A table of 8 bits where that is enough. */
function quantizationTable(number: number): number[] {
  const numbers = Array.from({ length: 64 }, () => (number < 256 ? [number] : word(number)));
  return [number < 256 ? 0 : 0x10, ...numbers.flat()];
}

export function buildJpeg(sketch: JpegSketch): Buffer {
  const { width, height, factors, restartInterval, frame = 0xc0, first = [], quantization = 3 } = sketch;
  const differences = sketch.differences ?? commonCodes.differences;
  const frameParts = factors.flatMap(([across, down], index) => [index + 1, (across << 4) | down, 0]);
  const scanParts = factors.flatMap((_, index) => [index + 1, index === 0 ? 0x00 : 0x11]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...first,
    segment(0xdb, quantizationTable(quantization)),
    ...(restartInterval === undefined ? [] : [segment(0xdd, word(restartInterval))]),
    segment(0xc4, [...differences.flatMap((codes, destination) => tableOf(destination, codes))]),
    segment(frame, [8, ...word(height), ...word(width), factors.length, ...frameParts]),
    ...commonCodes.steps.map((codes, destination) => segment(0xc4, tableOf(0x10 | destination, codes))),
    segment(0xda, [factors.length, ...scanParts, 0, 63, 0]),
    scanData(sketch, differences),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Blocks of all kinds: without coefficients, with a few, with far ones, with the last one. */
export function noise(component: number, column: number, row: number): readonly number[] {
  const next = randomNumbers(1 + component * 7919 + column * 104_729 + row * 1_299_709);
  const spread = [0, 3, 12, 63][Math.floor(next() * 4)] ?? 0;
  const block = Array.from({ length: 64 }, (_, at) =>
    at <= spread && next() < 0.4 ? Math.round(next() * 40 - 20) : 0,
  );
  if (next() < 0.1) block[63] = 1;
  block[0] = Math.round(next() * 500 - 250);
  return block;
}

/** The coefficients of the first row of a block, and of its first column, in zigzag order. */
const lines = [
  [0, 1, 5, 6, 14, 15, 27, 28],
  [0, 2, 3, 9, 10, 20, 21, 35],
] as const;

/** Blocks with values that no encoder writes, and damaged data can have: of DC values alone, of a row, of a column, of all coefficients. */
export function extremes(component: number, column: number, row: number): readonly number[] {
  const next = randomNumbers(3 + component * 7919 + column * 104_729 + row * 1_299_709);
  const kind = Math.floor(next() * 4);
  const used = kind === 0 ? [0] : lines[kind - 1];
  const limit = next() < 0.5 ? 60 : 1023;
  return Array.from({ length: 64 }, (_, at) => {
    const value = Math.round((2 * next() - 1) * limit);
    return (used === undefined || used.some((each) => each === at)) && next() < 0.7 ? value : 0;
  });
}

/** Numbers of blocks across and down by component. */
export const samplings = {
  gray: [[1, 1]],
  'gray with factors that say nothing': [[2, 2]],
  '4:4:4': [
    [1, 1],
    [1, 1],
    [1, 1],
  ],
  '4:2:0': [
    [2, 2],
    [1, 1],
    [1, 1],
  ],
  '4:2:2': [
    [2, 1],
    [1, 1],
    [1, 1],
  ],
  '4:4:0': [
    [1, 2],
    [1, 1],
    [1, 1],
  ],
  '4:1:1': [
    [4, 1],
    [1, 1],
    [1, 1],
  ],
  'more chroma than luma': [
    [1, 1],
    [2, 2],
    [1, 2],
  ],
} as const satisfies Record<string, JpegSketch['factors']>;
