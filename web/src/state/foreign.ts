/** Opens manifests of other hosts, and content states; loaded when the first is opened. */
import { untracked } from '@preact/signals';
import type { FolderListing } from '../../../src/core/image/folder/folder-listing.ts';
import { type Answer, fault } from '../data/fetch.ts';
import { fetchForeignJson, foreignImageOf } from '../data/foreign-hosts.ts';
import { addForeignImages } from '../data/images.ts';
import { baseAddress, pageSettings } from '../data/page-settings.ts';
import { manifestMessage } from '../messages/manifest-messages.ts';
import { message } from '../messages/messages.ts';
import { contentPath, foreignPath, parseContentPath, parseForeignPath } from '../model/address/address-text.ts';
import { compareViewsRoute } from '../model/address/routes.ts';
import { type ContentState, parseContentStates } from '../model/cite/content-states.ts';
import { memberOf } from '../model/json-value.ts';
import { listingOf, type ManifestBook, readManifest } from '../model/manifest/book.ts';
import type { ManifestPage } from '../model/manifest/canvas.ts';
import { collectionInside, isCollection, readCollection } from '../model/manifest/collection.ts';
import type { ListingOptions } from '../model/manifest/descriptions.ts';
import { idOf, itemsOf, typeOf } from '../model/manifest/members.ts';
import { placeIn } from '../model/manifest/painted-images.ts';
import { manifestOfImage } from '../model/manifest/single-image.ts';
import { spanIn } from '../model/media/time.ts';
import { partOnImage } from '../model/view/geometry.ts';
import { plainView, type Rect } from '../model/view-state.ts';
import { knownCollection, OpenCollection, rememberCollection } from './open-collection.ts';
import { readerLanguages } from './reader-languages.ts';
import { page, replaceRoute } from './route.ts';

/** A page of a manifest, a collection, or an image of this library that a manifest or a content state leads to. */
type FoundElsewhere =
  | {
      readonly kind: 'page';
      readonly folder: FolderListing;
      readonly at: number;
      readonly region: Rect | undefined;
      /** Where sound or video is to begin, in seconds. */
      readonly time: number | undefined;
    }
  | { readonly kind: 'own'; readonly path: string; readonly region: Rect | undefined }
  | { readonly kind: 'collection'; readonly collection: OpenCollection };

interface LoadedBook {
  readonly address: string;
  readonly book: ManifestBook;
  readonly json: unknown;
}

/** A document with a collection. */
interface LoadedCollection {
  readonly address: string;
  readonly collection: unknown;
}

type Loaded = LoadedBook | LoadedCollection;

function readLoaded(json: unknown, address: string, order: number): Answer<Loaded> {
  if (isCollection(json)) return { ok: true, value: { address, collection: json } };
  const manifest = manifestOfImage(json, address) ?? json;
  const read = readManifest(manifest, order);
  if (read.kind === 'fault') return fault(read.fault);
  return { ok: true, value: { address, book: read.book, json: manifest } };
}

/** What is at an address, or the manifest that the canvas at the address is part of. */
async function load(address: string, signal: AbortSignal, order = 1): Promise<Answer<Loaded>> {
  const answer = await fetchForeignJson(address, signal);
  if (!answer.ok) return answer;
  const around = itemsOf(memberOf(answer.value, 'partOf'), 20).find((parent) => typeOf(parent) === 'Manifest');
  if (typeOf(answer.value) !== 'Canvas' || around === undefined) return readLoaded(answer.value, address, order);
  const manifest = await fetchForeignJson(idOf(around), signal);
  return manifest.ok ? readLoaded(manifest.value, idOf(around), order) : manifest;
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

/** How what manifests and collections say of themselves is shown. */
export const listingOptions = (address: string): ListingOptions => ({
  address,
  languages: readerLanguages(),
  words: {
    attribution: message('attribution'),
    provider: manifestMessage('provider'),
    date: manifestMessage('date'),
  },
});

function listed({ address, book, json }: LoadedBook): FolderListing {
  const folder = listingOf(
    book,
    untracked(() => listingOptions(address)),
  );
  const images = book.pages
    .flatMap(imagesOf)
    .map((page): readonly [string, ReturnType<typeof foreignImageOf>] => [
      foreignPath({ manifest: address, canvas: page.id, order: book.order }),
      foreignImageOf(page, address, { json, book }),
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

/** The collection of a document, or the one of an id that the document has in place; with the first of its parts. */
async function foundCollection(
  { address, collection: json }: LoadedCollection,
  id: string,
  signal: AbortSignal,
): Promise<Answer<FoundElsewhere>> {
  const isWhole = [idOf(json), address, ''].includes(id);
  const inside = isWhole ? json : collectionInside(json, id);
  if (inside === undefined) return fault('not-found');
  const path = foreignPath({ manifest: address, canvas: isWhole ? '' : id });
  const collection = new OpenCollection({ path, document: address, about: readCollection(inside) });
  if (collection.members.peek().length === 0) await collection.loadNext(signal);
  if (signal.aborted) return fault('aborted');
  rememberCollection(collection);
  return { ok: true, value: { kind: 'collection', collection } };
}

async function found(
  loaded: Loaded,
  { canvas, pn, fragment }: Wanted,
  signal: AbortSignal,
): Promise<Answer<FoundElsewhere>> {
  return 'book' in loaded ? foundPage(loaded, { canvas, pn, fragment }) : foundCollection(loaded, canvas, signal);
}

function foundPage(loaded: LoadedBook, { canvas, pn, fragment }: Wanted): Answer<FoundElsewhere> {
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
  const answer = await load(manifest || canvas, signal);
  return answer.ok ? found(answer.value, { canvas, pn: 1, fragment }, signal) : answer;
}

/** The path of one of several pages, with the part of it that is meant. */
const statePath = ({ manifest, canvas, fragment }: ContentState): string =>
  canvas === ''
    ? foreignPath({ manifest, canvas })
    : contentPath(
        JSON.stringify({
          id: fragment === '' ? canvas : `${canvas}#${fragment}`,
          type: 'Canvas',
          ...(manifest !== '' && { partOf: [{ id: manifest, type: 'Manifest' }] }),
        }),
      );

/** Finds what a path outside of the library names; `pn` counts where it names no canvas. */
export async function findElsewhere(path: string, pn: number, signal: AbortSignal): Promise<Answer<FoundElsewhere>> {
  const content = parseContentPath(path);
  if (content !== undefined) {
    const [first, ...others] = parseContentStates(content);
    if (others.length === 0) return findContent(first, signal);
    // There are comparisons of pages, and none of comparisons.
    if (page.peek().kind !== 'view') return fault('no-content-state');
    replaceRoute(compareViewsRoute([first, ...others].flatMap((one) => (one ? [plainView(statePath(one))] : []))));
    return fault('aborted');
  }
  const named = parseForeignPath(path);
  if (named === undefined) return fault('not-found');
  const collection = knownCollection(path);
  if (collection !== undefined) return { ok: true, value: { kind: 'collection', collection } };
  const answer = await load(named.manifest, signal, named.order);
  return answer.ok ? found(answer.value, { canvas: named.canvas, pn, fragment: '' }, signal) : answer;
}
