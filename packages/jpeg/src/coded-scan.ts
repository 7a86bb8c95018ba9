/** The program of `assembly/coded-scan.ts`, which reads the coded data of a JPEG, with its memory. */

import { program } from './coded-scan-wasm.ts';
import type { DifferenceTable, HuffmanTable, StepTable } from './huffman-table.ts';
import type { Block } from './scan.ts';
import { growTo, type WasmGlobal, type WasmMemory, wasmProgram } from './web-assembly.ts';

/** The place of each coefficient in its block, in the order of a scan (ITU-T T.81, figure A.6). */
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
  decodeUnits(row: number, first: number, units: number): number;
  makePixels(
    planes: number,
    left: number,
    top: number,
    width: number,
    height: number,
    chroma: number,
    chromaWidth: number,
    chromaHeight: number,
    scratch: number,
    to: number,
  ): void;
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

/** How chroma is stored in planes: with all columns and rows, with half of the columns, or with half of both; gray pixels have none. */
export const chromaKinds = { whole: 0, halfColumns: 1, halfBoth: 2, none: 3 } as const;

/** What a component's part of a unit becomes. */
export interface PlaneSamples {
  /** Number of samples. */
  readonly across: number;
  readonly down: number;
  /** 64 numbers in zigzag order. */
  readonly quantization: Int32Array;
}

/** How units become samples in planes, and these become pixels. */
export interface UnitSamples {
  readonly planes: readonly PlaneSamples[];
  /** In the order of the scan: the place of the first sample in the unit. */
  readonly blocks: readonly { readonly column: number; readonly row: number }[];
  readonly chroma: keyof typeof chromaKinds;
}

/** Bytes of a block's entry, and of a plane's. */
const [blockBytes, planeBytes] = [8, 16];

/** A set of tables that is in the memory. */
interface Loaded {
  readonly differences: DifferenceTable;
  readonly steps: StepTable;
}

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

  /** Writes how the blocks become samples, and where the plane of each component begins; its stride is in bytes from row to row. */
  setSamples(
    { planes, blocks }: UnitSamples,
    places: readonly { readonly address: number; readonly stride: number }[],
  ): void {
    const { at } = this;
    for (const [index, { column, row }] of blocks.entries()) {
      this.#bytes.set([column, row], at.blocks + blockBytes * index + 2);
    }
    for (const [component, { across, down, quantization }] of planes.entries()) {
      const { address = 0, stride = 0 } = places[component] ?? {};
      this.write(at.quantization + 256 * component, quantization);
      this.write(at.planes + planeBytes * component, Uint32Array.of(address, stride, across, down));
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
