/** The position of the pointer over an element. */
import type { Signal } from '@preact/signals';
import type { Point } from '../../model/view-state.ts';

/** Keeps the position in CSS pixels of the element; undefined after any of the events that end it, and at the end. */
export function trackPointer(
  element: HTMLElement,
  position: Signal<Point | undefined>,
  endEvents: readonly (keyof HTMLElementEventMap)[],
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const clear = (): void => {
    position.value = undefined;
  };
  const move = ({ clientX, clientY }: PointerEvent): void => {
    const box = element.getBoundingClientRect();
    position.value = { x: clientX - box.x, y: clientY - box.y };
  };
  element.addEventListener('pointermove', move, { signal });
  for (const name of endEvents) element.addEventListener(name, clear, { signal });
  return () => {
    ending.abort();
    clear();
  };
}
