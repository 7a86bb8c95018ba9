/** Huffman tables of a JPEG, laid out for fast reading (ITU-T T.81, annexes C and F). */

/** Codes up to so many bits are found with one look. */
export const shortBits = 10;

/**
 * What the bits that come next mean is an entry: 32 times a value, plus how many bits to go on by; 0 where they mean
 * nothing.
 */
export interface HuffmanTable {
  /** By the next `shortBits` bits: the entry of the code that they begin with; 0 where that is longer, or none. */
  readonly short: Uint16Array;
  /** By length: the 16 bits behind those that begin with the last code of it; 0 where there is none. */
  readonly ends: Uint32Array;
  /** By length: what is added to a code for its place among all of them. */
  readonly places: Int32Array;
  readonly entries: Uint16Array;
}

/** For differences of DC values: an entry's value is the category, its bits are those of the code. */
export interface DifferenceTable extends HuffmanTable {
  /** By category: its code, and the code's length; 0 where the table has none. */
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

/** The largest category of a difference where samples have 8 bits (table F.1). */
export const maxCategory = 11;

const longestCode = 16;

/** The codes of a table, from the shortest on. */
interface Codes {
  readonly bits: Uint16Array;
  readonly lengths: Uint8Array;
}

/** The codes, of which there are so many of each length; undefined where there can't be so many (section C.2). */
function codesOf(counts: Uint8Array, total: number): Codes | undefined {
  const codes: Codes = { bits: new Uint16Array(total), lengths: new Uint8Array(total) };
  let [place, next] = [0, 0];
  for (let length = 1; length <= longestCode; length++) {
    const count = counts[length - 1] ?? 0;
    for (const end = place + count; place < end; place++) {
      codes.bits[place] = next++;
      codes.lengths[place] = length;
    }
    // No code is all ones.
    if (count > 0 && next >= 2 ** length) return undefined;
    next *= 2;
  }
  return codes;
}

type EntryOf = (symbol: number, length: number) => number;

function tableOf({ bits, lengths }: Codes, symbols: Uint8Array, entryOf: EntryOf): HuffmanTable {
  const short = new Uint16Array(2 ** shortBits);
  const ends = new Uint32Array(longestCode + 1);
  const places = new Int32Array(longestCode + 1);
  const entries = new Uint16Array(symbols.length);
  for (let place = 0; place < symbols.length; place++) {
    const [code = 0, length = 0] = [bits[place], lengths[place]];
    const entry = entryOf(symbols[place] ?? 0, length);
    entries[place] = entry;
    places[length] = place - code;
    ends[length] = (code + 1) << (longestCode - length);
    if (length <= shortBits) short.fill(entry, code << (shortBits - length), (code + 1) << (shortBits - length));
  }
  return { short, ends, places, entries };
}

/** The entry of a code that is longer than `shortBits`, by the next 16 bits. */
export function longEntry({ ends, places, entries }: HuffmanTable, bits: number): number {
  for (let length = shortBits + 1; length <= longestCode; length++) {
    if (bits < (ends[length] ?? 0)) return entries[(bits >> (longestCode - length)) + (places[length] ?? 0)] ?? 0;
  }
  return 0;
}

const categoryEntry: EntryOf = (category, length) => category * 32 + length;

/** The table for differences; undefined where there can be none of these counts. */
export function differenceTable(counts: Uint8Array, symbols: Uint8Array): DifferenceTable | undefined {
  const all = codesOf(counts, symbols.length);
  if (all === undefined) return undefined;
  const codes = new Uint16Array(maxCategory + 1);
  const lengths = new Uint8Array(maxCategory + 1);
  for (const [place, category] of symbols.entries()) {
    codes[category] = all.bits[place] ?? 0;
    lengths[category] = all.lengths[place] ?? 0;
  }
  return { ...tableOf(all, symbols, categoryEntry), codes, lengths };
}

const [endOfBlock, zeroRun] = [0x00, 0xf0];

/** The steps for the end of a block, and for a symbol that means nothing: both are more than a block has left to go. */
export const endSteps = 128;
export const noSteps = 64;

/** An entry's value is the number of coefficients to go on by, its bits are those of the code and of its coefficient. */
const stepEntry: EntryOf = (symbol, length) => {
  if (symbol === endOfBlock) return endSteps * 32 + length;
  const [run, size] = [symbol >> 4, symbol & 15];
  return (size > 0 || symbol === zeroRun ? run + 1 : noSteps) * 32 + length + size;
};

/** The table for coefficients, which are stepped over; undefined where there can be none of these counts. */
export function stepTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable | undefined {
  const codes = codesOf(counts, symbols.length);
  return codes && tableOf(codes, symbols, stepEntry);
}
