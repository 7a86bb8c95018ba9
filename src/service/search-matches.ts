/** Matches the text of a search with the metadata of a folder, and with the names and labels of its images. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import { metadataLabelOf, textsOfLabel } from '../image/folder/page-labels.ts';

/** How many names are matched before other requests have their turn; these take a few milliseconds. */
const namesPerTurn = 5000;

type Matches = (text: string) => boolean;

export interface ImageSearch {
  /** Whether a text contains the text of the search. */
  readonly matches: Matches;
  /** Whether it equals the text of the search. */
  readonly isExact: Matches;
  readonly isOver: () => boolean;
}

export interface MatchedImage {
  readonly name: string;
  readonly isExact: boolean;
}

/** All texts of a folder's metadata, in every language. */
export function textsOfFolder({ label, summary, metadata = [], requiredStatement }: FolderMetadata): readonly string[] {
  const values = metadata.map(({ value }) => value);
  return [label, summary, ...values, requiredStatement?.value].flatMap(textsOfLabel);
}

/** The images whose names or labels match, exact matches first; incomplete where the search ends meanwhile. */
export async function matchingImages(
  names: readonly string[],
  metadata: FolderMetadata,
  { matches, isExact, isOver }: ImageSearch,
): Promise<readonly MatchedImage[]> {
  const exact: MatchedImage[] = [];
  const others: MatchedImage[] = [];
  for (let from = 0; from < names.length && !isOver(); from += namesPerTurn) {
    if (from > 0) await nextTurn();
    for (const name of names.slice(from, from + namesPerTurn)) {
      const texts = [name, ...textsOfLabel(metadataLabelOf(metadata, name))];
      if (texts.some(isExact)) exact.push({ name, isExact: true });
      else if (texts.some(matches)) others.push({ name, isExact: false });
    }
  }
  return [...exact, ...others];
}
