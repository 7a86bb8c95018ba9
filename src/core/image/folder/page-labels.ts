/** The order and the labels of a folder's pages, in manifests and in the reading room alike. */
import { stemOf } from '../model/formats.ts';
import type { FolderMetadata, LanguageMap } from './folder-metadata.ts';

/** A text without a language. */
export const plainText = (text: string): LanguageMap => ({ none: [text] });

/** Whether a text has content in any language. */
export const hasText = (text: LanguageMap | undefined): text is LanguageMap =>
  text !== undefined && Object.values(text).some((values) => values.length > 0);

/** The label of a folder: from its metadata, or else its name. */
export const labelOfFolder = (name: string, metadata: FolderMetadata | undefined): LanguageMap =>
  hasText(metadata?.label) ? metadata.label : plainText(name);

/**
 * Items in the order in which metadata names them, then the others in their own order. Metadata may call an item by any of
 * the names that `namesOf` returns; the first of these that it uses counts.
 */
export function inDisplayOrder<Item>(
  items: readonly Item[],
  order: readonly string[] | undefined,
  namesOf: (item: Item) => readonly string[],
): readonly Item[] {
  if (order === undefined) return items;
  const positions = new Map<string, number>();
  for (const name of order) if (!positions.has(name)) positions.set(name, positions.size);
  const positionOf = (item: Item): number => {
    for (const name of namesOf(item)) {
      const position = positions.get(name);
      if (position !== undefined) return position;
    }
    return Number.POSITIVE_INFINITY;
  };
  const positioned = items.map((item) => ({ item, position: positionOf(item) }));
  // The difference of two infinities is NaN; items without a position keep their order.
  return positioned.sort((a, b) => a.position - b.position || 0).map(({ item }) => item);
}

/** The label of a page that metadata does not label: the name of its file, or its number in display order, from 1. */
export type PageLabels = 'name' | 'number';

/** The facts that the label of a file depends on. */
export interface LabeledFile {
  readonly file: string;
  /** Its label in the folder's metadata. */
  readonly metadataLabel: LanguageMap | undefined;
  /** Its number in display order, from 1. */
  readonly number: number;
  /** Whether another file of the folder has the same name except for the extension. */
  readonly sharesStem: boolean;
}

/** The label of a file. Where it is the file's name, the extension is left out unless two files would share the label. */
export function labelOfFile(
  { file, metadataLabel, number, sharesStem }: LabeledFile,
  pageLabels: PageLabels,
): LanguageMap {
  if (hasText(metadataLabel)) return metadataLabel;
  if (pageLabels === 'number') return plainText(String(number));
  return plainText(sharesStem ? file : stemOf(file));
}

/** Those of some stems that more than one file has. */
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

/** The names that metadata may use for a file: one with several pages may be named by its first page. */
export const namesOfFile = (name: string): readonly string[] => [`${name};1`, name];

/** The label of a file in the folder's metadata, which may label its first page alone. */
export const metadataLabelOf = ({ pageLabels }: FolderMetadata, file: string): LanguageMap | undefined =>
  [file, `${file};1`].map((name) => pageLabels?.get(name)).find(hasText);

/** The texts of a label, one for each language. */
export const textsOfLabel = (label: LanguageMap | undefined): readonly string[] =>
  Object.values(label ?? {}).map((paragraphs) => paragraphs.join(' '));
