/** The image that is open, with the folder that it is a page of. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { FolderPage, ImageCard } from '../../../src/image/folder-page.ts';
import { joinPage, splitPage } from '../../../src/image/identifier.ts';
import type { Answer, Problem } from '../data/ask.ts';
import { askFolder } from '../data/folder.ts';
import { askImageFacts, type ImageFacts } from '../data/image.ts';
import { language } from '../messages/message.ts';
import type { ViewState } from '../model/view-state.ts';
import { FolderPages } from './folder-pages.ts';
import { goTo, goToInstead, place } from './place.ts';
import { setView, takeMovement, view, writeAddress } from './view.ts';

export interface Opened {
  readonly folder: FolderPage;
  readonly pages: FolderPages;
  /** The image's place among those of its folder, from 1. */
  readonly at: number;
  readonly card: ImageCard;
  /** Which page of its file, from 1. */
  readonly inner: number;
  /** The image's path, with `;2` for the second page of a file. */
  readonly path: string;
}

export type OpenState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly opened: Opened }
  | { readonly kind: 'problem'; readonly problem: Problem };

const state = signal<OpenState>({ kind: 'opening' });
const imageFacts = signal<ImageFacts | undefined>(undefined);

export const openState: ReadonlySignal<OpenState> = state;
/** What the image's file says of it; undefined as long as it has not come. */
export const facts: ReadonlySignal<ImageFacts | undefined> = imageFacts;

/** The image that is open; undefined where there is none. */
export const openedNow = (): Opened | undefined => (state.value.kind === 'open' ? state.value.opened : undefined);

let asked: AbortController | undefined;

/** The page of the folder whose `pn` the address says. */
function cardOfPage(
  { images, from }: FolderPage,
  pn: number,
): { readonly card: ImageCard; readonly at: number } | undefined {
  const index = images.findIndex((card) => card.pn === pn);
  const card = images[index];
  return card && { card, at: from + index };
}

/** An image that the folder's known part holds. */
function known(fn: string): Opened | undefined {
  const before = state.peek();
  if (before.kind !== 'open') return undefined;
  const { file, page } = splitPage(fn);
  const { pages, folder } = before.opened;
  const found = pages.placeOf(file);
  return found && { folder, pages, at: found.at, card: found.card, inner: page, path: fn };
}

async function find({ fn, pn }: ViewState, signal: AbortSignal): Promise<Answer<Opened>> {
  const { file, page } = splitPage(fn);
  const answer = await askFolder(file, language.peek(), {}, signal);
  if (!answer.ok) return answer;
  let folder = answer.value;
  if (folder.at === null && pn > 1) {
    const part = await askFolder(
      file,
      language.peek(),
      { from: Math.floor((pn - 1) / 100) * 100 + 1, count: 100 },
      signal,
    );
    if (!part.ok) return part;
    folder = part.value;
  }
  const pages = new FolderPages(folder);
  const { at } = folder;
  const named = at === null ? cardOfPage(folder, pn) : { card: folder.images[at - folder.from], at };
  if (named?.card === undefined) return { ok: false, problem: 'not-found' };
  const { card } = named;
  const inner = at === null ? 1 : page;
  return { ok: true, value: { folder, pages, at: named.at, card, inner, path: joinPage(card.path, inner) } };
}

/** A folder that holds folders alone is no image: the library shows it. */
function showFolderInstead(fn: string): void {
  goToInstead({ kind: 'browse', folder: fn, from: 1, search: '' });
}

/** Opens what an address says. */
export async function open(asking: ViewState): Promise<void> {
  asked?.abort();
  const controller = new AbortController();
  asked = controller;
  setView(asking);
  const found = known(asking.fn);
  const answer: Answer<Opened> = found ? { ok: true, value: found } : await find(asking, controller.signal);
  if (controller.signal.aborted) return;
  if (!answer.ok) {
    if (answer.problem === 'not-found' && asking.pn === 1 && (await isFolderOfFolders(asking.fn)))
      showFolderInstead(asking.fn);
    else state.value = { kind: 'problem', problem: answer.problem };
    return;
  }
  const opened = answer.value;
  imageFacts.value = undefined;
  setView({ ...view.peek(), fn: opened.path, pn: 1 });
  state.value = { kind: 'open', opened };
  writeAddress();
  const told = await askImageFacts(opened.path);
  if (!controller.signal.aborted && told.ok) imageFacts.value = told.value;
}

async function isFolderOfFolders(path: string): Promise<boolean> {
  const answer = await askFolder(path, language.peek(), { count: 1 });
  return answer.ok && answer.value.at === null && answer.value.totalImages === 0;
}

/** Says that the open image can't be shown. */
export function tellProblem(problem: Problem): void {
  state.value = { kind: 'problem', problem };
}

/** Where a step leads from the open image: a page inside of its file first, then another file. */
interface Step {
  readonly at: number;
  readonly inner: number;
}

function stepFrom({ at, inner, card, pages }: Opened, by: number): Step | undefined {
  if (by > 0 && inner < card.pages) return { at, inner: inner + 1 };
  if (by < 0 && inner > 1) return { at, inner: inner - 1 };
  const next = at + by;
  if (next < 1 || next > pages.total) return undefined;
  return { at: next, inner: by < 0 ? (pages.cardAt(next)?.pages ?? 1) : 1 };
}

/** How far a step goes: two pages at a time where two are shown. */
const stride = (): number => (view.peek().twoPages ? 2 : 1);

/** The pages before and after the open one, where there are any. */
export function neighbors(): { readonly previous: Step | undefined; readonly next: Step | undefined } {
  const opened = openedNow();
  if (opened === undefined) return { previous: undefined, next: undefined };
  const by = stride();
  const back = stepFrom(opened, -by) ?? (opened.at > 1 ? { at: 1, inner: 1 } : undefined);
  return { previous: back, next: stepFrom(opened, by) };
}

/** Opens another page of the folder. The region and all that is done to the picture stay; marks belong to their image. */
export async function goToPage({ at, inner }: Step): Promise<void> {
  const opened = openedNow();
  const here = place.peek();
  if (opened === undefined || here.kind !== 'view') return;
  const card = await opened.pages.find(at);
  if (card === undefined) return;
  takeMovement();
  // The way back must lead to what was seen last.
  writeAddress();
  const next = { ...view.peek(), fn: joinPage(card.path, inner), pn: 1, marks: [], rectangles: [] };
  // Inside of another page the way back is that page's own.
  const go = here.embedded ? goToInstead : goTo;
  go({ kind: 'view', state: next, embedded: here.embedded });
}

export function goToNeighbor(which: 'previous' | 'next'): void {
  const step = neighbors()[which];
  if (step !== undefined) void goToPage(step);
}

export function goToEnd(which: 'first' | 'last'): void {
  const opened = openedNow();
  if (opened !== undefined) void goToPage({ at: which === 'first' ? 1 : opened.pages.total, inner: 1 });
}

/** The images that the next steps lead to, nearest first. */
export async function neighborPaths(): Promise<readonly string[]> {
  const opened = openedNow();
  if (opened === undefined) return [];
  const { previous, next } = neighbors();
  const beside = view.peek().twoPages && next ? [{ at: next.at + 1, inner: 1 }] : [];
  const steps = [next, ...beside, previous].filter((step) => step !== undefined);
  const cards = await Promise.all(steps.map(({ at }) => opened.pages.find(at)));
  return cards.flatMap((card, index) => (card ? [joinPage(card.path, steps[index]?.inner ?? 1)] : []));
}
