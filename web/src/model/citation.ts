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
export interface CitationParts {
  /** Who holds the original, or must be named. */
  readonly holder?: string;
  /** The folder's title. */
  readonly title: string;
  /** What the page is called. */
  readonly label: string;
  /** The call number, where the metadata has one. */
  readonly signature?: string;
  /** The full address of the view. */
  readonly address: string;
  /** When it was looked at, in the reader's language, as "accessed 3 May 2026". */
  readonly accessed: string;
}

/** The texts that are not empty, with a mark between. */
const joinWith = (mark: string, texts: readonly string[]): string =>
  texts.filter((text) => text !== '').reduce((before, text) => (before === '' ? text : `${before}${mark} ${text}`), '');

/** What a call number is labeled in metadata, in the languages of those who write it. */
const signatureLabel = /^(?:signatur[ae]?|shelf[ -]?mark|press[ -]?mark|call (?:number|no\.?)|cote|segnatura)\b/i;

/** The call number that the metadata has, and empty where it has none. */
export const signatureIn = (lines: readonly { readonly label: string; readonly value: readonly string[] }[]): string =>
  lines.find(({ label }) => signatureLabel.test(label.trim()))?.value.join(', ') ?? '';

/** The citation as one line: `Holder, Title (signature), page. Address (accessed …)`. What is empty is left out. */
export function citationText({ holder = '', title, label, signature = '', address, accessed: seen }: CitationParts): string {
  const isNamed = (holder + title).includes(signature);
  const source = [title, signature === '' || isNamed ? '' : `(${signature})`].filter((text) => text !== '').join(' ');
  const place = joinWith(',', [holder.replace(/[.,;]+$/, ''), source, label]);
  const link = seen === '' ? address : `${address} (${seen})`;
  return joinWith(/[.!?]$/.test(place) ? '' : '.', [place, link]);
}

/** A text that somebody has changed, with the address of now in place of the one that it was written for. */
export interface EditedText {
  readonly text: string;
  readonly address: string;
}

export const replaceAddress = ({ text, address }: EditedText, now: string): string =>
  text.replaceAll(address, () => now);
