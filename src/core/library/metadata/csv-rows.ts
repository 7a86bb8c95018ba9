/** Splits CSV into rows of cells (RFC 4180) with the line that each begins on; malformed rows are skipped. */
import type { Faults } from './fields.ts';

export interface Row {
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

/** After this many quotes that are never closed, reading stops: each one costs a search to the end of the file. */
const maxUnclosed = 5;

/** A row has no more cells, and a cell in quotes is no longer: each row is read in one turn of the event loop. */
const maxCells = 1000;
const maxQuotedLength = 256 * 1024;

/** The first comma, semicolon or tab that stands outside of quotes. */
function separatorOf(text: string): string {
  for (const [found] of text.matchAll(/"[^"]*"?|[,;\t]/g)) if (!found.startsWith('"')) return found;
  return ',';
}

/**
 * The rows of a CSV file one by one, also empty ones, so that who reads them can pause anywhere. The first separator in the
 * file, a comma, semicolon or tab, is used for all.
 */
export function* rowsOf(text: string, faults: Faults): Generator<Row> {
  const separator = separatorOf(text);
  const cellEnd = new RegExp(`[${separator}\\r\\n]`, 'g');
  let position = 0;
  let line = 1;
  let unclosed = 0;
  let isTooLong = false;

  function readTo(end: RegExp): string {
    const start = position;
    end.lastIndex = start;
    position = end.exec(text)?.index ?? text.length;
    return text.slice(start, position);
  }

  /** The cell that a quote opens; undefined where the quote is never closed. */
  function quotedCell(): string | undefined {
    const openedAt = position;
    let end = text.indexOf('"', openedAt + 1);
    while (end >= 0 && text[end + 1] === '"' && end - openedAt <= maxQuotedLength) end = text.indexOf('"', end + 2);
    isTooLong = end - openedAt > maxQuotedLength;
    if (end < 0 || isTooLong) return undefined;
    const inside = text.slice(openedAt + 1, end);
    line += inside.match(/\r\n|\r|\n/g)?.length ?? 0;
    position = end + 1;
    const after = readTo(cellEnd);
    if (after.trim() !== '') faults.add(line, 'After a closing quote, only a separator may follow.');
    return inside.replaceAll('""', '"').replace(/\r\n?/g, '\n') + after;
  }

  /** The cells up to the end of the row; undefined where a quote is never closed. */
  function cellsOfRow(): readonly string[] | undefined {
    const cells: string[] = [];
    for (;;) {
      const cell = text[position] === '"' ? quotedCell() : readTo(cellEnd);
      if (cell === undefined) return undefined;
      cells.push(cell.trim());
      if (text[position] !== separator) return cells;
      if (cells.length === maxCells) {
        faults.add(line, `This row has more than ${maxCells} cells; the others are left out.`);
        readTo(/[\r\n]/g);
        return cells;
      }
      position++;
    }
  }

  while (position < text.length && unclosed <= maxUnclosed) {
    const begin = { position, line };
    const cells = cellsOfRow();
    if (cells === undefined) {
      unclosed++;
      ({ position, line } = begin);
      faults.addSyntax(
        line,
        isTooLong
          ? `A cell in quotes has more than ${maxQuotedLength} characters; the row is left out.`
          : 'A quote that opens in this row is never closed; the row is left out.',
      );
      readTo(/[\r\n]/g);
    }
    if (position < text.length) line++;
    position += text.startsWith('\r\n', position) ? 2 : 1;
    yield { line: begin.line, cells: cells ?? [] };
  }
}
