/** Steps through the pages of the open folder. */
import { joinPage } from '../../../src/image/model/identifier.ts';
import { goToPage, type Opened, openedNow, type Step } from './opened.ts';
import { view } from './view.ts';

/** The page at this distance, in the same file first, then in another. */
function stepFrom({ at, inner, card, images }: Opened, by: number): Step | undefined {
  if (by > 0 && inner < card.pages) return { at, inner: inner + 1 };
  if (by < 0 && inner > 1) return { at, inner: inner - 1 };
  const next = at + by;
  if (next < 1 || next > images.total) return undefined;
  return { at: next, inner: by < 0 ? (images.cardAt(next)?.pages ?? 1) : 1 };
}

/** The pages before and after the open one, or the open two, where there are any. */
export function neighbors(): { readonly previous: Step | undefined; readonly next: Step | undefined } {
  const opened = openedNow();
  if (opened === undefined) return { previous: undefined, next: undefined };
  const by = view.peek().twoPages ? 2 : 1;
  const previous = stepFrom(opened, -by) ?? (opened.at > 1 ? { at: 1, inner: 1 } : undefined);
  return { previous, next: stepFrom(opened, by) };
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
  const { previous, next } = neighbors();
  const beside = view.peek().twoPages && next ? [{ at: next.at + 1, inner: 1 }] : [];
  const targets = [next, ...beside, previous].filter((step) => step !== undefined);
  const cards = await Promise.all(targets.map(({ at }) => opened.images.find(at)));
  return cards.flatMap((card, index) => (card ? [joinPage(card.path, targets[index]?.inner ?? 1)] : []));
}
