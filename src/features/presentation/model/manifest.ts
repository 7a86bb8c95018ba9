/** Manifests and collections of either version of Presentation: described once, written by a serializer as a whole or in pieces. */
import {
  type FolderAddresses,
  type ManifestAddresses,
  type PresentationVersion,
  parentOf,
  type ServicesOf,
} from '../../../core/image/addresses/iiif-addresses.ts';
import type { FolderDescription, FolderOfFolders } from '../../../core/image/folder/folder-description.ts';
import { labelOfFolder, type PageLabels } from '../../../core/image/folder/page-labels.ts';
import type { AccessServices } from '../../../core/ports.ts';
import { type MediaOfManifest, mediaCanvases } from './media-canvases.ts';
import { chaptersOf, type DescribedManifest, labeledPages, type Serializer } from './pages.ts';
import { presentation2 } from './presentation-2.ts';
import { presentation3 } from './presentation-3.ts';

const serializers: Readonly<Record<PresentationVersion, Serializer>> = { 2: presentation2, 3: presentation3 };

/** A manifest whose canvases are made one by one. */
export interface Manifest {
  /** The number of canvases. */
  readonly length: number;
  /** A canvas, by its position from 0. */
  canvas(index: number): object;
  /** The document with these canvases. */
  document(canvases: readonly object[]): object;
  readonly listPath: readonly string[];
}

/** The manifest of a folder that has at least one page. */
export function manifestOf(
  version: PresentationVersion,
  folder: FolderDescription,
  addresses: ManifestAddresses,
  servicesOf: ServicesOf,
  pageLabels: PageLabels = 'name',
  access?: AccessServices,
  media?: MediaOfManifest,
): Manifest {
  const { listPath, canvas, manifest } = serializers[version];
  const pages = labeledPages(folder, servicesOf, pageLabels, access);
  const { name, metadata } = folder;
  const played = media && version === 3 ? mediaCanvases(media, folder, addresses, servicesOf) : [];
  const described: DescribedManifest = {
    label: labelOfFolder(name, metadata),
    metadata,
    addresses,
    first: pages.length > 0 ? pages.at(0) : undefined,
    chapters: chaptersOf(folder, version === 3 ? media?.files : []),
    access,
  };
  return {
    length: pages.length + played.length,
    canvas: (index) => played[index - pages.length] ?? canvas(pages.at(index), addresses),
    document: (canvases) => manifest(described, canvases),
    listPath,
  };
}

/** The collection of a folder of folders; its members' manifests and collections stand at addresses of their own. */
export function collectionOf(
  version: PresentationVersion,
  folder: FolderOfFolders,
  addresses: FolderAddresses,
): object {
  const { path, name, metadata, part } = folder;
  const parent = parentOf(path);
  const id = addresses.collection(path);
  const addressOf = (number: number): string => (number === 0 ? id : `${id}?page=${number}`);
  return serializers[version].collection({
    label: labelOfFolder(name, metadata),
    metadata,
    id,
    parent: parent === undefined ? undefined : addresses.collection(parent),
    members: folder.members.map((member) => ({
      kind: member.kind,
      id: addresses[member.kind](member.path),
      label: labelOfFolder(member.name, member.metadata),
    })),
    ...(part && { part: { ...part, addressOf } }),
  });
}

/** Members that a file can't replace: the document's type, its address and its pages. */
const fixedMembers: ReadonlySet<string> = new Set(['@context', '@type', '@id', 'id', 'type', 'sequences', 'items']);

/** The members of a JSON object. */
export type Additions = Readonly<Record<string, unknown>>;

/** The document with the additions' members in place of its own, except for the fixed ones. */
export const withAdditions = (document: object, additions: Additions | undefined): object =>
  additions === undefined
    ? document
    : { ...document, ...Object.fromEntries(Object.entries(additions).filter(([name]) => !fixedMembers.has(name))) };

export const wholeManifest = (manifest: Manifest): object =>
  manifest.document(Array.from({ length: manifest.length }, (_, index) => manifest.canvas(index)));

/** The JSON of a value before and behind the entries of the list at a path. */
function jsonAround(value: unknown, [name, ...rest]: readonly string[]): readonly [before: string, behind: string] {
  if (name === undefined) return ['[', ']'];
  if (Array.isArray(value)) {
    const [before, behind] = jsonAround(value[0], [name, ...rest]);
    return [`[${before}`, `${behind}]`];
  }
  const members = Object.entries(value ?? {}).filter(([, member]) => member !== undefined);
  const at = members.findIndex(([key]) => key === name);
  const json = (some: typeof members) =>
    some.map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`);
  const [before, behind] = jsonAround(members[at]?.[1], rest);
  const first = [...json(members.slice(0, at)), `${JSON.stringify(name)}:${before}`].join(',');
  return [`{${first}`, `${[behind, ...json(members.slice(at + 1))].join(',')}}`];
}

/** Pieces of about this length leave other requests their turn every few milliseconds. */
const pieceLength = 64 * 1024;

/** The JSON of a manifest in pieces. */
export function* manifestPieces(manifest: Manifest, additions: Additions | undefined): Generator<string> {
  const [before, behind] = jsonAround(withAdditions(manifest.document([]), additions), manifest.listPath);
  let piece = before;
  for (let index = 0; index < manifest.length; index++) {
    piece += (index > 0 ? ',' : '') + JSON.stringify(manifest.canvas(index));
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece + behind;
}
