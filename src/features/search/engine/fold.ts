/** Folds words for searching: accents, case, long s, ligatures and punctuation make no difference; CJK becomes bigrams. */
import { spelledLetters as letters } from '../../../core/image/folder/spellings.ts';

/** A folded word, or two characters of Chinese or Japanese. */
export interface Token {
  readonly text: string;
  /** The index of the word in which it begins. */
  readonly word: number;
  /** The part of that word, in fractions of its length: all of it, but for Chinese and Japanese. */
  readonly from: number;
  readonly to: number;
}

/** Letters that Unicode does not decompose, and those of early prints, as they are spelled without them. */
const spelled: Readonly<Record<string, string>> = {
  ...letters,
  ß: 'ss',
  ς: 'σ',
  ꝛ: 'r',
  ꜩ: 'tz',
  ꜳ: 'aa',
  ꝏ: 'oo',
  ꝫ: 'et',
};
const spelledLetters = new RegExp(`[${Object.keys(spelled).join('')}]`, 'g');

/**
 * Accents of Latin, Greek and Cyrillic, points of Hebrew and vowels of Arabic, the soft hyphen and the tatweel. The marks of
 * other scripts are letters to their readers.
 */
const accents = new RegExp(
  [
    '[\\u0300-\\u036f]|[\\u0483-\\u0487]|[\\u1ab0-\\u1aff]|[\\u1dc0-\\u1dff]|[\\u20d0-\\u20ff]|[\\ufe20-\\ufe2f]',
    '[\\u0591-\\u05bd]|\\u05bf|[\\u05c1\\u05c2]|[\\u05c4\\u05c5]|\\u05c7',
    '[\\u0610-\\u061a]|[\\u064b-\\u065f]|\\u0670|[\\u06d6-\\u06dc]|[\\u06df-\\u06e4]|[\\u06e7\\u06e8]|[\\u06ea-\\u06ed]',
    '\\u00ad|\\u0640|[\\u200b-\\u200d]',
  ].join('|'),
  'g',
);

/** A text without case, accents, ligatures and other differences that a reader does not spell. */
export function foldText(text: string): string {
  // Most words are ASCII, and a page has hundreds.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(spelledLetters, (letter) => spelled[letter] ?? letter);
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]/u;
const pieces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc])[\p{L}\p{N}\p{M}])+/gu;

/** Longer ones are no words; what follows is not searched. */
const maxTokenLength = 64;

interface FoldedWord {
  readonly folded: string;
  /** Its runs of letters and digits: those of Chinese and Japanese are apart from the others. */
  readonly pieces: readonly string[];
  readonly hasCjk: boolean;
}

/** A language's most frequent words are most of its texts, and folding takes longer than finding a word here. */
const mostFoldedWords = 50_000;
const foldedWords = new Map<string, FoldedWord>();

function foldWord(text: string): FoldedWord {
  const known = foldedWords.get(text);
  if (known !== undefined) return known;
  const folded = foldText(text);
  const word = { folded, pieces: folded.match(pieces) ?? [], hasCjk: cjk.test(folded) };
  if (text.length > maxTokenLength) return word;
  if (foldedWords.size >= mostFoldedWords) foldedWords.clear();
  foldedWords.set(text, word);
  return word;
}

interface Character {
  readonly text: string;
  readonly word: number;
  readonly from: number;
  readonly to: number;
}

/** Two characters each, and the last one alone, so that each character begins a token. */
const bigramsOf = (run: readonly Character[]): readonly Token[] =>
  run.map((character, index) => {
    const next = run[index + 1];
    const isSame = next?.word === character.word;
    return { ...character, text: character.text + (next?.text ?? ''), to: isSame ? next.to : character.to };
  });

/** The characters of a piece of Chinese or Japanese, with their places in the word. */
function charactersOf(piece: string, folded: string, word: number): readonly Character[] {
  const length = [...folded].length;
  const start = [...folded.slice(0, folded.indexOf(piece))].length;
  return [...piece].map((text, index) => ({
    text,
    word,
    from: (start + index) / length,
    to: (start + index + 1) / length,
  }));
}

/**
 * The tokens of words in reading order. A run of Chinese or Japanese characters goes on across words and lines, since their
 * words are not parted by spaces.
 */
export function tokensOf(words: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  let run: Character[] = [];
  const endRun = (): void => {
    if (run.length === 0) return;
    for (const token of bigramsOf(run)) tokens.push(token);
    run = [];
  };
  for (let word = 0; word < words.length; word++) {
    const { folded, pieces: found, hasCjk } = foldWord(words[word] ?? '');
    for (const piece of found) {
      if (hasCjk && cjk.test(piece)) {
        for (const character of charactersOf(piece, folded, word)) run.push(character);
        continue;
      }
      endRun();
      tokens.push({
        text: piece.length > maxTokenLength ? piece.slice(0, maxTokenLength) : piece,
        word,
        from: 0,
        to: 1,
      });
    }
    // Punctuation parts sentences, and no word of Chinese goes on behind it.
    if (hasCjk && found.at(-1) !== undefined && !folded.endsWith(found.at(-1) ?? '')) endRun();
  }
  endRun();
  return tokens;
}

/** Folded words with a space between them, as engines index them: the texts of `tokensOf`, without their places. */
export const foldedWordsOf = (words: readonly string[]): string =>
  tokensOf(words)
    .map(({ text }) => text)
    .join(' ');
