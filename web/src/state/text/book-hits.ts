/** What was found in the book, and the steps from one place to the next. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import type { BookHit } from '../../data/book-answers.ts';
import type { Problem } from '../../data/fetch.ts';
import { around, keepOnImage } from '../../model/view/framing.ts';
import { middleOf, nextHit } from '../../model/view/page-order.ts';
import { goToPage, type Opened, openedNow } from '../opened.ts';
import { view } from '../view.ts';
import { showAround, showsWhole } from '../viewport.ts';

/** A place that was found, with the position of its page's file in the folder, from 1. */
export interface PlacedHit extends Omit<BookHit, 'at'> {
  readonly at: number;
}

interface BookHits {
  /** The words that were searched for; empty for none. */
  readonly query: string;
  /** In the order of the book. */
  readonly hits: readonly PlacedHit[];
  readonly complete: boolean;
  /** Whether the server has an index of the texts. */
  readonly isIndexed: boolean;
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
}

export const noHits: BookHits = {
  query: '',
  hits: [],
  complete: true,
  isIndexed: true,
  isLoading: false,
  problem: undefined,
};

export const bookHits = signal<BookHits>(noHits);

/** The index of the hit that was last gone to. */
export const hitIndex = signal<number | undefined>(undefined);

/** How many hits each page has, by the positions of the files. */
export const hitsByPage: ReadonlySignal<ReadonlyMap<number, number>> = computed(() => {
  const counts = new Map<number, number>();
  for (const { at } of bookHits.value.hits) counts.set(at, (counts.get(at) ?? 0) + 1);
  return counts;
});

/** The scale stays; a hit that is out of sight comes into the middle. */
async function show(hit: PlacedHit, opened: Opened): Promise<void> {
  const center = middleOf(hit);
  const now = view.peek();
  const isWhole = showsWhole(now);
  if (hit.path === opened.path) {
    if (center !== undefined && !isWhole) showAround(center);
    return;
  }
  const moved =
    center === undefined || isWhole || now.mode !== 'fit' ? now.region : keepOnImage(around(center, now.region));
  await goToPage({ at: hit.at, inner: splitPage(hit.path).page }, moved);
}

/** Goes to a hit by its index. */
export function goToHit(index: number): void {
  const [hit, opened] = [bookHits.peek().hits[index], openedNow()];
  if (hit === undefined || opened === undefined) return;
  hitIndex.value = index;
  void show(hit, opened);
}

/** Goes to the next hit (1) or to the one before (-1): from the last one, or from the open page; round at the ends. */
export function stepHit(by: 1 | -1): void {
  const opened = openedNow();
  if (opened === undefined) return;
  const index = nextHit(bookHits.peek().hits, hitIndex.peek(), opened.at, by);
  if (index !== undefined) goToHit(index);
}

/** Counts the wishes to type into the field of the search. */
export const focusSearch = signal(0);

/** Counts the searches of the same words, after one that failed. */
export const searchAttempts = signal(0);

export const retrySearch = (): void => {
  searchAttempts.value += 1;
};
