/** The labels of the pages on the stage. */
import { type Opened, openedNow, type Step } from './opened.ts';
import { pagesShown } from './openings.ts';

/** The positions of the files on the stage, from 1, in reading order. */
export const visiblePages = (opened: Opened): readonly number[] => [...new Set(pagesShown(opened).map(({ at }) => at))];

/** The label of a page, with its number inside of a file that has several; empty until it has loaded. */
function labelOf({ images }: Opened, { at, inner }: Step): string {
  const card = images.cardAt(at);
  if (card === undefined) return '';
  return card.pages > 1 ? `${card.label} (${inner})` : card.label;
}

/** The labels of the pages on the stage, as in `1v – 2r`; empty where none is open. */
export function shownLabel(): string {
  const opened = openedNow();
  if (opened === undefined) return '';
  return pagesShown(opened)
    .map((page) => labelOf(opened, page))
    .filter((label) => label !== '')
    .join(' – ');
}
