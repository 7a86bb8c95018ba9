/** Which pages are on the stage, and what they are called. */
import { type Opened, openedNow } from './opened.ts';
import { view } from './view.ts';

/** The page beside the open one, where two are shown. */
const companionAt = ({ at, pages }: Opened): number | undefined =>
  view.value.twoPages && at < pages.total ? at + 1 : undefined;

/** The places of the pages on the stage, from 1, in the order in which they are read. */
export function shownPages(opened: Opened): readonly number[] {
  const beside = companionAt(opened);
  return beside === undefined ? [opened.at] : [opened.at, beside];
}

/** What is on the stage is called, as in `2r – 3v`; empty where nothing is open. */
export function shownLabel(): string {
  const opened = openedNow();
  if (opened === undefined) return '';
  return shownPages(opened)
    .map((at) => opened.pages.cardAt(at)?.label ?? '')
    .filter((label) => label !== '')
    .join(' – ');
}
