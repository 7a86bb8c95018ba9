/** Reads packets: which code-blocks their headers add to, and where their bodies are (ISO 15444-1, sections B.9 and B.10). */
import { BitReader, TagTree } from './bits.ts';
import type { CodeStreamBytes } from './bytes.ts';
import { marker } from './coding.ts';
import { damaged, requireSound } from './error.ts';
import type { Range } from './file-parts.ts';
import { type Box, blockGrid, precinctBand, type Resolution } from './geometry.ts';

/** Coding passes whose bytes belong together. */
export interface CodewordSegment {
  passes: number;
  readonly maxPasses: number;
  bytes: number;
  /** Where these bytes are in the file. */
  pieces: Range[];
}

export interface CodeBlock {
  readonly zeroBitPlanes: number;
  /** Lblock: by how many bits lengths are given at least. */
  lengthBits: number;
  segments: CodewordSegment[];
}

/** The list with one more element: most lists have one only, for which `push` would reserve memory for 16 more. */
export function appended<T>(list: T[], element: T): T[] {
  if (list.length === 0) return [element];
  list.push(element);
  return list;
}

/** The part of a precinct in one subband. */
export interface BlockArray {
  /** The code-blocks, counted from the subband’s origin. */
  readonly grid: Box;
  /** Row by row; undefined for those that no packet has included so far. */
  readonly blocks: readonly (CodeBlock | undefined)[];
}

/** One whose packets are being read: its tag trees take several times the memory of its code-blocks. */
export interface OpenBlockArray extends BlockArray {
  readonly blocks: (CodeBlock | undefined)[];
  readonly inclusion: TagTree;
  readonly zeroBitPlanes: TagTree;
}

/** Without what only the reading of further packets needs. */
export const closeBlockArray = ({ grid, blocks }: OpenBlockArray): BlockArray => ({ grid, blocks });

export function createBlockArrays(resolution: Resolution, index: number): readonly OpenBlockArray[] {
  return resolution.bands.map((band) => {
    const grid = blockGrid(precinctBand(resolution, index, band), resolution);
    const [width, height] = [grid.right - grid.left, grid.bottom - grid.top];
    const blocks = new Array<CodeBlock | undefined>(width * height).fill(undefined);
    return { grid, blocks, inclusion: new TagTree(width, height), zeroBitPlanes: new TagTree(width, height) };
  });
}

/** Bits of the code-block style (table A.19; ISO 15444-15, table A.4). */
export const blockStyles = { bypass: 1, termination: 4, highThroughput: 64 } as const;

/** More than any coefficient has. */
const maxBitPlanes = 74;

/** How many passes the next codeword segment of a code-block can have (section D.4.2; ISO 15444-15, section B.3). */
export function maxPassesOf(blockStyle: number, before: Pick<CodewordSegment, 'maxPasses'> | undefined): number {
  if (blockStyle & blockStyles.highThroughput) return before === undefined ? 1 : 2;
  if (blockStyle & blockStyles.termination) return 1;
  if ((blockStyle & blockStyles.bypass) === 0) return Number.POSITIVE_INFINITY;
  if (before === undefined) return 10;
  return before.maxPasses === 2 ? 1 : 2;
}

/** The number of coding passes (table B.4). */
function readPasses(bits: BitReader): number {
  if (bits.bit() === 0) return 1;
  if (bits.bit() === 0) return 2;
  const few = bits.bits(2);
  if (few < 3) return 3 + few;
  const more = bits.bits(5);
  return more < 31 ? 6 + more : 37 + bits.bits(7);
}

/** Bytes that a packet adds to a codeword segment; they follow the packet’s header in this order. */
export interface Contribution {
  readonly segment: CodewordSegment;
  readonly bytes: number;
}

export const floorLog2 = (value: number): number => 31 - Math.clz32(value);

function readContributions(bits: BitReader, block: CodeBlock, blockStyle: number, add: (part: Contribution) => void) {
  let left = readPasses(bits);
  while (bits.bit()) requireSound(++block.lengthBits <= 32, 'a length has too many bits');
  while (left > 0) {
    let segment = block.segments.at(-1);
    if (segment === undefined || segment.passes >= segment.maxPasses) {
      segment = { passes: 0, maxPasses: maxPassesOf(blockStyle, segment), bytes: 0, pieces: [] };
      block.segments = appended(block.segments, segment);
    }
    const passes = Math.min(left, segment.maxPasses - segment.passes);
    const bytes = bits.bits(block.lengthBits + floorLog2(passes));
    segment.passes += passes;
    left -= passes;
    add({ segment, bytes });
  }
}

function readBlock(bits: BitReader, array: OpenBlockArray, index: number, layer: number): CodeBlock | undefined {
  const known = array.blocks[index];
  if (known !== undefined) return bits.bit() ? known : undefined;
  if (!array.inclusion.readLess(bits, index, layer + 1)) return undefined;
  let zeroBitPlanes = 0;
  while (!array.zeroBitPlanes.readLess(bits, index, zeroBitPlanes + 1)) {
    zeroBitPlanes++;
    requireSound(zeroBitPlanes <= maxBitPlanes, 'a code-block has too many empty bit-planes');
  }
  const block: CodeBlock = { zeroBitPlanes, lengthBits: 3, segments: [] };
  array.blocks[index] = block;
  return block;
}

/** Reads a packet’s header after its optional SOP: what its body adds, in order. Throws Jpeg2000Error. */
export function readPacketHeader(
  bits: BitReader,
  arrays: readonly OpenBlockArray[],
  layer: number,
  blockStyle: number,
): readonly Contribution[] {
  const contributions: Contribution[] = [];
  if (bits.bit() === 0) return contributions;
  for (const array of arrays) {
    for (let index = 0; index < array.blocks.length; index++) {
      const block = readBlock(bits, array, index, layer);
      if (block) readContributions(bits, block, blockStyle, (part) => contributions.push(part));
    }
  }
  return contributions;
}

/** Where a packet begins. */
export interface PacketPlace {
  readonly position: number;
  /** The packets of its tile-part. */
  readonly range: Range;
  /** The packet headers of its tile, where they are not among the packets, and where in them the packet’s begins. */
  readonly packed: { readonly bytes: Uint8Array; readonly position: number } | undefined;
}

export interface PacketEnd {
  readonly end: number;
  /** Where the next header begins among packed headers; 0 where there are none. */
  readonly packedEnd: number;
}

type ByteAt = (position: number) => number;

const isMarker = (byteAt: ByteAt, position: number, end: number, wanted: number): boolean =>
  position + 1 < end && byteAt(position) === wanted >> 8 && byteAt(position + 1) === (wanted & 255);

function byteOf(bytes: Uint8Array): ByteAt {
  return (position) => {
    const byte = bytes[position];
    if (byte === undefined) throw damaged('the packet headers end early');
    return byte;
  };
}

/** Reads the packet of a layer, which adds to the code-blocks of a precinct. Throws Jpeg2000Error. */
export function readPacket(
  bytes: CodeStreamBytes,
  { position: start, range, packed }: PacketPlace,
  arrays: readonly OpenBlockArray[],
  layer: number,
  blockStyle: number,
): PacketEnd {
  const byteAt = (position: number): number => {
    if (position >= range.end) throw damaged('a packet goes beyond its tile-part');
    return bytes.byteAt(position);
  };
  let position = start;
  if (isMarker(byteAt, position, range.end, marker.sop)) position += 6;
  const headerAt = packed ? byteOf(packed.bytes) : byteAt;
  const bits = new BitReader(headerAt, packed ? packed.position : position);
  const contributions = readPacketHeader(bits, arrays, layer, blockStyle);
  let end = bits.end();
  if (isMarker(headerAt, end, packed?.bytes.length ?? range.end, marker.eph)) end += 2;
  if (packed === undefined) position = end;
  for (const { segment, bytes: length } of contributions) {
    requireSound(position + length <= range.end, 'a packet goes beyond its tile-part');
    segment.bytes += length;
    if (length > 0) segment.pieces = appended(segment.pieces, { start: position, end: position + length });
    position += length;
  }
  return { end: position, packedEnd: packed ? end : 0 };
}
