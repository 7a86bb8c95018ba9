/** Names that come from files: quoted in sentences for people, and the one that was most likely meant. */

const maxQuoted = 60;

/** A text in quotation marks: on one line, without control characters, at most 60 characters long. */
export function quote(text: string): string {
  const plain = text.slice(0, 4 * maxQuoted).replace(/[\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g, ' ');
  return `“${plain.length > maxQuoted ? `${plain.slice(0, maxQuoted - 1)}…` : plain}”`;
}

/** An enumeration such as `“a”, “b” and “c”`. */
export function enumerate(texts: readonly string[], conjunction = 'and'): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${conjunction} ${texts.at(-1)}`;
}

/** Longer words are not compared: the work grows with the product of both lengths. */
const maxLength = 40;

/** The edit distance in which two letters that changed places count as one edit (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}

const folded = (word: string): string => word.toLowerCase().replace(/[\s_-]/g, '');

/**
 * The nearest of some names, if no more than a third of its letters differ; undefined where none is near. Case, spaces,
 * hyphens and underscores do not count.
 */
export function nearestName<Name extends string>(word: string, names: readonly Name[]): Name | undefined {
  if (word.length > maxLength) return undefined;
  const [best] = names
    .map((name) => ({ name, distance: editDistance(folded(word), folded(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}

/** Such as `; did you mean maxArea?`, with the name as `format` writes it; empty where no name is near. */
export function suggestion(word: string, names: readonly string[], format = (name: string) => name): string {
  const nearest = nearestName(word, names);
  return nearest === undefined ? '' : `; did you mean ${format(nearest)}?`;
}
