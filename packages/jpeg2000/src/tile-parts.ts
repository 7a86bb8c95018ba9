/** Finds the tile-parts of a code-stream, and what their headers say (ISO 15444-1, sections A.4 and A.7). */

import type { CodeStreamBytes } from './bytes.ts';
import {
  applySegments,
  marker,
  type ProgressionVolume,
  requireDecodable,
  requireFewChanges,
  type Segment,
  type TileCoding,
} from './coding.ts';
import { requireSound } from './error.ts';
import type { Range } from './file-parts.ts';
import { type CodeStream, tileCounts } from './model.ts';
import { maxPartsOfTile, sotBytes, type TilePart, tilePartsByLengths } from './tile-part-lengths.ts';

/** What a code-stream's headers say, but for those of the tile-parts. */
export interface StreamIndex {
  readonly facts: CodeStream;
  readonly coding: TileCoding;
  /** CAP, which says that code-blocks are those of HTJ2K; it is passed on as it is. */
  readonly capabilities: Uint8Array | undefined;
  /** For each tile, its tile-parts in their order, from SOT on. */
  readonly tileParts: ReadonlyMap<number, readonly TilePart[]>;
  /** Whether the packet headers are in PPM segments; they are then those of each tile-part. */
  readonly packed: boolean;
  /** Whether each tile is there with all of its tile-parts, as far as their headers say. */
  readonly isWhole: boolean;
  /** Whether the main header says where the tile-parts are, so that only those that are read are known to be there. */
  readonly isByLengths: boolean;
}

/** How a tile is coded, and where its packets are. */
export interface TileStream {
  readonly coding: TileCoding;
  /** The packets of each tile-part. */
  readonly packets: readonly Range[];
  /** The packet headers where they are not among the packets (PPM, PPT). */
  readonly packedHeaders: Uint8Array | undefined;
  /** The lengths of all packets (PLT), in their order; undefined unless each tile-part has them. */
  readonly packetLengths: readonly number[] | undefined;
  /** Whether the file ends before the packets do. */
  readonly isCut: boolean;
}

/** More tile-parts than any encoder writes; each takes memory here. */
const maxTileParts = 2 ** 20;

/** More marker segments than the header of a tile-part has: 256 of PLT and PPT each, and some for each component. */
const maxSegments = 2048;

/** More packets of a tile than are found by their lengths: each takes memory here. */
const maxPacketLengths = 2 ** 22;

const uint32 = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;

const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** The bodies of segments of one kind, which begin with their number in one byte, in the order of these. */
function numbered(segments: readonly Segment[], wanted: number): readonly Uint8Array[] {
  return segments
    .filter((segment) => segment.marker === wanted)
    .toSorted((one, other) => (one.body[0] ?? 0) - (other.body[0] ?? 0))
    .map(({ body }) => body.subarray(1));
}

/**
 * Reads the main header, and finds the tile-parts one behind the other; of a file in parts, by the lengths in the main header (TLM) where they
 * can be right. Throws Jpeg2000Error.
 */
export function readStreamIndex(bytes: CodeStreamBytes, facts: CodeStream, isPartial = false): StreamIndex {
  const { segments } = readSegments(bytes, facts.at + 2, facts.at + facts.headerBytes, marker.sot);
  const packed = splitPackedHeaders(numbered(segments, marker.ppm));
  const coding = applySegments(segments, facts.components.length, undefined);
  requireDecodable(coding);
  const byLengths = isPartial && !packed && tilePartsByLengths(numbered(segments, marker.tlm), facts, bytes.end);
  const tileParts = byLengths || findTileParts(bytes, facts, packed);
  return {
    facts,
    coding,
    capabilities: segments.find((segment) => segment.marker === marker.cap)?.body,
    tileParts,
    packed: packed !== undefined,
    isWhole: areWhole(tileParts, facts),
    isByLengths: tileParts === byLengths,
  };
}

function areWhole(tileParts: StreamIndex['tileParts'], facts: CodeStream): boolean {
  const { columns, rows } = tileCounts(facts);
  const isWhole = (parts: readonly TilePart[]): boolean =>
    parts.every(({ isCut, count }) => !isCut && count <= parts.length);
  return tileParts.size >= columns * rows && [...tileParts.values()].every(isWhole);
}

/** The packet headers of each tile-part (section A.7.4): a length in four bytes before each. */
function splitPackedHeaders(bodies: readonly Uint8Array[]): readonly Uint8Array[] | undefined {
  if (bodies.length === 0) return undefined;
  const all = Buffer.concat(bodies);
  const parts: Uint8Array[] = [];
  for (let at = 0; at + 4 <= all.length; ) {
    const length = uint32(all, at);
    parts.push(all.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return parts;
}

function findTileParts(
  bytes: CodeStreamBytes,
  facts: CodeStream,
  packed: readonly Uint8Array[] | undefined,
): Map<number, TilePart[]> {
  const tileParts = new Map<number, TilePart[]>();
  let at = facts.at + facts.headerBytes;
  for (let count = 0; at + sotBytes <= bytes.end; count++) {
    const sot = bytes.slice(at, sotBytes);
    if (uint16(sot, 0) !== marker.sot) break;
    requireSound(count < maxTileParts, 'the code-stream has too many tile-parts');
    const length = uint32(sot, 6);
    const end = length === 0 ? bytes.end : Math.min(at + length, bytes.end);
    requireSound(length === 0 || length >= sotBytes + 2, 'a tile-part is shorter than its header');
    const packedHeaders = packed?.[count];
    const tile = uint16(sot, 4);
    const parts = tileParts.get(tile) ?? [];
    requireSound(parts.length < maxPartsOfTile, 'a tile has too many tile-parts');
    const isCut = at + length > bytes.end || !isFollowed(bytes, end);
    parts.push({ start: at, end, isCut, count: sot[11] ?? 0, ...(packedHeaders && { packedHeaders }) });
    tileParts.set(tile, parts);
    at = end;
  }
  return tileParts;
}

/** Throws Jpeg2000Error where a tile-part is not where and as the main header says. */
function requireTilePart(bytes: CodeStreamBytes, { start, end }: Range, tile: number, count: number): void {
  const sot = bytes.slice(start, sotBytes);
  const length = uint32(sot, 6);
  const isLength = length === end - start || (length === 0 && end + 2 >= bytes.end);
  const isThere = uint16(sot, 0) === marker.sot && uint16(sot, 4) === tile && isLength;
  requireSound(isThere && (sot[11] ?? 0) <= count, 'a tile-part is not where TLM says');
}

/** Whether a tile-part ends where its length says: another one follows, or EOC, or nothing. */
function isFollowed(bytes: CodeStreamBytes, end: number): boolean {
  if (end + 2 > bytes.end) return true;
  const next = uint16(bytes.slice(end, 2), 0);
  return next === marker.sot || next === marker.eoc;
}

/** The segments of a header from `at` on, and the position of the marker `last` behind them; they end before `end`. */
function readSegments(bytes: CodeStreamBytes, start: number, end: number, last: number) {
  const segments: Segment[] = [];
  let at = start;
  for (;;) {
    const found = uint16(bytes.slice(at, 2), 0);
    if (found === last) return { segments, at };
    const length = uint16(bytes.slice(at + 2, 2), 0);
    requireSound(segments.length < maxSegments, 'a header has too many segments');
    requireSound(found >= 0xff00 && length >= 2 && at + 2 + length <= end, 'a header is cut short');
    segments.push({ marker: found, body: Uint8Array.from(bytes.slice(at + 4, length - 2)) });
    at += 2 + length;
  }
}

/** Packet lengths of seven bits a byte, the highest first; the eighth bit says that more follow (table A.36). */
function parsePacketLengths(body: Uint8Array): readonly number[] {
  const lengths: number[] = [];
  let value = 0;
  for (const byte of body) {
    value = value * 128 + (byte & 127);
    if (byte & 128) continue;
    lengths.push(value);
    value = 0;
  }
  return lengths;
}

const countIn = (lists: readonly (readonly number[])[]): number => lists.reduce((sum, { length }) => sum + length, 0);

/** Reads the tile-part headers of a tile. Throws Jpeg2000Error, also where the code-stream has none of it. */
export function readTileStream(bytes: CodeStreamBytes, index: StreamIndex, tile: number): TileStream {
  const parts = index.tileParts.get(tile);
  requireSound(parts !== undefined, 'a tile is missing');
  let { coding } = index;
  let lengths: (readonly number[])[] | undefined = [];
  const changes: ProgressionVolume[] = [];
  const packets: Range[] = [];
  const packed: Uint8Array[] = [];
  for (const part of parts) {
    if (index.isByLengths) requireTilePart(bytes, part, tile, parts.length);
    const header = readSegments(bytes, part.start + sotBytes, part.end, marker.sod);
    const range = { start: header.at + 2, end: Math.max(header.at + 2, part.end) };
    const applied = applySegments(header.segments, index.facts.components.length, coding);
    // Those of a tile stand in place of those of the main header; further tile-parts add to them (section A.6.6).
    if (applied !== coding) requireDecodable(applied);
    if (applied.changes !== coding.changes) changes.push(...applied.changes);
    requireFewChanges(changes);
    coding = changes.length > 0 ? { ...applied, changes } : applied;
    packets.push(range);
    const own = numbered(header.segments, marker.ppt);
    packed.push(...own, ...(part.packedHeaders ? [part.packedHeaders] : []));
    const found = numbered(header.segments, marker.plt);
    if (found.length === 0 && range.end > range.start) lengths = undefined;
    lengths?.push(...found.map(parsePacketLengths));
    if (lengths && countIn(lengths) > maxPacketLengths) lengths = undefined;
  }
  const isCut = parts.some((part) => part.isCut);
  const packedHeaders = packed.length > 0 || index.packed ? Buffer.concat(packed) : undefined;
  return { coding, packets, packedHeaders, packetLengths: packedHeaders ? undefined : lengths?.flat(), isCut };
}
