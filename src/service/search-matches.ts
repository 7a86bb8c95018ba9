/** What of a folder holds the text that is searched for: its metadata, and its images by name and label. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import { metadataLabelOf, textsOfLabel } from '../image/folder/page-labels.ts';

/** So many names are looked at before others have their turn: it takes a few milliseconds. */
const namesAtOnce = 5000;

type Matches = (text: string) => boolean;

export interface ImageSearch {
  /** Whether a text holds what is searched for. */
  readonly matches: Matches;
  /** Whether it is what is searched for. */
  readonly isExact: Matches;
  readonly isOver: () => boolean;
}

/** The name of an image that is found. */
export interface MatchedImage {
  readonly name: string;
  readonly isExact: boolean;
}

/** All texts that a person wrote of a folder, in every language. */
export function textsOfFolder({ label, summary, metadata = [], requiredStatement }: FolderMetadata): readonly string[] {
  const values = metadata.map(({ value }) => value);
  return [label, summary, ...values, requiredStatement?.value].flatMap(textsOfLabel);
}

/** The images whose names or labels match, those first that are called just so. Fewer where the search is over meanwhile. */
export async function matchingImages(
  names: readonly string[],
  said: FolderMetadata,
  { matches, isExact, isOver }: ImageSearch,
): Promise<readonly MatchedImage[]> {
  const exact: MatchedImage[] = [];
  const others: MatchedImage[] = [];
  for (let from = 0; from < names.length && !isOver(); from += namesAtOnce) {
    if (from > 0) await nextTurn();
    for (const name of names.slice(from, from + namesAtOnce)) {
      const texts = [name, ...textsOfLabel(metadataLabelOf(said, name))];
      if (texts.some(isExact)) exact.push({ name, isExact: true });
      else if (texts.some(matches)) others.push({ name, isExact: false });
    }
  }
  return [...exact, ...others];
}
