/** The addresses of a folder's PDF, of the archive of its pictures and of its text, relative to the base. */
import { encodePath } from '../../../src/core/image/folder/page-address.ts';
import { formatPageNumbers } from '../../../src/core/image/folder/page-numbers.ts';

export type TakenForm = 'pdf' | 'zip' | 'txt';

/** The parameters of a PDF or an archive. Which pages: positions in the folder's reading order, from 1; all without. */
export const documentQuery = (language: string, at?: readonly number[]): Record<string, string> => ({
  ...(at && { at: formatPageNumbers(at) }),
  lang: language,
});

export function takenPath(form: TakenForm, folder: string, language: string, at?: readonly number[]): string {
  const query = new URLSearchParams(documentQuery(language, at));
  return `${form}/${encodePath(folder)}.${form}?${query.toString().replaceAll('%2C', ',')}`;
}

interface Entry {
  readonly label: string;
  readonly at: number;
  readonly contents: readonly Entry[];
}

/** A chapter with the positions of its pages, from 1. */
export interface ChapterPages {
  readonly label: string;
  readonly at: readonly number[];
}

/** The innermost chapter that a page is in, up to the next one that begins behind it; undefined where it is in none. */
export function chapterAround(contents: readonly Entry[], at: number, total: number): ChapterPages | undefined {
  const all = flattened(contents);
  const own = all.filter((entry) => entry.at <= at).at(-1);
  if (own === undefined) return undefined;
  const next = all.find((entry) => entry.at > own.at)?.at ?? total + 1;
  return { label: own.label, at: Array.from({ length: next - own.at }, (_, index) => own.at + index) };
}

/** In the order of their first pages; of those that begin at the same page, the innermost last. */
const flattened = (contents: readonly Entry[]): readonly Entry[] =>
  contents.flatMap((entry) => [entry, ...flattened(entry.contents)]).sort((a, b) => a.at - b.at);
