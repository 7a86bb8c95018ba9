/** The texts of the pages on the stage, with the places where they lie, and what of them is selected, lit and chosen. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { joinPage } from '../../../../src/core/image/model/identifier.ts';
import type { Problem } from '../../data/fetch.ts';
import { isForeign } from '../../model/address/address-text.ts';
import {
  type Caret,
  copiedText,
  endOfText,
  type PageText,
  partsBetween,
  startOfText,
  type WordPart,
} from '../../model/text/page-text.ts';
import type { TextChoice } from '../../model/text/text-choices.ts';
import {
  atLeast,
  boxInFractions,
  type Matrix,
  matrixOfPart,
  partOnCanvas,
  toImage,
  toScreen,
} from '../../model/view/geometry.ts';
import { rectBeside } from '../../model/view/page-order.ts';
import { type Point, type Rect, wholeImage } from '../../model/view-state.ts';
import { followRequests, type Opened, openState } from '../opened.ts';
import { pagesShown, readingDirection } from '../pages.ts';
import { companionOf, stageImage } from '../stage-images.ts';
import { panel } from '../tools.ts';
import { frame, view } from '../view.ts';
import { showRectangle } from '../viewport.ts';
import { loadTexts, type TextBeside } from './load-texts.ts';

export interface TextPage {
  readonly path: string;
  readonly label: string;
  /** In fractions of the main image: where the page lies. */
  readonly part: Rect;
  readonly text: PageText;
  /** The key of the text. */
  readonly key: string;
  readonly choices: readonly TextChoice[];
  /** Another text, line by line beside it; undefined for none. */
  readonly beside: TextBeside | undefined;
}

interface PageTexts {
  /** In reading order. */
  readonly pages: readonly TextPage[];
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
}

const nothing: PageTexts = { pages: [], isLoading: false, problem: undefined };

const loaded = signal<PageTexts>(nothing);

export const pageTexts: ReadonlySignal<PageTexts> = loaded;

/** The maps from fractions of the main image of a page beside it; undefined where there is none. */
async function partBeside(opened: Opened): Promise<{ readonly path: string; readonly part: Rect } | undefined> {
  const [main, beside] = await Promise.all([stageImage(opened.path), companionOf(opened)]);
  return main && beside && { path: beside.path, part: rectBeside(main.info, beside.info, beside.side) };
}

/** The pages on the stage that have a text, as far as their cards have loaded. */
function pagesWithText(opened: Opened) {
  return pagesShown(opened).flatMap(({ at, inner }) => {
    const card = opened.images.cardAt(at);
    return card?.hasText ? [{ path: joinPage(card.path, inner), label: card.label }] : [];
  });
}

type Wanted = ReturnType<typeof pagesWithText>;

async function load(opened: Opened, wanted: Wanted, signal: AbortSignal): Promise<void> {
  loaded.value = { ...nothing, isLoading: true };
  const [beside, answers] = await Promise.all([
    wanted.some(({ path }) => path !== opened.path) ? partBeside(opened) : undefined,
    Promise.all(wanted.map(({ path }) => loadTexts(path, view.peek().texts, signal))),
  ]);
  if (signal.aborted) return;
  const problem = answers.map((answer) => (answer.ok ? undefined : answer.problem)).find((one) => one !== undefined);
  const pages = answers.flatMap((answer, at): readonly TextPage[] => {
    const page = wanted[at];
    if (!answer.ok || page === undefined) return [];
    const part = page.path === opened.path ? wholeImage : page.path === beside?.path ? beside.part : undefined;
    return part === undefined ? [] : [{ ...page, part, ...answer.value }];
  });
  loaded.value = { pages, isLoading: false, problem };
}

/** Other hosts are asked for texts when the reader wants them. */
const isWanted = computed(() => panel.value === 'text' || view.value.selectsText || view.value.layout === 'text');

const attempts = signal(0);

export const retryTexts = (): void => {
  attempts.value += 1;
};

/** Follows the pages on the stage; returns the function that ends it. */
export function followPageTexts(): () => void {
  const wanted = computed(() => {
    const now = openState.value;
    if (now.kind !== 'open') return undefined;
    const pages = pagesWithText(now.opened).filter(({ path }) => isWanted.value || !isForeign(path));
    return { opened: now.opened, pages, key: JSON.stringify([pages, readingDirection.value, view.value.texts]) };
  });
  const key = computed(() => `${wanted.value?.key} ${wanted.value?.opened.path} ${attempts.value}`);
  const reset = (): void => {
    loaded.value = nothing;
  };
  return followRequests((signal) => {
    key.value;
    const now = wanted.peek();
    if (now === undefined || now.pages.length === 0) reset();
    else void load(now.opened, now.pages, signal);
  }, reset);
}

/** The map from pixels of a page to CSS pixels of the stage; undefined while nothing is on it. */
export function matrixOfPage({ part, text }: Pick<TextPage, 'part' | 'text'>): Matrix | undefined {
  const now = frame.value;
  return now && matrixOfPart(now.matrix, part, text);
}

/** A point of the stage in CSS pixels as one of a page, in its pixels. */
export function pointOnPage(page: TextPage, at: Point): Point | undefined {
  const now = frame.peek();
  return now && toImage(matrixOfPart(now.matrix, page.part, page.text), at);
}

const isOn = ({ text }: TextPage, { x, y }: Point): boolean => x >= 0 && y >= 0 && x <= text.width && y <= text.height;

/** The page below a point of the stage, with the point in its pixels. */
export function pageAt(at: Point): { readonly page: TextPage; readonly point: Point } | undefined {
  for (const page of loaded.peek().pages) {
    const point = pointOnPage(page, at);
    if (point !== undefined && isOn(page, point)) return { page, point };
  }
  return undefined;
}

/** How far a point of the stage is from a page, in CSS pixels; 0 on it. */
function distanceTo(page: TextPage, at: Point): number {
  const [matrix, point] = [matrixOfPage(page), pointOnPage(page, at)];
  if (matrix === undefined || point === undefined) return Number.POSITIVE_INFINITY;
  const [x, y] = [clamped(point.x, page.text.width), clamped(point.y, page.text.height)];
  const nearest = toScreen(matrix, { x, y });
  return Math.hypot(nearest.x - at.x, nearest.y - at.y);
}

const clamped = (value: number, greatest: number): number => Math.min(Math.max(value, 0), greatest);

/** The page that is nearest to a point of the stage. */
export const pageNearest = (at: Point): TextPage | undefined =>
  loaded
    .peek()
    .pages.map((page) => ({ page, distance: distanceTo(page, at) }))
    .sort((one, other) => one.distance - other.distance)[0]?.page;

/** A line of a page, or some that stand beside the same line of another text. */
export interface LineOfPage {
  readonly path: string;
  readonly line: number;
  /** The last of several; absent for one alone. */
  readonly to?: number;
}

/** Below the pointer, on the image or in the panel, or with the keyboard's focus. */
export const litLine = signal<LineOfPage | undefined>(undefined);

/** The line that is read aloud. */
export interface SpokenLine {
  readonly path: string;
  readonly line: number;
  readonly isPaused: boolean;
}

export const spokenNow = signal<SpokenLine | undefined>(undefined);

export const chosenLine = signal<LineOfPage | undefined>(undefined);

/** Whether words are marked of which the recognition was not sure. */
export const showsUncertain = signal(false);

export const isLine = (one: LineOfPage | undefined, path: string, line: number): boolean =>
  one?.path === path && line >= one.line && line <= (one.to ?? one.line);

/** The least part of the image that is shown with a line, in fractions: a line alone is too near. */
const leastExtent = 0.18;

/** A rectangle of a page in fractions of the main image. */
const partOnStage = ({ part, text }: TextPage, box: Rect): Rect => partOnCanvas(boxInFractions(box, text), part);

/** Shows a rectangle of a page, in its pixels; the page beside the main one stays where it is, since a view is of the main one. */
export function showOnPage(page: TextPage, box: Rect): void {
  if (page.part === wholeImage) showRectangle(atLeast(partOnStage(page, box), leastExtent));
}

// Lines of pages that have left the stage are none.
effect(() => {
  const paths = new Set(pageTexts.value.pages.map(({ path }) => path));
  if (litLine.peek() && !paths.has(litLine.peek()?.path ?? '')) litLine.value = undefined;
  if (chosenLine.peek() && !paths.has(chosenLine.peek()?.path ?? '')) chosenLine.value = undefined;
});

/** A position in the text of a page. */
export interface TextPosition {
  readonly path: string;
  readonly caret: Caret;
}

interface TextSelection {
  /** Where the selection began, and where it ends; in either order, and on either page of an opening. */
  readonly from: TextPosition;
  readonly to: TextPosition;
}

export const textSelection = signal<TextSelection | undefined>(undefined);

/** The selected words of a page. */
export interface SelectedParts {
  readonly page: TextPage;
  readonly parts: readonly WordPart[];
}

/** All that is selected of one of the pages, in reading order, between the pages of both ends. */
function partsOn(pages: readonly TextPage[], at: number, first: TextPosition, last: TextPosition): SelectedParts[] {
  const page = pages[at];
  if (page === undefined) return [];
  const { text } = page;
  const start = first.path === page.path ? first.caret : startOfText;
  const end = last.path === page.path ? last.caret : endOfText(text);
  const parts = partsBetween(text, start, end);
  return parts.length === 0 ? [] : [{ page, parts }];
}

/** The selected words by their pages, in reading order; empty where nothing is selected. */
export const selectedParts: ReadonlySignal<readonly SelectedParts[]> = computed(() => {
  const selected = textSelection.value;
  const { pages } = pageTexts.value;
  if (selected === undefined) return [];
  const { from, to } = selected;
  const [begins, ends] = [from, to].map((end) => pages.findIndex(({ path }) => path === end.path));
  if (begins === undefined || ends === undefined || begins < 0 || ends < 0) return [];
  const [first, last] = begins <= ends ? [from, to] : [to, from];
  const low = Math.min(begins, ends);
  return Array.from({ length: Math.abs(ends - begins) + 1 }, (_, at) => partsOn(pages, low + at, first, last)).flat();
});

/** The words of pages as they are copied: an empty line between pages. */
export const textOfParts = (selected: readonly SelectedParts[]): string =>
  selected.map(({ page, parts }) => copiedText(page.text, parts)).join('\n\n');

/** The selected text as it is copied; empty for none. */
export const selectedText = (): string => textOfParts(selectedParts.peek());

/** Selects words, by their indices: the first and the last of them. */
export function selectWords({ path, text }: TextPage, from: number, to: number): void {
  const end = text.words[to]?.text.length ?? 0;
  textSelection.value = {
    from: { path, caret: { word: from, offset: 0 } },
    to: { path, caret: { word: to, offset: end } },
  };
}

/** Selects all words of all pages on the stage. */
export function selectAllWords(): void {
  const { pages } = pageTexts.peek();
  const [first, last] = [pages[0], pages.at(-1)];
  if (first === undefined || last === undefined) return;
  textSelection.value = {
    from: { path: first.path, caret: startOfText },
    to: { path: last.path, caret: endOfText(last.text) },
  };
}
