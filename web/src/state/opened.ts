/** The images on the page, each with the folder that it is a page of: opened from the views at each navigation. */

import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { keyOfPage, presentationAddresses } from '../../../src/core/image/addresses/iiif-addresses.ts';
import type { FolderListing, ImageCard } from '../../../src/core/image/folder/folder-listing.ts';
import { joinPage, splitPage } from '../../../src/core/image/model/identifier.ts';
import { mediaFormatOf } from '../../../src/core/image/model/media-formats.ts';
import { type Answer, fault, fetchFolder, type Problem } from '../data/fetch.ts';
import { fetchImageFacts, type ImageFacts } from '../data/image-info.ts';
import { foreignImage } from '../data/images.ts';
import { baseAddress, pageSettings } from '../data/page-settings.ts';
import { language } from '../messages/messages.ts';
import { foreignPath, isForeign, parseForeignPath } from '../model/address/address-text.ts';
import { folderRoute, viewRoute } from '../model/address/routes.ts';
import { normalizedDegrees } from '../model/address/view-query.ts';
import { isBound } from '../model/view/page-order.ts';
import type { Rect, ViewState } from '../model/view-state.ts';
import { FolderImages } from './folder-images.ts';
import type { OpenCollection } from './open-collection.ts';
import { flushAddress, goTo, page, replaceRoute, setLastOpened } from './route.ts';
import { readStored, store } from './stored-preferences.ts';
import { active, changeView, flushViewport, view, views } from './view.ts';

/** Two pages side by side would be too small to read. */
const phoneInPortrait = '(max-width: 44rem) and (orientation: portrait)';

const pagesName = (path: string): string => `pages:${path}`;
/** The name under which it is stored whether the openings of a folder are shifted by one page. */
export const shiftName = (path: string): string => `shifted:${path}`;

/** Whether the reader has last shifted the openings of a folder by one page. */
export const isShifted = (path: string): boolean => readStored(shiftName(path)) === true;

/** The reader's last choice for a folder; undefined where it is the folder's own. */
function chosenPages(path: string): boolean | undefined {
  const stored = readStored(pagesName(path));
  return stored === 1 || stored === 2 ? stored === 2 : undefined;
}

/** What a view of a folder begins with; nothing is said where one page is shown as in most folders. */
function pagesAtFirst({ path, behavior }: FolderListing): Partial<ViewState> {
  const twoPages = chosenPages(path) ?? ((isBound(behavior) && !matchMedia(phoneInPortrait).matches) || undefined);
  return twoPages === undefined ? {} : { twoPages, shifted: twoPages && isShifted(path) };
}

/** A manifest of a scroll begins with all of it; an address that names one of its sections says itself how that is seen. */
const layoutAtFirst = ({ fn }: ViewState, { behavior, totalImages }: FolderListing): Partial<ViewState> =>
  behavior.includes('continuous') && totalImages > 1 && parseForeignPath(fn)?.canvas === '' ? { layout: 'scroll' } : {};

/** Stores the reader's choice where it is not the folder's own. Returns what the address has to say of it. */
export function chooseTwoPages({ path, behavior }: FolderListing, twoPages: boolean): boolean | undefined {
  const byDefault = isBound(behavior);
  store(pagesName(path), twoPages === byDefault ? undefined : twoPages ? 2 : 1);
  return twoPages || byDefault ? twoPages : undefined;
}

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

type OpenState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly opened: Opened }
  | { readonly kind: 'collection'; readonly collection: OpenCollection }
  /** With the image where its folder has loaded, so that the reader can go to its neighbors. */
  | { readonly kind: 'problem'; readonly problem: Problem; readonly opened?: Opened };

const opening: OpenState = { kind: 'opening' };

const states = signal<readonly OpenState[]>([opening]);
const factsOfAll = signal<readonly (ImageFacts | undefined)[]>([]);

/** The states of all images on the page, by the index of the image. */
export const openStates: ReadonlySignal<readonly OpenState[]> = states;
/** Facts from the files of all images on the page. */
export const allFacts: ReadonlySignal<readonly (ImageFacts | undefined)[]> = factsOfAll;
export const openState: ReadonlySignal<OpenState> = computed(() => states.value[active.value] ?? opening);
/** Facts from the file of the active image; undefined until they have loaded. */
export const facts: ReadonlySignal<ImageFacts | undefined> = computed(() => factsOfAll.value[active.value]);

const openedIn = (now: OpenState): Opened | undefined =>
  now.kind === 'opening' || now.kind === 'collection' ? undefined : now.opened;

/** The image at an index, also where it can't be shown; undefined where there is none. */
export const openedAt = (index: number): Opened | undefined => openedIn(states.value[index] ?? opening);

export const openedNow = (): Opened | undefined => openedIn(openState.value);

const replaced = <T>(items: readonly T[], index: number, item: T, absent: T): readonly T[] =>
  Array.from({ length: Math.max(items.length, index + 1) }, (_, at) => (at === index ? item : (items[at] ?? absent)));

function setState(index: number, state: OpenState): void {
  states.value = replaced(states.peek(), index, state, opening);
}

function setFacts(index: number, found: ImageFacts | undefined): void {
  factsOfAll.value = replaced(factsOfAll.peek(), index, found, undefined);
}

const requests = new Map<number, AbortController>();

/** An image in the parts of the folders on the page that have loaded. */
function findLoaded(fn: string): Opened | undefined {
  const { file, page } = splitPage(fn);
  for (const before of states.peek().map(openedIn)) {
    const found = before?.images.positionOf(file);
    if (before !== undefined && found !== undefined) {
      return { folder: before.folder, images: before.images, ...found, inner: page, path: fn };
    }
  }
  return undefined;
}

/** What a view names: an image, a folder that holds folders only, or a collection of another host. */
type Found = FoundImage | FoundList;

type FoundList = { readonly folderAlone: string } | { readonly collection: OpenCollection };

interface FoundImage {
  readonly opened: Opened;
  /** The part of the image that is to be shown, where more than the view says so. */
  readonly region?: Rect | undefined;
  /** Where sound or video is to begin, where more than the view says so. */
  readonly time?: number | undefined;
}

/** Other people's manifests, and images that a content state points to. */
async function findOutside({ fn, pn }: Wanted, signal: AbortSignal): Promise<Answer<Found>> {
  const { findElsewhere } = await import('./foreign.ts');
  const answer = await findElsewhere(fn, pn, signal);
  if (!answer.ok) return answer;
  if (answer.value.kind === 'collection') return { ok: true, value: { collection: answer.value.collection } };
  const { region, ...found } = answer.value;
  if (found.kind === 'own') {
    const own = await find({ fn: found.path, pn: 1 }, signal);
    return own.ok ? { ok: true, value: { ...own.value, region } } : own;
  }
  const { folder, at } = found;
  const card = folder.images[at - 1];
  if (card === undefined) return fault('not-found');
  const images = new FolderImages(folder.path, 'automatic', folder);
  const opened = { folder, images, at, card, inner: 1, path: card.path };
  return { ok: true, value: { opened, region, time: found.time } };
}

type Wanted = Pick<ViewState, 'fn' | 'pn'>;

/** The page of a file of sound or video of this library, which is one of the manifest of its folder. */
function playedPath(file: string): string {
  const at = file.lastIndexOf('/');
  const base = `${baseAddress()}presentation/3`;
  const addresses = presentationAddresses(base, file.slice(0, Math.max(0, at)), pageSettings.iiifSlash);
  const canvas = addresses.part('canvas', keyOfPage(file.slice(at + 1)));
  return foreignPath({ manifest: addresses.manifest, canvas });
}

async function find({ fn, pn }: Wanted, signal: AbortSignal): Promise<Answer<Found>> {
  if (isForeign(fn)) return findOutside({ fn, pn }, signal);
  const { file, page } = splitPage(fn);
  const played = mediaFormatOf(file) && playedPath(file);
  if (played !== undefined) return findOutside({ fn: played, pn: 1 }, signal);
  const answer = await fetchFolder(file, language.peek(), { pn }, signal);
  if (!answer.ok) return answer;
  const folder = answer.value;
  if (folder.totalImages === 0) return { ok: true, value: { folderAlone: folder.path } };
  const card = folder.at === null ? undefined : folder.images[folder.at - folder.from];
  if (folder.at === null || card === undefined) return fault('not-found');
  const images = new FolderImages(folder.path, 'automatic', folder);
  const path = joinPage(card.path, page);
  return { ok: true, value: { opened: { folder, images, at: folder.at, card, inner: page, path } } };
}

async function loadFacts(path: string, index: number, { signal }: AbortController): Promise<void> {
  setFacts(index, undefined);
  const answer = await fetchImageFacts(path);
  if (!signal.aborted && answer.ok) setFacts(index, answer.value);
}

/** The address of a layer opens its page, with this layer alone. */
function layersAsked({ fn, layers }: ViewState, card: ImageCard): Partial<ViewState> {
  const index = card.layers?.findIndex(({ path }) => path === fn) ?? -1;
  if (index < 0 || fn === card.path || layers.shown !== undefined) return {};
  return { layers: { ...layers, shown: [{ number: index + 1, opacity: 1, tint: undefined }] } };
}

/** By how many degrees a manifest turns an image on its canvas. */
const turnOf = (path: string): number => foreignImage(path)?.page.turn ?? 0;

/** An image that its manifest turns is seen so, unless the reader has turned it. */
const turnAsked = ({ rotation }: ViewState, path: string): Partial<ViewState> =>
  rotation === 0 && turnOf(path) !== 0 ? { rotation: normalizedDegrees(turnOf(path)) } : {};

/** A folder or a collection has a page of its own, and no place in a comparison. */
function showList(found: FoundList, index: number): void {
  const isAlone = page.peek().kind === 'view';
  if ('folderAlone' in found) {
    if (isAlone) replaceRoute(folderRoute(found.folderAlone));
    else setState(index, { kind: 'problem', problem: 'not-found' });
    return;
  }
  if (!isAlone) {
    setState(index, { kind: 'problem', problem: 'collection' });
    return;
  }
  const { collection } = found;
  changeView({ fn: collection.path, pn: 1 }, index);
  setFacts(index, undefined);
  setState(index, { kind: 'collection', collection });
  flushAddress();
}

/** Opens the image that the view at an index names; the active one by default. */
export async function open(index = active.peek()): Promise<void> {
  requests.get(index)?.abort();
  const state = views.peek()[index];
  if (state === undefined) return;
  const controller = new AbortController();
  requests.set(index, controller);
  const loaded = findLoaded(state.fn);
  const answer: Answer<Found> = loaded ? { ok: true, value: { opened: loaded } } : await find(state, controller.signal);
  if (controller.signal.aborted) return;
  if (!answer.ok) {
    setState(index, { kind: 'problem', problem: answer.problem });
    return;
  }
  const found = answer.value;
  if (!('opened' in found)) {
    showList(found, index);
    return;
  }
  const { opened, region, time } = found;
  // A comparison shows the pages that it names as they are, and a whole book as the reader would find it.
  const isAsFound = page.peek().kind === 'view' || state.fn === opened.folder.path;
  const pages = {
    ...(isAsFound && state.twoPages === undefined && pagesAtFirst(opened.folder)),
    ...(page.peek().kind === 'view' && layoutAtFirst(state, opened.folder)),
  };
  const asked = { ...layersAsked(state, opened.card), ...turnAsked(state, opened.path) };
  const part = { ...(region && { region }), ...(time !== undefined && { time }) };
  changeView({ fn: opened.path, pn: 1, ...part, ...asked, ...pages }, index);
  setState(index, { kind: 'open', opened });
  if (!isForeign(opened.path)) setLastOpened(opened.folder.path, opened.card.path);
  flushAddress();
  await loadFacts(opened.path, index, controller);
}

/** Opens the images of a comparison; those that were on the page before are open at once, wherever they were. */
function openAll(): void {
  const known = new Map(
    states.peek().flatMap((state, at) => {
      const opened = openedIn(state);
      return opened === undefined ? [] : [[opened.path, { state, facts: factsOfAll.peek()[at] }] as const];
    }),
  );
  for (const request of requests.values()) request.abort();
  const before = views.peek().map(({ fn }) => known.get(fn));
  batch(() => {
    factsOfAll.value = before.map((one) => one?.facts);
    states.value = before.map((one) => one?.state ?? opening);
  });
  for (const [index, one] of before.entries()) if (one?.facts === undefined) void open(index);
}

// At once: a key right after a navigation must step from the new page.
effect(() => {
  const { kind } = page.value;
  if (kind === 'view') untracked(() => void open());
  if (kind === 'compare') untracked(openAll);
});

/**
 * Reports that an image on the page can't be shown. Its folder lists it: where the server does not find it, it is
 * unreadable.
 */
export function reportProblem(path: string, problem: Problem): void {
  for (const [index, state] of states.peek().entries()) {
    const opened = openedIn(state);
    if (opened?.path !== path) continue;
    setState(index, { kind: 'problem', problem: problem === 'not-found' ? 'unreadable' : problem, opened });
  }
}

/** A page of the folder: the position of its file, and the page inside of the file, both from 1. */
export interface Step {
  readonly at: number;
  readonly inner: number;
}

/**
 * Opens another page of the folder with the same rotation and colors, and the same region but for what `change` says. Notes belong to
 * their image, and times to their sound. A page that is passed by has no entry in the history.
 */
export async function goToPage(
  { at, inner }: Step,
  change: Partial<Pick<ViewState, 'region' | 'mode' | 'layout' | 'time'>> = {},
  how: 'visit' | 'pass' = 'visit',
): Promise<void> {
  const opened = openedNow();
  const here = page.peek();
  if (opened === undefined || here.kind !== 'view') return;
  const card = await opened.images.find(at);
  if (card === undefined) return;
  flushViewport();
  const now = view.peek();
  const fn = joinPage(card.path, inner);
  const rotation = normalizedDegrees(now.rotation - turnOf(opened.path) + turnOf(fn));
  const target = { rotation, time: undefined, ...change, fn, pn: 1 };
  const next = { ...now, ...target, marks: [], rectangles: [], withTexts: false };
  // Inside of another page, the back button is that page's own.
  const go = here.embedded || how === 'pass' ? replaceRoute : goTo;
  go(viewRoute(next, here.embedded));
}

/**
 * Requests what belongs to the open image: `start` runs at each change of a signal that it reads, after the requests before were
 * aborted. The returned function ends it, and resets what was loaded.
 */
export function followRequests(start: (signal: AbortSignal) => void, reset: () => void): () => void {
  let request: AbortController | undefined;
  const end = effect(() => {
    request?.abort();
    request = new AbortController();
    start(request.signal);
  });
  return () => {
    end();
    request?.abort();
    reset();
  };
}
