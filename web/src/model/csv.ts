/** Formats tables as CSV (RFC 4180) in which spreadsheet programs find no formulas, whatever the names of files are. */

type Cell = string | number | null;

/** Beginnings of formulas, also after spaces; an apostrophe before them makes a text of it. */
const formula = /^[\s]*[=+\-@]|^[\t\r]/;

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell ?? '') ? `'${cell}` : (cell ?? '');
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The first row has the names of the columns. The byte order mark declares UTF-8 to spreadsheet programs. */
export const csvText = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`;
