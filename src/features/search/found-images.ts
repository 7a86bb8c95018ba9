/** Describes images that were found: by their labels, their positions, and the folders that they are in. */
import type { ToldFolder } from '../../core/access/catalogued-folders.ts';
import { titleOf } from '../../core/folder-descriptions/folder-cards.ts';
import type { FoundName } from '../../core/image/folder/folder-listing.ts';
import { type FolderMetadata, textFor } from '../../core/image/folder/folder-metadata.ts';
import { metadataLabelOf, textsOfLabel } from '../../core/image/folder/page-labels.ts';
import { childOf, formatIdentifier, type Identifier } from '../../core/image/model/identifier.ts';
import { type ImageSearch, type Match, type MatchedImage, matchingImages, reasonAmong } from './found-reasons.ts';

/** By what images are searched. */
interface SearchedBy {
  readonly query: string;
  readonly languages: readonly string[];
}

/** What is known of the folder of an image. */
interface ImageFolder {
  readonly metadata: FolderMetadata;
  /** By the names of images. */
  readonly places: ReadonlyMap<string, FoundName['place']>;
  /** The titles down to the folder. */
  readonly way: readonly string[];
  readonly search: SearchedBy;
}

export function describedImage(
  identifier: Identifier,
  { name, isExact, byLabel }: MatchedImage,
  { metadata, places, way, search }: ImageFolder,
): Match {
  const path = formatIdentifier(childOf(identifier, name));
  const label = textFor(metadataLabelOf(metadata, name) ?? {}, search.languages).join(' ') || null;
  const place = places.get(name) ?? null;
  const folder = formatIdentifier(identifier);
  const texts = byLabel ? textsOfLabel(metadataLabelOf(metadata, name)) : [name];
  const searched = texts.map((text) => ({ kind: byLabel ? 'label' : 'name', label: '', text }) as const);
  const reason = reasonAmong(searched, search.query) ?? { kind: 'name', label: '', text: name };
  return { isExact, found: { kind: 'image', path, name, reason, label, place, folder, way, cover: path } };
}

/** Images of a folder whose metadata names none, of which a catalogue tells; `around` are the titles down to the folder around it. */
export async function toldImages(
  identifier: Identifier,
  names: readonly string[],
  { positions, total, metadata = {} }: ToldFolder,
  { around, search }: { readonly around: readonly string[]; readonly search: ImageSearch & SearchedBy },
): Promise<readonly Match[]> {
  const way = [...around, titleOf({ identifier, metadata, languages: search.languages })];
  const places = new Map([...positions].map(([name, at]) => [name, at === undefined ? null : { at, total }]));
  const found = await matchingImages(names, metadata, search);
  return found.map((image) => describedImage(identifier, image, { metadata, places, way, search }));
}
