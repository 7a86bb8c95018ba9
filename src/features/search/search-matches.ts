/** Matches the text of a search with the metadata of a folder, and with the names and labels of its images. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FolderMetadata } from '../../core/image/folder/folder-metadata.ts';
import { metadataLabelOf, textsOfLabel } from '../../core/image/folder/page-labels.ts';

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
  /** Whether its label matches, or else its name. */
  readonly byLabel: boolean;
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
      const labels = textsOfLabel(metadataLabelOf(metadata, name));
      const byLabel = labels.some(matches);
      if (isExact(name) || labels.some(isExact)) exact.push({ name, isExact: true, byLabel });
      else if (byLabel || matches(name)) others.push({ name, isExact: false, byLabel });
    }
  }
  return [...exact, ...others];
}
