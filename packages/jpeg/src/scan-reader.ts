/** Reads, skips, copies and decodes the units (MCUs) of a JPEG scan. */

import { CodedScan, chromaKinds, damaged, faultOf, type UnitSamples } from './coded-scan.ts';
import { type Block, type Rect, type Scan, type Size, unitsOf } from './scan.ts';
import { maxKeptWasmBytes } from './web-assembly.ts';

/** Where a unit begins in the coded data, and what is needed to read on from there. */
export interface ScanPlace {
  /** Position in bytes of the file. */
  readonly at: number;
  /** The number of bits of that byte that belong to what comes before: 0 to 7. */
  readonly bit: number;
  /** By component: the DC value that the next block's is predicted from. */
  readonly dc: readonly [number, number, number];
  /** The number of units that come before. */
  readonly unit: number;
}

/** Where the first unit begins. */
export const startOf = ({ dataAt }: Scan): ScanPlace => ({ at: dataAt, bit: 0, dc: [0, 0, 0], unit: 0 });

/** The bytes of a file that have units of it. */
export interface CodedPart {
  readonly bytes: Buffer;
  /** Position of the first of them in the file. */
  readonly at: number;
}

/** More than the length of the longest block and of the bits that are peeked at. */
const bytesAfter = 512;

/** More than a difference that is written anew can take. */
const differenceBytes = 8;

const firstRestart = 0xd0;

/** The instance that readers take, one after the other, and the reader that has it. */
let shared: CodedScan | undefined;
let owner: ScanReader | undefined;

/** Whether a scan was begun and not ended, whose last bits and predicted values the instance has for the next reader. */
let isWriting = false;

function take(reader: ScanReader): CodedScan {
  isWriting &&= owner?.fault === undefined;
  if (shared === undefined || (shared.bytes.length > maxKeptWasmBytes && !isWriting)) shared = new CodedScan();
  owner = reader;
  return shared;
}

const aligned = (address: number): number => Math.ceil(address / 16) * 16;

/** One reader is used at a time in a process: the next one takes its memory. */
export class ScanReader {
  /** Why nothing more can be read, as the end of a sentence; undefined before an error. */
  fault: string | undefined;
  readonly #code: CodedScan;
  readonly #restartInterval: number;
  readonly #blockCount: number;
  readonly #unitsInRow: number;
  /** Addresses of the bytes of the file, and the position of the first one in the file. */
  readonly #rawFrom: number;
  readonly #rawEnd: number;
  readonly #at: number;
  /** Addresses of the coded bytes without stuffing, and of the output. */
  readonly #plain: number;
  readonly #output: number;
  /** Address in the raw bytes where the coded ones begin, and of the marker behind them. */
  #segmentFrom = 0;
  #markerAt = 0;
  #endBit = 0;
  #unit: number;
  /** The number of coded bytes of 255, each of which has a 0 behind it in the stream, before one of them. */
  #counted = { full: 0, to: 0 };

  /**
   * Reads a part of a file from the place on where a unit begins; the first one, where none is given. `blocks` are those of the scan, maybe with
   * other tables, which have the same codes.
   */
  constructor(scan: Scan, part: CodedPart, place = startOf(scan), blocks: readonly Block[] = scan.blocks) {
    const { at, bit, dc, unit } = place;
    const code = take(this);
    this.#code = code;
    this.#restartInterval = scan.restartInterval;
    this.#blockCount = blocks.length;
    this.#unitsInRow = unitsOf(scan).width;
    this.#at = at;
    this.#unit = unit;
    const raw = part.bytes.subarray(at - part.at);
    this.#rawFrom = code.at.free;
    this.#rawEnd = this.#rawFrom + raw.length;
    this.#plain = aligned(this.#rawEnd + bytesAfter);
    this.#output = aligned(this.#plain + raw.length + bytesAfter);
    code.reserve(this.#output);
    code.setBlocks(blocks);
    code.write(this.#rawFrom, raw);
    code.write(code.at.inputValues, Int32Array.from(dc));
    code.functions.writeTo(this.#output);
    this.#openSegment(this.#rawFrom, bit);
  }

  /** Skips a number of units. */
  skipUnits(count: number): void {
    this.#eachSegment(count, (units) => this.#code.functions.skipUnits(units));
  }

  /** Copies a number of units to the output. */
  copyUnits(count: number): void {
    const { functions } = this.#own();
    const most = 2 * (this.#rawEnd - this.#rawFrom) + count * this.#blockCount * differenceBytes + bytesAfter;
    this.#code.reserve(functions.getOutput() + most);
    functions.leaveOut();
    this.#eachSegment(count, (units) => {
      functions.leaveOut();
      const status = functions.copyUnits(units);
      if (status === 0) functions.flushOutput();
      return status;
    });
  }

  /** Begins the output of a scan, which may continue with the next reader. */
  beginOutput(): void {
    this.#own().functions.beginOutput(this.#output);
    isWriting = true;
  }

  /** What was written since the last call. Bits that are no whole byte yet are kept for the next one, unless the scan is to `end` with them. */
  takeOutput(end: 'end' | 'go-on'): Buffer {
    const { functions, bytes } = this.#own();
    if (end === 'end') {
      functions.leaveOut();
      functions.finish();
      isWriting = false;
    }
    const output = Buffer.from(bytes.subarray(this.#output, functions.getOutput()));
    functions.writeTo(this.#output);
    return output;
  }

  /**
   * Decodes a rectangle of units, whose first row is the next one: `part` are pixels of it, gray or RGB, which are written to `pixels`. The
   * other units of these rows are skipped, up to the last one that is needed.
   */
  decode(samples: UnitSamples, units: Pick<Rect, 'x' | 'width' | 'height'>, part: Rect, pixels: Buffer): void {
    const code = this.#own();
    let end = this.#output;
    const place = (bytes: number): number => {
      const start = end;
      end = aligned(end + bytes + bytesAfter);
      return start;
    };
    const places = samples.planes.map(({ across, down }) => {
      const stride = aligned(across * units.width);
      return { address: place(stride * down * units.height), stride };
    });
    const { across = 0, down = 0 } = samples.planes.at(-1) ?? {};
    const chroma: Size = { width: across * units.width, height: down * units.height };
    const scratch = place(8 * chroma.width);
    const made = place(pixels.length);
    code.reserve(end);
    code.setSamples(samples, places);
    for (let row = 0; row < units.height; row++) {
      if (units.x > 0) this.skipUnits(units.x);
      let first = 0;
      this.#eachSegment(units.width, (count) => {
        const status = code.functions.decodeUnits(row, first, count);
        first += count;
        return status;
      });
      if (row < units.height - 1) this.skipUnits(this.#unitsInRow - units.x - units.width);
    }
    if (this.fault !== undefined) return;
    const { x, y, width, height } = part;
    const kind = chromaKinds[samples.chroma];
    code.functions.makePixels(code.at.planes, x, y, width, height, kind, chroma.width, chroma.height, scratch, made);
    code.bytes.copy(pixels, 0, made, made + pixels.length);
  }

  /** Whether all that is coded was read, and no restart can follow. */
  isAtEnd(): boolean {
    return this.#endBit - this.#own().functions.getPosition() < 8;
  }

  /** Where the next unit begins. */
  place(): ScanPlace {
    const { functions, bytes, at } = this.#own();
    const position = functions.getPosition();
    const whole = position >>> 3;
    const dc = (component: number): number => bytes.readInt32LE(at.inputValues + 4 * component);
    return {
      at: this.#at + this.#segmentFrom - this.#rawFrom + whole + this.#fullBytesBefore(whole),
      bit: position & 7,
      dc: [dc(0), dc(1), dc(2)],
      unit: this.#unit,
    };
  }

  #own(): CodedScan {
    if (owner !== this) throw new TypeError('another reader has the memory');
    return this.#code;
  }

  /** Calls a function for units between restarts, until it returns a fault. */
  #eachSegment(count: number, read: (units: number) => number): void {
    const interval = this.#restartInterval;
    this.#own();
    for (let left = count; left > 0 && this.fault === undefined; ) {
      if (interval > 0 && this.#unit > 0 && this.#unit % interval === 0) this.#restart();
      if (this.fault !== undefined) return;
      const units = interval > 0 ? Math.min(left, interval - (this.#unit % interval)) : left;
      this.fault = faultOf(read(units));
      this.#unit += units;
      left -= units;
    }
  }

  /** Skips the restart marker, which has to be next. */
  #restart(): void {
    const { bytes, at } = this.#code;
    let markerAt = this.#markerAt;
    // Fill bytes may precede a marker.
    while (bytes[markerAt + 1] === 0xff && markerAt + 1 < this.#rawEnd) markerAt++;
    const number = this.#unit / this.#restartInterval - 1;
    if (!this.isAtEnd() || markerAt + 1 >= this.#rawEnd || bytes[markerAt + 1] !== firstRestart + (number % 8)) {
      this.fault = damaged;
      return;
    }
    bytes.fill(0, at.inputValues, at.inputValues + 12);
    this.#openSegment(markerAt + 2, 0);
  }

  /** Opens the coded bytes up to the next marker. */
  #openSegment(from: number, bit: number): void {
    const { functions } = this.#code;
    const end = functions.unstuff(from, this.#rawEnd, this.#plain);
    functions.open(this.#plain, end, bit, this.#blockCount);
    this.#segmentFrom = from;
    this.#markerAt = functions.getStop();
    this.#endBit = (end - this.#plain) * 8;
    this.#counted = { full: 0, to: 0 };
  }

  /** Counts on from the last call, whose position was no later one. */
  #fullBytesBefore(end: number): number {
    const { bytes } = this.#code;
    const plain = this.#plain;
    let { full, to } = this.#counted;
    for (let at = bytes.indexOf(0xff, plain + to); at !== -1 && at < plain + end; at = bytes.indexOf(0xff, at + 1))
      full++;
    to = end;
    this.#counted = { full, to };
    return full;
  }
}
