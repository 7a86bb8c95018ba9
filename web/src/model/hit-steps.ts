/** Steps through what was found in a book. */
import type { Point, Rect } from './view-state.ts';

interface Hit {
  /** The position of its page, from 1. */
  readonly at: number;
}

/**
 * The index of the hit after (1) or before (-1) the `current` one, which is undefined or of another page where the reader
 * has turned pages since: then the nearest one from the open page on. Round at the ends; undefined without hits.
 */
export function nextHit(
  hits: readonly Hit[],
  current: number | undefined,
  page: number,
  by: 1 | -1,
): number | undefined {
  if (hits.length === 0) return undefined;
  if (current !== undefined && hits[current]?.at === page) return (current + by + hits.length) % hits.length;
  if (by > 0)
    return Math.max(
      hits.findIndex(({ at }) => at >= page),
      0,
    );
  const before = hits.findLastIndex(({ at }) => at <= page);
  return before < 0 ? hits.length - 1 : before;
}

/** The middle of the first box; undefined without one. Fractions. */
export function middleOf({ boxes: [box] }: { readonly boxes: readonly Rect[] }): Point | undefined {
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
