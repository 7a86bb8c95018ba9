/** The tree that YAML and CSV are parsed into, its maps' keys from a closed list, and the faults of a file. */
import type { LanguageMap, MetadataFault } from '../../image/folder/folder-metadata.ts';
import { enumerate, quote, suggestion } from '../../parsing/nearest.ts';

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

const maxFaults = 100;

/** How many pairs, values of one key, characters of a value, and chapters a folder has: documents with all of them take no long turn of the event loop. */
export const maxPairs = 5000;
const maxTextLength = 20_000;
export const maxChapters = 10_000;

export class Faults {
  readonly #file: string;
  readonly #found = new Map<string, MetadataFault>();
  readonly #unparsed = new Set<number>();
  #unlisted = 0;

  /** `file` is the file's name alone. */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Adds a fault; the message can be a function where computing it is expensive. A line that could not be parsed gets no
   * further faults, since these would only be consequences.
   */
  add(line: number, message: string | (() => string)): void {
    if (!this.#unparsed.has(line)) this.#push(line, message);
  }

  /** Adds a fault of syntax: the line could not be parsed completely. */
  addSyntax(line: number, message: string): void {
    if (this.#unparsed.has(line)) return;
    this.#unparsed.add(line);
    this.#push(line, message);
  }

  #push(line: number, lazyMessage: string | (() => string)): void {
    if (this.#found.size >= maxFaults) {
      this.#unlisted++;
      return;
    }
    const message = typeof lazyMessage === 'string' ? lazyMessage : lazyMessage();
    const key = `${line} ${message}`;
    if (!this.#found.has(key)) this.#found.set(key, { file: this.#file, line, message });
  }

  get isEmpty(): boolean {
    return this.#found.size === 0;
  }

  list(): readonly MetadataFault[] {
    const listed = [...this.#found.values()].sort((a, b) => a.line - b.line);
    if (this.#unlisted === 0) return listed;
    const message =
      this.#unlisted === 1 ? 'One more fault is not listed.' : `${this.#unlisted} more faults are not listed.`;
    return [...listed, { file: this.#file, line: 0, message }];
  }
}

/** The name in a list that equals a key except for case. */
export function canonicalName<Name extends string>(key: string, names: readonly Name[]): Name | undefined {
  const lower = key.toLowerCase();
  return names.find((name) => name.toLowerCase() === lower);
}

const unknownKey = (key: string, names: readonly string[]): string =>
  `${quote(key)} is no key that is known here${suggestion(key, names, quote) || `; known are ${enumerate(names)}.`}`;

/** Entries without those that repeat a key, each repetition a fault. */
export function* uniqueEntries(entries: readonly Entry[], faults: Faults): Generator<Entry> {
  const lines = new Map<string, number>();
  for (const entry of entries) {
    const { key, line } = entry;
    const first = lines.get(key);
    if (first === undefined) {
      lines.set(key, line);
      yield entry;
    } else faults.add(line, `${quote(key)} is given a second time; what line ${first} says counts.`);
  }
}

/** The values of a map by the names of a list, in the map's order. */
export function readFields<Name extends string>(
  map: MapValue,
  names: readonly Name[],
  faults: Faults,
): ReadonlyMap<Name, Value> {
  const listed: Entry[] = [];
  for (const entry of map.entries) {
    const name = canonicalName(entry.key, names);
    if (name === undefined) faults.add(entry.line, () => unknownKey(entry.key, names));
    else listed.push({ ...entry, key: name });
  }
  return new Map(Array.from(uniqueEntries(listed, faults), ({ key, value }) => [key as Name, value]));
}

/** Whether a key has the form of a BCP 47 language tag; `none` means that no language is given. */
const isLanguage = (tag: string): boolean => tag === 'none' || /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,8}$/i.test(tag);

export function readOneText(value: Value, name: string, faults: Faults): TextValue | undefined {
  if (value.kind === 'text') return value;
  if (value.kind !== 'empty') faults.add(value.line, `${quote(name)} must be one text, not ${kindName(value)}.`);
  return undefined;
}

export function readTexts(value: Value, name: string, faults: Faults): readonly TextValue[] {
  return itemsOf(value).flatMap((item) => {
    if (item.kind === 'text') return [item];
    faults.add(item.line, `${quote(name)} must be a text or a list of texts; this is ${kindName(item)}.`);
    return [];
  });
}

function plain(texts: readonly TextValue[], faults: Faults): readonly string[] {
  const surplus = texts[maxPairs];
  if (surplus !== undefined)
    faults.add(surplus.line, `There are more than ${maxPairs} values; those from here on are left out.`);
  return texts.slice(0, maxPairs).map(({ text, line }) => {
    if (text.length <= maxTextLength) return text;
    faults.add(line, `This text has more than ${maxTextLength} characters, and is cut.`);
    return text.slice(0, maxTextLength);
  });
}

function readLanguageMap(map: MapValue, name: string, faults: Faults): LanguageMap | undefined {
  const byLanguage = new Map<string, readonly string[]>();
  for (const { key, line, value } of map.entries) {
    const texts = isLanguage(key) ? plain(readTexts(value, `${name}, ${key}`, faults), faults) : [];
    if (!isLanguage(key)) {
      faults.add(
        line,
        `${quote(key)} is not a language; write ${quote(name)} as a text, or by languages such as en, de.`,
      );
    } else if (byLanguage.has(key)) {
      faults.add(line, `${quote(name)} has the language ${quote(key)} twice; the first one counts.`);
    } else if (texts.length > 0) {
      byLanguage.set(key, texts);
    }
  }
  return byLanguage.size > 0 ? Object.fromEntries(byLanguage) : undefined;
}

/** A text, a list of texts, or a map from languages to these; undefined where none of it is usable. */
export function readLanguages(value: Value, name: string, faults: Faults): LanguageMap | undefined {
  if (value.kind === 'map') return readLanguageMap(value, name, faults);
  const texts = readTexts(value, name, faults);
  return texts.length > 0 ? { none: plain(texts, faults) } : undefined;
}

const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s<>"{}|\\^`]+$/i.test(text) && URL.canParse(text);

/** A web address; `example` is one to show in the fault. */
export function readAddress(value: Value, name: string, example: string, faults: Faults): string | undefined {
  const address = readOneText(value, name, faults);
  if (address === undefined) return undefined;
  if (isWebAddress(address.text)) return address.text;
  faults.add(address.line, `${quote(name)} must be a web address such as ${example}, not ${quote(address.text)}.`);
  return undefined;
}

export function readWord<Word extends string>(
  { text, line }: TextValue,
  name: string,
  words: readonly Word[],
  faults: Faults,
): Word | undefined {
  const word = words.find((one) => one === text.toLowerCase());
  if (word !== undefined) return word;
  faults.add(line, () => {
    const hint = suggestion(text, words, quote) || `; it may be ${enumerate(words, 'or')}.`;
    return `${quote(text)} is no ${name}${hint}`;
  });
  return undefined;
}
