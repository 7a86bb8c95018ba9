/** The open image, with the folder that it is a page of: opened from the view at each navigation. */
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { FolderListing, ImageCard } from '../../../src/image/folder/folder-listing.ts';
import { joinPage, splitPage } from '../../../src/image/model/identifier.ts';
import type { Answer, Problem } from '../data/fetch.ts';
import { fetchFolder } from '../data/folder.ts';
import { fetchImageFacts, type ImageFacts } from '../data/image.ts';
import { language } from '../messages/message.ts';
import { folderRoute, viewRoute } from '../model/routes.ts';
import type { ViewState } from '../model/view-state.ts';
import { FolderImages } from './folder-images.ts';
import { setLastOpened } from './last-opened.ts';
import { flushAddress, goTo, page, replaceRoute } from './route.ts';
import { flushViewport } from './stage.ts';
import { changeView, view } from './view.ts';

export interface Opened {
  readonly folder: FolderListing;
  readonly images: FolderImages;
  /** The position of the image in its folder, from 1. */
  readonly at: number;
  readonly card: ImageCard;
  /** The page inside of its file, from 1. */
  readonly inner: number;
  /** The image's path, with `;2` for the second page of a file. */
  readonly path: string;
}

export type OpenState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly opened: Opened }
  /** With the image where its folder has loaded, so that the reader can go to its neighbors. */
  | { readonly kind: 'problem'; readonly problem: Problem; readonly opened?: Opened };

const state = signal<OpenState>({ kind: 'opening' });
const imageFacts = signal<ImageFacts | undefined>(undefined);

export const openState: ReadonlySignal<OpenState> = state;
/** Facts from the image's file; undefined until they have loaded. */
export const facts: ReadonlySignal<ImageFacts | undefined> = imageFacts;

const openedIn = (now: OpenState): Opened | undefined => (now.kind === 'opening' ? undefined : now.opened);

/** The open image, also where it can't be shown; undefined where there is none. */
export const openedNow = (): Opened | undefined => openedIn(state.value);

let request: AbortController | undefined;

/** An image in the part of the current folder that has loaded. */
function findLoaded(fn: string): Opened | undefined {
  const before = openedIn(state.peek());
  if (before === undefined) return undefined;
  const { file, page } = splitPage(fn);
  const found = before.images.positionOf(file);
  return found && { folder: before.folder, images: before.images, ...found, inner: page, path: fn };
}

/** What a view names: an image, or a folder that holds folders only. */
type Found = Opened | { readonly folderAlone: string };

async function find({ fn, pn }: ViewState, signal: AbortSignal): Promise<Answer<Found>> {
  const { file, page } = splitPage(fn);
  const answer = await fetchFolder(file, language.peek(), { pn }, signal);
  if (!answer.ok) return answer;
  const folder = answer.value;
  if (folder.totalImages === 0) return { ok: true, value: { folderAlone: folder.path } };
  const card = folder.at === null ? undefined : folder.images[folder.at - folder.from];
  if (folder.at === null || card === undefined) return { ok: false, problem: 'not-found' };
  const images = new FolderImages(folder.path, 'automatic', folder);
  return { ok: true, value: { folder, images, at: folder.at, card, inner: page, path: joinPage(card.path, page) } };
}

async function loadFacts(path: string, { signal }: AbortController): Promise<void> {
  imageFacts.value = undefined;
  const answer = await fetchImageFacts(path);
  if (!signal.aborted && answer.ok) imageFacts.value = answer.value;
}

/** Opens the image that the view names. */
export async function open(): Promise<void> {
  request?.abort();
  const controller = new AbortController();
  request = controller;
  const loaded = findLoaded(view.peek().fn);
  const answer: Answer<Found> = loaded ? { ok: true, value: loaded } : await find(view.peek(), controller.signal);
  if (controller.signal.aborted) return;
  if (!answer.ok) {
    state.value = { kind: 'problem', problem: answer.problem };
    return;
  }
  const opened = answer.value;
  if ('folderAlone' in opened) {
    replaceRoute(folderRoute(opened.folderAlone));
    return;
  }
  changeView({ fn: opened.path, pn: 1 });
  state.value = { kind: 'open', opened };
  setLastOpened(opened.folder.path, opened.card.path);
  flushAddress();
  await loadFacts(opened.path, controller);
}

// At once: a key right after a navigation must step from the new page.
effect(() => {
  if (page.value.kind === 'view') untracked(() => void open());
});

/** Reports that the open image can't be shown. Its folder lists it: where the server does not find it, it is unreadable. */
export function reportProblem(problem: Problem): void {
  const opened = openedIn(state.peek());
  if (opened === undefined) state.value = { kind: 'problem', problem };
  else state.value = { kind: 'problem', problem: problem === 'not-found' ? 'unreadable' : problem, opened };
}

/** A page of the folder: the position of its file, and the page inside of the file, both from 1. */
export interface Step {
  readonly at: number;
  readonly inner: number;
}

/** Opens another page of the folder with the same region, rotation and colors. Notes belong to their image. */
export async function goToPage({ at, inner }: Step): Promise<void> {
  const opened = openedNow();
  const here = page.peek();
  if (opened === undefined || here.kind !== 'view') return;
  const card = await opened.images.find(at);
  if (card === undefined) return;
  flushViewport();
  const next = { ...view.peek(), fn: joinPage(card.path, inner), pn: 1, marks: [], rectangles: [] };
  // Inside of another page, the back button is that page's own.
  const go = here.embedded ? replaceRoute : goTo;
  go(viewRoute(next, here.embedded));
}
