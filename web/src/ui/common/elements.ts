/** Pointers over elements, fields that keep what is typed, the color of notes, and files for the reader. */
import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
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

/** Rendering lags behind typing, so that a rendered text may lack the last letters. */
export function useOwnText<Field extends HTMLInputElement | HTMLTextAreaElement>(text: string) {
  const ref = useRef<Field>(null);
  const [, setTimesLeft] = useState(0);
  useLayoutEffect(() => {
    const field = ref.current;
    // The field may have trailing spaces that the text has not.
    if (field !== null && field !== document.activeElement && field.value.trim() !== text) field.value = text;
  });
  return { ref, onBlur: () => setTimesLeft((times) => times + 1) };
}

/** The custom property that the styles of notes use; nothing for a note without a color. */
export const noteStyle = (color: string | undefined): Readonly<Record<string, string>> =>
  color === undefined ? {} : { '--note-color': color };

/** Time that a browser may take to begin the download from memory, in ms. */
const maxStartMs = 60_000;

/** Downloads an address; a name that the server gives has precedence over an empty one. */
export const download = (address: string, name: string): void =>
  Object.assign(document.createElement('a'), { href: address, download: name }).click();

/** Saves bytes that the page has as a file of the reader. */
export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), maxStartMs);
}
