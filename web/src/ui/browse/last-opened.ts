/** Marks the card of the image that the reader has viewed last. */
import { takeLastOpened } from '../../state/route.ts';
import { isBackNavigation } from './page-history.ts';

/** Marks the card once, and scrolls to it unless the back button restores the scroll position. */
export function markLastOpened(folder: string): void {
  const path = takeLastOpened(folder);
  if (path === undefined) return;
  const card = document.querySelector(`.image-card[data-path="${CSS.escape(path)}"]`);
  card?.classList.add('last-opened');
  if (!isBackNavigation()) card?.scrollIntoView({ block: 'center' });
}
