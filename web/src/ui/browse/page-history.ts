/** Pages as the reader left them: the browser's way back shows them at once, and at the same place. */

/** How many pages are kept. */
const maxPages = 30;

const scrolls = new Map<string, number>();
const pages = new Map<string, unknown>();
let isFromHistory = false;
let shownAddress = '';
let arrivals = 0;

function setBounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > maxPages && oldest !== undefined) map.delete(oldest);
}

/** What was shown under a key before, where the reader came here by the way back. */
export const cachedPage = <T>(key: string): T | undefined =>
  isFromHistory ? (pages.get(key) as T | undefined) : undefined;

/** Whether the reader came here by the browser's way back, or forward again. */
export const isBackNavigation = (): boolean => isFromHistory;

/** Keeps what is shown under a key for the way back. */
export const cachePage = (key: string, page: unknown): void => setBounded(pages, key, page);

/** A place is shown: the reader is where it was left, or at its top, and screen readers begin at its title. */
export function restoreScroll(title: HTMLElement | null): void {
  shownAddress = location.href;
  // Who opens the page begins at its begin, as on every page; only those who follow a link inside of it are led.
  if (arrivals > 0) {
    scrollTo(0, isFromHistory ? (scrolls.get(shownAddress) ?? 0) : 0);
    title?.focus({ preventScroll: true });
  }
  arrivals += 1;
}

function saveScroll(): void {
  // While the next place loads, the page is shorter, and its position says nothing of either place.
  if (location.href === shownAddress) setBounded(scrolls, shownAddress, scrollY);
}

/** Watches how the reader moves. It listens before the page does, so that the page knows when it is drawn anew. */
export function watchHistory(): void {
  const goForward = (): void => {
    isFromHistory = false;
  };
  const goBack = (): void => {
    isFromHistory = true;
  };
  history.scrollRestoration = 'manual';
  addEventListener('popstate', goBack, true);
  addEventListener('click', goForward, true);
  addEventListener('keydown', goForward, true);
  addEventListener('scroll', saveScroll, { passive: true });
}
