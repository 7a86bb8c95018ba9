/** The texts of a page from which the reader chooses, and what they are called. */
import type { PageText } from './page-text.ts';

export interface TextChoice {
  readonly key: string;
  /** As the manifest calls it; absent for texts of this library. */
  readonly label?: string;
  /** BCP 47, where it is said. */
  readonly language?: string;
  /** How the file is called in the field: ALTO, PAGE, hOCR, TEI; absent where it says nothing to readers. */
  readonly format?: string;
}

/** A text of a page as it was loaded. */
export interface LoadedText {
  readonly text: PageText;
  /** All texts of the page; the first one is what is shown where the reader has chosen none. */
  readonly choices: readonly TextChoice[];
}

/** The names of formats of texts. */
export const formatLabels: Readonly<Record<string, string>> = { alto: 'ALTO', page: 'PAGE', hocr: 'hOCR', tei: 'TEI' };

/** All texts of some pages, each key once, in the order of the pages. */
export function joinedChoices(pages: readonly (readonly TextChoice[])[]): readonly TextChoice[] {
  const all = new Map<string, TextChoice>();
  for (const choice of pages.flat()) if (!all.has(choice.key)) all.set(choice.key, choice);
  return [...all.values()];
}

interface ChoiceWords {
  readonly text: string;
  readonly plain: string;
  /** The name of a language for the reader. */
  readonly languageName: (tag: string) => string;
}

/** The name of a text: as its manifest calls it, else its language, else its format; a second one of a key has its number. */
export function choiceName({ key, label, language, format }: TextChoice, words: ChoiceWords): string {
  if (label !== undefined && label !== '') return label;
  const [, number] = /-(\d+)$/.exec(key) ?? [];
  const behind = number === undefined ? '' : ` ${number}`;
  if (language !== undefined) return words.languageName(language) + behind;
  return format === undefined ? words.plain + behind : `${words.text} (${format})${behind}`;
}
