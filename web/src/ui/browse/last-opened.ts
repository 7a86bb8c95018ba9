/** The page that the reader comes from is marked among those of its folder, once. */
import { takeSeenLast } from '../../state/last-opened.ts';
import { isBack } from './page-history.ts';

/** Marks the card of the page that was open last, and leads to it unless the way back leads where the reader was. */
export function markSeen(folder: string): void {
  const path = takeSeenLast(folder);
  if (path === undefined) return;
  const card = document.querySelector(`.image-card[data-path="${CSS.escape(path)}"]`);
  card?.classList.add('seen-last');
  if (!isBack()) card?.scrollIntoView({ block: 'center' });
}
