/** Formats citations, and images as HTML. */
import { isCallNumberLabel } from '../../../src/core/image/folder/citation-fields.ts';

const characters: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text for an attribute in double quotes. */
export const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => characters[character] ?? character);

export const imageTag = (src: string, alt: string): string =>
  `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(alt)}">`;

export interface CitationParts {
  /** The institution that holds the original or requires attribution. */
  readonly holder?: string;
  /** The folder's title. */
  readonly title: string;
  /** The page's label. */
  readonly label: string;
  /** The call number. */
  readonly signature?: string;
  /** The full address of the view. */
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

/** The text with the address of the current view. */
export const replaceAddress = ({ text, address }: EditedText, current: string): string =>
  text.replaceAll(address, () => current);
