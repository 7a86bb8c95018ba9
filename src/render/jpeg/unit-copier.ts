/** Copies units (MCUs) of a JPEG scan to another one without decoding them. */
import type { Block, Scan } from './jpeg-scan.ts';
import type { ScanReader } from './scan-reader.ts';
import type { ScanWriter } from './scan-writer.ts';

/** The numbers of units of a row that are skipped, copied, and skipped after these. */
export interface RowParts {
  readonly before: number;
  readonly copied: number;
  readonly after: number;
}

/** The units that are copied keep their coefficients; the others are skipped. The output has no restarts. */
export class UnitCopier {
  readonly #blocks: Scan['blocks'];
  readonly #writer: ScanWriter;
  #reader: ScanReader;
  /** By component: the DC value that the next block's is predicted from in the output. */
  readonly #outputDc = new Int32Array(3);
  /** Position in bits from which on the input is not copied yet. */
  #copiedTo = 0;
  #fault: string | undefined;

  /** The blocks are those of a unit, with the tables for differences that the output has. */
  constructor(blocks: Scan['blocks'], reader: ScanReader, writer: ScanWriter) {
    this.#blocks = blocks;
    this.#reader = reader;
    this.#writer = writer;
  }

  /** Copies a part of the row that a reader is at, by default the last one; why it can't, as the end of a sentence. */
  copyRow({ before, copied, after }: RowParts, reader = this.#reader): string | undefined {
    this.#reader = reader;
    this.#copiedTo = reader.position;
    this.#skip(before);
    for (let unit = 0; unit < copied && this.#fault === undefined; unit++) this.#copyUnit();
    this.#skip(after);
    return this.#fault;
  }

  #skip(units: number): void {
    this.#flush();
    this.#reader.skipUnits(units);
    this.#copiedTo = this.#reader.position;
    this.#fault ??= this.#reader.fault;
  }

  #copyUnit(): void {
    if (this.#reader.isRestartDue) {
      this.#flush();
      this.#reader.beginUnit();
      this.#copiedTo = this.#reader.position;
    } else {
      this.#reader.beginUnit();
    }
    for (const block of this.#blocks) this.#copyBlock(block);
    this.#fault ??= this.#reader.fault;
  }

  /** Copies a block with the bits before it; its difference is written anew where the predicted value is another one. */
  #copyBlock(block: Block): void {
    const { component, differences } = block;
    const reader = this.#reader;
    const output = this.#outputDc[component] ?? 0;
    const isPredicted = reader.predicted(component) === output;
    if (!isPredicted) this.#flush();
    const value = reader.readValue(block);
    if (!isPredicted) {
      if (!this.#writer.writeDifference(differences, value - output)) {
        this.#fault ??= 'the tile’s Huffman tables have no code for a value that is left at the cut';
      }
      this.#copiedTo = reader.position;
    }
    this.#outputDc[component] = value;
    reader.skipCoefficients(block);
  }

  #flush(): void {
    const { bytes, position } = this.#reader;
    this.#writer.copy(bytes, this.#copiedTo, position);
    this.#copiedTo = position;
  }
}
