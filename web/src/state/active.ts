/** Which of the images on the page the panels and keys act on; the page of one image has no other than 0. */
import { type ReadonlySignal, signal } from '@preact/signals';

const index = signal(0);

/** The index of the active image, from 0. */
export const active: ReadonlySignal<number> = index;

export function setActive(at: number): void {
  index.value = at;
}
