/** Selects text with the pointer: by dragging where text is selected, and after a long press everywhere. */
import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { caretAt, lineAt, lineUnder } from '../../model/text/word-boxes.ts';
import type { Point } from '../../model/view-state.ts';
import type { StagePointer } from '../../stage/stage-pointer.ts';
import { onPointer, stage } from '../../state/stages.ts';
import {
  chosenLine,
  litLine,
  pageAt,
  pageTexts,
  pointOnPage,
  selectWords,
  type TextPage,
  textSelection,
} from '../../state/text/page-texts.ts';
import { isSelecting, panel, selectsText, tool } from '../../state/tools.ts';

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

function extendTo(at: Point): void {
  const selected = textSelection.peek();
  const page = pageTexts.peek().pages.find(({ path }) => path === selected?.path);
  const caret = page && caretFor(page, at);
  if (selected && caret) textSelection.value = { ...selected, to: caret };
}

/** Begins a selection where the pointer was pressed. */
function beginAt(at: Point): boolean {
  const page = pageFor(at);
  const caret = page && caretFor(page, at);
  if (page === undefined || caret === undefined) return false;
  textSelection.value = { path: page.path, from: caret, to: caret };
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
  const box = element.getBoundingClientRect();
  const found = pageAt({ x: event.clientX - box.x, y: event.clientY - box.y });
  const line = found && lineUnder(found.page.text, found.point);
  litLine.value = found && line ? { path: found.page.path, line: found.page.text.lines.indexOf(line) } : undefined;
}

/** All text of the page, by the usual keys, where text is selected. */
function selectAll(event: KeyboardEvent): void {
  const isAll = event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && !event.altKey;
  const page = pageTexts.peek().pages[0];
  if (!isAll || !selectsText.peek() || page === undefined) return;
  event.preventDefault();
  selectWords(page, 0, page.text.words.length - 1);
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
  return () => ending.abort();
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
    stage.value?.focusElement.classList.toggle('selects-text', selectsText.value || isSelecting.value);
  });
}
