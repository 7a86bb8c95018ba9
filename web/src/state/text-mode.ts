/** Whether the pages on the stage have a text, and whether the pointer selects it. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { isForeign } from '../model/foreign-path.ts';
import { openState } from './opened.ts';
import { pagesShown } from './openings.ts';
import { tool } from './tools.ts';
import { changeView, view } from './view.ts';

/** Whether a page on the stage has a text. */
export const hasText: ReadonlySignal<boolean> = computed(() => {
  const now = openState.value;
  if (now.kind !== 'open') return false;
  const { images } = now.opened;
  return pagesShown(now.opened).some(({ at }) => images.cardAt(at)?.hasText === true);
});

/** Whether the book has texts, as far as its pages have loaded, or is searched already. */
export const canSearch: ReadonlySignal<boolean> = computed(() => {
  const now = openState.value;
  if (now.kind !== 'open' || isForeign(now.opened.path)) return false;
  return hasText.value || view.value.search !== '' || now.opened.folder.images.some((card) => card.hasText);
});

/** Whether dragging over the image selects text instead of moving the image. */
export const selectsText: ReadonlySignal<boolean> = computed(
  () => view.value.selectsText && tool.value === 'move' && hasText.value,
);

/** Whether text is being selected with the pointer, also after a long press without the tool. */
export const isSelecting = signal(false);

/** Lets the pointer select text, or move the image again. */
export function selectText(on: boolean): void {
  tool.value = 'move';
  changeView({ selectsText: on });
}

/** Does nothing on a page without a text. */
export function toggleSelectsText(): void {
  if (hasText.peek()) selectText(!selectsText.peek());
}
