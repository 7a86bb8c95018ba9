/** The chapters of the open book: the one with the open page, and ways to go to others. */
import { computed, type ReadonlySignal } from '@preact/signals';
import type { ContentsEntry } from '../../../src/core/image/folder/folder-listing.ts';
import { foreignImage } from '../data/images.ts';
import { chapterAt, chaptersInOrder, type PlacedChapter } from '../model/contents/chapters.ts';
import { wholeImage } from '../model/view-state.ts';
import { goToPage, openedNow } from './opened.ts';
import { inTurn, pagesShown } from './pages.ts';
import { view } from './view.ts';
import { showsWhole } from './viewport.ts';

const contents = computed(() => openedNow()?.folder.contents ?? []);

/** In the order of their pages; empty where the book has none. */
export const chapters: ReadonlySignal<readonly PlacedChapter<ContentsEntry>[]> = computed(() =>
  chaptersInOrder(contents.value),
);

/** Whether the panel of the contents has chapters, or orders of the pages. */
export const hasChapters: ReadonlySignal<boolean> = computed(
  () => contents.value.length > 0 || (foreignImage(openedNow()?.path ?? '')?.about.orders.length ?? 0) > 0,
);

/** What is seen of the page; undefined for all of it. */
export const seenPart = computed(() => (showsWhole(view.value) ? undefined : view.value.region));

/** The innermost chapter on the open pages: of an opening, the one of its second page. */
export const currentChapter: ReadonlySignal<PlacedChapter<ContentsEntry> | undefined> = computed(() => {
  const opened = hasChapters.value ? openedNow() : undefined;
  const last = opened && pagesShown(opened).at(-1);
  return last && chapterAt(chapters.value, last, seenPart.value);
});

/** Goes to the page at which a chapter begins, or to the part of it that is the chapter. */
export const goToChapter = ({ at, inner, entry }: PlacedChapter<ContentsEntry>): Promise<void> =>
  goToPage({ at, inner }, { region: { ...(entry.region ?? wholeImage) }, mode: 'fit' });

/** Steps to the chapter before or after; while another step is under way, from its target. */
export const stepChapter = (by: 1 | -1): void =>
  inTurn(async () => {
    const { chapterAfter } = await import('../model/contents/chapter-steps.ts');
    const opened = openedNow();
    const chapter = opened && chapterAfter(chapters.peek(), pagesShown(opened), by, seenPart.peek());
    if (chapter !== undefined) await goToChapter(chapter);
  });
