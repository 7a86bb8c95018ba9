/** Reads the pages aloud with a voice of the browser, line by line with the spoken one lit, on to the next pages. */
import { effect } from '@preact/signals';
import { joinPage } from '../../../../src/core/image/model/identifier.ts';
import { language } from '../../messages/messages.ts';
import { type PageText, spokenLine } from '../../model/text/page-text.ts';
import { goToPage, openedNow, openState, type Step } from '../opened.ts';
import { bookUnits, pagesShown } from '../pages.ts';
import { storedSignal } from '../stored-preferences.ts';
import { view } from '../view.ts';
import { chosenLine, litLine, spokenNow as now, pageTexts, type TextPage } from './page-texts.ts';

export const canReadAloud = (): boolean => 'speechSynthesis' in globalThis;

const isRate = (value: unknown): value is number => typeof value === 'number' && value >= 0.5 && value <= 2;

/** How fast it is read; 1 is the voice's own speed. */
export const readingRate = storedSignal<number>('reading-rate', 1, isRate);

export const rates = [0.6, 0.8, 1, 1.25, 1.5] as const;

/** Pages without a text that are passed at once. */
const maxPassed = 30;

/** Time for a page to open with its text, in ms. */
const maxOpeningMs = 30_000;

/** Tells the current reading from those before it, of which events may still come. */
let turn = 0;

/** Speech engines know languages; a voice on this machine needs no other host. */
function voiceFor(tag: string): SpeechSynthesisVoice | undefined {
  const [wanted = ''] = tag.toLowerCase().split('-');
  const able = speechSynthesis.getVoices().filter(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === wanted);
  return (
    able.find(({ localService, default: isUsual }) => localService && isUsual) ?? able.find((one) => one.localService)
  );
}

function utteranceOf(text: PageText, line: number): SpeechSynthesisUtterance {
  const tag = text.lines[line]?.language ?? language.peek();
  const utterance = new SpeechSynthesisUtterance(spokenLine(text, line));
  const voice = voiceFor(tag);
  utterance.lang = tag;
  if (voice !== undefined) utterance.voice = voice;
  utterance.rate = readingRate.peek();
  return utterance;
}

/** Speaks one line; false where the reading has ended meanwhile. */
function speak({ path, text }: TextPage, line: number, mine: number): Promise<boolean> {
  if (spokenLine(text, line).trim() === '') return Promise.resolve(mine === turn);
  now.value = { path, line, isPaused: false };
  litLine.value = { path, line };
  return new Promise((resolve) => {
    const utterance = utteranceOf(text, line);
    const end = (): void => resolve(mine === turn);
    utterance.onend = end;
    utterance.onerror = end;
    speechSynthesis.speak(utterance);
  });
}

/** The page that is read. */
let current: TextPage | undefined;

async function readPage(page: TextPage, from: number, mine: number): Promise<boolean> {
  current = page;
  for (let line = from; line < page.text.lines.length; line += 1) {
    if (!(await speak(page, line, mine))) return false;
  }
  return true;
}

/** The path of a page of the open book, as far as its card has loaded. */
async function pathOf({ at, inner }: Step): Promise<string | undefined> {
  const card = await openedNow()?.images.find(at);
  return card && joinPage(card.path, inner);
}

/** The index among the book's units of that with a page; -1 for none. */
function unitOf(path: string): number {
  const opened = openedNow();
  return bookUnits.peek().findIndex((unit) =>
    unit.some(({ at, inner }) => {
      const card = opened?.images.cardAt(at);
      if (opened === undefined || card === undefined) return false;
      const own = opened.images.total > 1 ? card.path : joinPage(card.path, inner);
      return path === own || path.startsWith(`${own};`);
    }),
  );
}

/** The texts of the page that is being opened, when they have loaded; none where it has none, or where it does not open. */
function textsOfPage(path: string, mine: number): Promise<readonly TextPage[]> {
  return new Promise((resolve) => {
    let end: (() => void) | undefined;
    const settle = (pages: readonly TextPage[]): void => {
      clearTimeout(timer);
      queueMicrotask(() => end?.());
      resolve(pages);
    };
    const timer = setTimeout(() => settle([]), maxOpeningMs);
    end = effect(() => {
      const { pages, isLoading } = pageTexts.value;
      const state = openState.value;
      if (mine !== turn || state.kind === 'problem') settle([]);
      if (state.kind !== 'open' || state.opened.path !== path || isLoading) return;
      const shown = pagesShown(state.opened).map(({ at }) => state.opened.images.cardAt(at));
      if (pages.some((page) => page.path === path) || shown.every((card) => card?.hasText !== true)) settle(pages);
    });
  });
}

/** The next pages with a text, which are opened; none at the end of the book, and where the reading has ended. */
async function nextPages(after: string, mine: number): Promise<readonly TextPage[]> {
  let at = unitOf(after);
  for (let passed = 0; at >= 0 && passed < maxPassed; passed += 1) {
    at += 1;
    const [step] = bookUnits.peek()[at] ?? [];
    const path = step && (await pathOf(step));
    if (step === undefined || path === undefined || mine !== turn) return [];
    expected = path;
    await goToPage(step, {}, 'pass');
    const pages = await textsOfPage(path, mine);
    if (mine !== turn) return [];
    if (pages.some(({ text }) => text.lines.length > 0)) return pages;
  }
  return [];
}

/** The page that the reading itself opens, which does not end it. */
let expected: string | undefined;

async function readOn(pages: readonly TextPage[], from: number, mine: number): Promise<void> {
  let [list, line] = [pages, from];
  while (list.length > 0) {
    for (const page of list) {
      if (!(await readPage(page, line, mine))) return;
      line = 0;
    }
    list = await nextPages(list.at(-1)?.path ?? '', mine);
    if (mine !== turn) return;
  }
  stopReading();
}

/** Ends the reading. */
export function stopReading(): void {
  turn += 1;
  expected = undefined;
  const spoken = now.peek();
  now.value = undefined;
  if (spoken !== undefined && litLine.peek()?.path === spoken.path) litLine.value = undefined;
  if (canReadAloud()) speechSynthesis.cancel();
}

/** Reads from a line of a page to the end of the book. */
export function readFrom(page: TextPage, line: number): void {
  if (!canReadAloud()) return;
  const { pages } = pageTexts.peek();
  const at = pages.findIndex(({ path }) => path === page.path);
  stopReading();
  expected = openedNow()?.path;
  void readOn(at < 0 ? [page] : [page, ...pages.slice(at + 1)], line, turn);
}

/** The chosen line, else the first one of the pages. */
function start(): void {
  const { pages } = pageTexts.peek();
  const chosen = chosenLine.peek();
  const first = pages.find(({ text }) => text.lines.length > 0);
  const page = pages.find(({ path }) => path === chosen?.path);
  if (chosen !== undefined && page !== undefined) readFrom(page, chosen.line);
  else if (first !== undefined) readFrom(first, 0);
}

/** Begins to read, pauses, and goes on; false where there is nothing to read. */
export function toggleReading(): boolean {
  const spoken = now.peek();
  if (!canReadAloud()) return false;
  if (spoken === undefined) start();
  else {
    if (spoken.isPaused) speechSynthesis.resume();
    else speechSynthesis.pause();
    now.value = { ...spoken, isPaused: !spoken.isPaused };
  }
  return now.peek() !== undefined;
}

/** The line before or after the spoken one. */
export function stepReading(by: 1 | -1): void {
  const spoken = now.peek();
  if (spoken === undefined || current === undefined) return;
  readFrom(current, Math.min(Math.max(spoken.line + by, 0), current.text.lines.length - 1));
}

/** Another speed holds from the spoken line on. */
export function setRate(rate: number): void {
  readingRate.value = rate;
  const spoken = now.peek();
  if (spoken !== undefined && !spoken.isPaused && current !== undefined) readFrom(current, spoken.line);
}

/** Ends with the page that is read: when the reader turns to another one, but not where the text alone is scrolled through. */
effect(() => {
  const state = openState.value;
  const { layout } = view.value;
  if (now.peek() === undefined) return;
  const isLeft = state.kind === 'open' && state.opened.path !== expected && layout !== 'text';
  if (isLeft || layout === 'gallery' || layout === 'scroll') stopReading();
});

addEventListener('pagehide', stopReading);

/** Escape ends the reading before it does anything else, but in fields. */
addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || now.peek() === undefined || keyIsUsed(event)) return;
    event.preventDefault();
    stopReading();
  },
  true,
);

const keyIsUsed = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('dialog, textarea, input, select') !== null;
