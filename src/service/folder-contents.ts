/** The chapters of a folder as the reading room shows them: each with the page at which it begins. */
import { type Chapter, chaptersIn, firstPageOf } from '../image/folder/chapters.ts';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import type { ContentsEntry } from '../image/folder/folder-listing.ts';
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import { childOf, formatIdentifier, type Identifier, splitPage } from '../image/model/identifier.ts';
import { textFor } from '../image/model/languages.ts';

interface Described {
  readonly identifier: Identifier;
  readonly said: FolderMetadata;
  readonly languages: readonly string[];
}

interface Begin {
  readonly name: string;
  readonly at: number;
}

/** The chapters of the images that the caller may see, in the order in which they are shown. */
export function contentsOf(
  { identifier, said, languages }: Described,
  entries: readonly FolderEntry[],
): readonly ContentsEntry[] {
  if (said.structures === undefined) return [];
  const places = new Map(entries.map(({ name }, index) => [name, index + 1]));
  const pagesNamed = (name: string): readonly Begin[] => {
    const at = places.get(name) ?? places.get(splitPage(name).file);
    return at === undefined ? [] : [{ name, at }];
  };
  const shown = (chapters: readonly Chapter<Begin>[]): readonly ContentsEntry[] =>
    chapters.flatMap((chapter) => {
      const begin = firstPageOf(chapter);
      if (begin === undefined) return [];
      const path = formatIdentifier(childOf(identifier, begin.name));
      const label = textFor(chapter.label, languages).join(' ');
      return [{ label, path, at: begin.at, contents: shown(chapter.chapters) }];
    });
  return shown(chaptersIn(said.structures, pagesNamed));
}
