/** Finds the pages that a metadata file speaks of among the images of its folder: by name, number or range. */
import type { LanguageMap } from '../../image/folder/folder-metadata.ts';
import { isImageName, stemOf } from '../../image/model/formats.ts';
import { quote } from '../../text/quote.ts';
import type { Faults } from './faults.ts';
import { knownName, readFields } from './fields.ts';
import { readLanguages, readOneText } from './text.ts';
import { itemsOf, kindName, type MapValue, type TextValue, type Value } from './value.ts';

/** How many pages the lists of one file may name in all, so that many long ranges stay affordable. */
const maxNamed = 500_000;

const normal = (name: string): string => name.normalize('NFC');

/** The first and the last page of a range: `page-003..page-007` or `3-7`. */
function boundsOf(text: string): readonly [string, string] | undefined {
  const dots = text.indexOf('..');
  if (dots > 0) return [text.slice(0, dots).trim(), text.slice(dots).replace(/^\.+/, '').trim()];
  const [, first, last] = /^(\d{1,9}) ?[-–] ?(\d{1,9})$/.exec(text) ?? [];
  return first === undefined || last === undefined ? undefined : [first, last];
}

/** The images of a folder, to be found by what people call them. */
export class FolderPages {
  readonly #images: readonly string[];
  readonly #places = new Map<string, number>();
  readonly #foldedPlaces = new Map<string, number>();
  #named = 0;

  /** `images` are file names in the order that numbers count. */
  constructor(images: readonly string[]) {
    this.#images = images;
    const put = (map: Map<string, number>, name: string, place: number): void => {
      if (!map.has(name)) map.set(name, place);
    };
    for (const [place, name] of images.entries()) put(this.#places, normal(name), place);
    for (const [place, name] of images.entries()) put(this.#places, normal(stemOf(name)), place);
    for (const [name, place] of this.#places) put(this.#foldedPlaces, name.toLowerCase(), place);
  }

  /** The file names that a text stands for: one page, a range, or several of these with commas between them. */
  find(said: TextValue, faults: Faults): readonly string[] {
    const direct = this.#findPart(said.text);
    if (direct !== undefined) return this.#take(direct, said, faults);
    return said.text.split(',').flatMap((part) => {
      const text = part.trim();
      if (text === '') return [];
      const found = this.#findPart(text);
      if (found === undefined) faults.add(said.line, this.#complaint(text));
      return found === undefined ? [] : this.#take(found, said, faults);
    });
  }

  #take([from, to]: readonly [number, number], said: TextValue, faults: Faults): readonly string[] {
    this.#named += to - from + 1;
    if (this.#named <= maxNamed) return this.#images.slice(from, to + 1);
    faults.add(said.line, `The file names more than ${maxNamed} pages; those from here on are left out.`);
    return [];
  }

  #findPart(text: string): readonly [number, number] | undefined {
    const one = this.#placeOf(text);
    if (one !== undefined) return [one, one];
    const [from, to] = (boundsOf(text) ?? []).map((bound) => this.#placeOf(bound));
    return from === undefined || to === undefined || from > to ? undefined : [from, to];
  }

  #placeOf(text: string): number | undefined {
    const name = normal(text);
    const named = this.#places.get(name) ?? (isImageName(name) ? this.#places.get(stemOf(name)) : undefined);
    if (named !== undefined || !/^\d{1,9}$/.test(name)) return named;
    return Number(name) >= 1 && Number(name) <= this.#images.length ? Number(name) - 1 : undefined;
  }

  #complaint(text: string): string {
    const bounds = this.#placeOf(text) === undefined ? boundsOf(text) : undefined;
    if (bounds === undefined) return this.#noSuchPage(text);
    const missing = bounds.find((bound) => this.#placeOf(bound) === undefined);
    return missing === undefined ? `The range ${quote(text)} runs backward.` : this.#noSuchPage(missing);
  }

  #noSuchPage(text: string): string {
    if (text === '') return 'A range of pages needs a first and a last page, such as 3-7 or page-003..page-007.';
    if (/^\d{1,9}$/.test(text))
      return `There is no page ${text}; the folder’s images count from 1 to ${this.#images.length}.`;
    const meant = this.#images[this.#foldedPlaces.get(normal(text).toLowerCase()) ?? -1];
    const hint = meant === undefined ? '.' : `; did you mean ${quote(meant)}?`;
    return `There is no image ${quote(text)} in this folder${hint}`;
  }
}

export interface PageList {
  /** Absent where the file gives labels but no order. */
  readonly order?: readonly string[];
  readonly labels: ReadonlyMap<string, LanguageMap>;
}

const pageKeys = ['file', 'label'] as const;

/** What one item of the list says: which pages, and how they are labeled. */
function readItem(item: Value, faults: Faults): { readonly said: TextValue; readonly label?: Value } | undefined {
  if (item.kind === 'text') return { said: item };
  if (item.kind !== 'map') {
    faults.add(item.line, `A page is a file name, or a map with file and label; this is ${kindName(item)}.`);
    return undefined;
  }
  const [only, ...more] = item.entries;
  if (only !== undefined && more.length === 0 && knownName(only.key, pageKeys) === undefined) {
    return { said: { kind: 'text', text: only.key, line: only.line }, label: only.value };
  }
  const fields = readFields(item, pageKeys, faults);
  const said = readOneText(fields.get('file') ?? { kind: 'empty', line: item.line }, 'file', faults);
  if (said === undefined) faults.add(item.line, 'This page has no file; write file: and the file’s name.');
  const label = fields.get('label');
  return said && (label === undefined ? { said } : { said, label });
}

/** The pages in order, as a list, or their labels alone, as a map from file name to label. */
export function readPages(value: Value, pages: FolderPages, faults: Faults): PageList {
  const order = new Set<string>();
  const labels = new Map<string, LanguageMap>();
  const isOrdered = value.kind !== 'map';
  for (const item of isOrdered ? itemsOf(value) : singly(value)) {
    const page = readItem(item, faults);
    if (page === undefined) continue;
    const label = page.label && readLanguages(page.label, 'label', faults);
    for (const file of pages.find(page.said, faults)) {
      if (order.has(file)) {
        faults.add(page.said.line, `The page ${quote(file)} is listed a second time; its first place counts.`);
        continue;
      }
      order.add(file);
      if (label !== undefined) labels.set(file, label);
    }
  }
  return isOrdered ? { order: [...order], labels } : { labels };
}

/** Each entry of a map as a map of its own. */
const singly = (map: MapValue): readonly MapValue[] =>
  map.entries.map((entry) => ({ kind: 'map', entries: [entry], line: entry.line }));
