/** Splits a name into the parts that match a query and the others, ignoring case and accents. */

/** A letter without case and accents, as the server compares them. */
const plainLetter = (letter: string): string =>
  letter.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();

function markedLetters(letters: readonly string[], words: readonly string[]): readonly boolean[] {
  const plain = letters.map(plainLetter);
  const indexes = plain.flatMap((text, index) => Array.from(text, () => index));
  const whole = plain.join('');
  const marked = letters.map(() => false);
  for (const word of words) {
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + word.length)) {
      for (const index of indexes.slice(at, at + word.length)) marked[index] = true;
    }
  }
  return marked;
}

export interface NamePart {
  readonly text: string;
  readonly isMarked: boolean;
}

export function partsOf(name: string, query: string): readonly NamePart[] {
  const words = plainLetter(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  const letters = [...name];
  const marked = markedLetters(letters, words);
  const parts: NamePart[] = [];
  for (const [index, letter] of letters.entries()) {
    const isMarked = marked[index] === true;
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) parts[parts.length - 1] = { text: last.text + letter, isMarked };
    else parts.push({ text: letter, isMarked });
  }
  return parts;
}
