/** Lists of marks and rectangles as they are worked on: a number is a place in the list, so all after it move up. */
import type { MarkedRegion, Point } from './view-state.ts';

interface Described {
  readonly text?: string;
}

type Placed = Point & Described;

/** The list with one more at its end. */
export const append = <Item>(items: readonly Item[], item: Item): readonly Item[] => [...items, item];

/** The list without the one at a place, from 0; the same list where there is none. */
export const removeAt = <Item>(items: readonly Item[], at: number): readonly Item[] =>
  items[at] === undefined ? items : items.filter((_, place) => place !== at);

/** The list without its last. */
export const removeLast = <Item>(items: readonly Item[]): readonly Item[] => items.slice(0, -1);

/** The list with one changed. */
export const replaceAt = <Item>(items: readonly Item[], at: number, change: (item: Item) => Item): readonly Item[] =>
  items.map((item, place) => (place === at ? change(item) : item));

/** The list with one a number earlier or later; the same list where it is at the end already. */
export function renumber<Item>(items: readonly Item[], at: number, by: 1 | -1): readonly Item[] {
  const [one, other] = [items[at], items[at + by]];
  if (one === undefined || other === undefined) return items;
  return items.map((item, place) => (place === at ? other : place === at + by ? one : item));
}

/** The list with one moved to another point; a rectangle keeps its size. */
export const moveTo = <Item extends Placed>(items: readonly Item[], at: number, { x, y }: Point): readonly Item[] =>
  replaceAt(items, at, (item) => ({ ...item, x, y }));

function withText<Item extends Described>(item: Item, text: string): Item {
  const { text: _, ...rest } = item;
  return (text === '' ? rest : { ...rest, text }) as Item;
}

/** The list with another text for one; an empty one is none. */
export const describeAt = <Item extends Described>(items: readonly Item[], at: number, text: string): readonly Item[] =>
  replaceAt(items, at, (item) => withText(item, text.trim()));

/** The rectangle between two opposite corners. */
export const rectangleBetween = (one: Point, other: Point): MarkedRegion => ({
  x: Math.min(one.x, other.x),
  y: Math.min(one.y, other.y),
  width: Math.abs(one.x - other.x),
  height: Math.abs(one.y - other.y),
});
