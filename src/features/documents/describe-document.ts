/** What the cover, the metadata and the outline of a document say, from the metadata of its folder. */

import { folderPagePath } from '../../core/image/addresses/folder-address.ts';
import { citationFieldsOf } from '../../core/image/folder/citation-fields.ts';
import { type FolderMetadata, type LabeledText, textFor } from '../../core/image/folder/folder-metadata.ts';
import { type Chapter, firstPageOf, formatPageNumbers } from '../../core/image/folder/page-labels.ts';
import { rightsName } from '../../core/image/folder/rights.ts';
import type { Cover, CoverRow, DocumentFacts, DocumentPlan, OutlineEntry } from './pdf/document.ts';
import type { SelectedPage, Selection } from './selection.ts';

/** The words that documents have, in the language of the reader. */
export interface DocumentWords {
  /** BCP 47. */
  readonly language: string;
  readonly rights: string;
  readonly address: string;
  readonly made: string;
  readonly pages: string;
  readonly author: string;
  readonly date: string;
  readonly reference: string;
  readonly missingPage: string;
}

/** The head of the cover. */
export interface CoverHead {
  /** A PNG or JPEG file. */
  readonly logo?: Buffer;
  readonly heading: readonly string[];
}

/** What a request says of the document itself, in place of what the folder's metadata says. */
export interface OwnFacts {
  readonly title: string;
  readonly author: string;
  readonly date: string;
  /** In place of title, author and date. */
  readonly reference: string;
  readonly address: string;
}

interface DescriptionParts {
  readonly selection: Selection;
  readonly words: DocumentWords;
  readonly head: CoverHead;
  /** The public address of the reading room, with a slash at its end; undefined where nobody knows it. */
  readonly base: string | undefined;
  readonly createdMs: number;
  readonly own?: OwnFacts;
}

const textOf = (row: LabeledText, languages: readonly string[]): CoverRow => ({
  label: textFor(row.label, languages).join(' '),
  values: textFor(row.value, languages),
});

/** Metadata may hold HTML (Presentation 3.0, section 4.5). */
const plain = (text: string): string =>
  text
    .replace(/<[^>]{0,500}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const withPlainValues = (row: CoverRow): CoverRow => ({ ...row, values: row.values.map(plain) });

const isAddress = (text: string): boolean => /^https?:\/\//.test(text);

function rightsRow(rights: string | undefined, words: DocumentWords): readonly CoverRow[] {
  if (rights === undefined) return [];
  return [{ label: words.rights, values: [rightsName(rights)], ...(isAddress(rights) && { address: rights }) }];
}

const requiredRows = ({ requiredStatement }: FolderMetadata, languages: readonly string[]): readonly CoverRow[] =>
  requiredStatement === undefined ? [] : [withPlainValues(textOf(requiredStatement, languages))];

/** The rights of the pages as a text of their own, for what has no cover; undefined where the metadata says nothing of them. */
export function rightsText({ title, metadata }: Selection, words: DocumentWords): string | undefined {
  const rows = [...requiredRows(metadata, [words.language]), ...rightsRow(metadata.rights, words)];
  if (rows.length === 0) return undefined;
  const lines = rows.flatMap(({ label, values, address }) => [
    `${label}: ${values.join('; ')}`,
    ...(address === undefined || values.includes(address) ? [] : [address]),
  ]);
  return `${[...(title === '' ? [] : [title, '']), ...lines].join('\n')}\n`;
}

const dateIn = (ms: number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(ms);

function addressRow(address: string | undefined, words: DocumentWords): readonly CoverRow[] {
  if (!address) return [];
  return [{ label: words.address, values: [address], ...(isAddress(address) && { address }) }];
}

/** Which pages of the folder the document has. */
function pagesRow({ pages, isWhole }: Selection, words: DocumentWords): readonly CoverRow[] {
  if (isWhole) return [];
  const numbers = [...new Set(pages.map(({ number }) => number))];
  const [first, last] = [pages[0]?.label ?? '', pages.at(-1)?.label ?? ''];
  const labels = pages.length === 1 ? first : `${first} … ${last}`;
  return [{ label: words.pages, values: [`${labels} (${formatPageNumbers(numbers)})`] }];
}

const addressOf = (base: string | undefined, { path }: Selection): string | undefined =>
  base === undefined ? undefined : base + folderPagePath(path);

/** The rows of a document that a request describes itself, as digilib's cover has them. */
function ownRows({ author, date, reference }: OwnFacts, words: DocumentWords): readonly CoverRow[] {
  if (reference !== '') return [{ label: words.reference, values: [reference] }];
  return [
    { label: words.author, values: author === '' ? [] : [author] },
    { label: words.date, values: date === '' ? [] : [date] },
  ];
}

function coverOf({ selection, words, head, base, createdMs, own }: DescriptionParts): Cover {
  const { metadata } = selection;
  const languages = [words.language];
  const made = { label: words.made, values: [dateIn(createdMs, words.language)] };
  const foot = [...pagesRow(selection, words), made];
  if (own !== undefined) {
    return {
      ...head,
      title: own.reference === '' ? own.title || selection.title : selection.title,
      rows: [...ownRows(own, words), ...rightsRow(metadata.rights, words), ...requiredRows(metadata, languages)],
      foot: [...addressRow(own.address, words), ...foot],
    };
  }
  const pairs = (metadata.metadata ?? []).map((pair) => withPlainValues(textOf(pair, languages)));
  const subtitle = plain(textFor(metadata.summary ?? {}, languages).join(' '));
  return {
    ...head,
    title: selection.title,
    ...(subtitle !== '' && { subtitle }),
    // What does not fit is left out, but not these.
    rows: [...rightsRow(metadata.rights, words), ...requiredRows(metadata, languages), ...pairs],
    foot: [...addressRow(addressOf(base, selection), words), ...foot],
  };
}

function factsOf({ selection, words, base, createdMs, own }: DescriptionParts): DocumentFacts {
  const { metadata, title } = selection;
  const languages = [words.language];
  const description = plain(textFor(metadata.summary ?? {}, languages).join(' '));
  const address = own?.address || addressOf(base, selection);
  const author = own?.author ?? '';
  return {
    title: own?.title || title,
    authors: author === '' ? citationFieldsOf(metadata, languages).authors : [author],
    ...(description !== '' && { description }),
    ...(metadata.rights !== undefined && { rights: metadata.rights }),
    ...(address !== undefined && { address }),
    createdMs,
    language: words.language,
    rightToLeft: metadata.viewingDirection === 'right-to-left',
  };
}

function outlineOf(
  chapters: readonly Chapter<SelectedPage>[],
  positions: ReadonlyMap<SelectedPage, number>,
  languages: readonly string[],
): readonly OutlineEntry[] {
  return chapters.flatMap((chapter) => {
    const first = firstPageOf(chapter);
    const page = first && positions.get(first);
    if (page === undefined) return [];
    const title = textFor(chapter.label, languages).join(' ');
    return [{ title, page, entries: outlineOf(chapter.chapters, positions, languages) }];
  });
}

export function describeDocument(parts: DescriptionParts): DocumentPlan {
  const { chapters, pages } = parts.selection;
  const positions = new Map(pages.map((page, index) => [page, index]));
  return {
    facts: factsOf(parts),
    cover: coverOf(parts),
    outline: outlineOf(chapters, positions, [parts.words.language]),
  };
}
