/** The selected cells of a light table, as immutable sets. */

export type Selection = ReadonlySet<number>;

export const noSelection: Selection = new Set();

export function toggled(selection: Selection, cell: number): Selection {
  const next = new Set(selection);
  if (!next.delete(cell)) next.add(cell);
  return next;
}

/** Adds all cells between two, in either order. */
export function withRange(selection: Selection, from: number, to: number): Selection {
  const next = new Set(selection);
  for (let cell = Math.min(from, to); cell <= Math.max(from, to); cell += 1) next.add(cell);
  return next;
}

/** All cells; none if all were selected already. */
export const allOrNone = (selection: Selection, total: number): Selection =>
  selection.size === total ? noSelection : new Set(Array.from({ length: total }, (_, cell) => cell));

export const inOrder = (selection: Selection): readonly number[] => [...selection].sort((a, b) => a - b);
