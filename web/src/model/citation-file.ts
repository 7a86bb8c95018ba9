/** The citation of a page as a file for programs that keep references: RIS and BibTeX. */
import type { CitationFields, ItemType } from '../../../src/core/image/folder/citation-fields.ts';

export interface CitedPage {
  readonly fields: CitationFields;
  readonly title: string;
  /** The page's label. */
  readonly label: string;
  /** The institution that holds the original; empty where nobody says it. */
  readonly holder: string;
  readonly rights: string;
  /** The full address of the view. */
  readonly address: string;
  /** The day of access, `2026-05-03`. */
  readonly accessed: string;
}

export type CitationFormat = 'ris' | 'bib';

export const citationMediaTypes: Readonly<Record<CitationFormat, string>> = {
  ris: 'application/x-research-info-systems',
  bib: 'application/x-bibtex',
};

const risTypes: Readonly<Record<ItemType, string>> = {
  book: 'BOOK',
  manuscript: 'MANSCPT',
  map: 'MAP',
  letter: 'PCOMM',
  artwork: 'ART',
  document: 'GEN',
};

const yearIn = (date: string): string => /\b\d{3,4}\b/.exec(date)?.[0] ?? '';

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A record of RIS: a line for each pair of a tag and a value, which ends with CR LF. */
export function risText({ fields, title, label, holder, rights, address, accessed }: CitedPage): string {
  const pairs: readonly (readonly [tag: string, value: string])[] = [
    ['TY', risTypes[fields.itemType]],
    ['TI', title],
    ...fields.authors.map((author) => ['AU', author] as const),
    ['PY', yearIn(fields.date)],
    ['DA', fields.date],
    ['PB', fields.publisher],
    ['CY', fields.place],
    ['LA', fields.language],
    ['SP', label],
    ['CN', fields.callNumber],
    ['DO', fields.doi],
    ['SN', fields.isbn],
    ['DB', holder],
    ['C1', rights],
    ['UR', address],
    ['Y2', accessed.replaceAll('-', '/')],
  ];
  const lines = pairs.flatMap(([tag, value]) => (oneLine(value) === '' ? [] : [`${tag}  - ${oneLine(value)}`]));
  return `${[...lines, 'ER  - '].join('\r\n')}\r\n`;
}

/** TeX reads these as commands. */
const texForms: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

const texText = (text: string): string =>
  oneLine(text)
    .replace(/[\\{}~^]/g, (character) => texForms[character] ?? '')
    .replace(/[#$%&_]/g, '\\$&');

/** Of the first author's name, the year and the first word of the title: `fuchs1543new`. */
function keyOf({ fields, title }: CitedPage): string {
  const plain = (text: string): string =>
    text
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9 ]/g, '')
      .toLowerCase();
  const [author = ''] = fields.authors;
  const name = author.includes(',') ? author.split(',')[0] : author.split(' ').at(-1);
  const [word = ''] = plain(title)
    .split(' ')
    .filter((part) => part.length > 2);
  return plain(`${name ?? ''}${yearIn(fields.date)}${word}`).replaceAll(' ', '') || 'page';
}

/** An entry of BibTeX; addresses are written as they are. */
export function bibtexText(cited: CitedPage): string {
  const { fields, title, label, holder, rights, address, accessed } = cited;
  const pairs: readonly (readonly [name: string, value: string])[] = [
    ['title', texText(title)],
    ['author', fields.authors.map(texText).join(' and ')],
    ['year', yearIn(fields.date)],
    ['publisher', texText(fields.publisher)],
    ['address', texText(fields.place)],
    ['language', texText(fields.language)],
    ['pages', texText(label)],
    ['doi', fields.doi],
    ['isbn', fields.isbn],
    ['note', texText([holder, fields.callNumber, rights].filter((text) => text !== '').join(', '))],
    ['url', address.replace(/[{}\\]/g, (character) => encodeURIComponent(character))],
    ['urldate', accessed],
  ];
  const lines = pairs.filter(([, value]) => value !== '').map(([name, value]) => `  ${name} = {${value}},`);
  const type = fields.itemType === 'book' ? 'book' : 'misc';
  return `@${type}{${keyOf(cited)},\n${lines.join('\n')}\n}\n`;
}
