/** Turns `metadata.csv` into the tree that the vocabulary is read from: rows of key and value, then a table of pages. */

import { quote } from '../../text/quote.ts';
import { type Row, readRows } from './csv-form.ts';
import { readPageTable } from './csv-pages.ts';
import type { Faults } from './faults.ts';
import { knownName } from './fields.ts';
import { type Entry, type MapValue, oneOrList, textValue, type Value } from './value.ts';

/** What the rows with one key say: texts, by language where the key names one. */
interface Said {
  readonly name: string;
  readonly line: number;
  readonly texts: { readonly language: string | undefined; readonly line: number; readonly value: Value }[];
}

const simpleKeys = ['label', 'summary', 'rights', 'attribution', 'viewingDirection', 'behavior'] as const;

/** Keys with parts, such as homepage.label, and the part that the key alone stands for. */
const keysWithParts = { requiredStatement: 'value', homepage: 'id' } as const;

/** What the table of pages says, and no row can. */
const tableKeys = ['pages', 'structures', 'contents'] as const;

/** `label@de` as `label` and `de`. */
export function splitLanguage(key: string): { readonly name: string; readonly language: string | undefined } {
  const at = key.lastIndexOf('@');
  return at > 0
    ? { name: key.slice(0, at).trim(), language: key.slice(at + 1).trim() }
    : { name: key, language: undefined };
}

/** Rows with the same key, taken together in the order of their first rows. */
function together(rows: readonly Row[], faults: Faults): readonly Said[] {
  const said = new Map<string, Said>();
  for (const { line, cells } of rows) {
    const [key = '', text = '', ...more] = cells;
    if (key === '') {
      faults.add(line, `This row has no key before ${quote(text)}.`);
    } else if (more.some((cell) => cell !== '')) {
      faults.add(line, 'This row has more than a key and a value; a value with the separator in it needs quotes.');
    } else {
      const { name, language } = splitLanguage(key);
      const known = said.get(name.toLowerCase()) ?? { name, line, texts: [] };
      said.set(name.toLowerCase(), known);
      known.texts.push({ language, line, value: textValue(text, line) });
    }
  }
  return [...said.values()];
}

/** One text, a list of texts, or a map by language. */
function textsOf({ texts, line }: Said): Value {
  if (texts.every(({ language }) => language === undefined))
    return oneOrList(
      texts.map(({ value }) => value),
      line,
    );
  const byLanguage = new Map<string, { line: number; values: Value[] }>();
  for (const text of texts) {
    const key = text.language ?? 'none';
    const group = byLanguage.get(key) ?? { line: text.line, values: [] };
    byLanguage.set(key, group);
    group.values.push(text.value);
  }
  const entries = [...byLanguage].map(([key, group]) => ({
    key,
    line: group.line,
    value: oneOrList(group.values, group.line),
  }));
  return { kind: 'map', entries, line };
}

const withParts = Object.keys(keysWithParts) as (keyof typeof keysWithParts)[];

/** The parts of `homepage`: what the key alone says, and what homepage.label and the like say. */
function partsOf(parent: keyof typeof keysWithParts, said: readonly Said[]): readonly Entry[] {
  const parts = said.flatMap((one): readonly Entry[] => {
    const [name = '', part] = splitPart(one.name);
    if (knownName(name, [parent]) === undefined) return [];
    return [{ key: part ?? keysWithParts[parent], line: one.line, value: textsOf(one) }];
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

const isPartOf = (name: string): boolean => knownName(splitPart(name)[0], withParts) !== undefined;

/** The pairs that are shown: every key without a meaning of its own, and `metadata.Rights` for one that has one. */
function pairOf(said: Said): Entry {
  const name = said.name.replace(/^metadata\./i, '');
  return { key: name, line: said.line, value: textsOf(said) };
}

/** The keys of a CSV file, as YAML would give them. */
export function readCsv(text: string, faults: Faults): MapValue {
  const rows = readRows(text, faults);
  const isHeader = (row: Row, place: number): boolean =>
    row.cells[0]?.toLowerCase() === 'file' || (place === 0 && row.cells.some((cell) => cell.toLowerCase() === 'file'));
  const header = rows.findIndex(isHeader);
  const keyRows = header < 0 ? rows : rows.slice(0, header);
  const [first] = keyRows;
  const hasTitles = first?.cells[0]?.toLowerCase() === 'key' && first.cells[1]?.toLowerCase() === 'value';
  const said = together(hasTitles ? keyRows.slice(1) : keyRows, faults);
  const pairs: Entry[] = [];
  const entries: Entry[] = [];
  for (const one of said) {
    const simple = knownName(one.name, simpleKeys);
    if (simple !== undefined) entries.push({ key: simple, line: one.line, value: textsOf(one) });
    else if (knownName(one.name, tableKeys) !== undefined)
      faults.add(
        one.line,
        `${quote(one.name)} can’t be given in a row; write a table of pages, with the columns file, label and chapter.`,
      );
    else if (!isPartOf(one.name)) pairs.push(pairOf(one));
  }
  for (const parent of withParts) entries.push(...partsOf(parent, said));
  const [firstPair] = pairs;
  if (firstPair !== undefined)
    entries.push({
      key: 'metadata',
      line: firstPair.line,
      value: { kind: 'map', entries: pairs, line: firstPair.line },
    });
  if (header >= 0) entries.push(...readPageTable(rows.slice(header), faults));
  return { kind: 'map', entries, line: 1 };
}
