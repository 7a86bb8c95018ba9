/** What is chosen on the light table of a folder. It stays while the reader looks at an image and comes back. */
import { type Signal, signal } from '@preact/signals';
import { noSelection, type Selection } from './selection.ts';

export interface TableState {
  readonly selection: Signal<Selection>;
  /** The cell that keys act on. */
  readonly active: Signal<number>;
  /** The cell in the first row that is seen. */
  readonly first: Signal<number>;
  /** The cell from which a range is chosen. */
  readonly anchor: Signal<number>;
}

const selections = new Map<string, Signal<Selection>>();

function selectionOf(folder: string): Signal<Selection> {
  const kept = selections.get(folder) ?? signal(noSelection);
  selections.set(folder, kept);
  return kept;
}

/** The table of a folder, with this cell in its first row. */
export const openTableState = (folder: string, cell: number): TableState => ({
  selection: selectionOf(folder),
  active: signal(cell),
  first: signal(cell),
  anchor: signal(cell),
});
