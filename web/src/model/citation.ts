/** Texts to paste elsewhere: an image for a page, and a citation. */

const characters: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text inside of an attribute in double quotes. */
export const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => characters[character] ?? character);

/** An image of a page, in HTML. */
export const imageTag = (src: string, alt: string): string =>
  `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(alt)}">`;

/** What a citation is put together from. */
export interface CitationPieces {
  /** The folder's title. */
  readonly title: string;
  /** What the page is called. */
  readonly label: string;
  /** The call number, where the metadata has one. */
  readonly signature?: string;
  /** The full address of the view. */
  readonly address: string;
  /** When it was looked at, in the reader's language, as "accessed 3 May 2026". */
  readonly seen: string;
}

/** The texts that are not empty, with a mark between. */
const joinWith = (mark: string, texts: readonly string[]): string =>
  texts.filter((text) => text !== '').reduce((before, text) => (before === '' ? text : `${before}${mark} ${text}`), '');

/** The citation as one line: `Title (signature), page. Address (accessed …)`. What is empty is left out. */
export function citationText({ title, label, signature = '', address, seen }: CitationPieces): string {
  const source = [title, signature === '' ? '' : `(${signature})`].filter((text) => text !== '').join(' ');
  const place = joinWith(',', [source, label]);
  const link = seen === '' ? address : `${address} (${seen})`;
  return joinWith(/[.!?]$/.test(place) ? '' : '.', [place, link]);
}
