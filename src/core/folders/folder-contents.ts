/** The table of contents of a folder in the reading room: chapters, each with the page at which it begins. */
import { type Chapter, chaptersIn, firstPageOf } from '../image/folder/chapters.ts';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import type { ContentsEntry } from '../image/folder/folder-listing.ts';
import { textFor } from '../image/folder/language-values.ts';
import { hasText } from '../image/folder/page-labels.ts';
import { childOf, formatIdentifier, splitPage } from '../image/model/identifier.ts';
import type { LocalizedFolder } from './folder-cards.ts';

interface ChapterPage {
  readonly name: string;
  /** The position of its file in the folder, from 1. */
  readonly at: number;
}

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
      return [{ label, path, at, page: labelOfChapterPage(first), contents: contents(chapter.chapters) }];
    });
  return contents(chaptersIn(metadata.structures, pagesNamed));
}
