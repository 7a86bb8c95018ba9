/** What the reading room shows of a folder: chapters, what its metadata says, and the image that a request names. */

import type { FolderEntry } from '../image/folder/folder-description.ts';
import type { ContentsEntry, FolderListing, ShownLink, ShownText } from '../image/folder/folder-listing.ts';
import { type FolderMetadata, type PagePart, textFor } from '../image/folder/folder-metadata.ts';
import {
  type Chapter,
  chaptersIn,
  firstPageOf,
  hasText,
  labelOfFile,
  metadataLabelOf,
  nameEqual,
  type PageLabels,
  sharedStems,
  textsOfLabel,
} from '../image/folder/page-labels.ts';
import { stemOf } from '../image/model/formats.ts';
import { childOf, formatIdentifier, splitPage } from '../image/model/identifier.ts';
import { type LocalizedFolder, titleOf } from './folder-cards.ts';

interface ChapterPage {
  readonly name: string;
  /** The position of its file in the folder, from 1. */
  readonly at: number;
}

const fractionsOf = ({ x, y, width, height }: PagePart): PagePart => ({
  x: x / 100,
  y: y / 100,
  width: width / 100,
  height: height / 100,
});

/** The chapters of these entries, which are in display order. `labelOf` is the label of the entry at a position, from 1. */
export function contentsOf(
  { identifier, metadata, languages }: LocalizedFolder,
  entries: readonly FolderEntry[],
  labelOf: (at: number) => string,
): readonly ContentsEntry[] {
  if (metadata.structures === undefined) return [];
  const positions = new Map(entries.map(({ name }, index) => [name, index + 1]));
  const pagesNamed = (name: string): readonly ChapterPage[] => {
    const at = positions.get(name) ?? positions.get(splitPage(name).file);
    return at === undefined ? [] : [{ name, at }];
  };
  const labelOfChapterPage = ({ name, at }: ChapterPage): string => {
    const own = metadata.pageLabels?.get(name);
    return hasText(own) ? textFor(own, languages).join(' ') : labelOf(at);
  };
  const contents = (chapters: readonly Chapter<ChapterPage>[]): readonly ContentsEntry[] =>
    chapters.flatMap((chapter) => {
      const first = firstPageOf(chapter);
      if (first === undefined) return [];
      const path = formatIdentifier(childOf(identifier, first.name));
      const label = textFor(chapter.label, languages).join(' ');
      const { at } = first;
      const region = chapter.region && fractionsOf(chapter.region);
      const page = labelOfChapterPage(first);
      return [{ label, path, at, page, ...(region && { region }), contents: contents(chapter.chapters) }];
    });
  return contents(chaptersIn(metadata.structures, pagesNamed));
}

/** The members of a listing that do not depend on the folder's content. */
type FolderFacts = Pick<
  FolderListing,
  'path' | 'title' | 'summary' | 'metadata' | 'attribution' | 'rights' | 'homepage'
>;

function textsOf({ metadata: { metadata = [], requiredStatement }, languages }: LocalizedFolder): readonly ShownText[] {
  const pairs = requiredStatement === undefined ? metadata : [...metadata, requiredStatement];
  return pairs.map(({ label, value }) => ({
    label: textFor(label, languages).join(' '),
    value: textFor(value, languages),
  }));
}

const homepagesOf = ({ metadata: { homepage = [] }, languages }: LocalizedFolder): readonly ShownLink[] =>
  homepage.map(({ id, label }) => ({ address: id, label: textFor(label, languages).join(' ') || id }));

export function factsOf(folder: LocalizedFolder): FolderFacts {
  const { identifier, metadata, languages } = folder;
  return {
    path: formatIdentifier(identifier),
    title: titleOf(folder),
    summary: textFor(metadata.summary ?? {}, languages),
    metadata: textsOf(folder),
    attribution: textFor(metadata.requiredStatement?.value ?? {}, languages),
    rights: metadata.rights ?? null,
    homepage: homepagesOf(folder),
  };
}

interface RequestedPage {
  readonly name: string | undefined;
  /** The `pn` of the image. */
  readonly page?: number;
  readonly label?: string;
}

/** The position of an image among the entries by its label in any language, from 1; null where none has this label. */
export function positionOfLabel(
  entries: readonly FolderEntry[],
  label: string,
  metadata: FolderMetadata,
  pageLabels: PageLabels,
): number | null {
  const isRequested = nameEqual(label);
  if (isRequested === undefined) return null;
  const files = entries.map(({ name }) => name);
  const shared = sharedStems(files, new Set(files.map(stemOf)));
  const labelOf = (file: string, number: number) => {
    const metadataLabel = metadataLabelOf(metadata, file);
    return labelOfFile({ file, metadataLabel, number, sharesStem: shared.has(stemOf(file)) }, pageLabels);
  };
  return files.findIndex((file, index) => textsOfLabel(labelOf(file, index + 1)).some(isRequested)) + 1 || null;
}

/** The position of the requested image among the entries, from 1; null where the request names none of them. */
export function requestedPosition(
  entries: readonly FolderEntry[],
  { name, page, label }: RequestedPage,
  positionOf: (label: string) => number | null,
): number | null {
  if (label !== undefined) return positionOf(label);
  if (name === undefined && page === undefined) return null;
  const isRequested = (entry: FolderEntry): boolean =>
    name === undefined ? entry.index === page : entry.name === name;
  return entries.findIndex(isRequested) + 1 || null;
}
