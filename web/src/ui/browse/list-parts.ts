/** What lists show in parts: a name by the letters that match a query, and the numbers of a pager. */
import { alikeText, readQuery, spelledText, spellingsOf } from '../../../../src/core/image/folder/spellings.ts';

/** A letter without case and accents, as the server compares them. */
const plainLetter = (letter: string): string =>
  spelledText(letter.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase());

/** `plain` are the letters as they are compared. */
function markedLetters(plain: readonly string[], words: readonly string[]): readonly boolean[] {
  const indexes = plain.flatMap((text, index) => Array.from(text, () => index));
  const whole = plain.join('');
  const marked = plain.map(() => false);
  for (const word of words) {
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + word.length)) {
      for (const index of indexes.slice(at, at + word.length)) marked[index] = true;
    }
  }
  return marked;
}

interface NamePart {
  readonly text: string;
  readonly isMarked: boolean;
}

export function partsOf(name: string, query: string): readonly NamePart[] {
  const { text, isAlike } = readQuery(query);
  const alike = (one: string): string => (isAlike ? alikeText(plainLetter(one)) : plainLetter(one));
  const words = spellingsOf(text)
    .flatMap((spelling) => alike(spelling).split(/\s+/))
    .filter((word) => word !== '');
  const letters = [...name];
  const marked = markedLetters(letters.map(alike), words);
  const parts: NamePart[] = [];
  for (const [index, letter] of letters.entries()) {
    const isMarked = marked[index] === true;
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) parts[parts.length - 1] = { text: last.text + letter, isMarked };
    else parts.push({ text: letter, isMarked });
  }
  return parts;
}

/** The first, the last and those around the current one; undefined for a gap. */
export function numbersAround(current: number, last: number): readonly (number | undefined)[] {
  const wanted = [1, current - 2, current - 1, current, current + 1, current + 2, last];
  const numbers = [...new Set(wanted)].filter((number) => number >= 1 && number <= last).sort((a, b) => a - b);
  return numbers.flatMap((number, index) => {
    const before = numbers[index - 1] ?? 0;
    // A gap takes as much space as a single number.
    if (number - before === 2) return [number - 1, number];
    return number - before > 2 ? [undefined, number] : [number];
  });
}
