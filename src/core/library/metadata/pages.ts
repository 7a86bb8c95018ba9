/** Finds the pages that a metadata file names among the images of its folder: by name, number or range. */
import type { LanguageMap } from '../../image/folder/folder-metadata.ts';
import { isImageName, stemOf } from '../../image/model/formats.ts';
import { quote } from '../../text/quote.ts';
import type { Faults } from './faults.ts';
import { canonicalName, readFields } from './fields.ts';
import { readLanguages, readOneText } from './text.ts';
import { itemsOf, kindName, type MapValue, type TextValue, type Value } from './value.ts';

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
  readonly #indexes = new Map<string, number>();
  readonly #foldedIndexes = new Map<string, number>();
  #named = 0;

  /** `images` are file names; numbers are positions in this list, from 1. */
  constructor(images: readonly string[]) {
    this.#images = images;
    const put = (map: Map<string, number>, name: string, index: number): void => {
      if (!map.has(name)) map.set(name, index);
    };
    for (const [index, name] of images.entries()) put(this.#indexes, normal(name), index);
    for (const [index, name] of images.entries()) put(this.#indexes, normal(stemOf(name)), index);
    for (const [name, index] of this.#indexes) put(this.#foldedIndexes, name.toLowerCase(), index);
  }

  /** The file names of a page, a range, or several of these separated by commas. */
  find(value: TextValue, faults: Faults): readonly string[] {
    const direct = this.#findPart(value.text);
    if (direct !== undefined) return this.#slice(direct, value, faults);
    return value.text.split(',').flatMap((part) => {
      const text = part.trim();
      if (text === '') return [];
      const found = this.#findPart(text);
      if (found === undefined) faults.add(value.line, this.#faultOf(text));
      return found === undefined ? [] : this.#slice(found, value, faults);
    });
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
    const named = this.#indexes.get(name) ?? (isImageName(name) ? this.#indexes.get(stemOf(name)) : undefined);
    if (named !== undefined || !/^\d{1,9}$/.test(name)) return named;
    return Number(name) >= 1 && Number(name) <= this.#images.length ? Number(name) - 1 : undefined;
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
    const match = this.#images[this.#foldedIndexes.get(normal(text).toLowerCase()) ?? -1];
    const hint = match === undefined ? '.' : `; did you mean ${quote(match)}?`;
    return `There is no image ${quote(text)} in this folder${hint}`;
  }
}

export interface PageList {
  /** Absent where the file gives labels but no order. */
  readonly order?: readonly string[];
  readonly labels: ReadonlyMap<string, LanguageMap>;
}

const pageKeys = ['file', 'label'] as const;

/** The pages that one item of the list names, and their label. */
function readItem(item: Value, faults: Faults): { readonly file: TextValue; readonly label?: Value } | undefined {
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
export function readPages(value: Value, pages: PageNames, faults: Faults): PageList {
  const order = new Set<string>();
  const labels = new Map<string, LanguageMap>();
  const isOrdered = value.kind !== 'map';
  for (const item of isOrdered ? itemsOf(value) : singly(value)) {
    const page = readItem(item, faults);
    if (page === undefined) continue;
    const label = page.label && readLanguages(page.label, 'label', faults);
    for (const file of pages.find(page.file, faults)) {
      if (order.has(file)) {
        faults.add(page.file.line, `The page ${quote(file)} is listed a second time; its first place counts.`);
        continue;
      }
      order.add(file);
      if (label !== undefined) labels.set(file, label);
    }
  }
  return isOrdered ? { order: [...order], labels } : { labels };
}

const singly = (map: MapValue): readonly MapValue[] =>
  map.entries.map((entry) => ({ kind: 'map', entries: [entry], line: entry.line }));
