/**
 * Edits lists of marks and rectangles, and keeps them on the image. The number of an item is its position, so those after a
 * removed one change.
 */
import type { MarkedRegion, Point, Rect } from '../view-state.ts';

interface Described {
  readonly text?: string;
  readonly tags?: readonly string[];
  readonly color?: string;
}

type Positioned = Point & Described;

export const append = <Item>(items: readonly Item[], item: Item): readonly Item[] => [...items, item];

/** Positions count from 0. The same list if there is no such item. */
export const removeAt = <Item>(items: readonly Item[], at: number): readonly Item[] =>
  items[at] === undefined ? items : items.filter((_, index) => index !== at);

export const removeLast = <Item>(items: readonly Item[]): readonly Item[] => items.slice(0, -1);

export const replaceAt = <Item>(items: readonly Item[], at: number, change: (item: Item) => Item): readonly Item[] =>
  items.map((item, index) => (index === at ? change(item) : item));

/** Swaps an item with the one before or after it; the same list if there is none. */
export function renumber<Item>(items: readonly Item[], at: number, by: 1 | -1): readonly Item[] {
  const [one, other] = [items[at], items[at + by]];
  if (one === undefined || other === undefined) return items;
  return items.map((item, index) => (index === at ? other : index === at + by ? one : item));
}

export const moveTo = <Item extends Positioned>(items: readonly Item[], at: number, { x, y }: Point): readonly Item[] =>
  replaceAt(items, at, (item) => ({ ...item, x, y }));

/** The item without a member, or with another value of it. */
function withMember<Item extends Described>(item: Item, name: keyof Described, value: unknown): Item {
  const { [name]: _, ...rest } = item;
  return (value === undefined ? rest : { ...rest, [name]: value }) as Item;
}

/** Sets the text of an item; an empty one removes it. */
export const describeAt = <Item extends Described>(items: readonly Item[], at: number, text: string): readonly Item[] =>
  replaceAt(items, at, (item) => withMember(item, 'text', text.trim() || undefined));

/** As many as are read back from a file (`parseAnnotations`). */
export const maxTags = 50;

/** Adds tags to those of an item, each once; commas part them. The same list where nothing is new. */
export function tagAt<Item extends Described>(items: readonly Item[], at: number, typed: string): readonly Item[] {
  const before = items[at]?.tags ?? [];
  const added = typed.split(/[,;\n]/).map((tag) => tag.replace(/\s+/g, ' ').trim());
  const tags = [...new Set([...before, ...added.filter((tag) => tag !== '')])].slice(0, maxTags);
  return tags.length === before.length ? items : replaceAt(items, at, (item) => withMember(item, 'tags', tags));
}

export const untagAt = <Item extends Described>(items: readonly Item[], at: number, tag: string): readonly Item[] =>
  replaceAt(items, at, (item) => {
    const tags = (item.tags ?? []).filter((one) => one !== tag);
    return withMember(item, 'tags', tags.length === 0 ? undefined : tags);
  });

/** Sets the color of an item's lines, as CSS writes colors; undefined for the usual one. */
export const colorAt = <Item extends Described>(
  items: readonly Item[],
  at: number,
  color: string | undefined,
): readonly Item[] => replaceAt(items, at, (item) => withMember(item, 'color', color));

export const rectangleBetween = (one: Point, other: Point): MarkedRegion => ({
  x: Math.min(one.x, other.x),
  y: Math.min(one.y, other.y),
  width: Math.abs(one.x - other.x),
  height: Math.abs(one.y - other.y),
});

export type HitTarget = 'image' | 'beside' | 'nowhere';

const isBetween = (value: number, from: number, to: number): boolean => value >= from && value <= to;

const clampFraction = (value: number): number => Math.min(Math.max(value, 0), 1);

export const nearestOnImage = ({ x, y }: Point): Point => ({ x: clampFraction(x), y: clampFraction(y) });

/** In fractions of the main image; `spread` is the extent of both pages, `slack` the tolerance around the edges. */
export function hitTest({ x, y }: Point, spread: Rect, slack: Point): HitTarget {
  const isAcross = isBetween(x, -slack.x, 1 + slack.x);
  if (isAcross) return isBetween(y, -slack.y, 1 + slack.y) ? 'image' : 'nowhere';
  const isOnSpread =
    isBetween(x, spread.x, spread.x + spread.width) &&
    isBetween(y, spread.y - slack.y, spread.y + spread.height + slack.y);
  return isOnSpread ? 'beside' : 'nowhere';
}

/** The movement limited so that all points stay on the image. */
export function movementOnImage(points: readonly Point[], by: Point): Point {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const limited = (step: number, positions: readonly number[]): number =>
    Math.min(Math.max(step, -Math.min(...positions)), 1 - Math.max(...positions));
  return { x: limited(by.x, xs), y: limited(by.y, ys) };
}

/** A color that SVG and CSS know; undefined for anything else, and for none. */
export function parseCssColor(text: string): string | undefined {
  const color = text.trim().toLowerCase();
  if (color.length > 40 || /^(?:none|transparent|currentcolor|inherit|initial|unset|revert)$/.test(color))
    return undefined;
  return /^(?:#[0-9a-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl)a?\([\d\s.,%/]+\))$/.test(color) ? color : undefined;
}
