/** Parses what a reader searches for: words, "phrases" in quotation marks, and prefixes with an asterisk. */
import { readQuery, spellingsOf } from '../../../core/image/folder/spellings.ts';
import { tokensOf } from './fold.ts';

/** Folded words that follow each other, in one of their spellings: at least one, all of the same number of words. */
export interface Phrase {
  readonly spellings: readonly (readonly string[])[];
  /** Whether the last token may go on. */
  readonly isPrefix: boolean;
}

/** A page matches where it has every phrase. */
export type PageQuery = readonly Phrase[];

/** More are not searched. */
const maxPhrases = 20;
const maxTokens = 60;

const parts = /["“”„«»]([^"“”„«»]*)["“”„«»]?(\*?)|([^\s"“”„«»]+)/gu;

/** A single character of Chinese or Japanese is the beginning of tokens of two. */
const isSingleCjk = (tokens: readonly string[]): boolean =>
  tokens.length === 1 && /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]$/u.test(tokens[0] ?? '');

/** Drops the token of the last character alone, which a text has only where the run of characters ends. */
function withoutLastCharacter(tokens: readonly string[]): readonly string[] {
  const [last = '', before = ''] = [tokens.at(-1), tokens.at(-2)];
  return tokens.length > 1 && [...last].length === 1 && before.endsWith(last) && [...before].length === 2
    ? tokens.slice(0, -1)
    : tokens;
}

const tokensIn = (text: string): readonly string[] => {
  const all = tokensOf(text.split(/\s+/)).map((token) => token.text);
  return withoutLastCharacter(all).slice(0, maxTokens);
};

function phraseOf(text: string, hasAsterisk: boolean, isAlike: boolean): readonly Phrase[] {
  const [typed = [], ...others] = spellingsOf(text, isAlike).map(tokensIn);
  if (typed.length === 0) return [];
  const all = [typed, ...others.filter((tokens) => tokens.length === typed.length)];
  const spellings = [...new Map(all.map((tokens) => [tokens.join(' '), tokens])).values()];
  return [{ spellings, isPrefix: hasAsterisk || isSingleCjk(typed) }];
}

/** The phrases of a query; none where it has no letter and no digit. */
export function parseQuery(query: string): PageQuery {
  const { text, isAlike } = readQuery(query);
  return [...text.matchAll(parts)]
    .slice(0, maxPhrases)
    .flatMap(([, phrase, asterisk = '', word = '']) =>
      phrase === undefined
        ? phraseOf(word, word.endsWith('*'), isAlike)
        : phraseOf(phrase, asterisk !== '' || phrase.trimEnd().endsWith('*'), isAlike),
    );
}
