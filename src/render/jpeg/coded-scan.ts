/** The program of `assembly/coded-scan.ts`, which reads the coded data of a JPEG, with its memory. */

import { growTo, type WasmGlobal, type WasmMemory, wasmProgram } from '../web-assembly.ts';
import { program } from './coded-scan-wasm.ts';
import type { DifferenceTable, HuffmanTable, StepTable } from './huffman-table.ts';
import type { Block } from './jpeg-scan.ts';

/** The functions; their source has the comments. */
interface Functions {
  open(from: number, to: number, bit: number, blockCount: number): void;
  unstuff(from: number, end: number, to: number): number;
  getStop(): number;
  getPosition(): number;
  skipUnits(units: number): number;
  beginOutput(address: number): void;
  writeTo(address: number): void;
  getOutput(): number;
  flushOutput(): void;
  leaveOut(): void;
  copyUnits(units: number): number;
  finish(): number;
  reduceUnits(first: number, units: number): number;
  toColors(luma: number, blue: number, red: number, count: number, to: number): void;
}

const addressNames = [
  'tables',
  'tableBytes',
  'wholeAt',
  'severalAt',
  'differenceSymbolsAt',
  'stepSymbolsAt',
  'differenceLongAt',
  'stepLongAt',
  'codesAt',
  'codeLengthsAt',
  'valuesAt',
  'blocks',
  'inputValues',
  'planes',
  'zigzag',
  'quantization',
  'free',
] as const;

type Addresses = Readonly<Record<(typeof addressNames)[number], number>>;

/** Why units can't be read or copied, as the end of a sentence, by what the functions return. */
const faults = [
  undefined,
  'the tile’s bytes are damaged',
  'the tile’s bytes are cut short',
  'the tile’s Huffman tables have no code for a value that is left at the cut',
] as const;

export const faultOf = (status: number): string | undefined => faults[status];

export const damaged = faults[1];

/** How the blocks of a unit become samples at an eighth of its size. */
export interface UnitSamples {
  /** Number of samples of a unit. */
  readonly across: number;
  readonly down: number;
  /** In the order of the scan: the way of reducing, and the place of the first sample in the unit. */
  readonly blocks: readonly { readonly way: number; readonly column: number; readonly row: number }[];
  /** By component: 64 numbers in zigzag order. */
  readonly quantization: readonly Int32Array[];
}

/** Bytes of a block's entry. */
const blockBytes = 8;

/** A set of tables that is in the memory. */
interface Loaded {
  readonly differences: DifferenceTable;
  readonly steps: StepTable;
}

/** The place of each coefficient in its block, in the order of the scan (figure A.6). */
const zigzag = Uint8Array.of(
  ...[
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28,
  ],
  ...[
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
    55, 62, 63,
  ],
);

const start = wasmProgram(program);

/** An instance of the program. Its memory only grows. */
export class CodedScan {
  readonly functions: Functions;
  readonly at: Addresses;
  readonly #memory: WasmMemory;
  /** The sets, as many as components can have. */
  readonly #loaded: (Loaded | undefined)[] = [];
  #bytes: Buffer;

  constructor() {
    const exports = start();
    this.functions = exports as unknown as Functions;
    this.#memory = exports['memory'] as WasmMemory;
    const addressOf = (name: string): number => (exports[name] as WasmGlobal).value;
    this.at = Object.fromEntries(addressNames.map((name) => [name, addressOf(name)])) as Addresses;
    this.#bytes = Buffer.from(this.#memory.buffer);
    this.write(this.at.zigzag, zigzag);
  }

  /** The memory, until it grows. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Makes the memory at least this large. */
  reserve(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    growTo(this.#memory, bytes);
    this.#bytes = Buffer.from(this.#memory.buffer);
  }

  /** Writes the blocks of a unit with their tables. */
  setBlocks(blocks: readonly Block[]): void {
    const sets: Loaded[] = [];
    for (const [index, { component, differences, steps }] of blocks.entries()) {
      const known = sets.findIndex((each) => each.differences === differences && each.steps === steps);
      const set = known === -1 ? sets.push({ differences, steps }) - 1 : known;
      this.#bytes.set([component, set], this.at.blocks + blockBytes * index);
      const loaded = this.#loaded[set];
      if (loaded?.differences === differences && loaded.steps === steps) continue;
      this.#setTables(set, differences, steps);
      this.#loaded[set] = { differences, steps };
    }
  }

  /** Writes how the blocks become samples, in planes that follow each other from an address on, with `stride` bytes from row to row. */
  setSamples({ across, down, blocks, quantization }: UnitSamples, address: number, stride: number): void {
    const { at } = this;
    for (const [index, { way, column, row }] of blocks.entries()) {
      this.#bytes.set([way, column, row], at.blocks + blockBytes * index + 2);
    }
    for (const [component, numbers] of quantization.entries()) {
      this.write(at.quantization + 256 * component, numbers);
      this.write(at.planes + 12 * component, Uint32Array.of(address + component * stride * down, stride, across));
    }
  }

  /** Writes numbers as they are in an array. */
  write(address: number, numbers: NodeJS.TypedArray): void {
    this.#bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), address);
  }

  #setTables(index: number, differences: DifferenceTable, steps: StepTable): void {
    const { at } = this;
    const set = at.tables + index * at.tableBytes;
    this.write(set + at.wholeAt, differences.whole);
    this.write(set + at.severalAt, steps.several);
    this.write(set + at.valuesAt, steps.values);
    this.#setSymbols(set + at.differenceSymbolsAt, set + at.differenceLongAt, differences);
    this.#setSymbols(set + at.stepSymbolsAt, set + at.stepLongAt, steps);
    this.write(set + at.codesAt, differences.codes);
    this.write(set + at.codeLengthsAt, differences.lengths);
  }

  #setSymbols(short: number, long: number, table: HuffmanTable): void {
    this.write(short, table.short);
    this.write(long, table.ends);
    this.write(long + table.ends.byteLength, table.indexOffsets);
    this.write(long + table.ends.byteLength + table.indexOffsets.byteLength, table.symbols);
  }
}
