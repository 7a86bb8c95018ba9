/** The pages on the stage and their labels. */
import { type Opened, openedNow } from './opened.ts';
import { view } from './view.ts';

/** The positions of the pages on the stage, from 1, in reading order. */
export const visiblePages = ({ at, images }: Opened): readonly number[] =>
  view.value.twoPages && at < images.total ? [at, at + 1] : [at];

/** The labels of the pages on the stage, as in `2r – 3v`; empty where none is open. */
export function shownLabel(): string {
  const opened = openedNow();
  if (opened === undefined) return '';
  return visiblePages(opened)
    .map((at) => opened.images.cardAt(at)?.label ?? '')
    .filter((label) => label !== '')
    .join(' – ');
}
