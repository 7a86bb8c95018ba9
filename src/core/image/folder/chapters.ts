/** The chapters that a folder's metadata names, with their pages, for manifests and for the reading room alike. */
import type { LanguageMap, Structure } from './folder-metadata.ts';
import { hasText, plainText } from './page-labels.ts';

/** A chapter with at least one page in it, and a key that is unique in its folder. */
export interface Chapter<Page> {
  readonly key: string;
  readonly label: LanguageMap;
  readonly pages: readonly Page[];
  readonly chapters: readonly Chapter<Page>[];
}

/** The chapters without missing pages, and without chapters that have no pages. */
export function chaptersIn<Page>(
  structures: readonly Structure[],
  pagesNamed: (name: string) => readonly Page[],
  prefix = '',
): readonly Chapter<Page>[] {
  return structures
    .map((structure, index): Chapter<Page> => {
      const key = `${prefix}${index + 1}`;
      const pages = [...new Set(structure.pages.flatMap((name) => pagesNamed(name)))];
      const label = hasText(structure.label) ? structure.label : plainText(key);
      return { key, label, pages, chapters: chaptersIn(structure.structures, pagesNamed, `${key}.`) };
    })
    .filter(({ pages, chapters }) => pages.length > 0 || chapters.length > 0);
}

/** The page at which a chapter begins: its own first page, or else that of the first chapter inside of it. */
export const firstPageOf = <Page>({ pages, chapters }: Chapter<Page>): Page | undefined =>
  pages[0] ?? (chapters[0] && firstPageOf(chapters[0]));
