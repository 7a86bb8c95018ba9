/** A row of buttons or links with one tab stop, inside of which the arrow keys move the focus. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const itemsOf = (row: HTMLElement): readonly HTMLElement[] => [...row.querySelectorAll<HTMLElement>('button, a[href]')];

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
