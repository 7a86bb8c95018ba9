/** Writes down at the desk which books are open, and what the pages with notes are called. */
import { computed, effect, untracked } from '@preact/signals';
import { formatRoute } from '../../model/address/address.ts';
import { viewRoute } from '../../model/address/routes.ts';
import type { NotedPage, NoteTarget } from '../../model/desk/desk.ts';
import { keptAt, withBook } from '../../model/desk/desk.ts';
import { isEmpty } from '../../model/notes/own-notes.ts';
import { notes } from '../notes/notes.ts';
import { canvasAddress } from '../notes/page-annotations.ts';
import { type Opened, openState } from '../opened.ts';
import { shownLabel } from '../pages.ts';
import { frame, view } from '../view.ts';
import { namedView, showsWhole } from '../viewport.ts';
import { changeKept, changeNoted, changeRecent, kept, remembersBooks } from './desk.ts';

const opened = computed(() => (openState.value.kind === 'open' ? openState.value.opened : undefined));

const pageOf = ({ path, folder, card }: Opened) => ({
  path,
  label: card.label,
  folder: folder.path,
  title: folder.title,
});

function targetOf(now: Opened): NoteTarget | undefined {
  const image = frame.peek()?.image;
  if (image === undefined) return undefined;
  const { manifest, canvas, size, place } = canvasAddress(now, image);
  return { canvas, manifest, width: size.width, height: size.height, place };
}

const hasNotes = computed(() => !isEmpty(notes.value) && frame.value !== undefined);

/** Follows the open page; returns the function that ends it. */
export function recordPages(): () => void {
  const endBooks = effect(() => {
    const now = opened.value;
    if (now === undefined || !remembersBooks.value) return;
    const { at, images } = now;
    const book = { ...pageOf(now), at, total: images.total, time: Date.now() };
    untracked(() => changeRecent((before) => withBook(before, book)));
  });
  const endNotes = effect(() => {
    const now = opened.value;
    if (now === undefined || !hasNotes.value || now.path !== view.peek().fn) return;
    const target = targetOf(now);
    const page: NotedPage = { ...pageOf(now), ...(target && { target }) };
    untracked(() => changeNoted((before) => [page, ...before.filter(({ path }) => path !== page.path)]));
  });
  return () => {
    endBooks();
    endNotes();
  };
}

const regionNow = () => (showsWhole(view.value) ? null : view.value.region);

/** Whether the page, or the detail that is seen, is kept. */
export const isKept = (): boolean => keptAt(kept.value, view.value.fn, regionNow()) !== undefined;

const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join('');

/** Keeps the page, or the detail that is seen; or no longer. */
export function toggleKept(): void {
  const now = opened.peek();
  if (now === undefined) return;
  const region = regionNow();
  const before = keptAt(kept.peek(), now.path, region);
  if (before !== undefined) {
    changeKept((list) => list.filter(({ id }) => id !== before.id));
    return;
  }
  const plain = { ...namedView.peek(), marks: [], rectangles: [], withTexts: false, search: '', selectsText: false };
  const one = {
    ...pageOf(now),
    label: region === null ? shownLabel() : now.card.label,
    id: newId(),
    address: formatRoute(viewRoute(plain)),
    region,
    collection: '',
    note: '',
    time: Date.now(),
  };
  changeKept((list) => [one, ...list]);
}
