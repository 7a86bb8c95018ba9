/** Why something was found: the text that contains the searched words, and the part of it around them. */
import type { FoundReason } from '../../core/image/folder/folder-listing.ts';
import { type FolderMetadata, textFor } from '../../core/image/folder/folder-metadata.ts';
import { nameMatcher, textsOfLabel } from '../../core/image/folder/page-labels.ts';

/** Characters that are shown of a long text, and of those before the first word. */
const shownLength = 160;
const lengthBefore = 50;

/** The part of a text around the first of some words; whole where it is short. */
export function excerptOf(text: string, isWordIn: (part: string) => boolean): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= shownLength) return plain;
  const words = plain.split(' ');
  const found = Math.max(0, words.findIndex(isWordIn));
  let first = found;
  for (let length = 0; first > 0 && length < lengthBefore; first -= 1) length += (words[first - 1]?.length ?? 0) + 1;
  const part = words.slice(first).join(' ');
  const cut = part.length <= shownLength ? part : `${part.slice(0, shownLength).replace(/\s+\S*$/, '')} …`;
  return first === 0 ? cut : `… ${cut}`;
}

/** A text that is searched. */
type SearchedText = FoundReason;

/** The texts of a folder in the order in which they explain a find, in every language. */
export function searchedTexts(
  name: string,
  metadata: FolderMetadata,
  languages: readonly string[],
): readonly SearchedText[] {
  const { label, summary, metadata: pairs = [], requiredStatement } = metadata;
  const texts = (kind: FoundReason['kind'], values: readonly string[], of = ''): readonly SearchedText[] =>
    values.map((text) => ({ kind, label: of, text }));
  const labeled = requiredStatement === undefined ? pairs : [...pairs, requiredStatement];
  return [
    ...texts('title', textsOfLabel(label)),
    ...texts('name', name === '' ? [] : [name]),
    ...labeled.flatMap((pair) => texts('metadata', textsOfLabel(pair.value), textFor(pair.label, languages).join(' '))),
    ...texts('summary', textsOfLabel(summary)),
  ];
}

/** The first text that contains all words of a query, or else one of them, shortened; undefined where none does. */
export function reasonAmong(texts: readonly SearchedText[], query: string): FoundReason | undefined {
  const matchesAll = nameMatcher(query);
  const matchers = query.split(/\s+/).flatMap((word) => nameMatcher(word) ?? []);
  const hasWord = (text: string): boolean => matchers.some((matches) => matches(text));
  const found = texts.find(({ text }) => matchesAll?.(text) === true) ?? texts.find(({ text }) => hasWord(text));
  return found && { ...found, text: excerptOf(found.text, hasWord) };
}
