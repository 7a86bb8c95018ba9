/** The order, labels and chapters of a folder’s pages, in manifests and the reading room alike; lists and searches of pages. */
import { stemOf } from '../model/formats.ts';
import type { FolderMetadata, LanguageMap, PagePart, Structure } from './folder-metadata.ts';
import { alikeText, readQuery, spelledText, spellingsOf } from './spellings.ts';

/** A text without a language. */
export const plainText = (text: string): LanguageMap => ({ none: [text] });

/** Whether a text has content in any language. */
export const hasText = (text: LanguageMap | undefined): text is LanguageMap =>
  text !== undefined && Object.values(text).some((values) => values.length > 0);

/** The label of a folder: from its metadata, or else its name. */
export const labelOfFolder = (name: string, metadata: FolderMetadata | undefined): LanguageMap =>
  hasText(metadata?.label) ? metadata.label : plainText(name);

/**
 * Items in the order in which metadata names them, then the others in their own order. Metadata may call an item by any of
 * the names that `namesOf` returns; the first of these that it uses counts.
 */
export function inDisplayOrder<Item>(
  items: readonly Item[],
  order: readonly string[] | undefined,
  namesOf: (item: Item) => readonly string[],
): readonly Item[] {
  if (order === undefined) return items;
  const positions = new Map<string, number>();
  for (const name of order) if (!positions.has(name)) positions.set(name, positions.size);
  const positionOf = (item: Item): number => {
    for (const name of namesOf(item)) {
      const position = positions.get(name);
      if (position !== undefined) return position;
    }
    return Number.POSITIVE_INFINITY;
  };
  const positioned = items.map((item) => ({ item, position: positionOf(item) }));
  // The difference of two infinities is NaN; items without a position keep their order.
  return positioned.sort((a, b) => a.position - b.position || 0).map(({ item }) => item);
}

/** The positions, from 0, of the items with some names; of all items there may be a million. */
export function positionsAmong<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  names: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  if (names.size === 0) return positions;
  for (const [index, item] of items.entries()) {
    const name = nameOf(item);
    if (names.has(name)) positions.set(name, index);
  }
  return positions;
}

/** The label of a page that metadata does not label: the name of its file, or its number in display order, from 1. */
export type PageLabels = 'name' | 'number';

/** The facts that the label of a file depends on. */
export interface LabeledFile {
  readonly file: string;
  /** Its label in the folder's metadata. */
  readonly metadataLabel: LanguageMap | undefined;
  /** Its number in display order, from 1. */
  readonly number: number;
  /** Whether another file of the folder has the same name except for the extension. */
  readonly sharesStem: boolean;
}

/** The label of a file. Where it is the file's name, the extension is left out unless two files would share the label. */
export function labelOfFile(
  { file, metadataLabel, number, sharesStem }: LabeledFile,
  pageLabels: PageLabels,
): LanguageMap {
  if (hasText(metadataLabel)) return metadataLabel;
  if (pageLabels === 'number') return plainText(String(number));
  return plainText(sharesStem ? file : stemOf(file));
}

/** Those of some stems that more than one file has. */
export function sharedStems(files: Iterable<string>, among: ReadonlySet<string>): ReadonlySet<string> {
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const file of files) {
    const stem = stemOf(file);
    if (!among.has(stem)) continue;
    if (once.has(stem)) shared.add(stem);
    else once.add(stem);
  }
  return shared;
}

/** The names that metadata may use for a file: one with several pages may be named by its first page. */
export const namesOfFile = (name: string): readonly string[] => [`${name};1`, name];

/** The label of a file in the folder's metadata, which may label its first page alone. */
export const metadataLabelOf = ({ pageLabels }: FolderMetadata, file: string): LanguageMap | undefined =>
  [file, `${file};1`].map((name) => pageLabels?.get(name)).find(hasText);

/** The texts of a label, one for each language. */
export const textsOfLabel = (label: LanguageMap | undefined): readonly string[] =>
  Object.values(label ?? {}).map((paragraphs) => paragraphs.join(' '));

/** `non-paged` is outside of the order of pages; `facing-pages` shows both pages of an opening (Presentation 3.0, section 3.4). */
export type PageBehavior = 'non-paged' | 'facing-pages';

/** The behavior of a page that metadata may call by any of these names; undefined for most pages. */
export type PageBehaviors = (names: readonly string[]) => PageBehavior | undefined;

/** The behaviors that the metadata of a folder gives its pages. */
export function pageBehaviorsIn({ nonPaged = [], facingPages = [] }: FolderMetadata): PageBehaviors {
  const behaviors = new Map<string, PageBehavior>([
    ...facingPages.map((name) => [name, 'facing-pages'] as const),
    ...nonPaged.map((name) => [name, 'non-paged'] as const),
  ]);
  return (names) => names.map((name) => behaviors.get(name)).find((behavior) => behavior !== undefined);
}

/** A chapter with at least one page in it, and a key that is unique in its folder. */
export interface Chapter<Page> {
  readonly key: string;
  readonly label: LanguageMap;
  readonly pages: readonly Page[];
  /** The part of its first page that it is; absent for whole pages. */
  readonly region?: PagePart;
  readonly chapters: readonly Chapter<Page>[];
}

/** The fragment of a canvas that a chapter is a part of (Media Fragments 1.0, section 4.2.2). */
export const fragmentOfPart = ({ x, y, width, height }: PagePart): string =>
  `#xywh=percent:${[x, y, width, height].join(',')}`;

/** The chapters without missing pages, and without chapters that have no pages. */
export function chaptersIn<Page>(
  structures: readonly Structure[],
  pagesNamed: (name: string) => readonly Page[],
  prefix = '',
): readonly Chapter<Page>[] {
  return structures
    .map((structure, index): Chapter<Page> => {
      const key = `${prefix}${index + 1}`;
      const pages = [...new Set(structure.pages.flatMap((name) => pagesNamed(name)))];
      const label = hasText(structure.label) ? structure.label : plainText(key);
      const chapters = chaptersIn(structure.structures, pagesNamed, `${key}.`);
      // Where its first page is missing, the part would be one of another page.
      const { region } = structure;
      const isThere = pagesNamed(structure.pages[0] ?? '').length > 0;
      return { key, label, pages, ...(region && isThere && { region }), chapters };
    })
    .filter(({ pages, chapters }) => pages.length > 0 || chapters.length > 0);
}

/** The page at which a chapter begins: its own first page, or else that of the first chapter inside of it. */
export const firstPageOf = <Page>({ pages, chapters }: Chapter<Page>): Page | undefined =>
  pages[0] ?? (chapters[0] && firstPageOf(chapters[0]));

/** Numbers from `first` to `last`, from 1 on; without `last` to the end. */
export interface PageRange {
  readonly first: number;
  readonly last?: number;
}

/** No list names more ranges, so that a long address can't cost much. */
const mostRanges = 5000;

function parseRange(text: string): PageRange | undefined {
  const match = /^\s*(\d{1,7})\s*(?:(-)\s*(\d{1,7})?\s*)?$/.exec(text);
  if (match === null) return undefined;
  const [, from, dash, to] = match;
  const first = Number(from);
  const last = to === undefined ? undefined : Number(to);
  if (first < 1 || (last !== undefined && last < first)) return undefined;
  return dash === undefined ? { first, last: first } : { first, ...(last !== undefined && { last }) };
}

/**
 * The ranges of a list such as `1-`, `1-5`, `5,10,15` and `1-7,9-13` (digilib-pdf-text.md); undefined for a malformed one, and for
 * one without numbers.
 */
export function parsePageNumbers(text: string): readonly PageRange[] | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  if (parts.length === 0 || parts.length > mostRanges) return undefined;
  const ranges = parts.map(parseRange);
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

/** The numbers in their order, each once, as far as `count` pages have them. */
export function pageNumbersOf(ranges: readonly PageRange[], count: number): readonly number[] {
  const numbers = new Set<number>();
  for (const { first, last = count } of ranges) {
    for (let number = first; number <= Math.min(last, count); number++) numbers.add(number);
  }
  return [...numbers];
}

/** The shortest list of some numbers in their order; `parsePageNumbers` reads it back. */
export function formatPageNumbers(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** Folds case and removes marks: `É` becomes `e`, and `ß` becomes `ss`. */
export function foldedText(text: string): string {
  // Most names are ASCII, and a search compares very many.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
}

/** The words of a query as names are compared with them. */
const foldedWords = (query: string): readonly string[] =>
  foldedText(query)
    .split(/\s+/)
    .filter((word) => word !== '');

/** The words of a query in each of its spellings, the first as they are typed; no words for a query without any. */
export function wordsOfQuery(query: string): readonly (readonly string[])[] {
  const { text, isAlike } = readQuery(query);
  const all = spellingsOf(text, isAlike).map(foldedWords);
  return [...new Map(all.map((words) => [words.join(' '), words])).values()];
}

/** Returns a test whether a name contains every word of the query, in any spelling; undefined for a query without words. */
export function nameMatcher(query: string): ((name: string) => boolean) | undefined {
  const { text: asked, isAlike } = readQuery(query);
  const [typed = [], ...others] = wordsOfQuery(asked);
  if (typed.length === 0) return undefined;
  const plain = (text: string): string => (isAlike ? alikeText(spelledText(text)) : spelledText(text));
  const words = typed.map((word, index) =>
    [...new Set([word, ...others.map((list) => list[index] ?? word)])].map(plain),
  );
  return (name) => {
    const text = plain(foldedText(name));
    return words.every((spellings) => spellings.some((word) => text.includes(word)));
  };
}

/** Returns a test whether a name equals the query except for surrounding space; undefined for an empty query. */
export function nameEqual(query: string): ((name: string) => boolean) | undefined {
  const wanted = foldedText(readQuery(query).text).trim();
  return wanted === '' ? undefined : (name) => foldedText(name).trim() === wanted;
}
