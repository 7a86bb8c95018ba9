/** Formats citations, as texts, as RIS and BibTeX, and as HTML that shows images and viewers in other pages. */
import {
  type CitationFields,
  type ItemType,
  isCallNumberLabel,
} from '../../../../src/core/image/folder/citation-fields.ts';

const characters: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => characters[character] ?? character);

export const imageTag = (src: string, alt: string): string =>
  `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(alt)}">`;

interface CitationParts {
  /** The institution that holds the original or requires attribution. */
  readonly holder?: string;
  readonly title: string;
  readonly label: string;
  readonly signature?: string;
  readonly address: string;
  /** The date of access in the reader's language, as "accessed 3 May 2026". */
  readonly accessed: string;
}

/** Joins the texts that are not empty. */
const joinWith = (punctuation: string, texts: readonly string[]): string =>
  texts.filter((text) => text !== '').join(`${punctuation} `);

/** The call number in the metadata; empty if there is none. */
export const signatureIn = (lines: readonly { readonly label: string; readonly value: readonly string[] }[]): string =>
  lines.find(({ label }) => isCallNumberLabel(label))?.value.join(', ') ?? '';

/** One line: `Holder, Title (signature), page. Address (accessed …)`, without the parts that are empty. */
export function citationText({ holder = '', title, label, signature = '', address, accessed }: CitationParts): string {
  const isNamed = (holder + title).includes(signature);
  const source = [title, signature === '' || isNamed ? '' : `(${signature})`].filter((text) => text !== '').join(' ');
  const work = joinWith(',', [holder.replace(/[.,;]+$/, ''), source, label]);
  const link = accessed === '' ? address : `${address} (${accessed})`;
  return joinWith(/[.!?]$/.test(work) ? '' : '.', [work, link]);
}

/** A text that the reader has edited, and the address that it contained then. */
export interface EditedText {
  readonly text: string;
  readonly address: string;
}

export const replaceAddress = ({ text, address }: EditedText, current: string): string =>
  text.replaceAll(address, () => current);

export const frameTag = (address: string, title: string): string =>
  `<iframe src="${escapeAttribute(address)}" title="${escapeAttribute(title)}" width="100%" height="600" allow="fullscreen; clipboard-write"></iframe>`;

/** The viewer as a custom element, which scripts can control; `script` is the address of the element's module. */
export const elementTag = (address: string, script: string, title: string): string =>
  `<script type="module" src="${escapeAttribute(script)}"></script>
<lectern-viewer src="${escapeAttribute(address)}" title="${escapeAttribute(title)}"></lectern-viewer>`;

export interface CitedPage {
  readonly fields: CitationFields;
  readonly title: string;
  readonly label: string;
  /** The institution that holds the original; empty where nobody says it. */
  readonly holder: string;
  readonly rights: string;
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
