/** Reads the table of pages in `metadata.csv`: one row for each page in display order, with labels and chapters. */
import { nearestName } from '../../text/nearest.ts';
import { enumerate, quote } from '../../text/quote.ts';
import type { Row } from './csv-rows.ts';
import type { Faults } from './faults.ts';
import { type Entry, textValue, type Value } from './value.ts';

/** Separates the names of a chapter and of a chapter inside of it. */
const levelSeparator = '>';
const maxLevels = 20;

interface Columns {
  readonly file: number;
  readonly chapter: number;
  readonly labels: readonly { readonly column: number; readonly language: string }[];
}

const columnNames = ['file', 'label', 'chapter'] as const;

function columnsOf({ cells, line }: Row, faults: Faults): Columns {
  const names = cells.map((cell) => cell.toLowerCase());
  const labels: { column: number; language: string }[] = [];
  for (const [column, name] of names.entries()) {
    const nearest = nearestName(name, columnNames);
    if (name === 'label') labels.push({ column, language: 'none' });
    else if (name.startsWith('label@')) labels.push({ column, language: cells[column]?.slice('label@'.length) ?? '' });
    else if (names.indexOf(name) !== column && nearest === name)
      faults.add(line, `The column ${quote(name)} is there twice; the first one counts.`);
    else if (nearest !== undefined && nearest !== name)
      faults.add(line, `The column ${quote(cells[column] ?? '')} is not used; did you mean ${quote(nearest)}?`);
  }
  return { file: names.indexOf('file'), chapter: names.indexOf('chapter'), labels };
}

function labelOf({ cells, line }: Row, { labels }: Columns): Value {
  const entries = labels
    .map(({ column, language }) => ({ key: language, line, value: textValue(cells[column] ?? '', line) }))
    .filter(({ value }) => value.kind !== 'empty');
  return entries.length > 0 ? { kind: 'map', entries, line } : { kind: 'empty', line };
}

interface Chapter {
  readonly title: string;
  readonly line: number;
  readonly pages: Value[];
  readonly inside: Map<string, Chapter>;
}

function addToChapter(root: Map<string, Chapter>, path: string, page: Value): void {
  let level = root;
  let chapter: Chapter | undefined;
  for (const title of path.split(levelSeparator, maxLevels).map((part) => part.trim())) {
    if (title === '') continue;
    chapter = level.get(title) ?? { title, line: page.line, pages: [], inside: new Map() };
    level.set(title, chapter);
    level = chapter.inside;
  }
  chapter?.pages.push(page);
}

function contentsOf(chapters: ReadonlyMap<string, Chapter>, line: number): Value {
  const items = [...chapters.values()].map((chapter): Value => {
    const entries: Entry[] = [{ key: 'label', line: chapter.line, value: textValue(chapter.title, chapter.line) }];
    const add = (key: string, value: Value): number => entries.push({ key, line: chapter.line, value });
    if (chapter.pages.length > 0) add('pages', { kind: 'list', items: chapter.pages, line: chapter.line });
    if (chapter.inside.size > 0) add('contents', contentsOf(chapter.inside, chapter.line));
    return { kind: 'map', entries, line: chapter.line };
  });
  return { kind: 'list', items, line };
}

/** The entries `pages` and `contents` of a table; its first row names the columns. */
export function readPageTable([header, ...rows]: readonly Row[], faults: Faults): readonly Entry[] {
  if (header === undefined) return [];
  const columns = columnsOf(header, faults);
  const pages: Value[] = [];
  const chapters = new Map<string, Chapter>();
  for (const row of rows) {
    const file = textValue(row.cells[columns.file] ?? '', row.line);
    const beyond = row.cells.slice(header.cells.length).filter((cell) => cell !== '');
    if (file.kind === 'empty') {
      faults.add(row.line, 'This row has no file, and is left out.');
      continue;
    }
    if (beyond.length > 0)
      faults.add(
        row.line,
        `This row has more cells than there are columns: ${enumerate(beyond.slice(0, 3).map(quote))}.`,
      );
    const entries: readonly Entry[] = [
      { key: 'file', line: row.line, value: file },
      { key: 'label', line: row.line, value: labelOf(row, columns) },
    ];
    pages.push({ kind: 'map', entries, line: row.line });
    addToChapter(chapters, row.cells[columns.chapter] ?? '', file);
  }
  const { line } = header;
  const contents: readonly Entry[] =
    chapters.size > 0 ? [{ key: 'contents', line, value: contentsOf(chapters, line) }] : [];
  return [{ key: 'pages', line, value: { kind: 'list', items: pages, line } }, ...contents];
}
