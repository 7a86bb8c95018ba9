/** Makes a JPEG smaller at its right and bottom without decoding it: what is left keeps its coefficients, as with `jpegtran -crop`. */
import type { Size } from '../../image/model/geometry.ts';
import { type Block, type Scan, scanOf } from './jpeg-scan.ts';
import { ScanReader } from './scan-reader.ts';
import { ScanWriter } from './scan-writer.ts';

/** A longer scan would block the server's thread for more than about 10 ms. */
const maxScanBytes = 1024 * 1024;

/** Copies the units (MCUs) of a scan that remain and skips the others, row by row. */
class Cutting {
  readonly #scan: Scan;
  readonly #reader: ScanReader;
  readonly #writer: ScanWriter;
  /** By component: the DC value that the next block's is predicted from, in the input and in the output. */
  readonly #inputDc = new Int32Array(3);
  readonly #outputDc = new Int32Array(3);
  /** Position in bits from which on the input is not copied yet. */
  #copiedTo = 0;
  #unitsToRestart: number;
  #fault: string | undefined;

  constructor(scan: Scan, reader: ScanReader, writer: ScanWriter) {
    this.#scan = scan;
    this.#reader = reader;
    this.#writer = writer;
    this.#unitsToRestart = scan.restartInterval;
  }

  /** Copies the first `copied` units of the next row and skips the following; why it can't, as the end of a sentence. */
  copyRow(copied: number, skipped: number): string | undefined {
    for (let unit = 0; unit < copied + skipped; unit++) {
      this.#restartWhereDue();
      for (const block of this.#scan.blocks) {
        if (unit < copied) this.#copyBlock(block);
        else this.#skipBlock(block);
      }
      if (unit === copied - 1) this.#flush();
      const fault = this.#fault ?? this.#reader.fault;
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /** Copies a block with the bits before it; its difference is written anew where the predicted value is another one. */
  #copyBlock({ component, differences, steps }: Block): void {
    const [reader, input, output] = [this.#reader, this.#inputDc[component] ?? 0, this.#outputDc[component] ?? 0];
    if (input !== output) this.#flush();
    const value = input + reader.readDifference(differences);
    if (input !== output) {
      if (!this.#writer.writeDifference(differences, value - output)) {
        this.#fault = 'the tile’s Huffman tables have no code for a value that is left at the cut';
      }
      this.#copiedTo = reader.position;
    }
    this.#inputDc[component] = value;
    this.#outputDc[component] = value;
    reader.skipCoefficients(steps);
  }

  #skipBlock({ component, differences, steps }: Block): void {
    const reader = this.#reader;
    this.#inputDc[component] = (this.#inputDc[component] ?? 0) + reader.readDifference(differences);
    reader.skipCoefficients(steps);
    this.#copiedTo = reader.position;
  }

  /** After a restart the first differences are predicted from 0; the output has no restarts. */
  #restartWhereDue(): void {
    const { restartInterval } = this.#scan;
    if (restartInterval === 0) return;
    if (this.#unitsToRestart === 0) {
      this.#flush();
      this.#reader.restart();
      this.#inputDc.fill(0);
      this.#copiedTo = this.#reader.position;
      this.#unitsToRestart = restartInterval;
    }
    this.#unitsToRestart--;
  }

  #flush(): void {
    const { bytes, position } = this.#reader;
    this.#writer.copy(bytes, this.#copiedTo, position);
    this.#copiedTo = position;
  }
}

/** Everything before the coded data, for another size and without restarts. */
function headerOf(stream: Buffer, { dataAt, sizeAt, restartIntervalsAt }: Scan, { width, height }: Size): Buffer {
  const header = Buffer.from(stream.subarray(0, dataAt));
  header.writeUInt16BE(height, sizeAt);
  header.writeUInt16BE(width, sizeAt + 2);
  for (const at of restartIntervalsAt) header.writeUInt16BE(0, at);
  return header;
}

/**
 * The JPEG's left upper part of this size, or why it can't be cut out, as the end of a sentence. Decoded it equals the
 * same part of the whole, except for the last column and row where the chroma is subsampled: decoders smooth the chroma
 * with its neighbors, and those after the cut, which often are padding, are missing.
 */
export function cutJpeg(stream: Buffer, size: Size): Buffer | string {
  const scan = scanOf(stream);
  if (typeof scan === 'string') return scan;
  const { size: whole, unit, dataAt } = scan;
  if (size.width > whole.width || size.height > whole.height)
    return 'the picture is to be larger than the tile’s bytes say';
  const scanBytes = stream.length - dataAt;
  if (scanBytes > maxScanBytes) return `the tile’s bytes are too many to be cut without decoding: ${scanBytes}`;
  const writer = new ScanWriter(headerOf(stream, scan, size), scanBytes);
  const cutting = new Cutting(scan, new ScanReader(stream, dataAt), writer);
  const [columns, rows] = [Math.ceil(size.width / unit.width), Math.ceil(size.height / unit.height)];
  const skipped = Math.ceil(whole.width / unit.width) - columns;
  for (let row = 1; row <= rows; row++) {
    const fault = cutting.copyRow(columns, row < rows ? skipped : 0);
    if (fault !== undefined) return fault;
  }
  return writer.finish();
}
