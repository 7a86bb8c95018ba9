/** The image that is open, with the folder that it is a page of. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { FolderListing, ImageCard } from '../../../src/image/folder/folder-listing.ts';
import { joinPage, splitPage } from '../../../src/image/model/identifier.ts';
import type { Answer, Problem } from '../data/ask.ts';
import { askFolder } from '../data/folder.ts';
import { askImageFacts, type ImageFacts } from '../data/image.ts';
import { language } from '../messages/message.ts';
import { viewRoute } from '../model/routes.ts';
import type { ViewState } from '../model/view-state.ts';
import { FolderPages } from './folder-images.ts';
import { setLastOpened } from './last-opened.ts';
import { goTo, goToInstead, place } from './route.ts';
import { flushViewport, setView, view, writeAddress } from './view.ts';

export interface Opened {
  readonly folder: FolderListing;
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
  /** With the image where its folder is known: its neighbors can still be gone to. */
  | { readonly kind: 'problem'; readonly problem: Problem; readonly opened?: Opened };

const state = signal<OpenState>({ kind: 'opening' });
const imageFacts = signal<ImageFacts | undefined>(undefined);

export const openState: ReadonlySignal<OpenState> = state;
/** What the image's file says of it; undefined as long as it has not come. */
export const facts: ReadonlySignal<ImageFacts | undefined> = imageFacts;

const openedIn = (now: OpenState): Opened | undefined => (now.kind === 'opening' ? undefined : now.opened);

/** The image that is open, also where it can't be shown; undefined where there is none. */
export const openedNow = (): Opened | undefined => openedIn(state.value);

let asked: AbortController | undefined;

/** An image that the folder's known part holds. */
function findListed(fn: string): Opened | undefined {
  const before = openedIn(state.peek());
  if (before === undefined) return undefined;
  const { file, page } = splitPage(fn);
  const { pages, folder } = before;
  const found = pages.placeOf(file);
  return found && { folder, pages, at: found.at, card: found.card, inner: page, path: fn };
}

/** What an address names: an image, or a folder that holds folders alone. */
type Found = Opened | { readonly folderAlone: string };

async function find({ fn, pn }: ViewState, signal: AbortSignal): Promise<Answer<Found>> {
  const { file, page } = splitPage(fn);
  const answer = await askFolder(file, language.peek(), { pn }, signal);
  if (!answer.ok) return answer;
  const folder = answer.value;
  if (folder.totalImages === 0) return { ok: true, value: { folderAlone: folder.path } };
  const card = folder.at === null ? undefined : folder.images[folder.at - folder.from];
  if (folder.at === null || card === undefined) return { ok: false, problem: 'not-found' };
  const path = joinPage(card.path, page);
  return { ok: true, value: { folder, pages: new FolderPages(folder), at: folder.at, card, inner: page, path } };
}

/** Opens what an address says. */
export async function open(asking: ViewState): Promise<void> {
  asked?.abort();
  const controller = new AbortController();
  asked = controller;
  setView(asking);
  const found = findListed(asking.fn);
  const answer: Answer<Found> = found ? { ok: true, value: found } : await find(asking, controller.signal);
  if (controller.signal.aborted) return;
  if (!answer.ok) {
    state.value = { kind: 'problem', problem: answer.problem };
    return;
  }
  const opened = answer.value;
  if ('folderAlone' in opened) {
    goToInstead({ kind: 'browse', folder: opened.folderAlone, from: 1, search: '' });
    return;
  }
  imageFacts.value = undefined;
  setView({ ...view.peek(), fn: opened.path, pn: 1 });
  state.value = { kind: 'open', opened };
  setLastOpened(opened.folder.path, opened.card.path);
  writeAddress();
  const told = await askImageFacts(opened.path);
  if (!controller.signal.aborted && told.ok) imageFacts.value = told.value;
}

/** Says that the open image can't be shown. Its folder lists it: where the server finds no image in it, it can't be read. */
export function reportProblem(problem: Problem): void {
  const opened = openedIn(state.peek());
  if (opened === undefined) state.value = { kind: 'problem', problem };
  else state.value = { kind: 'problem', problem: problem === 'not-found' ? 'unreadable' : problem, opened };
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
  flushViewport();
  // The way back must lead to what was seen last.
  writeAddress();
  const next = { ...view.peek(), fn: joinPage(card.path, inner), pn: 1, marks: [], rectangles: [] };
  // Inside of another page the way back is that page's own.
  const go = here.embedded ? goToInstead : goTo;
  go(viewRoute(next, here.embedded));
}

let steps: Promise<void> = Promise.resolve();

/** Steps to the page before or after; while another step is under way, from where that one leads. */
export function goToNeighbor(which: 'previous' | 'next'): void {
  steps = steps.then(async () => {
    const step = neighbors()[which];
    if (step !== undefined) await goToPage(step);
  });
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
