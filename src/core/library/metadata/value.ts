/** The tree of texts, lists and maps, with their lines, that YAML and CSV files are both parsed into. */

export interface TextValue {
  readonly kind: 'text';
  readonly text: string;
  readonly line: number;
}

export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
  readonly line: number;
}

export interface MapValue {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
  readonly line: number;
}

/** The value of a key that has none, as in a form that was not filled in. */
export interface EmptyValue {
  readonly kind: 'empty';
  readonly line: number;
}

/** A key of a map with the line that the key stands on. */
export interface Entry {
  readonly key: string;
  readonly line: number;
  readonly value: Value;
}

export type Value = TextValue | ListValue | MapValue | EmptyValue;

/** A trimmed text; empty where nothing is left. */
export function textValue(text: string, line: number): TextValue | EmptyValue {
  const trimmed = text.trim();
  return trimmed === '' ? { kind: 'empty', line } : { kind: 'text', text: trimmed, line };
}

/** A single value itself, or several as a list. */
export function oneOrList(items: readonly Value[], line: number): Value {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first : { kind: 'list', items, line };
}

/** The items of a list. A value that is no list is its own only item; an empty value has none. */
export function itemsOf(value: Value): readonly Value[] {
  if (value.kind === 'list') return value.items.filter((item) => item.kind !== 'empty');
  return value.kind === 'empty' ? [] : [value];
}

/** The kind of a value, for a sentence. */
export const kindName = (value: Value): string =>
  ({ text: 'a text', list: 'a list', map: 'a map of keys', empty: 'empty' })[value.kind];
