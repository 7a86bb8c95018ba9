/** HTML that is escaped by construction: texts and elements alone become markup. */

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
