/** Finds the known name that a mistyped one was meant to be. */

/** How many letters have to be inserted, left out or replaced to make one name of the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The known name that differs least, if it differs by no more than a third of its letters; case does not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, differs: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.differs - b.differs);
  const [best] = ranked;
  return best !== undefined && best.differs <= Math.ceil(best.candidate.length / 3) ? best.candidate : undefined;
}

/** Such as `; did you mean maxArea?`, the name as `written` writes it; empty where no known name is near. */
export function suggestion(
  name: string,
  known: readonly string[],
  written: (known: string) => string = (same) => same,
): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${written(nearest)}?`;
}
