/** How a folder is read: its direction, and the pages at which its openings begin, as the reader has chosen them. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ReadingDirection } from '../../../src/core/image/folder/folder-listing.ts';
import { openedNow } from './opened.ts';
import { chooseTwoPages, isShifted, shiftName } from './pages-choice.ts';
import { readStored, store } from './stored.ts';
import { changeView, view } from './view.ts';

const isDirection = (value: unknown): value is ReadingDirection =>
  value === 'left-to-right' || value === 'right-to-left';

/** The reader's own choice for the open folder. */
const chosen = signal<ReadingDirection | undefined>(undefined);

const folder = computed(() => openedNow()?.folder);

const directionName = (path: string): string => `direction:${path}`;

effect(() => {
  const stored = folder.value && readStored(directionName(folder.value.path));
  chosen.value = isDirection(stored) ? stored : undefined;
});

export const readingDirection: ReadonlySignal<ReadingDirection> = computed(
  () => chosen.value ?? folder.value?.direction ?? 'left-to-right',
);

/** Reverses the reading direction of the folder and stores it. */
export function turnReadingDirection(): void {
  const path = folder.peek()?.path;
  if (path === undefined) return;
  const other = readingDirection.peek() === 'left-to-right' ? 'right-to-left' : 'left-to-right';
  chosen.value = other;
  store(directionName(path), other);
}

/** Shows two pages, as they were last shown of this folder, or one; the choice is stored for the folder. */
export function toggleTwoPages(): void {
  const now = folder.peek();
  if (now === undefined) return;
  const twoPages = view.peek().twoPages !== true;
  changeView({ twoPages: chooseTwoPages(now, twoPages), shifted: twoPages && isShifted(now.path) });
}

/** Shifts all openings of the folder by one page, and stores it. */
export function toggleShift(): void {
  const path = folder.peek()?.path;
  const shifted = !view.peek().shifted;
  changeView({ shifted });
  if (path !== undefined) store(shiftName(path), shifted || undefined);
}
