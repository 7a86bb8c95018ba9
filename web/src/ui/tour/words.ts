/** Texts of guided views as the reader reads them. */
import { type LanguageMap, parseLanguages, textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import { language } from '../../messages/messages.ts';
import type { TourMessageKey } from '../../messages/tour-messages.ts';
import type { FoundTour } from '../../state/tour/annotation-tour.ts';

export interface ChosenText {
  readonly words: string;
  /** The tag of its language; undefined where it has none. */
  readonly lang: string | undefined;
}

/** The text in the reader's language, or else in another one; empty where there is none. */
export function chosenText(text: LanguageMap): ChosenText {
  const parts = textFor(text, [language.value, ...parseLanguages(navigator.languages.join(','))]);
  const [tag] = Object.entries(text).find(([, own]) => own === parts) ?? [];
  return { words: parts.join('\n'), lang: tag === 'none' ? undefined : tag };
}

/** The name of a language in the reader's language; the tag itself where it has none. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([language.value], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

type TourProblem = Extract<FoundTour, { readonly ok: false }>['problem'];

const problemKeys: Readonly<Partial<Record<TourProblem, TourMessageKey>>> = {
  none: 'tour-no-tour',
  'only-here': 'tour-only-here',
};

export const problemKey = (problem: TourProblem): TourMessageKey => problemKeys[problem] ?? 'tour-missing';

/** A name for a file, of letters and digits. */
export const fileStem = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'guided-views';
