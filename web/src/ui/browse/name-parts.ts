/** Where a name holds the words that were searched for, whatever their case and accents. */

/** A letter without case and marks, as the server compares them. */
const plainLetter = (letter: string): string =>
  letter.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();

/** Which letters of a name belong to one of the words. */
function markedLetters(letters: readonly string[], words: readonly string[]): readonly boolean[] {
  const plain = letters.map(plainLetter);
  const places = plain.flatMap((text, index) => Array.from(text, () => index));
  const whole = plain.join('');
  const marked = letters.map(() => false);
  for (const word of words) {
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + word.length)) {
      for (const place of places.slice(at, at + word.length)) marked[place] = true;
    }
  }
  return marked;
}

export interface NamePart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A name cut where marked and other parts meet. */
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
