/** Finds holes of zeros in the coded data of a JPEG, as where a block of the disk was never written. */

import { allSegments, endOfImage, fileHeaderOf, isOneOf, marker } from './file-header.ts';
import type { Segment } from './segments.ts';

/** More zeros than coded data have in a row, unless they are the codes of plain blocks. */
export const holeBytes = 256;

export const zeros = Buffer.alloc(holeBytes);

/** Whether bytes have so many zeros in a row that they may be a hole. */
export const mayHaveHole = (bytes: Buffer): boolean => bytes.includes(zeros);

/** Position of the coded data of a scan. */
export const dataAtOf = ({ at, content }: Segment): number => at + content.length;

/** Of each table in a segment (section B.2.4.2), its kind and place in a byte, and the symbol of which zeros are the code: the first one. */
function* zerosIn({ content }: Segment): Generator<readonly [table: number, symbol: number]> {
  for (let at = 0; at + 17 < content.length; ) {
    const total = content.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
    yield [content[at] ?? 0, content[at + 17] ?? 0];
    at += 17 + total;
  }
}

/** Whether a symbol ends one block or a number of them; 0xf0 is a run of zeros instead (section G.1.2.2). */
const endsBlock = (symbol: number): boolean => symbol < 0xf0 && (symbol & 15) === 0;

/** Whether a scan of coefficients behind the DC values has zeros for details, by the symbols of its tables. */
function areDetails({ content }: Segment, isProgressive: boolean, symbols: ReadonlyMap<number, number>): boolean {
  const count = content[0] ?? 0;
  if (isProgressive && content[1 + 2 * count] === 0) return false;
  const tables = Array.from({ length: count }, (_, index) => 0x10 | ((content[2 + 2 * index] ?? 0) & 15));
  return tables.some((table) => !endsBlock(symbols.get(table) ?? 0));
}

/** Whether the data of a scan have zeros in a row which are no padding before the next marker. */
function hasZeros(stream: Buffer, dataAt: number, end: number): boolean {
  const found = stream.subarray(dataAt, end).indexOf(zeros);
  if (found === -1) return false;
  let to = dataAt + found + holeBytes;
  while (stream[to] === 0) to++;
  return stream[to] !== marker.start;
}

/**
 * Whether a scan has so many zeros as no picture has: with Huffman codes where they are the same coefficient again and again, up to the last of
 * each block; in one scan with arithmetic coding always, since plain blocks take less than a bit there. False where they may be plain blocks.
 */
export function hasHole(stream: Buffer): boolean {
  const header = fileHeaderOf(stream);
  if (header === undefined || !mayHaveHole(stream)) return false;
  const isProgressive = isOneOf(marker.progressive, header.frame);
  const isArithmetic = isOneOf(marker.arithmetic, header.frame);
  const symbols = new Map<number, number>();
  let scan: Segment | undefined;
  let isOfDetails = false;
  const isHole = (end: number): boolean => scan !== undefined && isOfDetails && hasZeros(stream, dataAtOf(scan), end);
  for (const segment of allSegments(stream)) {
    if (isHole(segment.at)) return true;
    scan = segment.marker === marker.scan ? segment : undefined;
    if (segment.marker === marker.tables) for (const [table, symbol] of zerosIn(segment)) symbols.set(table, symbol);
    if (scan) isOfDetails = isArithmetic ? !isProgressive : areDetails(scan, isProgressive, symbols);
  }
  const end = scan === undefined ? -1 : stream.indexOf(endOfImage, scan.at);
  return isHole(end === -1 ? stream.length : end + 1);
}
