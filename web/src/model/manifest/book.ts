/** Reads a manifest of IIIF Presentation 3 or 2 as a book: what it says of itself, its pages, and its contents. */
import type {
  ContentsEntry,
  FolderListing,
  ImageCard,
  ReadingDirection,
} from '../../../../src/core/image/folder/folder-listing.ts';
import { type LanguageMap, textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import { foreignPath } from '../address/address-text.ts';
import { memberOf, textOf } from '../json-value.ts';
import { mayBeGeoreference } from '../map/named-georeferences.ts';
import { clipToImage } from '../view/framing.ts';
import { partOnImage } from '../view/geometry.ts';
import type { Rect } from '../view-state.ts';
import { type ManifestPage, pagesOf } from './canvas.ts';
import { type ListingOptions, listedDescription, type WorkDescription, workOf } from './descriptions.ts';
import { behaviorsOf, firstOf, idOf, itemsOf, limits, textsOf, typeOf } from './members.ts';
import { placeIn } from './painted-images.ts';
import { mayHaveText } from './text-sources.ts';

interface ManifestRange {
  readonly label: LanguageMap;
  /** The position of its first page, from 1. */
  readonly at: number;
  /** The part of that page’s image that it is, in fractions; undefined for whole pages. */
  readonly region: Rect | undefined;
  readonly ranges: readonly ManifestRange[];
}

const withoutFragment = (address: string): string => address.split('#', 1)[0] ?? address;

/** The canvas that an item of a range names, whole or a part of it. */
const canvasOf = (item: unknown): string => withoutFragment(idOf(firstOf(item, 'source', 'full') ?? item));

/** The part of the canvas that an item of a range names, as `xywh=…`; empty for all of it. */
function fragmentOf(item: unknown): string {
  const selectors = itemsOf(memberOf(item, 'selector'), 4).map((one) => textOf(memberOf(one, 'value')));
  return [idOf(firstOf(item, 'source', 'full') ?? item).split('#')[1] ?? '', ...selectors].join(' ');
}

const isRange = (item: unknown): boolean => typeOf(item) === 'Range';

/** All items of a range in their order: references to canvases and ranges are ids alone in version 2. */
const itemsOfRange = (range: unknown): readonly unknown[] =>
  ['items', 'members', 'canvases', 'ranges'].flatMap((name) => itemsOf(memberOf(range, name), limits.ranges));

/** All ranges by id; of several with one id the first that has items. */
function indexed(structures: readonly unknown[]): ReadonlyMap<string, unknown> {
  const known = new Map<string, unknown>();
  const visit = (range: unknown, depth: number): void => {
    if (depth > limits.depth || known.size >= limits.ranges) return;
    const members = itemsOfRange(range);
    if (members.length > 0 && !known.has(idOf(range))) known.set(idOf(range), range);
    for (const member of members) if (isRange(member)) visit(member, depth + 1);
  };
  for (const range of structures) visit(range, 0);
  return known;
}

/** Ranges that readers do not navigate by: other orders of the pages, and what is not for contents. */
const isHidden = (range: unknown): boolean =>
  behaviorsOf(range).some((name) => name === 'sequence' || name === 'no-nav');

/** Where an item of a range lies: the position of its page, from 1, and the part of the page’s image. */
interface Place {
  readonly at: number;
  readonly region: Rect | undefined;
}

/** The parts after the first of a chapter that consists of parts of pages: columns of an article, in their order. */
const continuations = (label: LanguageMap, places: readonly Place[]): readonly ManifestRange[] =>
  places.some(({ region }) => region === undefined)
    ? []
    : places.slice(1).map(({ at, region }, index) => ({
        label: Object.fromEntries(
          Object.entries(label).map(([tag, texts]) => [tag, [`${texts.join(' ')} (${index + 2})`]]),
        ),
        ...{ at, region, ranges: [] },
      }));

class RangeReader {
  readonly #pages: readonly ManifestPage[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #known: ReadonlyMap<string, unknown>;
  /** Ranges that have been read: each is shown once, so that loops end. */
  readonly #read = new Set<unknown>();

  constructor(structures: readonly unknown[], pages: readonly ManifestPage[], positions: ReadonlyMap<string, number>) {
    this.#known = indexed(structures);
    this.#pages = pages;
    this.#positions = positions;
  }

  #placeOf(item: unknown): readonly Place[] {
    const at = this.#positions.get(canvasOf(item));
    const page = at === undefined ? undefined : this.#pages[at - 1];
    if (at === undefined || page === undefined) return [];
    const part = page.canvas && placeIn(fragmentOf(item), page.canvas);
    return [{ at, region: part && clipToImage(partOnImage(part, page.place)) }];
  }

  /** The range that an item is or names; undefined for a canvas. */
  rangeOf(item: unknown): unknown {
    const named = this.#known.get(idOf(item));
    return named ?? (isRange(item) && itemsOfRange(item).length > 0 ? item : undefined);
  }

  read(item: unknown, depth = 0): readonly ManifestRange[] {
    const range = this.rangeOf(item);
    if (range === undefined || depth > limits.depth || this.#read.has(range) || isHidden(range)) return [];
    this.#read.add(range);
    const members = itemsOfRange(range);
    const ranges = members.flatMap((member) => this.read(member, depth + 1));
    const own = members.flatMap((member) => this.#placeOf(member));
    const first = own[0]?.at ?? Number.POSITIVE_INFINITY;
    const at = Math.min(first, ...ranges.slice(0, 1).map((inner) => inner.at));
    if (!Number.isFinite(at)) return [];
    const label = textsOf(memberOf(range, 'label'));
    const region = at === first ? own[0]?.region : undefined;
    return [{ label, at, region, ranges: [...continuations(label, own), ...ranges] }];
  }
}

/** The ranges that no other contains; all of them where each is in another. */
function rootsOf(structures: readonly unknown[], reader: RangeReader): readonly unknown[] {
  const inside = new Set(structures.flatMap((range) => itemsOfRange(range).map((member) => reader.rangeOf(member))));
  const roots = structures.filter((range) => !inside.has(reader.rangeOf(range)));
  return roots.length > 0 ? roots : structures;
}

/** The contents; `positions` are those of the pages by the ids of their canvases, from 1. */
function rangesOf(
  manifest: unknown,
  pages: readonly ManifestPage[],
  positions: ReadonlyMap<string, number>,
): readonly ManifestRange[] {
  const structures = itemsOf(memberOf(manifest, 'structures'), limits.ranges);
  const reader = new RangeReader(structures, pages, positions);
  return rootsOf(structures, reader).flatMap((range) => {
    const read = reader.read(range);
    // The root of the contents is not a chapter itself.
    const isTop = behaviorsOf(range).includes('top');
    return isTop ? read.flatMap(({ ranges }) => ranges) : read;
  });
}

export interface ManifestBook extends WorkDescription {
  /** The names of the orders in which its pages can be read; empty where there is one. */
  readonly orders: readonly LanguageMap[];
  /** The number of the order of the pages, from 1. */
  readonly order: number;
  readonly direction: ReadingDirection;
  readonly behavior: readonly string[];
  /** The position of the page at which it opens, from 1. */
  readonly start: number;
  readonly pages: readonly ManifestPage[];
  readonly contents: readonly ManifestRange[];
}

type ReadManifest =
  | { readonly kind: 'book'; readonly book: ManifestBook }
  | { readonly kind: 'fault'; readonly fault: 'no-manifest' | 'no-pages' | 'too-large' };

/** In version 2, the pages and some facts are those of the first sequence. */
const sequenceOf = (manifest: unknown): unknown => itemsOf(memberOf(manifest, 'sequences'), 1)[0];

function directionOf(manifest: unknown): ReadingDirection {
  const direction = firstOf(manifest, 'viewingDirection') ?? firstOf(sequenceOf(manifest), 'viewingDirection');
  return direction === 'right-to-left' ? direction : 'left-to-right';
}

function startOf(manifest: unknown, positions: ReadonlyMap<string, number>): number {
  const start = firstOf(manifest, 'start', 'startCanvas') ?? firstOf(sequenceOf(manifest), 'startCanvas');
  const canvas = idOf(firstOf(start, 'source') ?? start).split('#', 1)[0] ?? '';
  return positions.get(canvas) ?? 1;
}

/** The ranges that are orders of the pages (Presentation 3.0, section 5.4). */
const sequencesOf = (manifest: unknown): readonly unknown[] =>
  itemsOf(memberOf(manifest, 'structures'), limits.ranges).filter((range) => behaviorsOf(range).includes('sequence'));

/** The canvases in the order of a range, as far as it names them. */
function ordered(canvases: readonly unknown[], range: unknown): readonly unknown[] {
  const known = new Map(canvases.map((canvas) => [idOf(canvas), canvas]));
  const named = itemsOfRange(range).flatMap((item) => known.get(canvasOf(item)) ?? []);
  return named.length === 0 ? canvases : [...new Set(named)];
}

function bookOf(manifest: unknown, all: readonly unknown[], wanted: number): ManifestBook {
  const sequences = sequencesOf(manifest);
  const order = wanted <= sequences.length ? wanted : 1;
  const pages = pagesOf(ordered(all, sequences[order - 1]));
  const positions = new Map(pages.map(({ id }, index) => [id, index + 1]));
  return {
    ...workOf(manifest),
    orders: sequences.length < 2 ? [] : sequences.map((range) => textsOf(memberOf(range, 'label'))),
    order,
    direction: directionOf(manifest),
    behavior: [...new Set([...behaviorsOf(manifest), ...behaviorsOf(sequenceOf(manifest))])],
    start: startOf(manifest, positions),
    pages,
    contents: rangesOf(manifest, pages, positions),
  };
}

/** Reads parsed JSON; members that are missing or of another shape count as absent. `order` is the number of an order of the pages. */
export function readManifest(json: unknown, order = 1): ReadManifest {
  const canvases = firstOf(json, 'items') ?? firstOf(sequenceOf(json), 'canvases');
  const isManifest = typeOf(json) === 'Manifest' || memberOf(json, 'sequences') !== undefined;
  if (!isManifest) return { kind: 'fault', fault: 'no-manifest' };
  if (!Array.isArray(canvases) || canvases.length === 0) return { kind: 'fault', fault: 'no-pages' };
  if (canvases.length > limits.pages) return { kind: 'fault', fault: 'too-large' };
  return { kind: 'book', book: bookOf(json, canvases, order) };
}

/** A book from elsewhere as the reading room knows folders: all of its pages at once. */
export function listingOf(book: ManifestBook, options: ListingOptions): FolderListing {
  const { address, languages } = options;
  const shown = (text: LanguageMap): readonly string[] => textFor(text, languages);
  const labels = book.pages.map(({ label }, index) => shown(label).join(' ') || String(index + 1));
  const { order } = book;
  const pathOf = (page: ManifestPage | undefined): string =>
    foreignPath({ manifest: address, canvas: page?.id ?? '', order });
  const layersOf = ({ layers }: ManifestPage, label: string): NonNullable<ImageCard['layers']> =>
    layers.map((layer, index) => ({
      path: foreignPath({ manifest: address, canvas: layer.id, order }),
      label: shown(layer.label).join(' ') || `${label} (${index + 1})`,
    }));
  const card = (page: ManifestPage, index: number): ImageCard => ({
    path: pathOf(page),
    name: '',
    pn: index + 1,
    label: labels[index] ?? '',
    width: page.canvas?.width ?? page.image?.size?.width ?? null,
    height: page.canvas?.height ?? page.image?.size?.height ?? null,
    pages: 1,
    truncated: false,
    hasText: mayHaveText(page),
    annotated: page.annotations.length + page.imageAnnotations.length > 0 ? [1] : [],
    ...(page.annotations.some(mayBeGeoreference) && { mapped: [1] }),
    ...(page.layers.length > 0 && { layers: layersOf(page, labels[index] ?? '') }),
  });
  const entry = ({ label, at, region, ranges }: ManifestRange): ContentsEntry => ({
    label: shown(label).join(' ') || (labels[at - 1] ?? ''),
    path: pathOf(book.pages[at - 1]),
    at,
    page: labels[at - 1] ?? '',
    ...(region && { region }),
    contents: ranges.map(entry),
  });
  return {
    path: foreignPath({ manifest: address, canvas: '', order }),
    ...listedDescription(book, options),
    direction: book.direction,
    behavior: book.behavior,
    unpaired: book.pages.flatMap(({ behavior }, index) => (behavior ? [{ at: index + 1, page: 1, behavior }] : [])),
    contents: book.contents.map(entry),
    parents: [],
    folders: [],
    totalFolders: 0,
    images: book.pages.map(card),
    totalImages: book.pages.length,
    from: 1,
    at: null,
    front: null,
  };
}
