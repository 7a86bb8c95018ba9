/** Reads the blocks of a JPEG scan bit by bit; only the differences of their DC values are decoded. */
import {
  type DifferenceTable,
  differenceOf,
  endSteps,
  longEntry,
  maxCategory,
  noSteps,
  type StepTable,
  severalBits,
  shortBits,
  wholeBits,
} from './huffman-table.ts';
import type { Block, Scan } from './jpeg-scan.ts';

/** Where a unit begins in the coded data, and what is needed to read on from there. */
export interface ScanPlace {
  /** Position in bytes of the stream. */
  readonly at: number;
  /** The number of bits of that byte that belong to what comes before: 0 to 7. */
  readonly bit: number;
  /** By component: the DC value that the next block's is predicted from. */
  readonly dc: readonly [number, number, number];
  /** The number of units that come before. */
  readonly unit: number;
}

/** More than the length of the longest block and of the bits that are peeked at. */
const bytesAfter = 256;

const firstRestart = 0xd0;

const damaged = 'the tile’s bytes are damaged';
const cutShort = 'the tile’s bytes are cut short';

/** Neither a position in a scan, nor a difference with its length. */
const invalid = -0x40_00_00_00;

/** The next 25 bits, as the first ones of 32. */
const peek = (bytes: DataView, position: number): number => bytes.getUint32(position >>> 3) << (position & 7);

/** The difference at a position, times 32, plus the number of bits that it takes; `invalid` where there is none. */
function differenceAt(bytes: DataView, table: DifferenceTable, position: number): number {
  const bits = peek(bytes, position);
  const whole = table.whole[bits >>> (32 - wholeBits)] ?? 0;
  if (whole !== 0) return ((whole >> 4) << 5) | (whole & 15);
  const entry = table.short[bits >>> (32 - shortBits)] || longEntry(table, bits >>> 16);
  const category = entry >>> 5;
  const length = entry & 31;
  if (entry === 0 || category > maxCategory) return invalid;
  if (category === 0) return length;
  const value = peek(bytes, position + length) >>> (32 - category);
  return (differenceOf(value, category) << 5) | (length + category);
}

/** The position behind the coefficients that follow a DC value; `invalid` where they are no block. */
function afterCoefficients(bytes: DataView, table: StepTable, start: number): number {
  const { short, several } = table;
  let position = start;
  let index = 1;
  while (index < 64) {
    const bits = peek(bytes, position);
    const found = several[bits >>> (32 - severalBits)] ?? 0;
    const next = index + (found >>> 6);
    // Further codes than the block has would be those of the next one.
    if (found !== 0 && (next <= 64 || (next >= endSteps && next < endSteps + 64))) {
      index = next;
      position += found & 63;
      continue;
    }
    const entry = short[bits >>> (32 - shortBits)] || longEntry(table, bits >>> 16);
    // An invalid symbol is recognized by its steps below.
    index += entry === 0 ? noSteps : entry >>> 5;
    position += entry & 31;
  }
  return index > 64 && index < endSteps ? invalid : position;
}

export class ScanReader {
  /** The coded bytes up to the next marker, without stuffing. */
  readonly bytes: DataView;
  /** Current position in bits. */
  position: number;
  /** Why nothing more can be read, as the end of a sentence; undefined before an error. */
  fault: string | undefined;
  readonly #dc: Int32Array;
  readonly #stream: Buffer;
  readonly #plain: Uint8Array;
  readonly #scan: Scan;
  /** Position in the stream of the first of the coded bytes, and of the next marker. */
  #startAt = 0;
  #markerAt = 0;
  #endBit = 0;
  #unit: number;
  /** The number of coded bytes of 255, each of which has a 0 behind it in the stream, before one of them. */
  #counted = { full: 0, to: 0 };
  /** Whether nothing was left out of the coded bytes but the stuffing. */
  #isOnlyStuffed = true;

  /** Reads a stream from the place on where a unit begins; its first one, where none is given. */
  constructor(scan: Scan, stream: Buffer, place: ScanPlace = { at: scan.dataAt, bit: 0, dc: [0, 0, 0], unit: 0 }) {
    const { at, bit, dc, unit } = place;
    this.#scan = scan;
    this.#stream = stream;
    this.#plain = new Uint8Array(stream.length - at + bytesAfter);
    this.bytes = new DataView(this.#plain.buffer);
    this.#unit = unit;
    this.#dc = Int32Array.from(dc);
    this.#fill(at);
    this.position = bit;
  }

  /** Whether a restart marker comes before the next unit. */
  get isRestartDue(): boolean {
    const { restartInterval } = this.#scan;
    return restartInterval > 0 && this.#unit > 0 && this.#unit % restartInterval === 0;
  }

  /** Begins the next unit, the blocks of which are to be read one after the other. */
  beginUnit(): void {
    if (this.isRestartDue) this.#restart();
    this.#unit++;
  }

  /** The DC value that a component's next block is predicted from. */
  predicted(component: number): number {
    return this.#dc[component] ?? 0;
  }

  /** The DC value of the next block; the predicted one after an error. */
  readValue({ component, differences }: Block): number {
    const predicted = this.predicted(component);
    const found = this.fault === undefined ? differenceAt(this.bytes, differences, this.position) : 0;
    if (found === invalid) this.fault = damaged;
    if (this.fault !== undefined) return predicted;
    this.position += found & 31;
    this.#dc[component] = predicted + (found >> 5);
    return predicted + (found >> 5);
  }

  /** Skips the other coefficients of the block. */
  skipCoefficients({ steps }: Block): void {
    if (this.fault !== undefined) return;
    const position = afterCoefficients(this.bytes, steps, this.position);
    if (position > this.#endBit) this.fault = cutShort;
    else if (position === invalid) this.fault = damaged;
    else this.position = position;
  }

  /** Skips a number of whole units. */
  skipUnits(count: number): void {
    for (let skipped = 0; skipped < count && this.fault === undefined; skipped++) {
      this.beginUnit();
      if (this.fault === undefined) this.#skipUnit();
    }
  }

  /** Where the next unit begins; undefined where that is not known, since there are fill bytes within the data. */
  place(): ScanPlace | undefined {
    if (!this.#isOnlyStuffed) return undefined;
    const whole = this.position >>> 3;
    const at = this.#startAt + whole + this.#fullBytesBefore(whole);
    return {
      at,
      bit: this.position & 7,
      dc: [this.predicted(0), this.predicted(1), this.predicted(2)],
      unit: this.#unit,
    };
  }

  /** Counts on from the last call, whose position was no later one. */
  #fullBytesBefore(end: number): number {
    let { full, to } = this.#counted;
    for (let at = this.#plain.indexOf(0xff, to); at !== -1 && at < end; at = this.#plain.indexOf(0xff, to)) {
      full++;
      to = at + 1;
    }
    this.#counted = { full, to: Math.max(to, end) };
    return full;
  }

  /** As reading its blocks one after the other: most units of a large file are skipped, so this is optimized. */
  #skipUnit(): void {
    const { bytes } = this;
    const dc = this.#dc;
    let { position } = this;
    for (const { component, differences, steps } of this.#scan.blocks) {
      const found = differenceAt(bytes, differences, position);
      if (found === invalid) {
        this.fault = damaged;
        return;
      }
      dc[component] = (dc[component] ?? 0) + (found >> 5);
      position = afterCoefficients(bytes, steps, position + (found & 31));
      if (position === invalid || position > this.#endBit) {
        this.fault = position === invalid ? damaged : cutShort;
        return;
      }
    }
    this.position = position;
  }

  /** Skips the restart marker, which has to be next. */
  #restart(): void {
    const isAtEnd = this.#endBit - this.position < 8;
    const number = this.#unit / this.#scan.restartInterval - 1;
    if (isAtEnd && this.#stream[this.#markerAt + 1] === firstRestart + (number % 8)) this.#fill(this.#markerAt + 2);
    else this.fault ??= damaged;
    this.#dc.fill(0);
  }

  /** Reads the stream's bytes up to the next marker: removes the 0 after each 255, and skips fill bytes of 255. */
  #fill(from: number): void {
    const [stream, plain] = [this.#stream, this.#plain];
    let [at, length] = [from, 0];
    while (at < stream.length) {
      const full = stream.indexOf(0xff, at);
      const end = full === -1 ? stream.length : full;
      plain.set(stream.subarray(at, end), length);
      length += end - at;
      at = end;
      const next = stream[at + 1];
      if (next === 0xff) {
        this.#isOnlyStuffed = false;
        at++;
        continue;
      }
      if (next !== 0) break;
      plain[length++] = 0xff;
      at += 2;
    }
    this.#startAt = from;
    this.#counted = { full: 0, to: 0 };
    this.#markerAt = at;
    this.#endBit = length * 8;
    this.position = 0;
  }
}
