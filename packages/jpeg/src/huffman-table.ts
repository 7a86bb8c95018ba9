/** Huffman tables of a JPEG, laid out for fast reading (ITU-T T.81, annexes C and F). */

/** Codes of up to this number of bits are found with one look-up. */
export const shortBits = 10;

/** A table as the header defines it (section B.2.4.2), and laid out for reading. */
export interface HuffmanTable {
  /** Number of codes of each length, from 1 to 16 bits. */
  readonly counts: Uint8Array;
  /** From the shortest code on. */
  readonly symbols: Uint8Array;
  /** By the next `shortBits` bits: 32 times the symbol, plus the length of its code; 0 where these begin with a longer code or with none. */
  readonly short: Uint16Array;
  /** By code length: the first 16 bits after those that begin with the last code of this length; 0 where there is none. */
  readonly ends: Uint32Array;
  /** By code length: what is added to a code for its index in `symbols`. */
  readonly indexOffsets: Int32Array;
}

/** For the coefficients behind a DC value. */
export interface StepTable extends HuffmanTable {
  /**
   * By the next `severalBits` bits: all the codes that end within them, up to the end of the block, in one entry: 64 times
   * the number of coefficients plus the number of bits; 0 where not even one ends there. The last one’s bits can reach further.
   */
  readonly several: Uint16Array;
  /**
   * By the next `severalBits` bits: the value of a coefficient, if its code and its own bits end there, times 512, plus the number of zeros
   * before it times 32, plus the bits of both; 0 where there is none, or the code has no value.
   */
  readonly values: Int32Array;
}

/** For differences of DC values: the symbols are categories. */
export interface DifferenceTable extends HuffmanTable {
  /** By category: its code, and the code's length; 0 where the table has none. */
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
  /** By the next `wholeBits` bits: 16 times the difference, if its code and value end there, plus their length; 0 where they do not. */
  readonly whole: Int16Array;
}

/** Nearly all differences are found with one look-up of this number of bits. */
export const wholeBits = 12;

/** Two codes on average are found with one look-up of this number of bits. */
export const severalBits = 12;

/** The largest category of a difference where samples have 8 bits (table F.1). */
export const maxCategory = 11;

/** The largest category that libjpeg accepts in a table, whether its code is used or not. */
const maxSymbol = 15;

const longestCode = 16;

/** The codes of a table, from the shortest on. */
interface Codes {
  readonly bits: Uint16Array;
  readonly lengths: Uint8Array;
}

/** The codes, from the number of codes of each length; undefined where these are too many (section C.2). */
function codesOf(counts: Uint8Array, total: number): Codes | undefined {
  const codes: Codes = { bits: new Uint16Array(total), lengths: new Uint8Array(total) };
  let [index, next] = [0, 0];
  for (let length = 1; length <= longestCode; length++) {
    const count = counts[length - 1] ?? 0;
    for (const end = index + count; index < end; index++) {
      codes.bits[index] = next++;
      codes.lengths[index] = length;
    }
    // No code is all ones.
    if (count > 0 && next >= 2 ** length) return undefined;
    next *= 2;
  }
  return codes;
}

function tableOf({ bits, lengths }: Codes, counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const short = new Uint16Array(2 ** shortBits);
  const ends = new Uint32Array(longestCode + 1);
  const indexOffsets = new Int32Array(longestCode + 1);
  for (const [index, symbol] of symbols.entries()) {
    const [code = 0, length = 0] = [bits[index], lengths[index]];
    indexOffsets[length] = index - code;
    ends[length] = (code + 1) << (longestCode - length);
    const [first, after] = [code << (shortBits - length), (code + 1) << (shortBits - length)];
    if (length <= shortBits) short.fill(symbol * 32 + length, first, after);
  }
  return { counts, symbols, short, ends, indexOffsets };
}

/** The value with a category's bits (table F.1). */
const differenceOf = (bits: number, category: number): number =>
  category > 0 && bits < 1 << (category - 1) ? bits - (1 << category) + 1 : bits;

/** The difference that begins with these bits, as an entry of `whole`. */
function wholeOf(bits: number, short: Uint16Array): number {
  const entry = short[bits >>> (wholeBits - shortBits)] ?? 0;
  const [category, codeLength] = [entry >>> 5, entry & 31];
  const length = codeLength + category;
  if (entry === 0 || length > wholeBits || category > maxCategory) return 0;
  const value = (bits >>> (wholeBits - length)) & ((1 << category) - 1);
  return differenceOf(value, category) * 16 + length;
}

/** The table for differences; undefined where the counts are invalid, or a symbol is no category. */
export function differenceTable(counts: Uint8Array, symbols: Uint8Array): DifferenceTable | undefined {
  const all = codesOf(counts, symbols.length);
  if (all === undefined || symbols.some((category) => category > maxSymbol)) return undefined;
  const codes = new Uint16Array(maxCategory + 1);
  const lengths = new Uint8Array(maxCategory + 1);
  for (const [index, category] of symbols.entries()) {
    codes[category] = all.bits[index] ?? 0;
    lengths[category] = all.lengths[index] ?? 0;
  }
  const table = tableOf(all, counts, symbols);
  const whole = Int16Array.from({ length: 2 ** wholeBits }, (_, bits) => wholeOf(bits, table.short));
  return { ...table, codes, lengths, whole };
}

/**
 * A table with the codes of this one, and with longer ones for the categories that it lacks, as many encoders leave out those that a
 * picture does not have; undefined where there is no room for them.
 */
export function completed(table: DifferenceTable): DifferenceTable | undefined {
  const { counts, symbols, lengths } = table;
  const missing = [...lengths.keys()].filter((category) => lengths[category] === 0);
  if (missing.length === 0) return table;
  const longest = counts.findLastIndex((count) => count > 0) + 1;
  // In parts of the longest code; the last one of all, which has only ones, is no code.
  const used = counts.reduce(
    (sum, count, index) => sum + (index < longest ? count * 2 ** (longest - index - 1) : 0),
    0,
  );
  for (let length = longest; length <= longestCode; length++) {
    if ((2 ** longest - used) * 2 ** (length - longest) <= missing.length) continue;
    const more = counts.map((count, index) => (index === length - 1 ? count + missing.length : count));
    return differenceTable(more, Uint8Array.of(...symbols, ...missing));
  }
  return undefined;
}

const [endOfBlock, zeroRun] = [0x00, 0xf0];

/** The steps for the end of a block and for an invalid symbol: both are more than a block has coefficients. */
const endSteps = 128;
const noSteps = 64;

/** The number of coefficients that a symbol stands for, the last of which has a value of as many bits as its second half says. */
function stepsOf(symbol: number): number {
  if (symbol === endOfBlock) return endSteps;
  return (symbol & 15) > 0 || symbol === zeroRun ? (symbol >> 4) + 1 : noSteps;
}

/** The codes within the next bits, as an entry of `several`. */
function severalOf(bits: number, short: Uint16Array): number {
  let [steps, length] = [0, 0];
  while (length < severalBits && steps < noSteps) {
    const next = ((bits << length) & (2 ** severalBits - 1)) >>> (severalBits - shortBits);
    const entry = short[next] ?? 0;
    const [symbol, codeLength] = [entry >>> 5, entry & 31];
    const added = stepsOf(symbol);
    const isWhole = entry !== 0 && added !== noSteps && length + codeLength <= severalBits;
    // All the coefficients of a block are fewer than its end counts for.
    if (!isWhole || (steps + added >= noSteps && added !== endSteps)) break;
    steps += added;
    length += codeLength + (symbol & 15);
  }
  return steps * 64 + length;
}

/** The coefficient that begins with these bits, as an entry of `values`. */
function coefficientOf(bits: number, short: Uint16Array): number {
  const entry = short[bits >>> (severalBits - shortBits)] ?? 0;
  const [symbol, codeLength] = [entry >>> 5, entry & 31];
  const [run, size] = [symbol >> 4, symbol & 15];
  const length = codeLength + size;
  if (entry === 0 || size === 0 || length > severalBits) return 0;
  const value = (bits >>> (severalBits - length)) & ((1 << size) - 1);
  return differenceOf(value, size) * 512 + run * 32 + length;
}

/** The table for coefficients; undefined where the counts are invalid. */
export function stepTable(counts: Uint8Array, symbols: Uint8Array): StepTable | undefined {
  const codes = codesOf(counts, symbols.length);
  if (codes === undefined) return undefined;
  const table = tableOf(codes, counts, symbols);
  const several = Uint16Array.from({ length: 2 ** severalBits }, (_, bits) => severalOf(bits, table.short));
  const values = Int32Array.from({ length: 2 ** severalBits }, (_, bits) => coefficientOf(bits, table.short));
  return { ...table, several, values };
}
