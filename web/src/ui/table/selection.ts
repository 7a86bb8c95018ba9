/** The state of a light table: the active cell, and the selected cells as immutable sets. */
import { type Signal, signal } from '@preact/signals';

type Selection = ReadonlySet<number>;

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

/** The state of a light table; the selection of a folder remains while the reader views images. */
export interface TableState {
  readonly selection: Signal<Selection>;
  /** The cell that keys act on. */
  readonly active: Signal<number>;
  /** The first cell of the first visible row. */
  readonly first: Signal<number>;
  /** The cell at which a range begins. */
  readonly anchor: Signal<number>;
}

const selections = new Map<string, Signal<Selection>>();

function selectionOf(folder: string): Signal<Selection> {
  const selection = selections.get(folder) ?? signal(noSelection);
  selections.set(folder, selection);
  return selection;
}

/** `cell` is in the first visible row. */
export const openTableState = (folder: string, cell: number): TableState => ({
  selection: selectionOf(folder),
  active: signal(cell),
  first: signal(cell),
  anchor: signal(cell),
});
