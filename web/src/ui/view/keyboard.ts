/** The shortcuts of the image page. */
import { useLayoutEffect } from 'preact/hooks';
import type { MessageKey } from '../../messages/messages.ts';
import { hasChapters, stepChapter } from '../../state/contents.ts';
import { toggleKept } from '../../state/desk/recorder.ts';
import { pageLayers, showNextLayer } from '../../state/layers.ts';
import { toggleNotes } from '../../state/notes/notes.ts';
import { isDrawing } from '../../state/notes/sketch.ts';
import {
  goToEnd,
  goToNeighbor,
  type TurnDirection,
  toggleLayout,
  toggleShift,
  toggleTwoPages,
  turnAt,
  turnIfWhole,
} from '../../state/pages.ts';
import { page } from '../../state/route.ts';
import { shortcutsOn, toggleFilmstrip } from '../../state/stored-preferences.ts';
import { focusSearch, stepHit } from '../../state/text/book-hits.ts';
import {
  canSearch,
  hasText,
  openDialog,
  panel,
  selectsText,
  selectText,
  showTextAlone,
  toggleCite,
  togglePanel,
  toggleSelectsText,
  toggleTool,
  tool,
} from '../../state/tools.ts';
import { changeView, focusStage, resetView, view } from '../../state/view.ts';
import {
  mirrorOnScreen,
  panBy,
  showMode,
  showPageWidth,
  showWhole,
  turnBy,
  zoomIn,
  zoomOut,
} from '../../state/viewport.ts';
import { fields, keyTarget } from '../common/elements.ts';

export interface Shortcut {
  /** Values of `KeyboardEvent.key`, after `Shift+` where that matters. */
  readonly keys: readonly string[];
  readonly name: MessageKey;
  readonly act: () => void;
}

/** How far an arrow key pans, as a fraction of the window. */
const arrowStep = 0.12;

/** Pans by steps of an arrow key. */
export const pan = (x: number, y: number) => (): void => panBy(x * arrowStep, y * arrowStep);

/** How far the space bar pans, as a fraction of the window. */
const spaceStep = 0.85;

/** Turns the page where the whole image is seen; pans by fractions of the window otherwise, and while a tool aims. */
function turnOrPan(turn: TurnDirection, x: number, y: number): void {
  if (isDrawing.peek() || !turnIfWhole(turn)) panBy(x, y);
}

/** Puts the tool away, or closes the panel; leaves the field that has the focus, so that the next key is the image’s. */
function leave(): void {
  if (document.activeElement?.matches(fields)) focusStage();
  if (tool.peek() !== 'move') tool.value = 'move';
  else if (selectsText.peek()) selectText(false);
  else if (panel.peek() !== undefined) panel.value = undefined;
  else if (view.peek().layout !== 'page') changeView({ layout: 'page' });
}

function focusPageNumber(): void {
  const field = document.querySelector<HTMLInputElement>('#page-number');
  field?.focus();
  field?.select();
}

/** Where the book can be searched. */
function openSearch(): void {
  if (canSearch.peek()) panel.value = 'search';
  focusSearch.value += 1;
}

function toggleText(): void {
  if (hasText.peek()) togglePanel('text');
}

/** The keys that select text are the image’s. */
function selectByKeys(): void {
  toggleSelectsText();
  if (selectsText.peek() && document.activeElement === document.body) focusStage();
}

/** The text alone, or the image again. */
export function toggleTextAlone(): void {
  if (view.peek().layout === 'text') changeView({ layout: 'page' });
  else if (hasText.peek()) showTextAlone();
}

/** A text that has not loaded yet is read where its panel is open. */
async function readAloud(): Promise<void> {
  if (!hasText.peek()) return;
  const { toggleReading } = await import('../../state/text/read-aloud.ts');
  if (!toggleReading() && panel.peek() !== 'text') panel.value = 'text';
}

function toggleContents(): void {
  if (hasChapters.peek()) togglePanel('contents');
}

function toggleLayers(): void {
  if (pageLayers.peek().length > 0) togglePanel('layers');
}

/** The desk belongs to the reading room, not to other pages. */
export function keep(): void {
  const here = page.peek();
  if (here.kind === 'view' && !here.embedded) toggleKept();
}

/** There are no openings to shift while one page is shown. */
function shiftPages(): void {
  if (view.peek().twoPages) toggleShift();
}

/** The embedded viewer has no panel about the image. */
function toggleAbout(): void {
  const here = page.peek();
  if (here.kind === 'view' && !here.embedded) togglePanel('about');
}

/** Those that an image and compared ones have alike, in the order of the help. */
export const zoomShortcuts: readonly Shortcut[] = [
  { keys: ['+', '='], name: 'zoom-in', act: zoomIn },
  { keys: ['-'], name: 'zoom-out', act: zoomOut },
  { keys: ['0'], name: 'whole', act: showWhole },
];

export const turningShortcuts: readonly Shortcut[] = [
  { keys: ['r'], name: 'turn-right', act: () => turnBy(90) },
  { keys: ['Shift+R'], name: 'turn-left', act: () => turnBy(-90) },
  { keys: [']', '>'], name: 'turn-bit-right', act: () => turnBy(5) },
  { keys: ['[', '<'], name: 'turn-bit-left', act: () => turnBy(-5) },
  { keys: ['h'], name: 'mirror-horizontal', act: () => mirrorOnScreen('horizontal') },
  { keys: ['v'], name: 'mirror-vertical', act: () => mirrorOnScreen('vertical') },
];

export const closingShortcuts: readonly Shortcut[] = [
  { keys: ['f'], name: 'full-screen', act: toggleFullScreen },
  { keys: ['Backspace'], name: 'reset-view', act: resetView },
  { keys: ['Escape'], name: 'leave-tool', act: leave },
  { keys: ['?'], name: 'keyboard', act: () => openDialog('keyboard') },
];

/** In the order of the help. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ['PageDown', 'n', '.'], name: 'next-page', act: () => goToNeighbor('next') },
  { keys: ['PageUp', 'p', ','], name: 'previous-page', act: () => goToNeighbor('previous') },
  { keys: ['Home'], name: 'first-page', act: () => goToEnd('first') },
  { keys: ['End'], name: 'last-page', act: () => goToEnd('last') },
  { keys: ['Shift+PageDown', 'Shift+N'], name: 'next-chapter', act: () => stepChapter(1) },
  { keys: ['Shift+PageUp', 'Shift+P'], name: 'previous-chapter', act: () => stepChapter(-1) },
  { keys: ['g'], name: 'go-to-page', act: focusPageNumber },
  { keys: ['ArrowLeft'], name: 'pan-left', act: () => turnOrPan(turnAt('left'), -arrowStep, 0) },
  { keys: ['ArrowRight'], name: 'pan-right', act: () => turnOrPan(turnAt('right'), arrowStep, 0) },
  { keys: ['ArrowUp'], name: 'pan-up', act: () => turnOrPan('previous', 0, -arrowStep) },
  { keys: ['ArrowDown'], name: 'pan-down', act: () => turnOrPan('next', 0, arrowStep) },
  { keys: [' '], name: 'next-screen', act: () => turnOrPan('next', 0, spaceStep) },
  { keys: ['Shift+ '], name: 'previous-screen', act: () => turnOrPan('previous', 0, -spaceStep) },
  ...zoomShortcuts,
  { keys: ['w'], name: 'page-width', act: showPageWidth },
  { keys: ['1'], name: 'one-to-one', act: () => showMode('pixels') },
  { keys: ['2'], name: 'true-size', act: () => showMode('true-size') },
  ...turningShortcuts,
  { keys: ['z'], name: 'tool-zoom-area', act: () => toggleTool('zoom-area') },
  { keys: ['l'], name: 'tool-magnifier', act: () => toggleTool('magnifier') },
  { keys: ['Shift+C'], name: 'panel-contents', act: toggleContents },
  { keys: ['a'], name: 'panel-adjust', act: () => togglePanel('adjust') },
  { keys: ['y'], name: 'panel-layers', act: toggleLayers },
  { keys: ['Shift+Y'], name: 'next-layer', act: showNextLayer },
  { keys: ['s'], name: 'tool-text', act: selectByKeys },
  { keys: ['e'], name: 'panel-text', act: toggleText },
  { keys: ['Shift+E'], name: 'layout-text', act: toggleTextAlone },
  { keys: ['Shift+A'], name: 'read-aloud-keys', act: () => void readAloud() },
  { keys: ['/'], name: 'panel-search', act: openSearch },
  { keys: ['j'], name: 'next-hit', act: () => stepHit(1) },
  { keys: ['Shift+J', 'k'], name: 'previous-hit', act: () => stepHit(-1) },
  { keys: ['m'], name: 'panel-notes', act: () => togglePanel('notes') },
  { keys: ['d'], name: 'panel-measure', act: () => togglePanel('measure') },
  { keys: ['c'], name: 'panel-cite', act: () => toggleCite('cite') },
  { keys: ['Shift+F'], name: 'download', act: () => toggleCite('download') },
  { keys: ['Shift+W'], name: 'embed-tab', act: () => toggleCite('embed') },
  { keys: ['o'], name: 'panel-annotations', act: () => togglePanel('annotations') },
  { keys: ['Shift+T'], name: 'panel-tour', act: () => togglePanel('tour') },
  { keys: ['i'], name: 'panel-about', act: toggleAbout },
  { keys: ['x'], name: 'notes-toggle', act: toggleNotes },
  { keys: ['b'], name: 'two-pages', act: toggleTwoPages },
  { keys: ['Shift+B'], name: 'shift-pages', act: shiftPages },
  { keys: ['t'], name: 'thumbnails', act: toggleFilmstrip },
  { keys: ['Shift+G'], name: 'layout-gallery', act: () => toggleLayout('gallery') },
  { keys: ['Shift+S'], name: 'layout-scroll', act: () => toggleLayout('scroll') },
  { keys: ['Shift+M'], name: 'layout-map', act: () => toggleLayout('map') },
  { keys: ['Shift+D'], name: 'keep', act: keep },
  ...closingShortcuts,
];

type Actions = ReadonlyMap<string, () => void>;

const actionsOf = (list: readonly Shortcut[]): Actions =>
  new Map(list.flatMap(({ keys, act }) => keys.map((key) => [key, act] as const)));

/** Whether the focused element uses the key itself: fields, and rows with arrow keys. */
function isUsed(event: KeyboardEvent): boolean {
  const target = keyTarget(event);
  if (target.closest('dialog') || event.defaultPrevented) return true;
  if (target.closest(fields)) return event.key !== 'Escape';
  if (event.key === ' ' && target.closest('button, a, summary, .side-panel, .whole-book')) return true;
  return target.closest('.side-panel, .filmstrip, .tool-rail, .whole-book') !== null && event.key.startsWith('Arrow');
}

/** Keys that also work while a tool draws. */
const aimingKeys: ReadonlySet<string> = new Set(['+', '=', '-']);

/** A tool draws notes: what is typed may be meant for the text of one. Measurements get none, and open with a tool. */
const drawsNotes = (): boolean => isDrawing.peek() && panel.peek() !== 'measure';

/** Character keys do nothing where the reader has turned them off, nor while a tool draws notes. */
const isAllowed = (key: string): boolean =>
  key.length > 1 || (shortcutsOn.peek() && (!drawsNotes() || aimingKeys.has(key)));

function press(actions: Actions, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isUsed(event) || !isAllowed(event.key)) return;
  const { key } = event;
  const act =
    (event.shiftKey ? actions.get(`Shift+${key}`) : undefined) ?? actions.get(key) ?? actions.get(key.toLowerCase());
  if (act === undefined) return;
  event.preventDefault();
  act();
}

/** Lets shortcuts act on the page; the same list each time. */
export function useShortcuts(list: readonly Shortcut[]): void {
  // Within the task of the rendering: a key that is pressed right after it must not be lost.
  useLayoutEffect(() => {
    const actions = actionsOf(list);
    const listener = (event: KeyboardEvent): void => press(actions, event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, [list]);
}

export const useKeyboard = (): void => useShortcuts(shortcuts);

export function toggleFullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  // Frames may lack the permission.
  else document.documentElement.requestFullscreen?.().catch(() => undefined);
}
