/** Makes a JPEG smaller at its right and bottom without decoding it: what is left keeps its coefficients, as with `jpegtran -crop`. */
import type { Size } from '../../image/model/geometry.ts';
import { type Block, type Scan, scanOf } from './jpeg-scan.ts';
import { ScanReader } from './scan-reader.ts';
import { ScanWriter } from './scan-writer.ts';

/** More would keep the server's thread for longer than some 10 ms. */
const maxScanBytes = 1024 * 1024;

/** Copies the units of a scan that are kept and goes past the others, row by row. */
class Cutting {
  readonly #scan: Scan;
  readonly #reader: ScanReader;
  readonly #writer: ScanWriter;
  /** By component, the DC value that the next block's is told from: as it is read, and as it is written. */
  readonly #before = new Int32Array(3);
  readonly #written = new Int32Array(3);
  /** From here on what was read is still to be copied, in bits. */
  #from = 0;
  #unitsToRestart: number;
  #fault: string | undefined;

  constructor(scan: Scan, reader: ScanReader, writer: ScanWriter) {
    this.#scan = scan;
    this.#reader = reader;
    this.#writer = writer;
    this.#unitsToRestart = scan.restartInterval;
  }

  /** Takes so many units of the next row, and goes past so many behind them; why it can't, as the end of a sentence. */
  takeRow(kept: number, leftOut: number): string | undefined {
    for (let unit = 0; unit < kept + leftOut; unit++) {
      this.#restartWhereDue();
      for (const block of this.#scan.blocks) {
        if (unit < kept) this.#takeBlock(block);
        else this.#passBlock(block);
      }
      if (unit === kept - 1) this.#copyRead();
      const fault = this.#fault ?? this.#reader.fault;
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /** What comes before a block is copied as it is, and so is its difference where it is still told from the same value. */
  #takeBlock({ component, differences, steps }: Block): void {
    const [reader, before, written] = [this.#reader, this.#before[component] ?? 0, this.#written[component] ?? 0];
    if (before !== written) this.#copyRead();
    const value = before + reader.readDifference(differences);
    if (before !== written) {
      if (!this.#writer.writeDifference(differences, value - written)) {
        this.#fault = 'the tile’s Huffman tables have no code for a value that is left at the cut';
      }
      this.#from = reader.position;
    }
    this.#before[component] = value;
    this.#written[component] = value;
    reader.skipCoefficients(steps);
  }

  #passBlock({ component, differences, steps }: Block): void {
    const reader = this.#reader;
    this.#before[component] = (this.#before[component] ?? 0) + reader.readDifference(differences);
    reader.skipCoefficients(steps);
    this.#from = reader.position;
  }

  /** With a restart the first differences are told from 0; what is written has no restarts. */
  #restartWhereDue(): void {
    const { restartInterval } = this.#scan;
    if (restartInterval === 0) return;
    if (this.#unitsToRestart === 0) {
      this.#copyRead();
      this.#reader.restart();
      this.#before.fill(0);
      this.#from = this.#reader.position;
      this.#unitsToRestart = restartInterval;
    }
    this.#unitsToRestart--;
  }

  #copyRead(): void {
    const { bytes, position } = this.#reader;
    this.#writer.copy(bytes, this.#from, position);
    this.#from = position;
  }
}

/** All that comes before the coded data, for another size and without restarts. */
function headOf(stream: Buffer, { dataAt, sizeAt, restartIntervalsAt }: Scan, { width, height }: Size): Buffer {
  const head = Buffer.from(stream.subarray(0, dataAt));
  head.writeUInt16BE(height, sizeAt);
  head.writeUInt16BE(width, sizeAt + 2);
  for (const at of restartIntervalsAt) head.writeUInt16BE(0, at);
  return head;
}

/**
 * The JPEG's left upper part of this size, or why it can't be cut out, as the end of a sentence. Decoded it equals the
 * same part of the whole. Only where the chroma is subsampled, the last column and row differ: decoders smooth the chroma
 * with its neighbors, and those behind the cut, which often are padding, are no longer there.
 */
export function cutJpeg(stream: Buffer, size: Size): Buffer | string {
  const scan = scanOf(stream);
  if (typeof scan === 'string') return scan;
  const { size: whole, unit, dataAt } = scan;
  if (size.width > whole.width || size.height > whole.height)
    return 'the picture is to be larger than the tile’s bytes say';
  const scanBytes = stream.length - dataAt;
  if (scanBytes > maxScanBytes) return `the tile’s bytes are too many to be cut without decoding: ${scanBytes}`;
  const writer = new ScanWriter(headOf(stream, scan, size), scanBytes);
  const cutting = new Cutting(scan, new ScanReader(stream, dataAt), writer);
  const [columns, rows] = [Math.ceil(size.width / unit.width), Math.ceil(size.height / unit.height)];
  const leftOut = Math.ceil(whole.width / unit.width) - columns;
  for (let row = 1; row <= rows; row++) {
    const fault = cutting.takeRow(columns, row < rows ? leftOut : 0);
    if (fault !== undefined) return fault;
  }
  return writer.finish();
}
