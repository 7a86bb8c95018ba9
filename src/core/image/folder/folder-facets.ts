/** By what readers order folders and choose among them: date, author, language and title, as their metadata says. */
import { citationFieldsOf } from './citation-fields.ts';
import type { FolderFacets } from './folder-listing.ts';
import type { FolderMetadata } from './folder-metadata.ts';
import type { FolderWish } from './folder-wish.ts';
import { foldedText } from './page-labels.ts';

/** From one year to another; the same for one. */
export interface Years {
  readonly from: number;
  readonly to: number;
}

const roman: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };

function romanNumber(text: string): number {
  const values = [...text.toLowerCase()].map((letter) => roman[letter] ?? 0);
  return values.reduce((sum, value, at) => (value < (values[at + 1] ?? 0) ? sum - value : sum + value), 0);
}

/** “15. Jh.”, “15th century”, “XVe siècle”, “s. XV”. */
const centuryForms = [
  /\b(\d{1,2})\s*(?:\.|st|nd|rd|th|e|ème)?\s*(?:jh|jahrh|cent|siècle|century)/iu,
  /\b([ivx]{1,5})(?:\.|e|ème)?\s*(?:jh|jahrh|cent|siècle|century)/iu,
  /\bs(?:aec|ec)?\.?\s+([ivx]{1,5})\b/iu,
];

function centuryIn(date: string): Years | undefined {
  for (const form of centuryForms) {
    const [, text = ''] = form.exec(date) ?? [];
    const century = /^\d+$/.test(text) ? Number(text) : romanNumber(text);
    if (century >= 1 && century <= 21) return { from: (century - 1) * 100 + 1, to: century * 100 };
  }
  return undefined;
}

/** A year, with the last two digits of a later one behind it, as in 1450–75; not a month, as in 1605-03-12. */
const yearForm = /(?<!\d)(\d{3,4})(?:\s*[-–/]\s*(\d{2})(?![-\d]))?(?!\d)/gu;

function yearsNamed([, written, short]: RegExpExecArray): readonly number[] {
  const year = Number(written);
  const later = Math.floor(year / 100) * 100 + Number(short ?? 0);
  return later > year ? [year, later] : [year];
}

/** The years that a date names in any of the usual forms; undefined where it names none. */
export function yearsOf(date: string): Years | undefined {
  const years = [...date.matchAll(yearForm)].flatMap(yearsNamed).filter((year) => year >= 100 && year <= 2200);
  return years.length === 0 ? centuryIn(date) : { from: Math.min(...years), to: Math.max(...years) };
}

/** What is known of a folder. */
export interface FolderFacts {
  readonly title: string;
  readonly authors: readonly string[];
  readonly languages: readonly string[];
  readonly years: Years | undefined;
}

export function folderFactsOf(metadata: FolderMetadata, title: string, languages: readonly string[]): FolderFacts {
  const { authors, date, language } = citationFieldsOf(metadata, languages);
  const named = language.split(/[,;/]/).flatMap((one) => one.trim() || []);
  return { title, authors: [...new Set(authors)], languages: [...new Set(named)], years: yearsOf(date) };
}

const includes = (values: readonly string[], wanted: string | undefined): boolean =>
  wanted === undefined || values.some((value) => foldedText(value) === foldedText(wanted));

const isWithin = (years: Years | undefined, { after, before }: FolderWish): boolean => {
  if (after === undefined && before === undefined) return true;
  return years !== undefined && years.to >= (after ?? 0) && years.from <= (before ?? Number.POSITIVE_INFINITY);
};

const isWished = ({ authors, languages, years }: FolderFacts, wish: FolderWish): boolean =>
  includes(authors, wish.author) && includes(languages, wish.language) && isWithin(years, wish);

const textBy: Readonly<Record<'author' | 'language' | 'title', (facts: FolderFacts) => string | undefined>> = {
  author: ({ authors }) => authors[0],
  language: ({ languages }) => languages[0],
  title: ({ title }) => title,
};

/** Those without a value come last, in either direction. */
function byValue<Value>(
  one: Value | undefined,
  other: Value | undefined,
  compare: (a: Value, b: Value) => number,
): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return compare(one, other);
}

/** The items that a reader wishes, in the order that it wishes. */
export function arranged<Item>(
  items: readonly Item[],
  factsOf: (item: Item) => FolderFacts,
  wish: FolderWish,
  languages: readonly string[],
): readonly Item[] {
  const chosen = items.filter((item) => isWished(factsOf(item), wish));
  const { order } = wish;
  if (order === undefined) return chosen;
  if (order === 'date' || order === 'date-down') {
    const sign = order === 'date' ? 1 : -1;
    const yearOf = (item: Item): number | undefined => factsOf(item).years?.from;
    return [...chosen].sort((one, other) => byValue(yearOf(one), yearOf(other), (a, b) => sign * (a - b)));
  }
  const collator = new Intl.Collator([...languages].filter(isLanguageTag), { numeric: true, sensitivity: 'base' });
  const textOf = (item: Item): string | undefined => textBy[order](factsOf(item));
  return [...chosen].sort((one, other) => byValue(textOf(one), textOf(other), (a, b) => collator.compare(a, b)));
}

/** Whether `Intl` takes it; the reader's browser may send anything. */
const isLanguageTag = (tag: string): boolean => /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag);

/** Longer lists are none that anybody chooses from. */
const mostValues = 200;

function counted(values: readonly string[]): readonly { readonly value: string; readonly count: number }[] {
  const counts = new Map<string, { readonly value: string; count: number }>();
  for (const one of values) {
    const known = counts.get(foldedText(one));
    if (known === undefined) counts.set(foldedText(one), { value: one, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count).slice(0, mostValues);
}

export function facetsOf(all: readonly FolderFacts[]): FolderFacets {
  const years = all.flatMap((facts) => facts.years ?? []);
  return {
    authors: counted(all.flatMap(({ authors }) => authors)),
    languages: counted(all.flatMap(({ languages }) => languages)),
    years:
      years.length === 0
        ? null
        : { from: Math.min(...years.map(({ from }) => from)), to: Math.max(...years.map(({ to }) => to)) },
  };
}
