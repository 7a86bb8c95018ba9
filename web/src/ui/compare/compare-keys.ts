/** What keys and buttons do to a comparison, and the list of its shortcuts. */
import {
  type Comparison,
  type Layout,
  withImage,
  withOtherImage,
  withoutImage,
} from '../../model/address/comparison.ts';
import { compareRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { toggleNotes } from '../../state/notes/notes.ts';
import { takeTool } from '../../state/notes/sketch.ts';
import { openedAt } from '../../state/opened.ts';
import { goTo } from '../../state/route.ts';
import { togglePanel } from '../../state/tools.ts';
import {
  active,
  arrange,
  arrangement,
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

/** In the order of the help. */
export const compareShortcuts: readonly Shortcut[] = [
  { keys: ['n'], name: 'compare-next-image', act: selectNext },
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

function change(edit: (comparison: Comparison) => Comparison): void {
  flushViewport();
  goTo(compareRoute(edit(comparisonNow())));
}

/** Adds, replaces and takes away compared images: each is an entry of the browser's history. */
export const addImage = (fn: string): void => change((now) => withImage(now, plainView(fn)));

export const removeAt = (index: number): void => change((now) => withoutImage(now, index));

/** Whether the folder of an image has a page at this distance from it. */
export function hasPage(index: number, by: number): boolean {
  const opened = openedAt(index);
  if (opened === undefined) return false;
  const at = opened.at + by;
  return at >= 1 && at <= opened.images.total;
}

/** Shows another page of its folder in the place of an image. */
export async function goToPageOf(index: number, by: number): Promise<void> {
  const opened = openedAt(index);
  const card = await opened?.images.find(opened.at + by);
  if (card !== undefined && openedAt(index) === opened) change((now) => withOtherImage(now, index, card.path));
}
