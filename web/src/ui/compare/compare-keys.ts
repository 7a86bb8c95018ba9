/** What keys and buttons do to a comparison, and the list of its shortcuts. */
import { joinPage } from '../../../../src/core/image/model/identifier.ts';
import {
  type Comparison,
  type Layout,
  withImage,
  withOtherImage,
  withoutImage,
} from '../../model/address/comparison.ts';
import { compareRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { pageAfter, unitIndexOf, unitsOf } from '../../state/book-pages.ts';
import { toggleNotes } from '../../state/notes/notes.ts';
import { takeTool } from '../../state/notes/sketch.ts';
import { openedAt, type Step } from '../../state/opened.ts';
import { bookAt } from '../../state/pages.ts';
import { goTo } from '../../state/route.ts';
import { togglePanel } from '../../state/tools.ts';
import {
  active,
  arrange,
  arrangement,
  changeView,
  comparisonNow,
  flushViewport,
  focusStage,
  setActive,
  views,
} from '../../state/view.ts';
import { showMode } from '../../state/viewport.ts';
import { closingShortcuts, pan, type Shortcut, turningShortcuts, zoomShortcuts } from '../view/keyboard.ts';

const layout = (name: Layout) => (): void => {
  if (views.peek().length > 1) arrange({ layout: name });
};

export const toggleTogether = (): void => arrange({ together: !arrangement.peek().together });

function selectNext(): void {
  if (views.peek().length === 0) return;
  flushViewport();
  setActive((active.peek() + 1) % views.peek().length);
  focusStage();
}

function change(edit: (comparison: Comparison) => Comparison): void {
  flushViewport();
  goTo(compareRoute(edit(comparisonNow())));
}

/** Adds, replaces and takes away compared images: each is an entry of the browser's history. */
export const addImage = (fn: string): void => change((now) => withImage(now, plainView(fn)));

export const removeAt = (index: number): void => change((now) => withoutImage(now, index));

/** Turns forward (1) or back (-1) in the book of an image, by an opening where two pages are shown. */
export const stepOf = (index: number, by: 1 | -1): Step | undefined => {
  const book = bookAt(index);
  return book && pageAfter(book, by);
};

/** Shows another page of its book in the place of an image. */
export async function goToPageOf(index: number, step: Step | undefined): Promise<void> {
  const opened = openedAt(index);
  const card = step && (await opened?.images.find(step.at));
  if (step === undefined || card === undefined || openedAt(index) !== opened) return;
  const activeBefore = active.peek();
  change((now) => withOtherImage(now, index, joinPage(card.path, step.inner)));
  // The next key is for the same pane.
  setActive(activeBefore);
}

/** All that the book of an image shows at a time, and which of these is shown. */
export function unitsAt(index: number): { readonly units: readonly (readonly Step[])[]; readonly at: number } {
  const book = bookAt(index);
  const units = book === undefined ? [] : unitsOf(book);
  return { units, at: book === undefined ? 0 : unitIndexOf(units, book.opened) };
}

/** Shows one page or two of the book of an image. */
export function toggleOpening(index: number): void {
  const state = views.peek()[index];
  if (state !== undefined) changeView({ twoPages: state.twoPages !== true }, index);
}

const turn = (by: 1 | -1) => (): void => void goToPageOf(active.peek(), stepOf(active.peek(), by));

const goToEnd = (end: 0 | -1) => (): void => void goToPageOf(active.peek(), unitsAt(active.peek()).units.at(end)?.[0]);

/** In the order of the help. */
export const compareShortcuts: readonly Shortcut[] = [
  { keys: ['n'], name: 'compare-next-image', act: selectNext },
  { keys: ['PageDown'], name: 'next-page', act: turn(1) },
  { keys: ['PageUp'], name: 'previous-page', act: turn(-1) },
  { keys: ['Home'], name: 'first-page', act: goToEnd(0) },
  { keys: ['End'], name: 'last-page', act: goToEnd(-1) },
  { keys: ['o'], name: 'two-pages', act: () => toggleOpening(active.peek()) },
  { keys: ['s'], name: 'layout-beside', act: layout('beside') },
  { keys: ['e'], name: 'layout-slider', act: layout('slider') },
  { keys: ['b'], name: 'layout-blend', act: layout('blend') },
  { keys: ['u'], name: 'layout-difference', act: layout('difference') },
  { keys: ['g'], name: 'compare-together', act: toggleTogether },
  { keys: ['p'], name: 'tool-align', act: () => takeTool('align') },
  { keys: ['ArrowLeft'], name: 'pan-left', act: pan(-1, 0) },
  { keys: ['ArrowRight'], name: 'pan-right', act: pan(1, 0) },
  { keys: ['ArrowUp'], name: 'pan-up', act: pan(0, -1) },
  { keys: ['ArrowDown'], name: 'pan-down', act: pan(0, 1) },
  ...zoomShortcuts,
  { keys: ['1'], name: 'one-to-one', act: () => showMode('pixels') },
  ...turningShortcuts,
  { keys: ['a'], name: 'panel-adjust', act: () => togglePanel('adjust') },
  { keys: ['m'], name: 'panel-notes', act: () => togglePanel('notes') },
  { keys: ['d'], name: 'panel-measure', act: () => togglePanel('measure') },
  { keys: ['i'], name: 'panel-about', act: () => togglePanel('about') },
  { keys: ['x'], name: 'notes-toggle', act: toggleNotes },
  ...closingShortcuts,
];
