/** The search in the book: its request, and the hits with their pages. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { type BookHit, type Problem, searchBook } from '../../data/fetch.ts';
import { language } from '../../messages/messages.ts';
import { keepOnImage } from '../../model/view/framing.ts';
import { around } from '../../model/view/geometry.ts';
import { middleOf, nextHit } from '../../model/view/page-order.ts';
import type { FolderImages } from '../folder-images.ts';
import { followRequests, goToPage, type Opened, openedNow } from '../opened.ts';
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
  readonly isIndexed: boolean;
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
}

const noHits: BookHits = {
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
  await goToPage({ at: hit.at, inner: splitPage(hit.path).page }, { region: moved });
}

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
const searchAttempts = signal(0);

export const retrySearch = (): void => {
  searchAttempts.value += 1;
};

/** In the order of the pages; hits whose page has no known position are left out. */
function placed(hits: readonly BookHit[], images: FolderImages): readonly PlacedHit[] {
  const positioned = hits.flatMap((hit): readonly PlacedHit[] => {
    const at = hit.at ?? images.positionOf(splitPage(hit.path).file)?.at;
    return at === undefined ? [] : [{ ...hit, at }];
  });
  return positioned.sort((one, other) => one.at - other.at);
}

async function search(query: string, folder: string, images: FolderImages, signal: AbortSignal): Promise<void> {
  bookHits.value = { ...bookHits.peek(), query, isLoading: true, problem: undefined };
  const answer = await searchBook(query, folder, language.peek(), signal);
  if (signal.aborted) return;
  hitIndex.value = undefined;
  if (!answer.ok) {
    bookHits.value = { ...noHits, query, problem: answer.problem };
    return;
  }
  const { complete, isIndexed } = answer.value;
  const hits = placed(answer.value.hits, images);
  bookHits.value = { ...noHits, query, hits, complete, isIndexed };
  const here = hits.findIndex(({ at }) => at === openedNow()?.at);
  if (here >= 0) hitIndex.value = here;
}

/** Follows the words of the view and the open folder; returns the function that ends it. */
export function followSearch(): () => void {
  const images = computed(() => openedNow()?.images);
  const query = computed(() => view.value.search);
  const reset = (): void => {
    bookHits.value = noHits;
    hitIndex.value = undefined;
  };
  return followRequests((signal) => {
    const [words, now, folder] = [query.value, images.value, openedNow()?.folder.path];
    searchAttempts.value;
    if (words === '' || now === undefined || folder === undefined) reset();
    else void search(words, folder, now, signal);
  }, reset);
}
