/** Extends the selection of words with Shift and the arrow keys, and begins one where the tool selects text. */
import { useEffect } from 'preact/hooks';
import { type Caret, stepOfKey, stepped } from '../../model/text/carets.ts';
import { toScreen } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import { frame, stage } from '../../state/stages.ts';
import { matrixOfPage, pageTexts, type TextPage, textSelection } from '../../state/text/page-texts.ts';
import { selectsText, tool } from '../../state/tools.ts';
import { fields, keyTarget } from '../common/key-target.ts';

/** What uses the keys itself. */
const users = `${fields}, dialog, .side-panel, .filmstrip, .tool-rail, [class*="handle"]`;

/** The middle of a word on the stage, in CSS pixels; undefined where nothing says where it is. */
function middleOf(page: TextPage, word: number): Point | undefined {
  const [matrix, box] = [matrixOfPage(page), page.text.words[word]?.box];
  return matrix && box && toScreen(matrix, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
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

/** The selection that a key extends. */
function current(): { readonly page: TextPage; readonly from: Caret; readonly to: Caret } | undefined {
  // The keys are those of the tool.
  if (tool.peek() !== 'move') return undefined;
  const selected = textSelection.peek();
  if (selected === undefined) {
    const first = selectsText.peek() ? firstVisible() : undefined;
    return first && { page: first.page, from: first.at, to: first.at };
  }
  const page = pageTexts.peek().pages.find(({ path }) => path === selected.path);
  return page && { page, from: selected.from, to: selected.to };
}

/** Moves the image so that a word is in the middle of the window, if it is not seen. */
function reveal(page: TextPage, word: number): void {
  const middle = middleOf(page, word);
  const window = frame.peek()?.window;
  if (middle === undefined || window === undefined || isVisible(middle)) return;
  stage.peek()?.panBy(middle.x / window.width - 0.5, middle.y / window.height - 0.5);
}

function extend(key: string): boolean {
  const now = current();
  if (now === undefined) return false;
  const { page, from, to } = now;
  const line = page.text.lines[page.text.words[to.word]?.line ?? 0];
  const step = stepOfKey(key, line?.direction ?? 'ltr');
  if (step === undefined) return false;
  const next = stepped(page.text, to, step);
  textSelection.value = { path: page.path, from, to: next };
  reveal(page, next.word);
  return true;
}

export function useTextKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (keyTarget(event).closest(users) !== null) return;
      // The image is not moved by the same key.
      if (extend(event.key)) event.preventDefault();
    };
    // Before the shortcuts of the page and the keys of the stage.
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, []);
}
