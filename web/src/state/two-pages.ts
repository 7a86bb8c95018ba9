/** The reading direction of a folder: from its metadata, unless the reader has chosen another. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ReadingDirection } from '../../../src/image/folder/folder-listing.ts';
import { openedNow } from './opened.ts';
import { readStored, store } from './stored.ts';

const isDirection = (value: unknown): value is ReadingDirection =>
  value === 'left-to-right' || value === 'right-to-left';

/** The reader's own choice for the open folder. */
const chosen = signal<ReadingDirection | undefined>(undefined);

const folder = computed(() => openedNow()?.folder);

const storageName = (path: string): string => `direction:${path}`;

effect(() => {
  const stored = folder.value && readStored(storageName(folder.value.path));
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
  store(storageName(path), other);
}
