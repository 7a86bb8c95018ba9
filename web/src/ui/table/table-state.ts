/** The state of a light table; the selection of a folder remains while the reader views images. */
import { type Signal, signal } from '@preact/signals';
import { noSelection, type Selection } from './selection.ts';

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
