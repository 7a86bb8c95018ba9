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

/** A text and its other spellings, each once: folded afterwards, these are all that is looked for. */
export function spellingsOf(text: string): readonly string[] {
  const composed = text.normalize('NFC');
  const all = [
    text,
    composed.replace(umlauts, (letter) => digraphs[letter.toLowerCase()] ?? letter),
    composed.replace(/\p{L}+/gu, withoutDigraphs),
  ];
  return [...new Set(all)];
}
