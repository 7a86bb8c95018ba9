/**
 * Restores pages after the back and forward buttons: their answers from a cache, their scroll positions, and the image
 * that was viewed last.
 */
import { useEffect } from 'preact/hooks';
import type { Answer } from '../../data/fetch.ts';
import { takeLastOpened } from '../../state/route.ts';
import { useAnswer } from '../common/loading.tsx';

/** Maximum number of cached pages and scroll positions. */
const maxPages = 30;

const scrolls = new Map<string, number>();
const pages = new Map<string, unknown>();
let isFromHistory = false;
let currentAddress = '';
let isFirstPage = true;

function setBounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > maxPages && oldest !== undefined) map.delete(oldest);
}

/** Sends a request whenever the key changes; after the back and forward buttons, a cached answer is used instead. */
export function useCachedAnswer<T>(
  key: string,
  request: (signal: AbortSignal) => Promise<Answer<T>>,
  keepsShowing: (shown: T) => boolean,
) {
  const cached = isFromHistory ? (pages.get(key) as T | undefined) : undefined;
  const answer = useAnswer(key, request, cached, keepsShowing);
  const now = answer.request.value;
  useEffect(() => {
    if (now.state === 'loaded') setBounded(pages, now.key, now.value);
  }, [now]);
  return { now, retry: answer.retry, replace: answer.replace };
}

/** Whether the page was opened by the back or forward button. */
const isBackNavigation = (): boolean => isFromHistory;

/** Scrolls a rendered page to its last position, or to the top, and focuses its title for screen readers. */
export function restoreScroll(title: HTMLElement | null): void {
  currentAddress = location.href;
  // Only after navigation within the page; the first page begins as any other document.
  if (!isFirstPage) {
    scrollTo(0, isFromHistory ? (scrolls.get(currentAddress) ?? 0) : 0);
    title?.focus({ preventScroll: true });
  }
  isFirstPage = false;
}

function saveScroll(): void {
  // While the next page loads, the scroll position belongs to neither page.
  if (location.href === currentAddress) setBounded(scrolls, currentAddress, scrollY);
}

/** Detects the back and forward buttons. The listeners capture, so that they run before those that render the page. */
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

/** Keeps the scroll position for the address that the page has now: what is filtered has changed it. */
export function keepScroll(): void {
  currentAddress = location.href;
  saveScroll();
}

/** Marks the card once, and scrolls to it unless the back button restores the scroll position. */
export function markLastOpened(folder: string): void {
  const path = takeLastOpened(folder);
  if (path === undefined) return;
  const card = document.querySelector(`.image-card[data-path="${CSS.escape(path)}"]`);
  card?.classList.add('last-opened');
  if (!isBackNavigation()) card?.scrollIntoView({ block: 'center' });
}
