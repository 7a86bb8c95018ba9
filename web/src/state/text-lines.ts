/** The line of the text that the pointer or the focus is on, and the one that was chosen; the image and the panel show both. */
import { effect, signal } from '@preact/signals';
import { inFractions } from '../model/page-text.ts';
import { type Rect, wholeImage } from '../model/view-state.ts';
import { pageTexts, type TextPage } from './page-texts.ts';
import { showRectangle } from './viewport.ts';

export interface LineOfPage {
  readonly path: string;
  /** The index of the line. */
  readonly line: number;
}

/** Below the pointer, on the image or in the panel, or with the keyboard's focus. */
export const litLine = signal<LineOfPage | undefined>(undefined);

export const chosenLine = signal<LineOfPage | undefined>(undefined);

/** Whether words are marked of which the recognition was not sure. */
export const showsUncertain = signal(false);

export const isLine = (one: LineOfPage | undefined, path: string, line: number): boolean =>
  one?.path === path && one.line === line;

/** The least part of the image that is shown with a line, in fractions: a line alone is too near. */
const leastExtent = 0.18;

/** A rectangle of a page in fractions of the main image. */
export const partOnStage = ({ part, text }: TextPage, box: Rect): Rect => {
  const { x, y, width, height } = inFractions(box, text);
  return {
    x: part.x + x * part.width,
    y: part.y + y * part.height,
    width: width * part.width,
    height: height * part.height,
  };
};

/** At least a part of the image that gives the words their context. */
function withContext({ x, y, width, height }: Rect): Rect {
  const [wide, high] = [Math.max(width, leastExtent), Math.max(height, leastExtent)];
  return { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high };
}

/** Shows a rectangle of a page, in its pixels; the page beside the main one stays where it is, since a view is of the main one. */
export function showOnPage(page: TextPage, box: Rect): void {
  if (page.part === wholeImage) showRectangle(withContext(partOnStage(page, box)));
}

// Lines of pages that have left the stage are none.
effect(() => {
  const paths = new Set(pageTexts.value.pages.map(({ path }) => path));
  if (litLine.peek() && !paths.has(litLine.peek()?.path ?? '')) litLine.value = undefined;
  if (chosenLine.peek() && !paths.has(chosenLine.peek()?.path ?? '')) chosenLine.value = undefined;
});
