/** The page that the reader comes from is marked among those of its folder, once. */
import { takeLastOpened } from '../../state/last-opened.ts';
import { isBackNavigation } from './page-history.ts';

/** Marks the card of the page that was open last, and leads to it unless the way back leads where the reader was. */
export function markLastOpened(folder: string): void {
  const path = takeLastOpened(folder);
  if (path === undefined) return;
  const card = document.querySelector(`.image-card[data-path="${CSS.escape(path)}"]`);
  card?.classList.add('last-opened');
  if (!isBackNavigation()) card?.scrollIntoView({ block: 'center' });
}
