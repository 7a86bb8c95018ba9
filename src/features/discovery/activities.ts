/** Writes the list of changes as IIIF Change Discovery 1.0 has it: an ordered collection, and its pages of activities. */
import { foldersBelow } from '../../core/image/addresses/iiif-addresses.ts';
import type { Ports } from '../../core/ports.ts';
import type { Change, ChangeKind, ChangeListState, ChangePage } from '../../core/storage/change-list.ts';

export const context = 'http://iiif.io/api/discovery/1/context.json';

/** Below the context path and its slash. */
export const changesPath = 'activity/all-changes.json';

export const pagePath = (number: number): string => `activity/page-${number}.json`;

/** How addresses are formed. */
export interface ActivityPlaces {
  /** The address below which everything is, with a slash at its end. */
  readonly base: string;
  readonly iiifSlash: string;
  readonly dataSetAddress: Ports['dataSetAddress'];
}

const types = { create: 'Create', update: 'Update', delete: 'Delete' } as const satisfies Record<
  Exclude<ChangeKind, 'refresh'>,
  string
>;

/** The format of `xsd:dateTime` in UTC. */
const timeOf = (ms: number): string => new Date(ms).toISOString();

const collectionLink = (base: string) => ({ id: base + changesPath, type: 'OrderedCollection' });
const pageLink = (number: number, base: string) => ({ id: base + pagePath(number), type: 'OrderedCollectionPage' });

export const collectionDocument = ({ total, first, last }: ChangeListState, { base }: ActivityPlaces): object => ({
  '@context': context,
  ...collectionLink(base),
  totalItems: total,
  first: pageLink(first, base),
  last: pageLink(last, base),
});

/** What describes a manifest as data: its data set, which has the manifest, the metadata, the texts and pictures. */
function seeAlsoOf(path: string, { base, dataSetAddress }: ActivityPlaces): object {
  if (dataSetAddress === undefined) return {};
  const label = { en: ['Data set'] };
  return { seeAlso: [{ id: dataSetAddress(base, path), type: 'Dataset', label, format: 'application/zip' }] };
}

/**
 * An activity ends when it is listed: whoever has read the list before finds it behind what is known (section 3.3, "endTime"). It begins
 * with the change of the files, where that was before.
 */
function activityOf({ kind, path, listedMs, changedMs }: Change, places: ActivityPlaces): object {
  if (kind === 'refresh') return { type: 'Refresh', startTime: timeOf(listedMs) };
  const id = foldersBelow(`${places.base}presentation/3`, places.iiifSlash).manifest(path);
  const isGone = kind === 'delete';
  return {
    type: types[kind],
    object: { id, type: 'Manifest', ...(!isGone && seeAlsoOf(path, places)) },
    ...(!isGone && changedMs > 0 && changedMs <= listedMs && { startTime: timeOf(changedMs) }),
    endTime: timeOf(listedMs),
  };
}

/** `isOpen` tells whether everyone may see a folder now: one that was closed since is written as deleted. */
export const pageDocument = (
  number: number,
  { changes, before, after }: ChangePage,
  places: ActivityPlaces,
  isOpen: (path: string) => boolean,
): object => ({
  '@context': context,
  ...pageLink(number, places.base),
  partOf: collectionLink(places.base),
  ...(before !== undefined && { prev: pageLink(before, places.base) }),
  ...(after !== undefined && { next: pageLink(after, places.base) }),
  orderedItems: changes.map((change) =>
    activityOf(change.kind === 'refresh' || isOpen(change.path) ? change : { ...change, kind: 'delete' }, places),
  ),
});
