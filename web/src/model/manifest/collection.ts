/** Reads collections of IIIF Presentation 3 and 2: what they say of themselves, and their members, as far as a document has them. */
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { foreignPath } from '../address/address-text.ts';
import { isFiniteNumber, isObject, memberOf } from '../json-value.ts';
import { dateOf, type ListingOptions, listedDescription, type WorkDescription, workOf } from './descriptions.ts';
import { firstOf, idOf, itemsOf, limits, textsOf, typeOf, webAddress } from './members.ts';
import { placesOf, type WorldPlace } from './nav-place.ts';
import { type PageImage, thumbnailOf } from './page-image.ts';

export interface CollectionMember {
  /** Where its document is; of a collection with its members in place, its id. */
  readonly address: string;
  readonly kind: 'book' | 'collection';
  readonly label: LanguageMap;
  readonly summary: LanguageMap;
  readonly thumbnail: PageImage | undefined;
  /** The date that it is found by, as `1893-05-01`; undefined for none. */
  readonly date: string | undefined;
  readonly places: readonly WorldPlace[];
  /** How many members of it are in the same document; 0 where they are at its own address. */
  readonly inside: number;
}

/** What one document has of the members of a collection. */
export interface CollectionPart {
  readonly members: readonly CollectionMember[];
  /** The address of the document with more of them; undefined for the last one. */
  readonly next: string | undefined;
}

export interface ManifestCollection extends WorkDescription {
  readonly part: CollectionPart;
  /** How many members all parts have, where the collection says so. */
  readonly total: number | undefined;
  /** The collections that it is part of. */
  readonly around: readonly { readonly address: string; readonly label: LanguageMap }[];
}

/** Whether it is a collection, or a part of one, whose type is that of a collection in version 2. */
export const isCollection = (json: unknown): boolean => ['Collection', 'CollectionPage'].includes(typeOf(json));

type ListedItem = readonly [item: unknown, name: string];

/** `members` of version 2 has collections and manifests, in place of the two lists (Presentation 2.1, section 5.8). */
const lists: readonly (readonly string[])[] = [['items'], ['members'], ['collections', 'manifests']];

/** The items of the first of the lists that there is. */
const listedIn = (collection: unknown): readonly ListedItem[] =>
  lists
    .map((names) =>
      names.flatMap((name) =>
        itemsOf(memberOf(collection, name), limits.pages).map((item): ListedItem => [item, name]),
      ),
    )
    .find((items) => items.length > 0) ?? [];

const isInner = ([item, name]: ListedItem): boolean => name === 'collections' || isCollection(item);

function memberIn(listed: ListedItem): readonly CollectionMember[] {
  const [item] = listed;
  const isInside = isInner(listed);
  const inside = isInside ? listedIn(item) : [];
  const address = webAddress(item) ?? (inside.length > 0 ? idOf(item) : '');
  if (address === '') return [];
  return [
    {
      address,
      kind: isInside ? 'collection' : 'book',
      label: textsOf(memberOf(item, 'label')),
      summary: textsOf(firstOf(item, 'summary', 'description')),
      thumbnail: [item, ...inside.slice(0, 10).map(([one]) => one)].map(thumbnailOf).find((one) => one !== undefined),
      date: dateOf(item),
      places: placesOf(item),
      inside: inside.length,
    },
  ];
}

/**
 * The members that a document has. A collection in parts has the first one in `first`, by its address or in place, and each of them the
 * address of the next (Presentation 2.1, section 5.8).
 */
export function readPart(json: unknown): CollectionPart {
  const first = memberOf(json, 'first');
  const holder = listedIn(json).length === 0 && listedIn(first).length > 0 ? first : json;
  const members = listedIn(holder).flatMap(memberIn);
  const isBefore = members.length === 0 && holder === json;
  const next = webAddress(memberOf(holder, 'next')) ?? (isBefore ? webAddress(first) : undefined);
  return { members: members.slice(0, limits.pages), next };
}

const aroundOf = (json: unknown): ManifestCollection['around'] =>
  itemsOf(firstOf(json, 'partOf', 'within'), 5).flatMap((parent) => {
    const address = webAddress(parent);
    // Version 2 may name anything, of which only a label says that it can be shown.
    if (address === undefined || !isObject(parent) || !['Collection', ''].includes(typeOf(parent))) return [];
    const label = textsOf(memberOf(parent, 'label'));
    return Object.keys(label).length === 0 ? [] : [{ address, label }];
  });

export function readCollection(json: unknown): ManifestCollection {
  const total = memberOf(json, 'total');
  return {
    ...workOf(json),
    part: readPart(json),
    total: isFiniteNumber(total) && total >= 0 ? total : undefined,
    around: aroundOf(json),
  };
}

/** The collection of an id inside of a document that has its members in place; undefined where there is none. */
export function collectionInside(json: unknown, id: string, depth = 0): unknown {
  if (depth > limits.depth) return undefined;
  const inner = [...listedIn(json), ...listedIn(memberOf(json, 'first'))]
    .filter((listed) => isInner(listed) && listedIn(listed[0]).length > 0)
    .map(([item]) => item);
  const own = inner.find((item) => idOf(item) === id);
  if (own !== undefined) return own;
  for (const item of inner) {
    const found = collectionInside(item, id, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path of a member that the document at an address lists: in that document, where it has its members in place. */
export const memberPath = ({ address, inside }: CollectionMember, document: string): string =>
  inside > 0 ? foreignPath({ manifest: document, canvas: address }) : foreignPath({ manifest: address, canvas: '' });

/** `Date` knows years of four digits, or of six with a sign. */
const timeOf = ({ date = '' }: Pick<CollectionMember, 'date'>): number => {
  const time = Date.parse(date.replace(/^-(\d{4})-/, '-00$1-').replace(/^(\d{6})-/, '+$1-'));
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
};

/** In the order of their dates; those without a date come last. */
export function byDate<Member extends Pick<CollectionMember, 'date'>>(members: readonly Member[]): readonly Member[] {
  const times = new Map(members.map((member) => [member, timeOf(member)]));
  const time = (member: Member): number => times.get(member) ?? 0;
  return members.toSorted((one, other) => (time(one) === time(other) ? 0 : time(one) - time(other)));
}

/** What a collection says of itself, as the reading room knows folders; `path` is its own. */
export const listingOfCollection = (
  collection: ManifestCollection,
  path: string,
  options: ListingOptions,
): FolderListing => ({
  path,
  ...listedDescription(collection, options),
  direction: 'left-to-right',
  behavior: [],
  unpaired: [],
  contents: [],
  parents: [],
  folders: [],
  totalFolders: 0,
  images: [],
  totalImages: 0,
  from: 1,
  at: null,
  front: null,
});
