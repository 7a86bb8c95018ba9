/** Finds the word that a misspelled one was most likely meant to be. */

const maxLength = 40;

/** How many letters have to be changed, added, taken away or exchanged with their neighbor to turn one word into the other. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const exchanged = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
        exchanged ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}

const folded = (word: string): string => word.toLowerCase().replace(/[\s_-]/g, '');

/** The word that differs from `word` in a third of its letters at most, the nearest one; undefined where none is near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > maxLength) return undefined;
  const near = words
    .map((candidate) => ({ candidate, steps: distance(folded(word), folded(candidate)) }))
    .filter(({ candidate, steps }) => steps <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.candidate;
}
