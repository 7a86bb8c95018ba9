/** Splits CSV into rows of cells (RFC 4180) with the line that each begins on, and goes on after a row that is broken. */
import type { Faults } from './faults.ts';

export interface Row {
  readonly line: number;
  /** Without the spaces around them. */
  readonly cells: readonly string[];
}

/** How many rows are read. */
const maxRows = 250_000;

/** How many quotes that never close are forgiven; each costs a look at the rest of the file. */
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

/** Reads one row after the other. */
class Rows {
  readonly #text: string;
  readonly #separator: string;
  readonly #faults: Faults;
  #at = 0;
  #line = 1;
  #unclosed = 0;

  constructor(text: string, faults: Faults) {
    this.#text = text;
    this.#separator = separatorOf(text);
    this.#faults = faults;
  }

  all(): readonly Row[] {
    const rows: Row[] = [];
    while (this.#at < this.#text.length && this.#unclosed <= maxUnclosed) {
      if (rows.length >= maxRows) {
        this.#faults.add(this.#line, `The file has more than ${maxRows} rows; it is read up to here.`);
        break;
      }
      const row = this.#row();
      if (row?.cells.some((cell) => cell !== '')) rows.push(row);
    }
    return rows;
  }

  #row(): Row | undefined {
    const start = this.#at;
    const line = this.#line;
    const cells: string[] = [];
    do {
      const cell = this.#text[this.#at] === '"' ? this.#quoted(line) : this.#plain();
      if (cell === undefined) {
        this.#at = start;
        this.#plainTo(/[\r\n]/g);
        this.#endLine();
        return undefined;
      }
      cells.push(cell.trim());
    } while (this.#take(this.#separator));
    this.#endLine();
    return { line, cells };
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #endLine(): void {
    const isBoth = this.#text.startsWith('\r\n', this.#at);
    if (this.#at < this.#text.length) this.#line++;
    this.#at += isBoth ? 2 : 1;
  }

  #plainTo(end: RegExp): string {
    end.lastIndex = this.#at;
    const to = end.exec(this.#text)?.index ?? this.#text.length;
    const found = this.#text.slice(this.#at, to);
    this.#at = to;
    return found;
  }

  #plain(): string {
    return this.#plainTo({ ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g }[this.#separator] ?? /[\r\n]/g);
  }

  /** The cell that a quote opens; undefined where the quote is never closed. */
  #quoted(rowLine: number): string | undefined {
    const openedAt = this.#at;
    let end = this.#text.indexOf('"', openedAt + 1);
    while (end >= 0 && this.#text[end + 1] === '"') end = this.#text.indexOf('"', end + 2);
    if (end < 0) {
      this.#unclosed++;
      this.#faults.addSyntax(rowLine, 'A quote that opens in this row is never closed; the row is left out.');
      return undefined;
    }
    const inside = this.#text.slice(openedAt + 1, end);
    this.#line += inside.match(/\r\n|\r|\n/g)?.length ?? 0;
    this.#at = end + 1;
    const after = this.#plain();
    if (after.trim() !== '') this.#faults.add(this.#line, 'After a closing quote, only a separator may follow.');
    return inside.replaceAll('""', '"').replace(/\r\n?/g, '\n') + after;
  }
}

/** The rows of a CSV file that say anything; comma, semicolon or tab is told by the first line. */
export const readRows = (text: string, faults: Faults): readonly Row[] => new Rows(text, faults).all();
