/** The chapters of the open book: the one with the open page, and ways to go to others. */
import { computed, type ReadonlySignal } from '@preact/signals';
import type { ContentsEntry } from '../../../src/core/image/folder/folder-listing.ts';
import { chapterAfter, chapterAt, chaptersInOrder, type PlacedChapter } from '../model/contents/chapters.ts';
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

export const hasChapters: ReadonlySignal<boolean> = computed(() => contents.value.length > 0);

/** What is seen of the page; undefined for all of it. */
const seen = computed(() => (showsWhole(view.value) ? undefined : view.value.region));

/** The innermost chapter on the open pages: of an opening, the one of its second page. */
export const currentChapter: ReadonlySignal<PlacedChapter<ContentsEntry> | undefined> = computed(() => {
  const opened = hasChapters.value ? openedNow() : undefined;
  const last = opened && pagesShown(opened).at(-1);
  return last && chapterAt(chapters.value, last, seen.value);
});

/** The chapter before (-1) or after (1) the open pages; undefined at the ends. */
export function chapterBeyond(by: 1 | -1): PlacedChapter<ContentsEntry> | undefined {
  const opened = openedNow();
  return opened && chapterAfter(chapters.value, pagesShown(opened), by, seen.value);
}

/** Goes to the page at which a chapter begins, or to the part of it that is the chapter. */
export const goToChapter = ({ at, inner, entry }: PlacedChapter<ContentsEntry>): Promise<void> =>
  goToPage({ at, inner }, { region: { ...(entry.region ?? wholeImage) }, mode: 'fit' });

/** Steps to the chapter before or after; while another step is under way, from its target. */
export const stepChapter = (by: 1 | -1): void =>
  inTurn(async () => {
    const chapter = chapterBeyond(by);
    if (chapter !== undefined) await goToChapter(chapter);
  });
