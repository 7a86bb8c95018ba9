/** Reads `metadata.csv` row by row, in turns with other requests: rows of key and value, then a table of pages. */
import type { FolderMetadata, LabeledText, Structure } from '../../image/folder/folder-metadata.ts';
import { enumerate, nearestName, quote } from '../../parsing/nearest.ts';
import { type Row, rowsOf } from './csv-rows.ts';
import {
  canonicalName,
  type Entry,
  type Faults,
  maxChapters,
  maxPairs,
  oneOrList,
  textValue,
  type Value,
} from './fields.ts';
import { inTurns, PageList, type PageNames } from './page-entries.ts';
import { namedPairs, readVocabulary } from './vocabulary.ts';

const maxRows = 250_000;

/** The texts of all rows with the same key, by language where the key names one. */
interface KeyRows {
  readonly name: string;
  readonly line: number;
  readonly texts: { readonly language: string | undefined; readonly value: Value }[];
}

const simpleKeys = [
  'label',
  'summary',
  'rights',
  'attribution',
  'viewingDirection',
  'behavior',
  'non-paged',
  'facing-pages',
] as const;

/** Keys with parts, such as homepage.label, and the part that the key alone stands for. */
const keysWithParts = { requiredStatement: 'value', homepage: 'id' } as const;
const withParts = Object.keys(keysWithParts) as (keyof typeof keysWithParts)[];

/** Keys that only the table of pages can give. */
const tableKeys = ['pages', 'structures', 'contents'] as const;

/** `label@de` as `label` and `de`. */
function splitLanguage(key: string): { readonly name: string; readonly language: string | undefined } {
  const at = key.lastIndexOf('@');
  return at > 0
    ? { name: key.slice(0, at).trim(), language: key.slice(at + 1).trim() }
    : { name: key, language: undefined };
}

function splitPart(name: string): readonly [string, string?] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

/** Adds a row of key and value to those with the same key. */
function addKeyRow({ line, cells }: Row, groups: Map<string, KeyRows>, faults: Faults): void {
  const [key = '', text = '', ...more] = cells;
  if (key === '') {
    faults.add(line, `This row has no key before ${quote(text)}.`);
  } else if (more.some((cell) => cell !== '')) {
    faults.add(line, 'This row has more than a key and a value; a value with the separator in it needs quotes.');
  } else {
    const { name, language } = splitLanguage(key);
    const group = groups.get(name.toLowerCase()) ?? { name, line, texts: [] };
    if (group.texts.length === maxPairs || (group.texts.length === 0 && groups.size === maxPairs)) {
      faults.add(
        line,
        `The file has more than ${maxPairs} keys, or values of one key; those from here on are left out.`,
      );
      return;
    }
    groups.set(name.toLowerCase(), group);
    group.texts.push({ language, value: textValue(text, line) });
  }
}

function textsOf({ texts, line }: KeyRows): Value {
  const values = texts.map(({ value }) => value);
  if (texts.every(({ language }) => language === undefined)) return oneOrList(values, line);
  const byLanguage = new Map<string, Value[]>();
  for (const { language = 'none', value } of texts) {
    const same = byLanguage.get(language);
    if (same === undefined) byLanguage.set(language, [value]);
    else same.push(value);
  }
  const entries = [...byLanguage].map(([key, list]) => {
    const first = list[0]?.line ?? line;
    return { key, line: first, value: oneOrList(list, first) };
  });
  return { kind: 'map', entries, line };
}

/** A key with parts: the row with the key alone, and rows such as homepage.label. */
function entryOfParts(parent: keyof typeof keysWithParts, parts: readonly Entry[]): readonly Entry[] {
  const [only, ...more] = parts;
  if (only === undefined) return [];
  const isAlone = more.length === 0 && only.key === keysWithParts[parent] && parent === 'homepage';
  const value: Value = isAlone ? only.value : { kind: 'map', entries: parts, line: only.line };
  return [{ key: parent, line: only.line, value }];
}

/** What the rows of key and value say. A key without a meaning of its own is a pair of label and value, as is `metadata.Rights`. */
async function metadataOfKeys(
  groups: Iterable<KeyRows>,
  pages: PageNames,
  jsonFiles: ReadonlySet<string>,
  faults: Faults,
): Promise<FolderMetadata> {
  const entries: Entry[] = [];
  const parts = { requiredStatement: [] as Entry[], homepage: [] as Entry[] };
  const pairs: Entry[] = [];
  for await (const some of inTurns(groups)) {
    for (const group of some) {
      const { name, line } = group;
      const [before, part] = splitPart(name);
      const [simple, parent] = [canonicalName(name, simpleKeys), canonicalName(before, withParts)];
      if (simple !== undefined) entries.push({ key: simple, line, value: textsOf(group) });
      else if (parent !== undefined)
        parts[parent].push({ key: part ?? keysWithParts[parent], line, value: textsOf(group) });
      else if (canonicalName(name, tableKeys) === undefined)
        pairs.push({ key: name.replace(/^metadata\./i, ''), line, value: textsOf(group) });
      else
        faults.add(
          line,
          `${quote(name)} can’t be given in a row; write a table of pages, with the columns file, label and chapter.`,
        );
    }
  }
  for (const parent of withParts) entries.push(...entryOfParts(parent, parts[parent]));
  const metadata: LabeledText[] = [];
  for await (const some of inTurns(namedPairs(pairs, faults))) metadata.push(...some);
  return {
    ...readVocabulary({ kind: 'map', entries, line: 1 }, pages, jsonFiles, faults),
    ...(metadata.length > 0 && { metadata }),
  };
}

/** Separates the names of a chapter and of a chapter inside of it. */
const levelSeparator = '>';
const maxLevels = 20;

const columnNames = ['file', 'label', 'chapter'] as const;

interface Chapter {
  readonly title: string;
  readonly pages: Set<string>;
  readonly inside: Map<string, Chapter>;
}

/** The chapters that have pages, in themselves or in the chapters inside. */
const structuresOf = (chapters: ReadonlyMap<string, Chapter>): readonly Structure[] =>
  [...chapters.values()].flatMap(({ title, pages, inside }) => {
    const structures = structuresOf(inside);
    return pages.size > 0 || structures.length > 0 ? [{ label: { none: [title] }, pages: [...pages], structures }] : [];
  });

/** The table of pages: one row for each page in display order, with labels and chapters. */
class PageTable {
  readonly #list = new PageList();
  readonly #chapters = new Map<string, Chapter>();
  #chapterCount = 0;
  readonly #pages: PageNames;
  readonly #faults: Faults;
  readonly #width: number;
  readonly #file: number;
  readonly #chapter: number;
  readonly #labels: { readonly column: number; readonly language: string }[] = [];

  /** `header` names the columns. */
  constructor({ cells, line }: Row, pages: PageNames, faults: Faults) {
    this.#pages = pages;
    this.#faults = faults;
    this.#width = cells.length;
    const names = cells.map((cell) => cell.toLowerCase());
    [this.#file, this.#chapter] = [names.indexOf('file'), names.indexOf('chapter')];
    for (const [column, name] of names.entries()) {
      const written = cells[column] ?? '';
      const nearest = nearestName(name, columnNames);
      if (name === 'label') this.#labels.push({ column, language: 'none' });
      else if (name.startsWith('label@')) this.#labels.push({ column, language: written.slice('label@'.length) });
      else if (names.indexOf(name) !== column && nearest === name)
        faults.add(line, `The column ${quote(name)} is there twice; the first one counts.`);
      else if (nearest !== undefined && nearest !== name)
        faults.add(line, `The column ${quote(written)} is not used; did you mean ${quote(nearest)}?`);
    }
  }

  add({ cells, line }: Row): void {
    const file = textValue(cells[this.#file] ?? '', line);
    if (file.kind === 'empty') {
      this.#faults.add(line, 'This row has no file, and is left out.');
      return;
    }
    const beyond = cells.slice(this.#width).filter((cell) => cell !== '');
    if (beyond.length > 0) {
      const shown = enumerate(beyond.slice(0, 3).map(quote));
      this.#faults.add(line, `This row has more cells than there are columns: ${shown}.`);
    }
    const labels = this.#labels
      .map(({ column, language }) => ({ key: language, line, value: textValue(cells[column] ?? '', line) }))
      .filter(({ value }) => value.kind !== 'empty');
    const label: Value = labels.length > 0 ? { kind: 'map', entries: labels, line } : { kind: 'empty', line };
    this.#list.add({ file, label }, this.#pages, this.#faults);
    const chapter = this.#chapterOf(cells[this.#chapter] ?? '', line);
    for (const page of chapter === undefined ? [] : this.#pages.find(file, this.#faults)) {
      if (chapter?.pages.has(page)) this.#faults.add(line, `The page ${quote(page)} is in this chapter already.`);
      chapter?.pages.add(page);
    }
  }

  metadata(): FolderMetadata {
    const structures = structuresOf(this.#chapters);
    return { ...this.#list.members(true), ...(structures.length > 0 && { structures }) };
  }

  #chapterOf(path: string, line: number): Chapter | undefined {
    let level = this.#chapters;
    let chapter: Chapter | undefined;
    for (const title of path.split(levelSeparator, maxLevels).map((part) => part.trim())) {
      if (title === '') continue;
      chapter = level.get(title);
      if (chapter === undefined) {
        if (++this.#chapterCount > maxChapters) {
          this.#faults.add(line, `The file has more than ${maxChapters} chapters; those from here on are left out.`);
          return undefined;
        }
        chapter = { title, pages: new Set(), inside: new Map() };
        level.set(title, chapter);
      }
      level = chapter.inside;
    }
    return chapter;
  }
}

/** The rows that are not empty, in parts. */
async function* filledRows(text: string, faults: Faults): AsyncGenerator<readonly Row[]> {
  let count = 0;
  for await (const rows of inTurns(rowsOf(text, faults))) {
    const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
    yield filled.slice(0, maxRows - count);
    const surplus = filled[maxRows - count];
    count += filled.length;
    if (surplus === undefined) continue;
    faults.add(surplus.line, `The file has more than ${maxRows} rows; it is read up to here.`);
    return;
  }
}

const isNamed = (cell: string | undefined, name: string): boolean => cell?.toLowerCase() === name;

/** The metadata in a CSV file, with the same keys as in YAML. Resolves after several turns of the event loop where it is long. */
export async function readCsv(
  text: string,
  pages: PageNames,
  jsonFiles: ReadonlySet<string>,
  faults: Faults,
): Promise<FolderMetadata> {
  const groups = new Map<string, KeyRows>();
  let table: PageTable | undefined;
  let isFirst = true;
  for await (const rows of filledRows(text, faults)) {
    for (const row of rows) {
      const [first, second] = row.cells;
      const isHeader = isNamed(first, 'file') || (isFirst && row.cells.some((cell) => isNamed(cell, 'file')));
      const isTitle = isFirst && isNamed(first, 'key') && isNamed(second, 'value');
      isFirst = false;
      if (table !== undefined) table.add(row);
      else if (isHeader) table = new PageTable(row, pages, faults);
      else if (!isTitle) addKeyRow(row, groups, faults);
    }
  }
  return { ...(await metadataOfKeys(groups.values(), pages, jsonFiles, faults)), ...table?.metadata() };
}
