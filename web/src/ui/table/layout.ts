/** Where the cells of a light table lie, and which of them are seen. Cells are counted from 0, in rows. */

export interface TableLayout {
  readonly columns: number;
  readonly rows: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

export interface LayoutOptions {
  /** The room that there is. */
  readonly width: number;
  readonly height: number;
  readonly total: number;
  /** How wide a cell is at least, where nobody says how many columns there are. */
  readonly size: number;
  readonly columns: number | undefined;
  /** How many rows fill the window; otherwise cells are a little higher than wide. */
  readonly rows: number | undefined;
}

/** The least that a cell can be seen at. */
const leastCell = 48;

/** How much higher than wide a cell is: pages are, and there is a line of text below. */
const usualShape = 1.25;

export function layoutTable({ width, height, total, size, columns, rows }: LayoutOptions): TableLayout {
  const most = Math.max(1, Math.floor(width / leastCell));
  const count = Math.min(most, columns ?? Math.max(1, Math.floor(width / size)));
  const cellWidth = Math.floor(width / count);
  const cellHeight = rows === undefined ? Math.round(cellWidth * usualShape) : Math.floor(height / rows);
  return { columns: count, rows: Math.ceil(total / count), cellWidth, cellHeight: Math.max(leastCell, cellHeight) };
}

/** How far the table is scrolled where a cell is in its first row. */
export const scrollOf = (cell: number, { columns, cellHeight }: TableLayout): number =>
  Math.floor(cell / columns) * cellHeight;

/** The cells from `first` up to `end`, without it. */
export interface CellRange {
  readonly first: number;
  readonly end: number;
}

/** Rows beyond the window that are drawn too, so that none is late. */
const rowsAround = 2;

/** The cells that are drawn where the table is scrolled this far. */
export function drawnCells(layout: TableLayout, scrolled: number, height: number, total: number): CellRange {
  const firstRow = Math.max(0, Math.floor(scrolled / layout.cellHeight) - rowsAround);
  const endRow = Math.ceil((scrolled + height) / layout.cellHeight) + rowsAround;
  return { first: firstRow * layout.columns, end: Math.min(total, endRow * layout.columns) };
}

/** How far the table has to be scrolled so that a cell is seen whole. */
export function scrollToSee(cell: number, layout: TableLayout, scrolled: number, height: number): number {
  const top = scrollOf(cell, layout);
  if (top < scrolled) return top;
  return Math.max(scrolled, top + layout.cellHeight - height);
}

/** The cell that a key leads to; undefined for keys that lead nowhere. */
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
