/** The light table: images, details of images and notes at free places, in millimeters, and what is done with them. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { normalizedDegrees } from '../address/view-query.ts';
import { boxAround, centerOf, cosineAndSine } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';

/** Where something lies: its center and its width before it is turned, in mm; clockwise degrees. */
export interface Place extends Point {
  readonly width: number;
  readonly rotation: number;
  /** Things with the same number are moved together; 0 for none. */
  readonly group: number;
}

/** What a table shows of an image. */
export interface Source {
  readonly path: string;
  /** The detail, in fractions of the image; null for the whole image. */
  readonly region: Rect | null;
}

export interface TableImage extends Place, Source {
  readonly kind: 'image';
  readonly key: number;
}

export interface TableNote extends Place {
  readonly kind: 'note';
  readonly key: number;
  readonly text: string;
}

/** The key tells things apart as long as the table is open. */
export type TableItem = TableImage | TableNote;

/** What is seen of the table: the center and the width of the window in mm. */
export interface TableView extends Point {
  readonly width: number;
}

export interface LightTable {
  /** From the lowest one to the one on top. */
  readonly items: readonly TableItem[];
  /** What is to be laid beside the others as soon as its size is known. */
  readonly waiting: readonly Source[];
  /** Undefined for all that lies there. */
  readonly view: TableView | undefined;
}

export const emptyTable: LightTable = { items: [], waiting: [], view: undefined };

/** The most images and notes of a table. */
export const maxItems = 100;

/** Limits of widths and of distances from the center of the table, in mm. */
export const widths = { min: 2, max: 20_000 } as const;
export const farthest = 50_000;

/** The height of something divided by its width. */
export type RatioOf = (item: TableItem) => number;

type Items = readonly TableItem[];
export type Keys = ReadonlySet<number>;

const clamped = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

const tenth = (value: number): number => Math.round(value * 10) / 10 + 0;

/** A place as an address has it. */
export const tidied = <Item extends Place>(item: Item): Item => ({
  ...item,
  x: tenth(clamped(item.x, -farthest, farthest)),
  y: tenth(clamped(item.y, -farthest, farthest)),
  width: tenth(clamped(item.width, widths.min, widths.max)),
  rotation: normalizedDegrees(tenth(item.rotation)),
});

const turnedBy = ({ x, y }: Point, degrees: number): Point => {
  const [cosine, sine] = cosineAndSine(degrees);
  return { x: x * cosine - y * sine, y: x * sine + y * cosine };
};

/** The corners of something as it lies there. */
export function cornersOn(item: TableItem, ratio: number): readonly Point[] {
  const [right, below] = [item.width / 2, (item.width * ratio) / 2];
  return [
    { x: -right, y: -below },
    { x: right, y: -below },
    { x: right, y: below },
    { x: -right, y: below },
  ].map((corner) => {
    const { x, y } = turnedBy(corner, item.rotation);
    return { x: item.x + x, y: item.y + y };
  });
}

/** The upright box around things; undefined around none. */
export const boundsOf = (items: Items, ratioOf: RatioOf): Rect | undefined =>
  boxAround(items.flatMap((item) => cornersOn(item, ratioOf(item))));

/** The point of the unturned item, from -0.5 to 0.5 of its sides, where a point of the table is. */
export function pointInside(item: TableItem, ratio: number, point: Point): Point {
  const { x, y } = turnedBy({ x: point.x - item.x, y: point.y - item.y }, -item.rotation);
  return { x: x / item.width, y: y / (item.width * ratio) };
}

export const chosen = (items: Items, keys: Keys): Items => items.filter(({ key }) => keys.has(key));

/** With all that is grouped with one of them. */
export function withGroups(items: Items, keys: Keys): Keys {
  const groups = new Set(chosen(items, keys).flatMap(({ group }) => (group === 0 ? [] : [group])));
  return new Set(items.flatMap(({ key, group }) => (keys.has(key) || groups.has(group) ? [key] : [])));
}

const changed = (items: Items, keys: Keys, change: (item: TableItem) => TableItem): Items =>
  items.map((item) => (keys.has(item.key) ? change(item) : item));

export const moved = (items: Items, keys: Keys, by: Point): Items =>
  changed(items, keys, (item) => ({ ...item, x: item.x + by.x, y: item.y + by.y }));

/** The center of what is chosen, around which it is turned and scaled; the center of the item itself for one. */
export function pivotOf(items: Items, keys: Keys, ratioOf: RatioOf): Point {
  const all = chosen(items, keys);
  const [only] = all;
  if (only !== undefined && all.length === 1) return { x: only.x, y: only.y };
  const box = boundsOf(all, ratioOf);
  return box === undefined ? { x: 0, y: 0 } : centerOf(box);
}

/** Notes move with what is turned, but stay upright, to be read. */
export const turned = (items: Items, keys: Keys, degrees: number, around: Point): Items =>
  changed(items, keys, (item) => {
    const { x, y } = turnedBy({ x: item.x - around.x, y: item.y - around.y }, degrees);
    const rotation = item.kind === 'note' ? 0 : normalizedDegrees(item.rotation + degrees);
    return { ...item, x: around.x + x, y: around.y + y, rotation };
  });

/** The nearest factor by which none of them gets too small or too large. */
function possibleFactor(items: Items, keys: Keys, factor: number): number {
  const all = chosen(items, keys).map(({ width }) => width);
  return clamped(factor, widths.min / Math.min(...all), widths.max / Math.max(...all));
}

export function scaled(items: Items, keys: Keys, factor: number, around: Point): Items {
  const by = possibleFactor(items, keys, factor);
  return changed(items, keys, (item) => ({
    ...item,
    x: around.x + (item.x - around.x) * by,
    y: around.y + (item.y - around.y) * by,
    width: item.width * by,
  }));
}

/** Each gets the width that is known of it, in mm, around its own center; the others stay as they are. */
export const atWidths = (items: Items, keys: Keys, widthOf: (item: TableItem) => number | undefined): Items =>
  changed(items, keys, (item) => ({ ...item, width: clamped(widthOf(item) ?? item.width, widths.min, widths.max) }));

/** Lays them over or under all others, in their order. */
export function stacked(items: Items, keys: Keys, where: 'front' | 'back'): Items {
  const [own, others] = [chosen(items, keys), items.filter(({ key }) => !keys.has(key))];
  return where === 'front' ? [...others, ...own] : [...own, ...others];
}

/** Makes one group of them, which needs two. */
export function grouped(items: Items, keys: Keys): Items {
  if (chosen(items, keys).length < 2) return items;
  const used = new Set(items.filter(({ key }) => !keys.has(key)).map(({ group }) => group));
  const group = Array.from({ length: maxItems }, (_, at) => at + 1).find((number) => !used.has(number)) ?? 0;
  return changed(items, keys, (item) => ({ ...item, group }));
}

export const ungrouped = (items: Items, keys: Keys): Items => changed(items, keys, (item) => ({ ...item, group: 0 }));

/** Takes things away; a group of which one is left is none. */
export function without(items: Items, keys: Keys): Items {
  const left = items.filter(({ key }) => !keys.has(key));
  const isAlone = ({ group }: TableItem): boolean => left.filter((one) => one.group === group).length < 2;
  return left.map((item) => (item.group !== 0 && isAlone(item) ? { ...item, group: 0 } : item));
}

export const withText = (items: Items, key: number, text: string): Items =>
  items.map((item) => (item.key === key && item.kind === 'note' ? { ...item, text } : item));

export const nextKey = (items: Items): number => Math.max(0, ...items.map(({ key }) => key)) + 1;

export type Direction = 'left' | 'right' | 'up' | 'down';

const directions: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

export const stepTo = (direction: Direction, length: number): Point => ({
  x: directions[direction].x * length,
  y: directions[direction].y * length,
});

/** The nearest one whose center is on this side of another's; undefined where there is none. */
export function nearest(items: Items, from: TableItem, direction: Direction): TableItem | undefined {
  const to = directions[direction];
  const distances = items.flatMap((item): readonly (readonly [number, TableItem])[] => {
    const [x, y] = [item.x - from.x, item.y - from.y];
    const along = x * to.x + y * to.y;
    const aside = Math.abs(x * to.y) + Math.abs(y * to.x);
    // What lies more to the side than in the direction is found by another key.
    return item.key === from.key || along <= 0 || aside > along * 2 ? [] : [[along + aside * 2, item]];
  });
  return distances.toSorted(([one], [other]) => one - other)[0]?.[1];
}

/** How many mm a CSS pixel is, so that a box is seen whole in a window of CSS pixels, with a margin. */
export const millimetersPerPixel = ({ width, height }: Size, window: Size): number =>
  1.12 * Math.max(width / Math.max(1, window.width), height / Math.max(1, window.height));
