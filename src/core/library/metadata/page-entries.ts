/** The pages that a metadata file names among the images of its folder, by name, number or range: their order, labels and chapters. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FolderMetadata, LanguageMap, PagePart, Structure } from '../../image/folder/folder-metadata.ts';
import { isImageName, stemOf } from '../../image/model/formats.ts';
import { quote } from '../../parsing/nearest.ts';
import {
  canonicalName,
  type Faults,
  itemsOf,
  kindName,
  type MapValue,
  readFields,
  readLanguages,
  readOneText,
  readTexts,
  type TextValue,
  type Value,
} from './fields.ts';

/** How many rows or names are read in a turn of the event loop: a few milliseconds. */
export const itemsPerTurn = 500;

/** A list in parts, with a turn of the event loop between two of them. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<readonly Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    if (part.push(item) < itemsPerTurn) continue;
    yield part;
    part = [];
    await nextTurn();
  }
  yield part;
}

/** How many pages the lists of one file may name in total, which bounds the cost of many long ranges. */
const maxNamed = 500_000;

const normal = (name: string): string => name.normalize('NFC');

/** The first and the last page of a range: `page-003..page-007` or `3-7`. */
function boundsOf(text: string): readonly [string, string] | undefined {
  const dots = text.indexOf('..');
  if (dots > 0) return [text.slice(0, dots).trim(), text.slice(dots).replace(/^\.+/, '').trim()];
  const [, first, last] = /^(\d{1,9}) ?[-–] ?(\d{1,9})$/.exec(text) ?? [];
  return first === undefined || last === undefined ? undefined : [first, last];
}

/** Looks up the images of a folder by name, with or without extension, or by number. */
export class PageNames {
  readonly #images: readonly string[];
  /** The positions of names with and without extension, in lower case; a list where several names differ in case alone. */
  readonly #indexes = new Map<string, number | readonly number[]>();
  #named = 0;

  private constructor(images: readonly string[]) {
    this.#images = images;
  }

  /** `images` are file names; numbers are positions in this list, from 1. */
  static async of(images: readonly string[]): Promise<PageNames> {
    const names = new PageNames(images);
    for (const nameOf of [(name: string) => name, stemOf]) {
      for await (const some of inTurns(images.entries())) {
        for (const [index, name] of some) names.#add(normal(nameOf(name)).toLowerCase(), index);
      }
    }
    return names;
  }

  #add(key: string, index: number): void {
    const before = this.#indexes.get(key);
    this.#indexes.set(key, before === undefined ? index : [before, index].flat());
  }

  /** The images whose names are a text, with or without extension, but for case; those with extension first. */
  #alike(name: string): readonly number[] {
    return [this.#indexes.get(name.toLowerCase()) ?? []].flat();
  }

  /** The file names of a page, a range, or several of these separated by commas. */
  find(value: TextValue, faults: Faults): readonly string[] {
    return this.#findParts(value, faults, (files) => files);
  }

  /** The same, with all files that may be meant: unless a text is the name of a file, also those that only the extension tells apart. */
  findAll(value: TextValue, faults: Faults): ReadonlySet<string> {
    const all = this.#findParts(value, faults, (files, text) =>
      files[0] !== undefined && normal(files[0]) === normal(text) ? files : files.flatMap((file) => this.#ofStem(file)),
    );
    return new Set(all);
  }

  #findParts(
    value: TextValue,
    faults: Faults,
    withOthers: (files: readonly string[], text: string) => readonly string[],
  ): readonly string[] {
    const direct = this.#findPart(value.text);
    if (direct !== undefined) return withOthers(this.#slice(direct, value, faults), value.text);
    return value.text.split(',').flatMap((part) => {
      const text = part.trim();
      if (text === '') return [];
      const found = this.#findPart(text);
      if (found === undefined) faults.add(value.line, () => this.#faultOf(text));
      return found === undefined ? [] : withOthers(this.#slice(found, value, faults), text);
    });
  }

  /** The files that have the name of one, with any extension. */
  #ofStem(file: string): readonly string[] {
    const stem = normal(stemOf(file));
    const alike = this.#alike(stem).map((index) => this.#images[index] ?? '');
    return alike.filter((name) => normal(stemOf(name)) === stem);
  }

  /** Whether every part of a text that was looked for names a page or a range. */
  foundAll(text: string): boolean {
    if (this.#named > maxNamed) return false;
    if (this.#findPart(text) !== undefined) return true;
    const parts = text.split(',').map((part) => part.trim());
    return parts.every((part) => this.#findPart(part) !== undefined);
  }

  #slice([from, to]: readonly [number, number], value: TextValue, faults: Faults): readonly string[] {
    this.#named += to - from + 1;
    if (this.#named <= maxNamed) return this.#images.slice(from, to + 1);
    faults.add(value.line, `The file names more than ${maxNamed} pages; those from here on are left out.`);
    return [];
  }

  #findPart(text: string): readonly [number, number] | undefined {
    const one = this.#indexOf(text);
    if (one !== undefined) return [one, one];
    const [from, to] = (boundsOf(text) ?? []).map((bound) => this.#indexOf(bound));
    return from === undefined || to === undefined || from > to ? undefined : [from, to];
  }

  #indexOf(text: string): number | undefined {
    const name = normal(text);
    const named = this.#exactly(name) ?? (isImageName(name) ? this.#exactly(stemOf(name)) : undefined);
    if (named !== undefined || !/^\d{1,9}$/.test(name)) return named;
    return Number(name) >= 1 && Number(name) <= this.#images.length ? Number(name) - 1 : undefined;
  }

  #exactly(name: string): number | undefined {
    const alike = this.#alike(name);
    const isNamed = (nameOf: (file: string) => string) => (index: number) =>
      normal(nameOf(this.#images[index] ?? '')) === name;
    return alike.find(isNamed((file) => file)) ?? alike.find(isNamed(stemOf));
  }

  #faultOf(text: string): string {
    const bounds = this.#indexOf(text) === undefined ? boundsOf(text) : undefined;
    if (bounds === undefined) return this.#noSuchPage(text);
    const missing = bounds.find((bound) => this.#indexOf(bound) === undefined);
    return missing === undefined ? `The range ${quote(text)} runs backward.` : this.#noSuchPage(missing);
  }

  #noSuchPage(text: string): string {
    if (text === '') return 'A range of pages needs a first and a last page, such as 3-7 or page-003..page-007.';
    if (/^\d{1,9}$/.test(text))
      return `There is no page ${text}; the folder’s images count from 1 to ${this.#images.length}.`;
    const match = this.#images[this.#alike(normal(text))[0] ?? -1];
    const hint = match === undefined ? '.' : `; did you mean ${quote(match)}?`;
    return `There is no image ${quote(text)} in this folder${hint}`;
  }
}

/** A page, or several, with their label. */
interface LabeledPages {
  readonly file: TextValue;
  readonly label?: Value;
}

/** The pages that a list or a table names, one after the other. */
export class PageList {
  readonly #order = new Set<string>();
  readonly #labels = new Map<string, LanguageMap>();

  add(page: LabeledPages, pages: PageNames, faults: Faults): void {
    const label = page.label && readLanguages(page.label, 'label', faults);
    for (const file of pages.find(page.file, faults)) {
      if (this.#order.has(file)) {
        faults.add(page.file.line, `The page ${quote(file)} is listed a second time; its first place counts.`);
        continue;
      }
      this.#order.add(file);
      if (label !== undefined) this.#labels.set(file, label);
    }
  }

  /** The labels, and the order where the list gives it. */
  members(isOrdered: boolean): Pick<FolderMetadata, 'pageOrder' | 'pageLabels'> {
    return {
      ...(isOrdered && this.#order.size > 0 && { pageOrder: [...this.#order] }),
      ...(this.#labels.size > 0 && { pageLabels: this.#labels }),
    };
  }
}

const pageKeys = ['file', 'label'] as const;

/** The pages that one item of the list names, and their label. */
function readItem(item: Value, faults: Faults): LabeledPages | undefined {
  if (item.kind === 'text') return { file: item };
  if (item.kind !== 'map') {
    faults.add(item.line, `A page is a file name, or a map with file and label; this is ${kindName(item)}.`);
    return undefined;
  }
  const [only, ...more] = item.entries;
  if (only !== undefined && more.length === 0 && canonicalName(only.key, pageKeys) === undefined) {
    return { file: { kind: 'text', text: only.key, line: only.line }, label: only.value };
  }
  const fields = readFields(item, pageKeys, faults);
  const file = readOneText(fields.get('file') ?? { kind: 'empty', line: item.line }, 'file', faults);
  if (file === undefined) faults.add(item.line, 'This page has no file; write file: and the file’s name.');
  const label = fields.get('label');
  return file && (label === undefined ? { file } : { file, label });
}

/** The pages in order, as a list, or their labels alone, as a map from file name to label. */
export function readPages(value: Value, pages: PageNames, faults: Faults): FolderMetadata {
  const list = new PageList();
  const items = value.kind === 'map' ? singly(value) : itemsOf(value);
  for (const item of items) {
    const page = readItem(item, faults);
    if (page !== undefined) list.add(page, pages, faults);
  }
  return list.members(value.kind !== 'map');
}

const singly = (map: MapValue): readonly MapValue[] =>
  map.entries.map((entry) => ({ kind: 'map', entries: [entry], line: entry.line }));

const maxDepth = 20;

function readChapterPages(value: Value, pages: PageNames, faults: Faults): readonly string[] {
  const files = new Set<string>();
  for (const text of readTexts(value, 'pages', faults)) {
    for (const file of pages.find(text, faults)) {
      if (files.has(file)) faults.add(text.line, `The page ${quote(file)} is in this chapter already.`);
      files.add(file);
    }
  }
  return [...files];
}

/** The part of the chapter’s first page, in percent as IIIF writes regions (Image API 3.0, section 4.1). */
function readRegion(value: Value, faults: Faults): PagePart | undefined {
  const numbers = value.kind === 'text' ? /^pct:([\d.]+),([\d.]+),([\d.]+),([\d.]+)$/.exec(value.text.trim()) : null;
  const [x = -1, y = -1, width = -1, height = -1] = numbers?.slice(1).map(Number) ?? [];
  const isPart = x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 100 && y + height <= 100;
  if (!isPart) faults.add(value.line, 'The region of a chapter is a part of its first page, such as pct:0,50,100,50.');
  return isPart ? { x, y, width, height } : undefined;
}

function readChapter(map: MapValue, pages: PageNames, faults: Faults, depth: number): readonly Structure[] {
  const fields = readFields(map, ['label', 'pages', 'region', 'contents', 'structures'], faults);
  const labelValue = fields.get('label');
  const label = labelValue && readLanguages(labelValue, 'label', faults);
  const inside = fields.get('contents') ?? fields.get('structures');
  const named = fields.get('pages');
  if (label === undefined) {
    faults.add(map.line, 'This chapter has no label, and is left out; write label: and its title.');
    return [];
  }
  if (inside === undefined && named === undefined) {
    faults.add(map.line, 'This chapter has neither pages nor contents, and is left out.');
    return [];
  }
  const files = named === undefined ? [] : readChapterPages(named, pages, faults);
  const structures = inside === undefined ? [] : readStructures(inside, pages, faults, depth + 1);
  const regionValue = fields.get('region');
  const region = regionValue && readRegion(regionValue, faults);
  return files.length > 0 || structures.length > 0
    ? [{ label, pages: files, ...(region && { region }), structures }]
    : [];
}

/** The chapters of a list; those that name no page of the folder are left out. */
export function readStructures(value: Value, pages: PageNames, faults: Faults, depth = 1): readonly Structure[] {
  if (depth > maxDepth) {
    faults.add(value.line, `Chapters can be ${maxDepth} deep; those inside are left out.`);
    return [];
  }
  return itemsOf(value).flatMap((item) => {
    if (item.kind === 'map') return readChapter(item, pages, faults, depth);
    faults.add(item.line, `A chapter is a map with label, pages and contents; this is ${kindName(item)}.`);
    return [];
  });
}
