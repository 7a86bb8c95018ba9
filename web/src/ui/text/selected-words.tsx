/** The selected words: the selection of the browser, and what can be done with them. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { Quote, SquareDashed } from 'lucide';
import type { RefObject, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { around, type Caret, copiedText, type PageText, partsBetween } from '../../model/text/page-text.ts';
import { selectionBoxes } from '../../model/text/word-boxes.ts';
import { boxAround, boxInFractions, centerOf, cornersOf, toScreen } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import { addRectangle } from '../../state/notes/sketch.ts';
import { openedNow } from '../../state/opened.ts';
import {
  matrixOfPage,
  pageTexts,
  type SelectedParts,
  selectedParts,
  selectedText,
  type TextPosition,
  textOfParts,
  textSelection,
} from '../../state/text/page-texts.ts';
import { isSelecting, panel } from '../../state/tools.ts';
import { frame } from '../../state/view.ts';
import { Button } from '../common/button.tsx';
import { quoteInCitation, viewAddress, wordsWithSource } from '../common/citations.ts';
import { useAfterPause } from '../common/elements.ts';
import { CopyButton } from '../common/take-along.tsx';

/** Space that the bar needs beside the words, in CSS pixels. */
const room = { width: 300, height: 52 };

/** The corners of the selected words of a page on the screen. */
function cornersOnScreen({ page, parts }: SelectedParts): readonly Point[] {
  const matrix = matrixOfPage(page);
  if (matrix === undefined) return [];
  return selectionBoxes(page.text, parts)
    .flatMap(cornersOf)
    .map((corner) => toScreen(matrix, corner));
}

/** The middle of the lower edge of what is selected on the screen, or of its upper edge where there is no room below. */
function placeOf(selected: readonly SelectedParts[]): Point | undefined {
  const now = frame.value;
  const words = boxAround(selected.flatMap(cornersOnScreen));
  if (words === undefined || now === undefined) return undefined;
  const { width, height } = now.window;
  const below = words.y + words.height + 8;
  const y = below + room.height <= height ? below : words.y - room.height;
  const { x } = centerOf(words);
  const half = Math.min(room.width, width) / 2;
  return {
    x: Math.min(Math.max(x, half), width - half),
    y: Math.min(Math.max(y, 8), height - room.height),
  };
}

interface NoteButtonProps {
  readonly selected: readonly SelectedParts[];
  readonly text: string;
}

/** A region around the words of the main page, which alone has notes, with all of the text. */
function NoteButton({ selected, text }: NoteButtonProps): VNode | null {
  const main = selected.find(({ page }) => page.path === openedNow()?.path);
  const bounds = main && around(selectionBoxes(main.page.text, main.parts));
  if (main === undefined || bounds === undefined) return null;
  const note = (): void => {
    addRectangle({ ...boxInFractions(bounds, main.page.text), text });
    panel.value = 'notes';
  };
  return (
    <Button icon={SquareDashed} onClick={note}>
      {message('text-as-note')}
    </Button>
  );
}

function quote(text: string): void {
  const opened = openedNow();
  if (opened === undefined) return;
  quoteInCitation(opened, viewAddress(), text);
  panel.value = 'cite';
}

/** The selected words with a citation of the page where they begin. */
function selectedWithSource(selected: readonly SelectedParts[]): string {
  const [opened, first] = [openedNow(), selected[0]];
  const text = textOfParts(selected);
  if (opened === undefined || first === undefined) return text;
  const bounds = around(selectionBoxes(first.page.text, first.parts));
  const { path, label } = first.page;
  return wordsWithSource(opened, text, { path, label, box: bounds && boxInFractions(bounds, first.page.text) });
}

export function SelectionBar(): VNode | null {
  const selected = selectedParts.value;
  if (isSelecting.value) return null;
  const place = placeOf(selected);
  if (place === undefined) return null;
  const text = textOfParts(selected);
  return (
    <section
      class="selection-bar word-tools floating"
      aria-label={message('text-selected')}
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
    >
      <CopyButton text={selectedText} name={message('text-copy-selected')} label={message('copy')} />
      <CopyButton
        text={() => selectedWithSource(selected)}
        name={message('copy-with-source')}
        label={message('copy-with-source')}
      />
      <NoteButton selected={selected} text={text} />
      <Button icon={Quote} onClick={() => quote(text)}>
        {message('text-quote')}
      </Button>
    </section>
  );
}

/** Delay after the last change until it is announced, in ms. */
const pauseMs = 400;

/** The longest text that is announced as a whole, in characters; of others, the end that moved last is heard best. */
const longest = 200;

const shortened = (text: string): string => {
  const characters = [...text];
  return characters.length <= longest ? text : `… ${characters.slice(-longest).join('')}`;
};

/** Tells screen readers which words of the image are selected. */
export function SelectionStatus(): VNode {
  const announced = useSignal('');
  const now = selectedParts.value;
  const text = textOfParts(now);
  const announce = (): void => {
    if (text !== '') announced.value = message('text-selected-now', { text: shortened(text) });
    else if (announced.peek() !== '') announced.value = message('text-selected-none');
  };
  useAfterPause(announce, pauseMs, [text]);
  return (
    <p class="off-screen" role="status">
      {announced.value}
    </p>
  );
}

/** The letters of a word on the image. */
function lettersOf(layer: HTMLElement, { path, caret }: TextPosition): ChildNode | null | undefined {
  const page = [...layer.querySelectorAll<HTMLElement>('[data-text-of]')].find(
    ({ dataset }) => dataset['textOf'] === path,
  );
  return page?.querySelector(`[data-word="${caret.word}"]`)?.firstChild;
}

const isInside = (layer: HTMLElement | null, selection: Selection | null): boolean =>
  selection?.anchorNode != null && layer?.contains(selection.anchorNode) === true;

/**
 * The selected words as the browser’s own selection, and as lines with the parted words whole when they are copied.
 */
export function useDomSelection(layer: RefObject<HTMLElement | null>): void {
  useSignalEffect(() => {
    const selected = textSelection.value;
    const selection = getSelection();
    if (layer.current === null) return;
    if (selected === undefined) {
      if (isInside(layer.current, selection)) selection?.removeAllRanges();
      return;
    }
    const from = lettersOf(layer.current, selected.from);
    const to = lettersOf(layer.current, selected.to);
    if (from && to) selection?.setBaseAndExtent(from, selected.from.caret.offset, to, selected.to.caret.offset);
  });
  useEffect(() => {
    // What is selected elsewhere ends the selection on the image.
    const forget = (): void => {
      if (textSelection.peek() !== undefined && !isInside(layer.current, getSelection())) {
        textSelection.value = undefined;
      }
    };
    document.addEventListener('selectionchange', forget);
    return () => {
      document.removeEventListener('selectionchange', forget);
      textSelection.value = undefined;
    };
  }, []);
}

/** The position of an end of a selection in the words of a page. */
function caretOf(elements: readonly HTMLElement[], range: Range, end: 'start' | 'end', text: PageText) {
  const touched = elements.filter((element) => range.intersectsNode(element));
  const element = end === 'start' ? touched[0] : touched.at(-1);
  if (element === undefined) return undefined;
  const word = Number(element.dataset['word']);
  const length = text.words[word]?.text.length ?? 0;
  const container = end === 'start' ? range.startContainer : range.endContainer;
  const offset = end === 'start' ? range.startOffset : range.endOffset;
  const isInWord = container.nodeType === Node.TEXT_NODE && element.contains(container);
  const byDefault = end === 'start' ? 0 : length;
  return { word, offset: isInWord ? Math.min(offset, length) : byDefault } satisfies Caret;
}

/** Of two texts beside each other, that in which the selection begins; `isBeside`: in the second one. */
function copiedFrom(element: HTMLElement, range: Range, isBeside: boolean): string {
  const page = pageTexts.peek().pages.find(({ path }) => path === element.dataset['textOf']);
  const text = isBeside ? page?.beside?.text : page?.text;
  if (text === undefined || !range.intersectsNode(element)) return '';
  const all = [...element.querySelectorAll<HTMLElement>('[data-word]')];
  const words = all.filter((word) => (word.closest('.beside') !== null) === isBeside);
  const [from, to] = [caretOf(words, range, 'start', text), caretOf(words, range, 'end', text)];
  return from && to ? copiedText(text, partsBetween(text, from, to)) : '';
}

const isInBeside = ({ anchorNode }: Selection): boolean =>
  (anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement)?.closest('.beside') != null;

/** Where the pages of a text stand: on the image, or in the panel. */
function rootOf(range: Range): Element | null {
  const common = range.commonAncestorContainer;
  const element = common instanceof Element ? common : common.parentElement;
  return element?.closest('.text-layer, .text-panel') ?? null;
}

/** Copies selected words, of the image and of the panel, as lines with the parted words whole. */
export function useCopying(): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent): void => {
      const selection = getSelection();
      if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return;
      const range = selection.getRangeAt(0);
      const pages = [...(rootOf(range)?.querySelectorAll<HTMLElement>('[data-text-of]') ?? [])];
      const text = pages
        .map((page) => copiedFrom(page, range, isInBeside(selection)))
        .filter((copied) => copied !== '')
        .join('\n\n');
      if (text === '') return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, []);
}
