/** Other spellings of what a reader searches for: `ä` as `ae` and `ae` as `ä`, and so for the vowels of German and the Nordic languages. */

const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

const umlauts = new RegExp(`[${Object.keys(digraphs).join('')}]`, 'gi');

/** Behind a vowel or a q, as in “neue” and “Quelle”, the second letter belongs to another syllable. */
const written = /(?<![aeiouyq])(?:ae|oe|ue|aa)/gi;

/** Shorter words, such as “does”, would be others without their second letter. */
const leastLength = 5;

const withoutDigraphs = (word: string): string =>
  word.length < leastLength ? word : word.replace(written, (digraph) => digraph.charAt(0));

/** Letters that Unicode does not decompose, as they are spelled without them; long s and `ß` are told by case. */
export const spelledLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

const special = new RegExp(`[${Object.keys(spelledLetters).join('')}]`, 'g');

/** A text of small letters without those that Unicode does not decompose. */
export const spelledText = (text: string): string =>
  text.replace(special, (letter) => spelledLetters[letter] ?? letter);

/** The word of a query by which u and v, and i and j, are the same letters, as printers used them until the 17th century. */
export const alikeWord = 'u=v';

const alikeWords = /(?<=^|\s)u=v(?=\s|$)/gi;

/** What is searched for, and whether letters are taken for each other. */
export function readQuery(query: string): { readonly text: string; readonly isAlike: boolean } {
  const text = query.replace(alikeWords, '');
  return { text, isAlike: text !== query };
}

/** The query with the word or without it. */
export function withAlike(query: string, isAlike: boolean): string {
  const words = readQuery(query).text.trim().replace(/\s+/g, ' ');
  return isAlike ? `${words} ${alikeWord}`.trim() : words;
}

/** A folded text in which v is u, and j is i. */
export const alikeText = (text: string): string => text.replaceAll('v', 'u').replaceAll('j', 'i');

const partners: Readonly<Record<string, string>> = { u: 'v', v: 'u', i: 'j', j: 'i', U: 'V', V: 'U', I: 'J', J: 'I' };

/** Letters of one text that are written both ways; of more, each way is tried for all of them together. */
const mostLetters = 5;

/** A text in all ways of writing these letters. */
function alikeSpellings(text: string): readonly string[] {
  const found = [...text.matchAll(/[uvij]/gi)].length;
  if (found <= mostLetters)
    return Array.from({ length: 2 ** found }, (_, ways) => {
      let letter = 0;
      return text.replace(/[uvij]/gi, (one) => ((ways >> letter++) & 1 ? (partners[one] ?? one) : one));
    });
  const each = (from: string, to: string) => (one: string) => one.replaceAll(new RegExp(from, 'gi'), to);
  const [toV, toU, toJ, toI] = [each('u', 'v'), each('v', 'u'), each('i', 'j'), each('j', 'i')];
  // As printers had it: v at the beginning of a word, u inside of it.
  const printed = toU(text).replace(/(?<!\p{L})u/giu, 'v');
  return [text, ...[text, toU(text), toV(text), printed].flatMap((one) => [toI(one), toJ(one), one])];
}

/** A text and its other spellings, each once: folded afterwards, these are all that is looked for. */
export function spellingsOf(text: string, isAlike = false): readonly string[] {
  const composed = text.normalize('NFC');
  const all = [
    text,
    composed.replace(umlauts, (letter) => digraphs[letter.toLowerCase()] ?? letter),
    composed.replace(/\p{L}+/gu, withoutDigraphs),
  ];
  return [...new Set(isAlike ? all.flatMap(alikeSpellings) : all)];
}
