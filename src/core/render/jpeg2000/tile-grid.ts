/** The tiles that a region touches, and which of them can be decoded together. */
import type { Size } from '../../image/model/geometry.ts';
import { type CodeStream, tileCounts } from '../../image/model/jpeg2000.ts';
import { joinedSide } from '../../image/plan/jpeg2000-decoding.ts';
import { type Box, uniteBoxes } from './tile-geometry.ts';

/** Columns and rows of the tile grid. */
export type Cells = Box;

/** Maximum number of tiles in a row and in a column whose packets are held at once. */
const maxJoined = 16;

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** The cells that samples of components touch; a sample is of the tile in which its point of the reference grid is. */
export function touchedCells(facts: CodeStream, boxes: ReadonlyMap<number, Box>, reduction: number): Cells {
  const { tile, components } = facts;
  const { columns, rows } = tileCounts(facts);
  const factor = 2 ** reduction;
  return uniteBoxes(
    [...boxes].map(([component, { left, top, right, bottom }]) => {
      const { dx, dy } = components[component] ?? { dx: 1, dy: 1 };
      const column = (x: number): number => clamp(Math.floor((x * factor * dx - tile.x) / tile.width), columns - 1);
      const row = (y: number): number => clamp(Math.floor((y * factor * dy - tile.y) / tile.height), rows - 1);
      return { left: column(left), top: row(top), right: column(right - 1) + 1, bottom: row(bottom - 1) + 1 };
    }),
  );
}

/** How many tiles can be decoded together along each axis: one where cells have no whole number of samples after the reduction. */
function joinable({ tile, components }: CodeStream, reduction: number): Size {
  const [{ dx, dy }] = components;
  const [across, down] = [dx * 2 ** reduction, dy * 2 ** reduction];
  const areAlike = components.every((component) => component.dx === dx && component.dy === dy);
  const areWhole =
    [tile.x, tile.width].every((x) => x % across === 0) && [tile.y, tile.height].every((y) => y % down === 0);
  if (!areAlike || !areWhole) return { width: 1, height: 1 };
  const count = (side: number): number => Math.max(1, Math.min(maxJoined, Math.floor(joinedSide / side)));
  return { width: count(tile.width / across), height: count(tile.height / down) };
}

function* spans(start: number, end: number, length: number): Generator<readonly [number, number]> {
  for (let at = start; at < end; at += length) yield [at, Math.min(at + length, end)];
}

/** Divides cells into groups of which each can be decoded together, if its tiles are coded alike. */
export function* groupCells(facts: CodeStream, cells: Cells, reduction: number): Generator<Cells> {
  const { width, height } = joinable(facts, reduction);
  for (const [top, bottom] of spans(cells.top, cells.bottom, height))
    for (const [left, right] of spans(cells.left, cells.right, width)) yield { left, top, right, bottom };
}

/** The tiles of cells, row by row. */
export function tilesIn(facts: CodeStream, { left, top, right, bottom }: Cells): readonly number[] {
  const { columns } = tileCounts(facts);
  const width = right - left;
  return Array.from(
    { length: width * (bottom - top) },
    (_, index) => (top + Math.floor(index / width)) * columns + left + (index % width),
  );
}

/** The first cell on the reference grid, with what of it is outside of the image. */
export function firstCell({ tile }: CodeStream, { left: column, top: row }: Cells): Box {
  const [left, top] = [tile.x + column * tile.width, tile.y + row * tile.height];
  return { left, top, right: left + tile.width, bottom: top + tile.height };
}
