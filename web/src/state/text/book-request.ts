/** Searches the open book for the words of the view. */
import { computed } from '@preact/signals';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { type BookHit, searchBook } from '../../data/book-answers.ts';
import { language } from '../../messages/message.ts';
import type { FolderImages } from '../folder-images.ts';
import { followRequests, openedNow } from '../opened.ts';
import { view } from '../view.ts';
import { bookHits, hitIndex, noHits, type PlacedHit, searchAttempts } from './book-hits.ts';

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
