/** Finds tile-parts by their lengths in the main header (TLM; ISO 15444-1, section A.7.1). */

import type { Range } from './file-parts.ts';
import { type CodeStream, tileCounts } from './model.ts';

export interface TilePart extends Range {
  /** The packet headers that the main header has for this tile-part (PPM). */
  readonly packedHeaders?: Uint8Array;
  /** Whether the file ends before the tile-part does. */
  readonly isCut: boolean;
  /** How many the tile has (TNsot); 0 where its header does not say. */
  readonly count: number;
}

/** SOT with its marker. */
export const sotBytes = 12;

/** The most tile-parts of one tile (section A.4.2: TNsot has 8 bits). */
export const maxPartsOfTile = 255;

/** More tile-parts than these are not found by their lengths: each takes memory here. */
const maxTileParts = 2 ** 16;

const numberAt = (bytes: Uint8Array, at: number, length: number): number =>
  bytes.subarray(at, at + length).reduce((number, byte) => number * 256 + byte, 0);

/** Tile and length of each tile-part; undefined where a segment has no whole number of them. Bodies are without their number, Ztlm. */
function parseLengths(bodies: readonly Uint8Array[]): readonly (readonly [tile: number, length: number])[] | undefined {
  const found: [number, number][] = [];
  for (const body of bodies) {
    const style = body[0] ?? 0;
    const tileBytes = (style >> 4) & 3;
    const lengthBytes = style & 0x40 ? 4 : 2;
    const entryBytes = tileBytes + lengthBytes;
    const count = (body.length - 1) / entryBytes;
    if (tileBytes > 2 || !Number.isInteger(count) || found.length + count > maxTileParts) return undefined;
    for (let at = 1; at < body.length; at += entryBytes) {
      // Without an index, tiles have one tile-part each, in their order.
      const tile = tileBytes === 0 ? found.length : numberAt(body, at, tileBytes);
      found.push([tile, numberAt(body, at + tileBytes, lengthBytes)]);
    }
  }
  return found;
}

/** Where all tile-parts are; undefined where there are no lengths, or they do not fill the code-stream up to EOC with all of its tiles. */
export function tilePartsByLengths(
  bodies: readonly Uint8Array[],
  facts: CodeStream,
  end: number,
): Map<number, TilePart[]> | undefined {
  const { columns, rows } = tileCounts(facts);
  const tileParts = new Map<number, TilePart[]>();
  let at = facts.at + facts.headerBytes;
  for (const [tile, length] of parseLengths(bodies) ?? []) {
    const parts = tileParts.get(tile) ?? [];
    if (length < sotBytes + 2 || tile >= columns * rows || parts.length >= maxPartsOfTile) return undefined;
    parts.push({ start: at, end: at + length, isCut: false, count: 0 });
    tileParts.set(tile, parts);
    at += length;
  }
  const left = end - at;
  return tileParts.size === columns * rows && (left === 0 || left === 2) ? tileParts : undefined;
}
