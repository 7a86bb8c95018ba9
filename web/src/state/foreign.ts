/** Opens manifests of other hosts, and content states; loaded when the first is opened. */
import type { FolderListing } from '../../../src/core/image/folder/folder-listing.ts';
import { parseLanguages } from '../../../src/core/image/folder/folder-metadata.ts';
import { type Answer, fault } from '../data/fetch.ts';
import { fetchForeignJson, foreignImageOf } from '../data/foreign-hosts.ts';
import { addForeignImages } from '../data/images.ts';
import { baseAddress, pageSettings } from '../data/page-settings.ts';
import { language, message } from '../messages/messages.ts';
import { foreignPath, parseContentPath, parseForeignPath } from '../model/address/address-text.ts';
import { type ContentState, parseContentState } from '../model/cite/content-states.ts';
import { memberOf } from '../model/json-value.ts';
import { type CollectionMember, listingOf, type ManifestBook, readManifest } from '../model/manifest/book.ts';
import type { ManifestPage } from '../model/manifest/canvas.ts';
import { idOf, itemsOf, typeOf } from '../model/manifest/members.ts';
import { placeIn } from '../model/manifest/painted-images.ts';
import { manifestOfImage } from '../model/manifest/single-image.ts';
import { spanIn } from '../model/media/time.ts';
import { partOnImage } from '../model/view/geometry.ts';
import type { Rect } from '../model/view-state.ts';

/** A page of a manifest, or an image of this library that a manifest or a content state leads to. */
type FoundElsewhere =
  | {
      readonly kind: 'page';
      readonly folder: FolderListing;
      readonly at: number;
      readonly region: Rect | undefined;
      /** Where sound or video is to begin, in seconds. */
      readonly time: number | undefined;
    }
  | { readonly kind: 'own'; readonly path: string; readonly region: Rect | undefined };

interface LoadedBook {
  readonly address: string;
  readonly book: ManifestBook;
  readonly json: unknown;
}

/** The manifests of the collection that was opened last. */
let collection: readonly CollectionMember[] = [];
export const collectionMembers = (): readonly CollectionMember[] => collection;

function bookIn(json: unknown, address: string): Answer<LoadedBook> {
  const manifest = manifestOfImage(json, address) ?? json;
  const read = readManifest(manifest);
  if (read.kind === 'book') return { ok: true, value: { address, book: read.book, json: manifest } };
  if (read.kind === 'fault') return fault(read.fault);
  collection = read.members;
  return fault('collection');
}

/** The manifest at an address, or the one that the canvas at the address is part of. */
async function loadBook(address: string, signal: AbortSignal): Promise<Answer<LoadedBook>> {
  const answer = await fetchForeignJson(address, signal);
  if (!answer.ok) return answer;
  const around = itemsOf(memberOf(answer.value, 'partOf'), 20).find((parent) => typeOf(parent) === 'Manifest');
  if (typeOf(answer.value) !== 'Canvas' || around === undefined) return bookIn(answer.value, address);
  const manifest = await fetchForeignJson(idOf(around), signal);
  return manifest.ok ? bookIn(manifest.value, idOf(around)) : manifest;
}

/** A page, and each of its layers as a page alone. */
const imagesOf = (page: ManifestPage): readonly ManifestPage[] => [
  page,
  ...page.layers
    .filter(({ id }) => id !== page.id)
    .map(({ id, image, place, part, turn }) => ({
      ...page,
      ...{ id, image, place, part, turn, layers: [], thumbnail: undefined },
    })),
];

function listed({ address, book, json }: LoadedBook): FolderListing {
  const folder = listingOf(book, {
    address,
    languages: [language.peek(), ...parseLanguages(navigator.languages.join(','))],
    words: { attribution: message('attribution'), provider: message('provider'), date: message('nav-date') },
  });
  const images = book.pages
    .flatMap(imagesOf)
    .map((page): readonly [string, ReturnType<typeof foreignImageOf>] => [
      foreignPath({ manifest: address, canvas: page.id }),
      foreignImageOf(page, address, json),
    ]);
  addForeignImages(address, new Map(images));
  return folder;
}

/** The path in this library of an image that this server itself offers. */
function ownPath(address: string, page: ManifestPage | undefined): string | undefined {
  if (!address.startsWith(baseAddress())) return undefined;
  const [, segment] = /\/iiif\/[23]\/([^/]+)$/.exec(page?.image?.service?.id ?? '') ?? [];
  return segment && decodeURIComponent(segment.replaceAll(pageSettings.iiifSlash, '/'));
}

interface Wanted {
  readonly canvas: string;
  /** The page where no canvas is named, from 1; 1 for that at which the manifest opens. */
  readonly pn: number;
  readonly fragment: string;
}

function found(loaded: LoadedBook, { canvas, pn, fragment }: Wanted): Answer<FoundElsewhere> {
  const { book, address } = loaded;
  const named = book.pages.findIndex(({ id, layers }) => id === canvas || layers.some((one) => one.id === canvas)) + 1;
  if (canvas !== '' && named === 0) return fault('not-found');
  const at = named || (pn > 1 ? pn : book.start);
  const page = book.pages[at - 1];
  if (page === undefined) return fault('not-found');
  const part = page.canvas && placeIn(fragment, page.canvas);
  const region = part && partOnImage(part, page.place);
  const path = page.played === undefined ? ownPath(address, page) : undefined;
  if (path !== undefined) return { ok: true, value: { kind: 'own', path, region } };
  const time = spanIn(fragment)?.from;
  return { ok: true, value: { kind: 'page', folder: listed(loaded), at, region, time } };
}

async function findContent(state: ContentState | undefined, signal: AbortSignal): Promise<Answer<FoundElsewhere>> {
  if (state === undefined) return fault('no-content-state');
  const { manifest, canvas, fragment } = state;
  const answer = await loadBook(manifest || canvas, signal);
  return answer.ok ? found(answer.value, { canvas, pn: 1, fragment }) : answer;
}

/** Finds what a path outside of the library names; `pn` counts where it names no canvas. */
export async function findElsewhere(path: string, pn: number, signal: AbortSignal): Promise<Answer<FoundElsewhere>> {
  const content = parseContentPath(path);
  if (content !== undefined) return findContent(parseContentState(content), signal);
  const named = parseForeignPath(path);
  if (named === undefined) return fault('not-found');
  const answer = await loadBook(named.manifest, signal);
  return answer.ok ? found(answer.value, { canvas: named.canvas, pn, fragment: '' }) : answer;
}
