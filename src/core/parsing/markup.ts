/** HTML and XML that are escaped by construction (XML: digilib.md, section 4). */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A parser would read these two as other characters (HTML, section 13.2.3.5).
  '\r': '&#13;',
  '\0': '\uFFFD',
};

/** Escapes text for HTML, inside and outside of attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\r\0]/g, (character) => escapes[character] ?? '');

declare const markup: unique symbol;

/** HTML in which all foreign text is escaped. */
export type Markup = string & { readonly [markup]: true };

export const textMarkup = (text: string): Markup => escapeHtml(text) as Markup;

export const joined = (parts: readonly (Markup | undefined)[], separator = ''): Markup =>
  parts.filter((part) => part !== undefined && part !== '').join(separator) as Markup;

/** Elements without content and end tag (HTML, section 13.1.2). */
const voidElements: ReadonlySet<string> = new Set(['base', 'br', 'img', 'link', 'meta']);

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with its attributes, without those that are undefined. */
export function element(name: string, attributes: Attributes, ...content: readonly (Markup | undefined)[]): Markup {
  const pairs = Object.entries(attributes).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  const written = pairs.map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`).join('');
  if (voidElements.has(name)) return `<${name}${written} />` as Markup;
  return `<${name}${written}>${joined(content)}</${name}>` as Markup;
}

/**
 * A JSON value as a data block. Nothing in it can end the element: `<` is written as its escape, which JSON reads back
 * (HTML, section 4.12.1.3). It is no script for the browser, so that the policy of the page does not apply to it.
 */
export const dataBlock = (mediaType: string, value: object): Markup =>
  `<script type="${escapeHtml(mediaType)}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>` as Markup;

/** An element with either text or elements in it. */
export interface WrittenElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content?: string | readonly WrittenElement[];
}

/** An element that contains only text. */
export const textElement = (name: string, text: string | number): WrittenElement => ({ name, content: String(text) });

/** Characters that XML 1.0 can't contain even when escaped (its section 2.2), lone surrogates among them. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const xmlEscapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

const escaped = (text: string, special: RegExp): string =>
  text
    .replace(notInXml, '\ufffd')
    .replace(special, (character) => xmlEscapes[character] ?? `&#${character.charCodeAt(0)};`);

function elementText({ name, attributes = {}, content = [] }: WrittenElement): string {
  // Readers turn white space in attributes into spaces, and a bare carriage return into a line feed (XML 1.0, sections 3.3.3 and 2.11).
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value, /[<>&"\t\n\r]/g)}"`);
  const tag = name + pairs.join('');
  if (typeof content === 'string') return `<${tag}>${escaped(content, /[<>&\r]/g)}</${name}>`;
  return content.length === 0 ? `<${tag}/>` : `<${tag}>${content.map(elementText).join('')}</${name}>`;
}

/** A document in UTF-8 with its declaration. */
export const xmlText = (root: WrittenElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${elementText(root)}\n`;
