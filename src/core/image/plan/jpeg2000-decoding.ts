/** What the decoder of JPEG 2000 has to decode for a rendering: whole code-blocks of all subbands, tile by tile. */
import {
  type CodeStream,
  filterReach,
  finestStep,
  joinedSide,
  reducedRect,
  tileCounts,
  unitSide,
} from '@lectern/jpeg2000/model';
import type { Render } from './plan-types.ts';

/** One axis of what is decoded, in pixels of the level. */
interface DecodedAxis {
  /** Of the part of one tile that is decoded at once, at most. */
  readonly atOnce: number;
  /** Of all parts together, which overlap. */
  readonly total: number;
  /** Of the code-blocks alone that the pixels depend on; the rest of what is transformed is empty. */
  readonly coded: number;
  /** Number of tiles that are touched. */
  readonly tiles: number;
}

interface Span {
  /** What is read, in pixels from the level’s own origin on the reduced grid. */
  readonly start: number;
  readonly length: number;
  /** The level’s first pixel on the reduced grid, and its length. */
  readonly origin: number;
  readonly level: number;
  readonly grid: AxisGrid;
  /** A code-block’s side in samples. */
  readonly block: number;
}

interface AxisGrid {
  /** Number of tiles. */
  readonly count: number;
  /** A tile’s length on the reference grid, and in the level. */
  readonly side: number;
  readonly length: number;
  /** Where the first tile begins on the reduced grid. */
  readonly start: number;
}

/** Number of tiles that a span touches. */
function touchedTiles({ start, length, origin, grid }: Span): number {
  const indexAt = (position: number): number => Math.floor((origin + position - grid.start) / grid.length);
  return Math.min(grid.count, indexAt(start + length - 1) - indexAt(start) + 1);
}

/** Lengths of a level up to edges that the code-blocks of all its subbands have: those of the smallest resolution. */
function cropper({ origin, level, block }: Span, halvings: number): (from: number, to: number) => number {
  const reach = filterReach * (2 ** (halvings + 1) - 2);
  const unit = block * 2 ** halvings;
  return (from, to) => {
    const first = Math.max(origin, Math.floor((from - reach) / unit) * unit);
    return Math.min(origin + level, Math.ceil((to + reach) / unit) * unit) - first;
  };
}

/** A span is divided in the middle between multiples of the parts’ side, so that a part crosses one of these edges at most. */
function decodedAxis(span: Span, halvings: number): DecodedAxis {
  const { start, length, origin, level, grid, block } = span;
  const crop = cropper(span, halvings);
  const side = unitSide(block, halvings);
  const [from, to] = [origin + start, origin + start + length];
  const coded = Math.min(level, length + 2 * block);
  if (grid.count > 1) {
    const tiles = touchedTiles(span);
    const total = Math.min(crop(from, to), level, tiles * grid.length);
    const atOnce = Math.min(total, Math.max(grid.length, joinedSide), 2 * side);
    return { atOnce, total, coded: Math.min(total, coded), tiles };
  }
  const firstCut = (Math.floor(from / side + 0.5) + 0.5) * side;
  if (firstCut >= to) return { atOnce: crop(from, to), total: crop(from, to), coded, tiles: 1 };
  const lastCut = (Math.ceil(to / side - 0.5) - 0.5) * side;
  const between = Math.round((lastCut - firstCut) / side);
  const [first, middle, last] = [crop(from, firstCut), crop(firstCut, firstCut + side), crop(lastCut, to)];
  const total = first + between * middle + last;
  return { atOnce: Math.max(first, between > 0 ? middle : 0, last), total, coded, tiles: 1 };
}

/** What is decoded for a rendering, in pixels of its level. */
export interface DecodedArea {
  /** Of the part of one tile that is decoded at once, at most. */
  readonly atOnce: number;
  /** Of all parts together, which overlap. */
  readonly total: number;
  /** Those whose code-blocks are decoded. */
  readonly coded: number;
  /** Number of tiles that are touched. */
  readonly tiles: number;
  /** Number of code-blocks, or of precincts if these are more, that one of these tiles has in all components and resolutions: all have to be found. */
  readonly tileBlocks: number;
  /** The same of the resolutions whose packets have to be read. */
  readonly readBlocks: number;
}

interface TileGrid {
  readonly across: AxisGrid;
  readonly down: AxisGrid;
}

/** The tile grid along both axes, after `reduction` halvings. */
function tileGrid(codeStream: CodeStream, reduction: number): TileGrid {
  const { tile, area } = codeStream;
  const { columns, rows } = tileCounts(codeStream);
  const { dx, dy } = finestStep(codeStream);
  const axis = (count: number, at: number, tileSide: number, areaSide: number, step: number): AxisGrid => {
    const side = Math.min(tileSide, areaSide);
    const scale = step * 2 ** reduction;
    return { count, side, length: Math.ceil(side / scale), start: Math.ceil(at / scale) };
  };
  return {
    across: axis(columns, tile.x, tile.width, area.width, dx),
    down: axis(rows, tile.y, tile.height, area.height, dy),
  };
}

/** Precincts of a tile without its `leftOut` largest resolutions; they can be as small as a sample. */
function precinctCount(
  { precincts = [], components }: CodeStream,
  { across, down }: TileGrid,
  leftOut: number,
): number {
  const counts = precincts.slice(0, Math.max(1, precincts.length - leftOut)).map(({ width, height }, resolution) => {
    const halved = 2 ** (precincts.length - 1 - resolution);
    return Math.ceil(across.side / halved / width) * Math.ceil(down.side / halved / height);
  });
  return counts.reduce((sum, count) => sum + count, 0) * components.length;
}

/** Code-blocks of a tile without its `leftOut` largest resolutions, or precincts if these are more. */
function blockCount(codeStream: CodeStream, grid: TileGrid, leftOut: number): number {
  const { block, components } = codeStream;
  const samples = (grid.across.side * grid.down.side * components.length) / 4 ** leftOut;
  return Math.max(samples / (block.width * block.height), precinctCount(codeStream, grid, leftOut));
}

/** How many of the largest resolutions are not read for a reduction: their packets come last, or before some that are needed. */
const unreadResolutions = ({ progression, layers }: CodeStream, reduction: number): number =>
  progression === 'RLCP' || progression === 'RPCL' || (progression === 'LRCP' && layers === 1) ? reduction : 0;

/** What is decoded for a rendering; undefined where it is not of a JPEG 2000 file. */
export function decodedArea({ jpeg2000, location, read, level }: Render): DecodedArea | undefined {
  if (jpeg2000 === undefined || location.kind !== 'reduction') return undefined;
  const { codeStream } = jpeg2000;
  const { reduction } = location;
  const halvings = Math.max(0, codeStream.reductions - reduction);
  const origin = reducedRect(codeStream.area, finestStep(codeStream), reduction);
  const grid = tileGrid(codeStream, reduction);
  const { block } = codeStream;
  const { x, y, width, height } = read ?? { x: 0, y: 0, ...level };
  const across = decodedAxis(
    { start: x, length: width, origin: origin.x, level: level.width, grid: grid.across, block: block.width },
    halvings,
  );
  const down = decodedAxis(
    { start: y, length: height, origin: origin.y, level: level.height, grid: grid.down, block: block.height },
    halvings,
  );
  return {
    atOnce: across.atOnce * down.atOnce,
    total: across.total * down.total,
    coded: across.coded * down.coded,
    tiles: across.tiles * down.tiles,
    tileBlocks: blockCount(codeStream, grid, 0),
    readBlocks: blockCount(codeStream, grid, unreadResolutions(codeStream, reduction)),
  };
}
