/** Which of a folder's images somebody means: by its file, by its number, or by what it is called. */
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

interface Meant {
  /** The file's name. */
  readonly name: string | undefined;
  /** The `pn` of the image. */
  readonly page?: number;
  readonly label?: string;
}

/** The place of an image by its label in any language, among those that are shown, from 1; null where none is called so. */
export function positionOfLabel(
  entries: readonly FolderEntry[],
  label: string,
  said: FolderMetadata,
  usual: PageLabels,
): number | null {
  const isWanted = nameEqual(label);
  if (isWanted === undefined) return null;
  const files = entries.map(({ name }) => name);
  const shared = sharedStems(files, new Set(files.map(stemOf)));
  const labelOf = (file: string, number: number) =>
    labelOfFile(
      { file, metadataLabel: metadataLabelOf(said, file), number, sharesStem: shared.has(stemOf(file)) },
      usual,
    );
  return files.findIndex((file, index) => textsOfLabel(labelOf(file, index + 1)).some(isWanted)) + 1 || null;
}

/** The place of the image that is meant among those that are shown, from 1; null where none is. */
export function requestedPosition(
  entries: readonly FolderEntry[],
  { name, page, label }: Meant,
  labeled: (label: string) => number | null,
): number | null {
  if (label !== undefined) return labeled(label);
  if (name === undefined && page === undefined) return null;
  const isMeant = (entry: FolderEntry): boolean => (name === undefined ? entry.index === page : entry.name === name);
  return entries.findIndex(isMeant) + 1 || null;
}
