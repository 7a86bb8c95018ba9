/** Parses `metadata.csv` into a tree for the vocabulary: rows of key and value, then a table of pages. */
import { quote } from '../../text/quote.ts';
import { readPageTable } from './csv-pages.ts';
import { type Row, readRows } from './csv-rows.ts';
import type { Faults } from './faults.ts';
import { canonicalName } from './fields.ts';
import { type Entry, type ListValue, type MapValue, oneOrList, textValue, type Value } from './value.ts';

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

/** Keys that only the table of pages can give. */
const tableKeys = ['pages', 'structures', 'contents'] as const;

/** `label@de` as `label` and `de`. */
export function splitLanguage(key: string): { readonly name: string; readonly language: string | undefined } {
  const at = key.lastIndexOf('@');
  return at > 0
    ? { name: key.slice(0, at).trim(), language: key.slice(at + 1).trim() }
    : { name: key, language: undefined };
}

/** Groups rows by key, in the order of the first row of each. */
function groupByKey(rows: readonly Row[], faults: Faults): readonly KeyRows[] {
  const groups = new Map<string, KeyRows>();
  for (const { line, cells } of rows) {
    const [key = '', text = '', ...more] = cells;
    if (key === '') {
      faults.add(line, `This row has no key before ${quote(text)}.`);
    } else if (more.some((cell) => cell !== '')) {
      faults.add(line, 'This row has more than a key and a value; a value with the separator in it needs quotes.');
    } else {
      const { name, language } = splitLanguage(key);
      const group = groups.get(name.toLowerCase()) ?? { name, line, texts: [] };
      groups.set(name.toLowerCase(), group);
      group.texts.push({ language, value: textValue(text, line) });
    }
  }
  return [...groups.values()];
}

function textsOf({ texts, line }: KeyRows): Value {
  const values = texts.map(({ value }) => value);
  if (texts.every(({ language }) => language === undefined)) return oneOrList(values, line);
  const byLanguage = new Map<string, ListValue & { readonly items: Value[] }>();
  for (const { language = 'none', value } of texts) {
    const list = byLanguage.get(language) ?? { kind: 'list', items: [], line: value.line };
    byLanguage.set(language, list);
    list.items.push(value);
  }
  const entries = [...byLanguage].map(([key, list]) => ({
    key,
    line: list.line,
    value: oneOrList(list.items, list.line),
  }));
  return { kind: 'map', entries, line };
}

const withParts = Object.keys(keysWithParts) as (keyof typeof keysWithParts)[];

/** A key with parts: the row with the key alone, and rows such as homepage.label. */
function partsOf(parent: keyof typeof keysWithParts, groups: readonly KeyRows[]): readonly Entry[] {
  const parts = groups.flatMap((group): readonly Entry[] => {
    const [name = '', part] = splitPart(group.name);
    if (canonicalName(name, [parent]) === undefined) return [];
    return [{ key: part ?? keysWithParts[parent], line: group.line, value: textsOf(group) }];
  });
  const [only, ...more] = parts;
  if (only === undefined) return [];
  const isAlone = more.length === 0 && only.key === keysWithParts[parent] && parent === 'homepage';
  const value: Value = isAlone ? only.value : { kind: 'map', entries: parts, line: only.line };
  return [{ key: parent, line: only.line, value }];
}

function splitPart(name: string): readonly [string, string?] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

const isPartOf = (name: string): boolean => canonicalName(splitPart(name)[0], withParts) !== undefined;

/** A pair of label and value: any key without a meaning of its own, or `metadata.Rights` for a key that has one. */
function pairOf(group: KeyRows): Entry {
  const name = group.name.replace(/^metadata\./i, '');
  return { key: name, line: group.line, value: textsOf(group) };
}

/** The keys of a CSV file, in the same form as those of a YAML file. */
export function readCsv(text: string, faults: Faults): MapValue {
  const rows = readRows(text, faults);
  const isHeader = (row: Row, index: number): boolean =>
    row.cells[0]?.toLowerCase() === 'file' || (index === 0 && row.cells.some((cell) => cell.toLowerCase() === 'file'));
  const header = rows.findIndex(isHeader);
  const keyRows = header < 0 ? rows : rows.slice(0, header);
  const [first] = keyRows;
  const hasTitles = first?.cells[0]?.toLowerCase() === 'key' && first.cells[1]?.toLowerCase() === 'value';
  const groups = groupByKey(hasTitles ? keyRows.slice(1) : keyRows, faults);
  const pairs: Entry[] = [];
  const entries: Entry[] = [];
  for (const group of groups) {
    const simple = canonicalName(group.name, simpleKeys);
    if (simple !== undefined) entries.push({ key: simple, line: group.line, value: textsOf(group) });
    else if (canonicalName(group.name, tableKeys) !== undefined)
      faults.add(
        group.line,
        `${quote(group.name)} can’t be given in a row; write a table of pages, with the columns file, label and chapter.`,
      );
    else if (!isPartOf(group.name)) pairs.push(pairOf(group));
  }
  for (const parent of withParts) entries.push(...partsOf(parent, groups));
  const line = pairs[0]?.line;
  if (line !== undefined) entries.push({ key: 'metadata', line, value: { kind: 'map', entries: pairs, line } });
  if (header >= 0) entries.push(...readPageTable(rows.slice(header), faults));
  return { kind: 'map', entries, line: 1 };
}
