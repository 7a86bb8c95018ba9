/** The size of the letters where the text alone is shown: that of the address, else the reader's own. */
import { computed, type ReadonlySignal } from '@preact/signals';
import { lettersRange } from '../../model/address/view-query.ts';
import { storedSignal } from '../stored-preferences.ts';
import { changeView, view } from '../view.ts';

/** In percent. */
const sizes = [60, 70, 80, 90, 100, 112, 125, 140, 160, 180, 200, 240, 300] as const;

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value >= lettersRange.from && value <= lettersRange.to;

const own = storedSignal<number>('letters', 100, isSize);

export const letters: ReadonlySignal<number> = computed(() => view.value.letters ?? own.value);

/** The next larger or smaller size, which the address gets, and which is the reader's own from now on. */
export function stepLetters(by: 1 | -1): void {
  const now = letters.peek();
  const next = by > 0 ? sizes.find((size) => size > now) : sizes.findLast((size) => size < now);
  if (next === undefined) return;
  own.value = next;
  changeView({ letters: next });
}
