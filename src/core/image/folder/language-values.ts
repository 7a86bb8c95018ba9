/** Which of a text's languages is shown to somebody who names those that they read. */
import type { LanguageMap } from './folder-metadata.ts';

/** The tags of a list such as `de-AT, en;q=0.5`, in their order, in lower case. */
export const parseLanguages = (list: string): readonly string[] =>
  list
    .split(',')
    .map((part) => (part.split(';', 1)[0] ?? '').trim().toLowerCase())
    .filter((tag) => tag !== '' && tag !== '*');

const primaryOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;

/** The paragraphs in the first language that somebody reads, else in English, else in the first that there is. */
export function textFor(text: LanguageMap, languages: readonly string[]): readonly string[] {
  const there = Object.entries(text).filter(([, paragraphs]) => paragraphs.length > 0);
  for (const wanted of [...languages, 'en']) {
    const exact = there.find(([tag]) => tag.toLowerCase() === wanted);
    const near = exact ?? there.find(([tag]) => primaryOf(tag.toLowerCase()) === primaryOf(wanted));
    if (near !== undefined) return near[1];
  }
  return there[0]?.[1] ?? [];
}
