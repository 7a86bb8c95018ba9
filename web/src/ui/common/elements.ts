/** Elements: what a key is for, pointers over them, fields that keep what is typed, files for the reader. */
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Point } from '../../model/view-state.ts';

/** Where the pointer is on an element, in CSS pixels. */
export function pointerOn(element: Element, { clientX, clientY }: MouseEvent): Point {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.x, y: clientY - box.y };
}

/** Calls the `act` of the last rendering when none of the inputs has changed for a time. */
export function useAfterPause(act: () => void, pauseMs: number, inputs: readonly unknown[]): void {
  const last = useRef(act);
  last.current = act;
  useEffect(() => {
    const timer = setTimeout(() => last.current(), pauseMs);
    return () => clearTimeout(timer);
  }, inputs);
}

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
  const move = (event: PointerEvent): void => {
    position.value = pointerOn(element, event);
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

export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), maxStartMs);
}

/** Elements that use characters themselves. */
export const fields = 'input, select, textarea, [contenteditable]';

/**
 * The element with the focus when a key was pressed; the page's body where there is none. A dialog that has just closed
 * may still contain the focus: the browser moves it with the next frame, which may come after the next key.
 */
export function keyTarget({ target }: KeyboardEvent): Element {
  const hasFocus = target instanceof Element && target.closest('dialog:not([open])') === null;
  return hasFocus ? target : document.body;
}

/** Calls the listener of the last rendering for keys anywhere on the page; `early`: before the element with the focus gets them. */
export function useKeys(press: (event: KeyboardEvent) => void, early = false): void {
  const now = useRef(press);
  now.current = press;
  // In the task of the rendering, so that the keys of what is seen act.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => now.current(event);
    addEventListener('keydown', listener, early);
    return () => removeEventListener('keydown', listener, early);
  }, []);
}

/** Calls `print` instead of the browser's own printing by Ctrl+P or ⌘P. */
export const usePrintKey = (print: () => void): void =>
  useKeys((event) => {
    const isPrint = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'p';
    if (!isPrint) return;
    event.preventDefault();
    print();
  });

/** The size of an element without its scroll bars, in CSS pixels; before it is measured, the one that is given. */
export function useSize(element: { readonly current: HTMLElement | null }, before: Size = { width: 0, height: 0 }) {
  const size = useSignal<Size>(before);
  useLayoutEffect(() => {
    const shown = element.current;
    if (shown === null) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = shown;
      if (width !== size.peek().width || height !== size.peek().height) size.value = { width, height };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(shown);
    return () => observer.disconnect();
  }, []);
  return size;
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Without those that the window has no space for. */
const itemsOf = (row: HTMLElement): readonly HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('button, a[href]')].filter((item) => item.checkVisibility());

/** The tab stop: the focused item, else the current one, else the first. */
const stopOf = (items: readonly HTMLElement[]): HTMLElement | undefined =>
  items.find((item) => item === document.activeElement) ?? items.find((item) => item.ariaCurrent !== null) ?? items[0];

function makeStop(items: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const item of items) item.tabIndex = item === stop ? 0 : -1;
}

/** The item that a key leads to, cyclically. */
function itemByKey(items: readonly HTMLElement[], from: Element | null, key: string): HTMLElement | undefined {
  const step = steps[key];
  const at = from instanceof HTMLElement ? items.indexOf(from) : -1;
  return step === undefined || at < 0 ? undefined : items[(at + step + items.length) % items.length];
}

/** For the `onKeyDown` of a row. */
export function moveByArrows(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const items = itemsOf(event.currentTarget);
  const to = itemByKey(items, document.activeElement, event.key);
  if (to === undefined) return;
  event.preventDefault();
  makeStop(items, to);
  to.focus();
}

/** Keeps one tab stop in the row whenever it is rendered. */
export function useOneStop(row: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (row.current === null) return;
    const items = itemsOf(row.current);
    makeStop(items, stopOf(items));
  });
}
