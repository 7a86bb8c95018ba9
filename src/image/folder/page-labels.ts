/** In which order a folder's pages are shown and what they are called, in manifests and in the reading room alike. */

import { stemOf } from '../model/formats.ts';
import type { FolderMetadata, LanguageMap } from './folder-metadata.ts';

/** A text without a language. */
export const plainText = (text: string): LanguageMap => ({ none: [text] });

/** Whether a text says anything at all. */
export const hasText = (text: LanguageMap | undefined): text is LanguageMap =>
  text !== undefined && Object.values(text).some((values) => values.length > 0);

/** What a folder is called: by its metadata, or else by its name. */
export const labelOfFolder = (name: string, metadata: FolderMetadata | undefined): LanguageMap =>
  hasText(metadata?.label) ? metadata.label : plainText(name);

/**
 * Things in the order in which metadata names them; those that it does not name follow in their own. `namesOf` gives the names
 * by which it may name a thing, the first of them that it knows counts.
 */
export function inDisplayOrder<Thing>(
  things: readonly Thing[],
  order: readonly string[] | undefined,
  namesOf: (thing: Thing) => readonly string[],
): readonly Thing[] {
  if (order === undefined) return things;
  const places = new Map<string, number>();
  for (const name of order) if (!places.has(name)) places.set(name, places.size);
  const placeOf = (thing: Thing): number => {
    for (const name of namesOf(thing)) {
      const place = places.get(name);
      if (place !== undefined) return place;
    }
    return Number.POSITIVE_INFINITY;
  };
  const placed = things.map((thing) => ({ thing, place: placeOf(thing) }));
  // Infinity less itself is no number; things without a place keep their order.
  return placed.sort((a, b) => a.place - b.place || 0).map(({ thing }) => thing);
}

/** What a page is called that metadata does not label: as its file, or by its number among those shown, from 1. */
export type PageLabels = 'name' | 'number';

/** What its label goes by. */
export interface LabeledFile {
  readonly file: string;
  /** What metadata calls it. */
  readonly metadataLabel: LanguageMap | undefined;
  /** Its number among those shown, from 1. */
  readonly number: number;
  /** Whether another file of the folder has the same name but for its extension. */
  readonly sharesStem: boolean;
}

/** What a file is called. Its name without extension is its label, unless two files would share it. */
export function labelOfFile(
  { file, metadataLabel: given, number, sharesStem }: LabeledFile,
  usual: PageLabels,
): LanguageMap {
  if (hasText(given)) return given;
  if (usual === 'number') return plainText(String(number));
  return plainText(sharesStem ? file : stemOf(file));
}

/** Which of some stems more than one file has. */
export function sharedStems(files: Iterable<string>, among: ReadonlySet<string>): ReadonlySet<string> {
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const file of files) {
    const stem = stemOf(file);
    if (!among.has(stem)) continue;
    if (once.has(stem)) shared.add(stem);
    else once.add(stem);
  }
  return shared;
}

/** How metadata may name a file: by its first page, where it has several. */
export const namesOfFile = (name: string): readonly string[] => [`${name};1`, name];

/** What metadata calls a file, which it may call by its first page alone. */
export const metadataLabelOf = ({ pageLabels }: FolderMetadata, file: string): LanguageMap | undefined =>
  [file, `${file};1`].map((name) => pageLabels?.get(name)).find(hasText);

/** The texts of a label, each language's as it is shown. */
export const textsOfLabel = (label: LanguageMap | undefined): readonly string[] =>
  Object.values(label ?? {}).map((paragraphs) => paragraphs.join(' '));
