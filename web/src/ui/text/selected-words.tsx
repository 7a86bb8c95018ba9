/** What can be done with the selected words, beside them, and how screen readers learn of them. */

import { useSignal } from '@preact/signals';
import { Quote, SquareDashed } from 'lucide';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { copiedText } from '../../model/text/carets.ts';
import { around } from '../../model/text/page-text.ts';
import { selectionBoxes } from '../../model/text/word-boxes.ts';
import { boxInFractions, cornersOf, toScreen } from '../../model/view/geometry.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import { addRectangle } from '../../state/notes/note-edits.ts';
import { openedNow } from '../../state/opened.ts';
import { frame } from '../../state/stages.ts';
import { matrixOfPage, selectedParts, selectedText, type TextPage } from '../../state/text/page-texts.ts';
import { isSelecting, panel } from '../../state/tools.ts';
import { Button } from '../common/button.tsx';
import { quoteInCitation, viewAddress } from '../common/citations.ts';
import { CopyButton } from '../common/copy.tsx';

/** Space that the bar needs beside the words, in CSS pixels. */
const room = { width: 300, height: 52 };

/** The middle of the lower edge of what is selected on the screen, or of its upper edge where there is no room below. */
function placeOf(page: TextPage, boxes: readonly Rect[]): Point | undefined {
  const matrix = matrixOfPage(page);
  const now = frame.value;
  if (matrix === undefined || now === undefined) return undefined;
  const corners = boxes.flatMap(cornersOf).map((corner) => toScreen(matrix, corner));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const { width, height } = now.window;
  const below = Math.max(...ys) + 8;
  const y = below + room.height <= height ? below : Math.min(...ys) - room.height;
  const x = (Math.min(...xs) + Math.max(...xs)) / 2;
  const half = Math.min(room.width, width) / 2;
  return {
    x: Math.min(Math.max(x, half), width - half),
    y: Math.min(Math.max(y, 8), height - room.height),
  };
}

/** A region around the words with their text; only the main page has notes. */
function NoteButton({
  page,
  boxes,
  text,
}: {
  readonly page: TextPage;
  readonly boxes: readonly Rect[];
  readonly text: string;
}) {
  const bounds = around(boxes);
  if (bounds === undefined || page.path !== openedNow()?.path) return null;
  const note = (): void => {
    addRectangle({ ...boxInFractions(bounds, page.text), text });
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

export function SelectionBar(): VNode | null {
  const selected = selectedParts.value;
  if (selected === undefined || isSelecting.value) return null;
  const { page, parts } = selected;
  const boxes = selectionBoxes(page.text, parts);
  const place = placeOf(page, boxes);
  if (place === undefined) return null;
  const text = copiedText(page.text, parts);
  return (
    <section
      class="selection-bar word-tools floating"
      aria-label={message('text-selected')}
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
    >
      <CopyButton text={selectedText} name={message('text-copy-selected')} label={message('copy')} />
      <NoteButton page={page} boxes={boxes} text={text} />
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
  const text = now === undefined ? '' : copiedText(now.page.text, now.parts);
  useEffect(() => {
    if (text === '' && announced.peek() === '') return undefined;
    const timer = setTimeout(() => {
      announced.value =
        text === '' ? message('text-selected-none') : message('text-selected-now', { text: shortened(text) });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="off-screen" role="status">
      {announced.value}
    </p>
  );
}
