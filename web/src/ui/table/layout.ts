/** Where the cells of the light table stand, and which are selected. */
import { type Signal, signal } from '@preact/signals';

export interface TableLayout {
  readonly columns: number;
  readonly rows: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

interface LayoutOptions {
  /** The size of the window of the table. */
  readonly width: number;
  readonly height: number;
  readonly total: number;
  /** Minimum width of a cell, used without `columns`. */
  readonly size: number;
  readonly columns: number | undefined;
  /** The number of rows that fill the window; by default, cells have a fixed aspect ratio. */
  readonly rows: number | undefined;
}

/** Minimum width and height of a cell. */
const minCell = 48;

/** Height divided by width: pages are usually higher than wide, and there is a line of text below. */
const cellRatio = 1.25;

export function layoutTable({ width, height, total, size, columns, rows }: LayoutOptions): TableLayout {
  const maxColumns = Math.max(1, Math.floor(width / minCell));
  const count = Math.min(maxColumns, columns ?? Math.max(1, Math.floor(width / size)));
  const cellWidth = Math.floor(width / count);
  const cellHeight = rows === undefined ? Math.round(cellWidth * cellRatio) : Math.floor(height / rows);
  return { columns: count, rows: Math.ceil(total / count), cellWidth, cellHeight: Math.max(minCell, cellHeight) };
}

/** The scroll position at which the row of a cell is the first. */
export const scrollOf = (cell: number, { columns, cellHeight }: TableLayout): number =>
  Math.floor(cell / columns) * cellHeight;

/** The cells from `first` up to, but not including, `end`. */
interface CellRange {
  readonly first: number;
  readonly end: number;
}

/** Rendered rows above and below the window, so that they are loaded before they are visible. */
const overscanRows = 2;

/** The cells that are rendered at a scroll position. */
export function renderedCells(layout: TableLayout, scrolled: number, height: number, total: number): CellRange {
  const firstRow = Math.max(0, Math.floor(scrolled / layout.cellHeight) - overscanRows);
  const endRow = Math.ceil((scrolled + height) / layout.cellHeight) + overscanRows;
  return { first: firstRow * layout.columns, end: Math.min(total, endRow * layout.columns) };
}

/** The nearest scroll position at which a cell is completely visible. */
export function scrollToSee(cell: number, layout: TableLayout, scrolled: number, height: number): number {
  const top = scrollOf(cell, layout);
  if (top < scrolled) return top;
  return Math.max(scrolled, top + layout.cellHeight - height);
}

/** The cell that a key moves to from `cell`; undefined for other keys. */
export function cellByKey(
  key: string,
  cell: number,
  layout: TableLayout,
  height: number,
  total: number,
): number | undefined {
  const page = Math.max(1, Math.floor(height / layout.cellHeight)) * layout.columns;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -layout.columns,
    ArrowDown: layout.columns,
    PageUp: -page,
    PageDown: page,
    Home: -cell,
    End: total - 1 - cell,
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return step === undefined ? undefined : Math.min(total - 1, Math.max(0, cell + step));
}

type Selection = ReadonlySet<number>;

/** The state of a light table: the active cell, and the selected cells as immutable sets. */
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
