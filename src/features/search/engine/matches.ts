/** Finds where on a page the words of a query stand, with the text around them and the boxes to mark. */
import { type Rect, union } from '../../../core/image/model/geometry.ts';
import { type Token, tokensOf } from './fold.ts';
import { type StoredPage, type StoredWord, searchedWords } from './page-payload.ts';
import type { PageQuery, Phrase } from './query.ts';

/** A place of a page where a phrase stands. */
export interface TextMatch {
  /** The text before it, shortened to whole words. */
  readonly before: string;
  /** As it is printed; words that a hyphen parts are joined. */
  readonly match: string;
  readonly after: string;
  /** One for each line that it touches, in pixels of the upright image; none in plain text. */
  readonly boxes: readonly Rect[];
}

/** Some tokens of a page that follow each other, by their positions. */
interface Occurrence {
  readonly first: number;
  readonly last: number;
}

/** How much text is shown on each side, in characters. */
const contextLength = 60;

const lengthOf = ({ spellings }: Phrase): number => spellings[0]?.length ?? 0;

function standsAt(tokens: readonly Token[], at: number, { spellings, isPrefix }: Phrase): boolean {
  return spellings.some((wanted) =>
    wanted.every((text, index) => {
      const found = tokens[at + index]?.text;
      return isPrefix && index === wanted.length - 1 ? found?.startsWith(text) === true : found === text;
    }),
  );
}

/** The places of all phrases in reading order; those that overlap are one. */
function occurrencesOf(tokens: readonly Token[], query: PageQuery): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const lengths = query.filter((phrase) => standsAt(tokens, at, phrase)).map(lengthOf);
    if (lengths.length === 0) continue;
    const last = at + Math.max(...lengths) - 1;
    const before = found.at(-1);
    if (before !== undefined && before.last >= at)
      found[found.length - 1] = { first: before.first, last: Math.max(before.last, last) };
    else found.push({ first: at, last });
  }
  return found;
}

/** A part of a word, in fractions of its length. */
interface WordPart {
  readonly word: number;
  readonly from: number;
  readonly to: number;
}

/** The words of an occurrence; the second part of a word that a hyphen parts belongs to it. */
function partsOf(
  tokens: readonly Token[],
  { first, last }: Occurrence,
  words: readonly StoredWord[],
): readonly WordPart[] {
  const parts = new Map<number, WordPart>();
  for (const token of tokens.slice(first, last + 1)) {
    const known = parts.get(token.word);
    parts.set(token.word, {
      word: token.word,
      from: Math.min(known?.from ?? 1, token.from),
      to: Math.max(known?.to ?? 0, token.to),
    });
    for (let next = token.word + 1; words[next]?.joined === ''; next++) parts.set(next, { word: next, from: 0, to: 1 });
  }
  return [...parts.values()];
}

/** The part of a word's box; the characters of a word that is higher than wide run downward. */
function boxOfPart({ word, from, to }: WordPart, { words, direction }: StoredPage): Rect | undefined {
  const box = words[word]?.box;
  if (box === undefined || (from === 0 && to === 1)) return box;
  if (direction === 'ttb' || box.height > 2 * box.width) {
    return { ...box, y: Math.round(box.y + box.height * from), height: Math.round(box.height * (to - from)) };
  }
  const start = direction === 'rtl' ? 1 - to : from;
  return { ...box, x: Math.round(box.x + box.width * start), width: Math.round(box.width * (to - from)) };
}

function boxesOf(parts: readonly WordPart[], page: StoredPage): readonly Rect[] {
  const boxes: Rect[] = [];
  for (const [index, part] of parts.entries()) {
    const box = boxOfPart(part, page);
    if (box === undefined) continue;
    const last = boxes.at(-1);
    if (index === 0 || last === undefined || page.words[part.word]?.startsLine === true) boxes.push(box);
    else boxes[boxes.length - 1] = union(last, box);
  }
  return boxes;
}

const cjkEnd = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\u3000-\u303f]$/u;

/** Words with spaces between them, but for Chinese and Japanese ones. */
const joined = (words: readonly string[]): string =>
  words
    .filter((word) => word !== '')
    .reduce((text, word) => (text === '' || cjkEnd.test(text) ? text + word : `${text} ${word}`), '');

const slice = (word: string, from: number, to: number): string => {
  const characters = [...word];
  return characters.slice(Math.round(from * characters.length), Math.round(to * characters.length)).join('');
};

/** Words from the end of a list, up to the length that is shown. */
function nearest(words: readonly string[], side: 'before' | 'after'): string {
  const chosen: string[] = [];
  let length = 0;
  const ordered = side === 'before' ? words.toReversed() : words;
  for (const word of ordered) {
    length += word.length + 1;
    if (length > contextLength && chosen.length > 0) break;
    chosen.push(length > contextLength ? slice(word, side === 'before' ? 0.5 : 0, side === 'before' ? 1 : 0.5) : word);
  }
  return joined(side === 'before' ? chosen.toReversed() : chosen);
}

function textMatchOf(parts: readonly WordPart[], texts: readonly string[], page: StoredPage): TextMatch {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return { before: '', match: '', after: '', boxes: [] };
  const shown = parts.map(({ word, from, to }) => slice(texts[word] ?? '', from, to));
  const before = [
    ...texts.slice(Math.max(0, first.word - 40), first.word),
    slice(texts[first.word] ?? '', 0, first.from),
  ];
  const after = [slice(texts[last.word] ?? '', last.to, 1), ...texts.slice(last.word + 1, last.word + 41)];
  return {
    before: nearest(
      before.filter((word) => word !== ''),
      'before',
    ),
    match: joined(shown),
    after: nearest(
      after.filter((word) => word !== ''),
      'after',
    ),
    boxes: boxesOf(parts, page),
  };
}

/** The matches on a page, at most `limit` of them, and how many there are. */
export function matchesOn(
  page: StoredPage,
  query: PageQuery,
  limit: number,
): { readonly count: number; readonly matches: readonly TextMatch[] } {
  const texts = searchedWords(page);
  const tokens = tokensOf(texts);
  const occurrences = occurrencesOf(tokens, query);
  const matches = occurrences
    .slice(0, limit)
    .map((occurrence) => textMatchOf(partsOf(tokens, occurrence, page.words), texts, page));
  return { count: occurrences.length, matches };
}

/** The printed words of a page that begin with the last phrase of a query, folded, with how often they occur. */
export function completionsOn(
  page: StoredPage,
  begun: Phrase,
): ReadonlyMap<string, { readonly text: string; readonly count: number }> {
  const texts = searchedWords(page);
  const tokens = tokensOf(texts);
  const found = new Map<string, { text: string; count: number }>();
  const phrase = { ...begun, isPrefix: true };
  for (let at = 0; at < tokens.length; at++) {
    if (!standsAt(tokens, at, phrase)) continue;
    const parts = tokens.slice(at, at + lengthOf(phrase));
    const key = parts.map(({ text }) => text).join(' ');
    const shown = joined([...new Set(parts.map(({ word }) => word))].map((word) => texts[word] ?? ''));
    const text = shown.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, '').toLowerCase();
    found.set(key, { text: found.get(key)?.text ?? text, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return found;
}
