/** Steps through the pages of the open folder. */
import { joinPage } from '../../../src/core/image/model/identifier.ts';
import { goToPage, openedNow, type Step } from './opened.ts';
import { pageAfter, pagesAfter } from './openings.ts';

/** The pages before and after those that are shown, where there are any. */
export function neighbors(): { readonly previous: Step | undefined; readonly next: Step | undefined } {
  const opened = openedNow();
  if (opened === undefined) return { previous: undefined, next: undefined };
  return { previous: pageAfter(opened, -1), next: pageAfter(opened, 1) };
}

let steps: Promise<void> = Promise.resolve();

/** Steps to the page before or after; while another step is under way, from its target. */
export function goToNeighbor(which: 'previous' | 'next'): void {
  steps = steps.then(async () => {
    const step = neighbors()[which];
    if (step !== undefined) await goToPage(step);
  });
}

export function goToEnd(which: 'first' | 'last'): void {
  const opened = openedNow();
  if (opened !== undefined) void goToPage({ at: which === 'first' ? 1 : opened.images.total, inner: 1 });
}

/** The paths of the images that the next steps lead to, nearest first. */
export async function neighborPaths(): Promise<readonly string[]> {
  const opened = openedNow();
  if (opened === undefined) return [];
  const pages = [...pagesAfter(opened, 1), ...pagesAfter(opened, -1)];
  const cards = await Promise.all(pages.map(({ at }) => opened.images.find(at)));
  return cards.flatMap((card, index) => (card ? [joinPage(card.path, pages[index]?.inner ?? 1)] : []));
}
