/** What the decoder of JPEG 2000 has to decode for a rendering: whole code-blocks of all subbands, tile by tile. */
import type { Size } from '../model/geometry.ts';
import { type CodeStream, finestStep, reducedRect, tileCounts } from '../model/jpeg2000.ts';
import type { Render } from './plan-types.ts';

/** How many of a resolution’s samples a sample beside them depends on, in the 9-7 transform (ISO 15444-1, section F.3.8). */
const filterReach = 3;

/** One axis of what is decoded, in pixels of the level. */
interface DecodedAxis {
  /** Of the part of one tile that is decoded at once, at most. */
  readonly atOnce: number;
  /** Of all tiles together. */
  readonly total: number;
  /** Of the code-blocks alone that the pixels depend on; the rest of what is transformed is empty. */
  readonly coded: number;
}

interface Span {
  /** What is read, in pixels from the level’s own origin on the reduced grid. */
  readonly start: number;
  readonly length: number;
  /** The level’s first pixel on the reduced grid, and its length. */
  readonly origin: number;
  readonly level: number;
  /** A tile’s length in the level; infinite where there is one tile. */
  readonly tile: number;
  /** A code-block’s side in samples. */
  readonly block: number;
}

/** Up to the edges of the code-blocks of the smallest resolution, as all larger ones have edges there too. */
function decodedAxis({ start, length, origin, level, tile, block }: Span, halvings: number): DecodedAxis {
  const reach = filterReach * (2 ** (halvings + 1) - 2);
  const unit = block * 2 ** halvings;
  const first = Math.max(origin, Math.floor((origin + start - reach) / unit) * unit);
  const end = Math.min(origin + level, Math.ceil((origin + start + length + reach) / unit) * unit);
  // In tiles, the decoded part ends at the last edge of the tiles that are touched.
  const touched = Math.min(level, (Math.ceil(length / tile) + 1) * tile);
  const total = Math.min(end - first, touched);
  return { atOnce: Math.min(total, tile), total, coded: Math.min(total, length + 2 * block) };
}

/** The decoded pixels of a rendering. */
export interface DecodedArea {
  /** Of the part of one tile that is decoded at once, at most. */
  readonly atOnce: number;
  readonly total: number;
  /** Those whose code-blocks are decoded. */
  readonly coded: number;
}

/** A tile’s size in pixels of a level after `reduction` halvings; infinite where there is one tile. */
function tileSize(codeStream: CodeStream, reduction: number): Size {
  const { columns, rows } = tileCounts(codeStream);
  const { dx, dy } = finestStep(codeStream);
  const factor = 2 ** reduction;
  const length = (count: number, side: number): number =>
    count > 1 ? Math.ceil(side / factor) : Number.POSITIVE_INFINITY;
  return { width: length(columns, codeStream.tile.width / dx), height: length(rows, codeStream.tile.height / dy) };
}

/** The area that is decoded for a rendering; undefined where it is not of a JPEG 2000 file. */
export function decodedArea({ jpeg2000, location, read, level }: Render): DecodedArea | undefined {
  if (jpeg2000 === undefined || location.kind !== 'reduction') return undefined;
  const { codeStream } = jpeg2000;
  const { reduction } = location;
  const halvings = Math.max(0, codeStream.reductions - reduction);
  const { x, y } = reducedRect(codeStream.area, finestStep(codeStream), reduction);
  const { width, height } = tileSize(codeStream, reduction);
  const rect = read ?? { x: 0, y: 0, ...level };
  const { block } = codeStream;
  const across = decodedAxis(
    { start: rect.x, length: rect.width, origin: x, level: level.width, tile: width, block: block.width },
    halvings,
  );
  const down = decodedAxis(
    { start: rect.y, length: rect.height, origin: y, level: level.height, tile: height, block: block.height },
    halvings,
  );
  return {
    atOnce: across.atOnce * down.atOnce,
    total: across.total * down.total,
    coded: across.coded * down.coded,
  };
}
