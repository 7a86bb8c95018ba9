/** Selects words on the image: with the pointer, by a long press, and with Shift and the arrow keys. */
import { signal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  type Caret,
  endOfText,
  type SelectionStep,
  startOfText,
  stepOfKey,
  stepped,
} from '../../model/text/page-text.ts';
import { caretAt, lineAt, lineUnder } from '../../model/text/word-boxes.ts';
import { centerOf, toScreen } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import type { StagePointer } from '../../stage/viewer.ts';
import {
  chosenLine,
  litLine,
  matrixOfPage,
  pageAt,
  pageNearest,
  pageTexts,
  pointOnPage,
  selectAllWords,
  selectWords,
  type TextPage,
  type TextPosition,
  textSelection,
} from '../../state/text/page-texts.ts';
import { isSelecting, panel, selectsText, tool } from '../../state/tools.ts';
import { frame, onPointer, stage } from '../../state/view.ts';
import { fields, keyTarget, pointerOn, useKeys } from '../common/elements.ts';

/** How long a press lasts that selects a word, in ms; as that of touch screens. */
const longPressMs = 500;

/** How far the pointer may move in a long press and between clicks that belong together, in CSS pixels. */
const tolerance = 8;

/** The longest time between clicks that belong together, in ms. */
const clicksMs = 500;

const isNear = (one: Point, other: Point): boolean => Math.hypot(one.x - other.x, one.y - other.y) <= tolerance;

/** The page on which a selection begins: the one below the pointer, or the only one. */
function pageFor(at: Point): TextPage | undefined {
  const { pages } = pageTexts.peek();
  return pageAt(at)?.page ?? (pages.length === 1 ? pages[0] : undefined);
}

function caretFor(page: TextPage, at: Point) {
  const point = pointOnPage(page, at);
  return point && caretAt(page.text, point);
}

function selectWordAt(at: Point): boolean {
  const found = pageAt(at);
  const isOnLine = found && lineUnder(found.page.text, found.point) !== undefined;
  const caret = isOnLine ? caretAt(found.page.text, found.point) : undefined;
  if (found === undefined || caret === undefined) return false;
  selectWords(found.page, caret.word, caret.word);
  return true;
}

function selectLineAt(at: Point): void {
  const found = pageAt(at);
  const line = found && lineAt(found.page.text, found.point);
  if (found && line) selectWords(found.page, line.from, line.to - 1);
}

/** The selection goes on over the gutter into the other page of an opening. */
function extendTo(at: Point): void {
  const selected = textSelection.peek();
  const page = pageNearest(at);
  const caret = page && caretFor(page, at);
  if (selected && caret) textSelection.value = { ...selected, to: { path: page.path, caret } };
}

/** Begins a selection where the pointer was pressed. */
function beginAt(at: Point): boolean {
  const page = pageFor(at);
  const caret = page && caretFor(page, at);
  if (page === undefined || caret === undefined) return false;
  const position: TextPosition = { path: page.path, caret };
  textSelection.value = { from: position, to: position };
  return true;
}

/** A click chooses the line below it, where the panel shows the text. */
function chooseLineAt(at: Point): boolean {
  const found = panel.peek() === 'text' ? pageAt(at) : undefined;
  const line = found && lineUnder(found.page.text, found.point);
  if (found === undefined || line === undefined) return false;
  chosenLine.value = { path: found.page.path, line: found.page.text.lines.indexOf(line) };
  return true;
}

/** Counts the clicks that belong together: a word, then its line. */
function clickCounter(): (at: Point, time: number) => number {
  let last: { readonly at: Point; readonly time: number; readonly count: number } | undefined;
  return (at, time) => {
    const goesOn = last !== undefined && time - last.time < clicksMs && isNear(last.at, at);
    last = { at, time, count: goesOn && last ? last.count + 1 : 1 };
    return last.count;
  };
}

/** Handles the pointer; the returned function ends a press, also one that other fingers join. */
function textPointer(): { readonly onEvent: (event: StagePointer) => void; readonly cancel: () => void } {
  const countClick = clickCounter();
  let pressed: Point | undefined;
  let longPress: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    clearTimeout(longPress);
    pressed = undefined;
    isSelecting.value = false;
  };
  const press = (at: Point): void => {
    cancel();
    pressed = at;
    if (tool.peek() !== 'move') return;
    longPress = setTimeout(() => {
      isSelecting.value = selectWordAt(at);
    }, longPressMs);
  };
  const drag = (at: Point, use: () => void): void => {
    if (pressed !== undefined && !isNear(pressed, at)) {
      clearTimeout(longPress);
      if (selectsText.peek() && !isSelecting.peek()) isSelecting.value = beginAt(pressed);
    }
    if (isSelecting.peek()) extendTo(at);
    if (isSelecting.peek() || selectsText.peek()) use();
  };
  const click = ({ at, shift, timeMs, use }: StagePointer): void => {
    if (!selectsText.peek()) {
      textSelection.value = undefined;
      if (tool.peek() === 'move' && chooseLineAt(at)) use();
      return;
    }
    use();
    const count = countClick(at, timeMs);
    if (shift && textSelection.peek() !== undefined) extendTo(at);
    else if (count === 1) textSelection.value = undefined;
    else if (count === 2) selectWordAt(at);
    else selectLineAt(at);
  };
  const onEvent = (event: StagePointer): void => {
    const { kind, at, use } = event;
    if (kind === 'press') press(at);
    else if (kind === 'drag') drag(at, use);
    else if (kind === 'double-click') {
      if (selectsText.peek()) use();
    } else {
      const wasSelecting = isSelecting.peek();
      cancel();
      if (wasSelecting) use();
      else if (kind === 'click') click(event);
    }
  };
  return { onEvent, cancel };
}

/** The line below the mouse is lit, where the panel shows the text. */
function lightLine(element: HTMLElement, event: PointerEvent): void {
  if (event.buttons !== 0 || panel.peek() !== 'text') return;
  const found = pageAt(pointerOn(element, event));
  const line = found && lineUnder(found.page.text, found.point);
  litLine.value = found && line ? { path: found.page.path, line: found.page.text.lines.indexOf(line) } : undefined;
}

/** Whether all is to be selected as soon as the texts of the pages have loaded. */
const wantsAll = signal(false);

/** All text of the pages, by the usual keys, where text is selected. */
function selectAll(event: KeyboardEvent): void {
  const isAll = event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (!isAll || !selectsText.peek()) return;
  event.preventDefault();
  wantsAll.value = true;
}

function listen(element: HTMLElement, cancel: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  element.addEventListener('pointermove', (event) => lightLine(element, event), { signal });
  element.addEventListener(
    'pointerleave',
    () => {
      litLine.value = undefined;
    },
    { signal },
  );
  element.addEventListener('pointerdown', ({ isPrimary }) => !isPrimary && cancel(), { signal });
  // A long press opens the menu of the browser on touch screens.
  element.addEventListener('contextmenu', (event) => isSelecting.peek() && event.preventDefault(), { signal });
  element.addEventListener('keydown', selectAll, { signal });
  return () => {
    wantsAll.value = false;
    ending.abort();
  };
}

export function useTextPointer(): void {
  const element = stage.value?.focusElement;
  useEffect(() => {
    const { onEvent, cancel } = textPointer();
    const forget = onPointer(onEvent);
    const end = element && listen(element, cancel);
    return () => {
      forget();
      end?.();
      cancel();
    };
  }, [element]);
  useSignalEffect(() => {
    if (!wantsAll.value || pageTexts.value.pages.length === 0) return;
    wantsAll.value = false;
    selectAllWords();
  });
  useSignalEffect(() => {
    stage.value?.focusElement.classList.toggle('selects-text', selectsText.value || isSelecting.value);
  });
}

/** What uses the keys itself. */
const users = `${fields}, dialog, .side-panel, .filmstrip, .tool-rail, [class*="handle"]`;

/** The middle of a word on the stage, in CSS pixels; undefined where nothing says where it is. */
function middleOf(page: TextPage, word: number): Point | undefined {
  const [matrix, box] = [matrixOfPage(page), page.text.words[word]?.box];
  return matrix && box && toScreen(matrix, centerOf(box));
}

function isVisible({ x, y }: Point): boolean {
  const window = frame.peek()?.window;
  return window !== undefined && x >= 0 && y >= 0 && x <= window.width && y <= window.height;
}

/** Where a selection begins: before the first word that is seen, of the first page with one. */
function firstVisible(): { readonly page: TextPage; readonly at: Caret } | undefined {
  for (const page of pageTexts.peek().pages) {
    const word = page.text.words.findIndex((_, at) => {
      const middle = middleOf(page, at);
      return middle !== undefined && isVisible(middle);
    });
    if (word >= 0) return { page, at: { word, offset: 0 } };
  }
  return undefined;
}

/** The selection that a key extends: where it began, and the page and the position where it ends. */
function current(): { readonly page: TextPage; readonly from: TextPosition; readonly to: Caret } | undefined {
  // The keys are those of the tool.
  if (tool.peek() !== 'move') return undefined;
  const selected = textSelection.peek();
  if (selected === undefined) {
    const first = selectsText.peek() ? firstVisible() : undefined;
    return first && { page: first.page, from: { path: first.page.path, caret: first.at }, to: first.at };
  }
  const page = pageTexts.peek().pages.find(({ path }) => path === selected.to.path);
  return page && { page, from: selected.from, to: selected.to.caret };
}

/** Moves the image so that a word is in the middle of the window, if it is not seen. */
export function reveal(page: TextPage, word: number): void {
  const middle = middleOf(page, word);
  const window = frame.peek()?.window;
  if (middle === undefined || window === undefined || isVisible(middle)) return;
  stage.peek()?.panBy(middle.x / window.width - 0.5, middle.y / window.height - 0.5);
}

/** The end after a step, which leads from the last word of a page to the first of the next one, and back. */
function steppedOver(page: TextPage, to: Caret, step: SelectionStep): { readonly page: TextPage; readonly to: Caret } {
  const next = stepped(page.text, to, step);
  if (next.word !== to.word || next.offset !== to.offset) return { page, to: next };
  const { pages } = pageTexts.peek();
  const isForward = step === 'next-word' || step === 'next-line';
  const other = pages[pages.indexOf(page) + (isForward ? 1 : -1)];
  if (other === undefined || other.text.words.length === 0) return { page, to };
  const edge = isForward ? startOfText : endOfText(other.text);
  return { page: other, to: stepped(other.text, edge, step) };
}

function extend(key: string): boolean {
  const now = current();
  if (now === undefined) return false;
  const { page, from, to } = now;
  const line = page.text.lines[page.text.words[to.word]?.line ?? 0];
  const step = stepOfKey(key, line?.direction ?? 'ltr');
  if (step === undefined) return false;
  const next = steppedOver(page, to, step);
  textSelection.value = { from, to: { path: next.page.path, caret: next.to } };
  reveal(next.page, next.to.word);
  return true;
}

/** Extends the selection of words with Shift and the arrow keys, and begins one where the tool selects text. */
export const useTextKeys = (): void =>
  useKeys((event) => {
    if (!event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (keyTarget(event).closest(users) !== null) return;
    // The image is not moved by the same key.
    if (extend(event.key)) event.preventDefault();
  }, true);
