/** What the map says to screen readers, and the point that is chosen in the list or on a window. */
import { signal } from '@preact/signals';

export const announced = signal('');

export const announce = (text: string): void => {
  announced.value = text;
};

/** Its index, from 0. */
export const chosenPoint = signal<number | undefined>(undefined);
