/** Splits CSV into rows of cells (RFC 4180) with the line that each begins on; malformed rows are skipped. */
import type { Faults } from './faults.ts';

export interface Row {
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

const maxRows = 250_000;

/** After this many quotes that are never closed, reading stops: each one costs a search to the end of the file. */
const maxUnclosed = 5;

/** The first comma, semicolon or tab that stands outside of quotes. */
function separatorOf(text: string): string {
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[,;\t]/.test(character)) return character;
  }
  return ',';
}

class Rows {
  readonly #text: string;
  readonly #separator: string;
  readonly #cellEnd: RegExp;
  readonly #faults: Faults;
  #position = 0;
  #line = 1;
  #unclosed = 0;

  constructor(text: string, faults: Faults) {
    this.#text = text;
    this.#separator = separatorOf(text);
    this.#cellEnd = new RegExp(`[${this.#separator}\\r\\n]`, 'g');
    this.#faults = faults;
  }

  all(): readonly Row[] {
    const rows: Row[] = [];
    while (this.#position < this.#text.length && this.#unclosed <= maxUnclosed) {
      if (rows.length >= maxRows) {
        this.#faults.add(this.#line, `The file has more than ${maxRows} rows; it is read up to here.`);
        break;
      }
      const start = this.#position;
      const line = this.#line;
      const cells = this.#cells();
      if (cells === undefined) {
        this.#position = start;
        this.#line = line;
        this.#readTo(/[\r\n]/g);
      }
      this.#endLine();
      if (cells?.some((cell) => cell !== '')) rows.push({ line, cells });
    }
    return rows;
  }

  /** The cells up to the end of the row; undefined where a quote is never closed. */
  #cells(): readonly string[] | undefined {
    const line = this.#line;
    const cells: string[] = [];
    for (;;) {
      const cell = this.#text[this.#position] === '"' ? this.#quoted(line) : this.#readTo(this.#cellEnd);
      if (cell === undefined) return undefined;
      cells.push(cell.trim());
      if (this.#text[this.#position] !== this.#separator) return cells;
      this.#position++;
    }
  }

  #endLine(): void {
    const isBoth = this.#text.startsWith('\r\n', this.#position);
    if (this.#position < this.#text.length) this.#line++;
    this.#position += isBoth ? 2 : 1;
  }

  #readTo(end: RegExp): string {
    const start = this.#position;
    end.lastIndex = start;
    this.#position = end.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.slice(start, this.#position);
  }

  /** The cell that a quote opens; undefined where the quote is never closed. */
  #quoted(rowLine: number): string | undefined {
    const openedAt = this.#position;
    let end = this.#text.indexOf('"', openedAt + 1);
    while (end >= 0 && this.#text[end + 1] === '"') end = this.#text.indexOf('"', end + 2);
    if (end < 0) {
      this.#unclosed++;
      this.#faults.addSyntax(rowLine, 'A quote that opens in this row is never closed; the row is left out.');
      return undefined;
    }
    const inside = this.#text.slice(openedAt + 1, end);
    this.#line += inside.match(/\r\n|\r|\n/g)?.length ?? 0;
    this.#position = end + 1;
    const after = this.#readTo(this.#cellEnd);
    if (after.trim() !== '') this.#faults.add(this.#line, 'After a closing quote, only a separator may follow.');
    return inside.replaceAll('""', '"').replace(/\r\n?/g, '\n') + after;
  }
}

/** The rows of a CSV file that are not empty. The first separator in the file, a comma, semicolon or tab, is used for all. */
export const readRows = (text: string, faults: Faults): readonly Row[] => new Rows(text, faults).all();
