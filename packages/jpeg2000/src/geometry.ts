/** The parts of a tile (its resolutions, subbands, precincts, code-blocks), and the tiles that a region touches (ISO 15444-1, annex B). */

import type { ComponentCoding } from './coding.ts';
import { type CodeStream, joinedSide, type Rect, type Size, tileCounts } from './model.ts';

/** A rectangle by its edges; `right` and `bottom` are exclusive. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A subband of a resolution. */
export interface Band {
  /** 0 for the low, 1 for the high frequencies along x; likewise along y. */
  readonly highX: 0 | 1;
  readonly highY: 0 | 1;
  /** How often its samples were halved. */
  readonly level: number;
  /** In samples of the subband. */
  readonly box: Box;
}

/** A resolution of a tile's component. */
export interface Resolution {
  /** In samples of the resolution. */
  readonly box: Box;
  /** Exponents of the sides of its precincts. */
  readonly precinctWidth: number;
  readonly precinctHeight: number;
  /** The precincts, counted from those that hold the upper left corner. */
  readonly columns: number;
  readonly rows: number;
  /** Exponents of the sides of its code-blocks, which are no larger than the precinct’s part of a subband. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly bands: readonly Band[];
}

export const ceilDiv = (value: number, divisor: number): number => Math.ceil(value / divisor);

/** All edges divided, rounded up. */
export const divideBox = ({ left, top, right, bottom }: Box, x: number, y = x): Box => ({
  left: ceilDiv(left, x),
  top: ceilDiv(top, y),
  right: ceilDiv(right, x),
  bottom: ceilDiv(bottom, y),
});

/** With so many more samples on each side. */
export const growBox = ({ left, top, right, bottom }: Box, x: number, y = x): Box => ({
  left: left - x,
  top: top - y,
  right: right + x,
  bottom: bottom + y,
});

export const areaOf = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);

export const isEmpty = ({ left, top, right, bottom }: Box): boolean => right <= left || bottom <= top;

export const intersectBoxes = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

/** The smallest box around boxes. */
export const uniteBoxes = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

export const contains = (outer: Box, inner: Box): boolean =>
  inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom;

export const boxOf = ({ x, y, width, height }: Rect): Box => ({
  left: x,
  top: y,
  right: x + width,
  bottom: y + height,
});

/** A tile on the reference grid, cut at the image’s edges (section B.3). */
export function tileBox(facts: Pick<CodeStream, 'area' | 'tile'>, index: number): Box {
  const { columns } = tileCounts(facts);
  const { tile } = facts;
  const left = tile.x + (index % columns) * tile.width;
  const top = tile.y + Math.floor(index / columns) * tile.height;
  return intersectBoxes({ left, top, right: left + tile.width, bottom: top + tile.height }, boxOf(facts.area));
}

/** The samples of a subband (equation B-15). */
function bandBox(component: Box, level: number, highX: number, highY: number): Box {
  const size = 2 ** level;
  const x = highX * 2 ** (level - 1);
  const y = highY * 2 ** (level - 1);
  const { left, top, right, bottom } = component;
  return divideBox({ left: left - x, top: top - y, right: right - x, bottom: bottom - y }, size);
}

/** The order of the subbands of a resolution: HL, LH, HH. */
const highBands = [
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

function bandsOf(component: Box, levels: number, resolution: number): readonly Band[] {
  const level = levels - Math.max(0, resolution - 1);
  if (resolution === 0) return [{ highX: 0, highY: 0, level: levels, box: divideBox(component, 2 ** levels) }];
  return highBands.map(([highX, highY]) => ({ highX, highY, level, box: bandBox(component, level, highX, highY) }));
}

/** The smallest resolutions of a tile’s component, or all; the smallest first. `component` is its box in its own samples. */
export function resolutionsOf(
  component: Box,
  coding: ComponentCoding,
  count = coding.levels + 1,
): readonly Resolution[] {
  return coding.precincts.slice(0, count).map(({ width: precinctWidth, height: precinctHeight }, resolution) => {
    const box = divideBox(component, 2 ** (coding.levels - resolution));
    const halved = resolution === 0 ? 0 : 1;
    const [width, height] = [2 ** precinctWidth, 2 ** precinctHeight];
    return {
      box,
      precinctWidth,
      precinctHeight,
      columns: box.right > box.left ? ceilDiv(box.right, width) - Math.floor(box.left / width) : 0,
      rows: box.bottom > box.top ? ceilDiv(box.bottom, height) - Math.floor(box.top / height) : 0,
      blockWidth: Math.min(coding.blockWidth, precinctWidth - halved),
      blockHeight: Math.min(coding.blockHeight, precinctHeight - halved),
      bands: bandsOf(component, coding.levels, resolution),
    };
  });
}

/** A precinct’s samples in one of its subbands: empty where it has none there. */
export function precinctBand(resolution: Resolution, index: number, band: Band): Box {
  const halved = band.highX + band.highY > 0 ? 1 : 0;
  const column = Math.floor(resolution.box.left / 2 ** resolution.precinctWidth) + (index % resolution.columns);
  const row = Math.floor(resolution.box.top / 2 ** resolution.precinctHeight) + Math.floor(index / resolution.columns);
  const width = 2 ** (resolution.precinctWidth - halved);
  const height = 2 ** (resolution.precinctHeight - halved);
  const whole = { left: column * width, top: row * height, right: (column + 1) * width, bottom: (row + 1) * height };
  return intersectBoxes(whole, band.box);
}

/** The code-blocks of a part of a subband: the box that they cover in units of code-blocks; empty for an empty part. */
export function blockGrid(part: Box, { blockWidth, blockHeight }: Resolution): Box {
  if (isEmpty(part)) return { left: 0, top: 0, right: 0, bottom: 0 };
  const [width, height] = [2 ** blockWidth, 2 ** blockHeight];
  return {
    left: Math.floor(part.left / width),
    top: Math.floor(part.top / height),
    right: ceilDiv(part.right, width),
    bottom: ceilDiv(part.bottom, height),
  };
}

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
