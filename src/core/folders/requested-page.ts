/** Finds the image of a folder that a request names: by its file, its page number, or its label. */
import type { FolderEntry } from '../image/folder/folder-description.ts';
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import { nameEqual } from '../image/folder/name-match.ts';
import {
  labelOfFile,
  metadataLabelOf,
  type PageLabels,
  sharedStems,
  textsOfLabel,
} from '../image/folder/page-labels.ts';
import { stemOf } from '../image/model/formats.ts';

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
