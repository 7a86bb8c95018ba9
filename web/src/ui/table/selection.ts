/** Which cells of a light table are selected: sets that are never changed, only replaced. */

export type Selection = ReadonlySet<number>;

export const noSelection: Selection = new Set();

/** The cells with this one selected if it was not, and the other way round. */
export function toggled(selection: Selection, cell: number): Selection {
  const next = new Set(selection);
  if (!next.delete(cell)) next.add(cell);
  return next;
}

/** The cells with all between two of them, either one first. */
export function withRange(selection: Selection, from: number, to: number): Selection {
  const next = new Set(selection);
  for (let cell = Math.min(from, to); cell <= Math.max(from, to); cell += 1) next.add(cell);
  return next;
}

/** All cells; none where all were selected already. */
export const allOrNone = (selection: Selection, total: number): Selection =>
  selection.size === total ? noSelection : new Set(Array.from({ length: total }, (_, cell) => cell));

/** The cells in their order on the table. */
export const inOrder = (selection: Selection): readonly number[] => [...selection].sort((a, b) => a - b);
