/** Turning pages by the sides of the stage, where the whole image is seen. */
import type { Side } from '../model/facing.ts';
import { goToNeighbor, neighbors } from './paging.ts';
import { flushViewport } from './stage.ts';
import { readingDirection } from './two-pages.ts';
import { seesWhole } from './viewport.ts';

export type Turn = 'previous' | 'next';

/** The page that lies at a side, by the reading direction. */
export const turnAt = (side: Side): Turn =>
  (side === 'right') === (readingDirection.value === 'left-to-right') ? 'next' : 'previous';

/** Whether there is a page to turn to. */
export const canTurn = (turn: Turn): boolean => neighbors()[turn] !== undefined;

/** Turns the page where the whole image is seen; false where it is not, or where there is only one page. */
export function turnIfWhole(turn: Turn): boolean {
  flushViewport();
  if (!seesWhole() || (!canTurn('previous') && !canTurn('next'))) return false;
  goToNeighbor(turn);
  return true;
}
