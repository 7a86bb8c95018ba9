/** In which direction a folder is read: as its metadata says, unless the reader knows better. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ReadingDirection } from '../../../src/image/folder/folder-listing.ts';
import { openedNow } from './opened.ts';
import { readStored, store } from './stored.ts';

const isDirection = (value: unknown): value is ReadingDirection =>
  value === 'left-to-right' || value === 'right-to-left';

/** The reader's own choice for the open folder. */
const chosen = signal<ReadingDirection | undefined>(undefined);

const folder = computed(() => openedNow()?.folder);

const keyOf = (path: string): string => `direction:${path}`;

effect(() => {
  const kept = folder.value && readStored(keyOf(folder.value.path));
  chosen.value = isDirection(kept) ? kept : undefined;
});

export const readingDirection: ReadonlySignal<ReadingDirection> = computed(
  () => chosen.value ?? folder.value?.direction ?? 'left-to-right',
);

/** Reads the folder the other way, and remembers it. */
export function turnReadingDirection(): void {
  const path = folder.peek()?.path;
  if (path === undefined) return;
  const other = readingDirection.peek() === 'left-to-right' ? 'right-to-left' : 'left-to-right';
  chosen.value = other;
  store(keyOf(path), other);
}
