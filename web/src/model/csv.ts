/** Tables as CSV that a spreadsheet program opens as text: whatever names people gave their files, nothing is a formula. */

type Cell = string | number | null;

/** Programs take what begins so for a formula, also behind spaces; an apostrophe makes it a text. */
const formula = /^[\s]*[=+\-@]|^[\t\r]/;

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell ?? '') ? `'${cell}` : (cell ?? '');
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of cells, the first of them the names of the columns (RFC 4180); the mark before them says that it is UTF-8. */
export const csvText = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`;
