/** XML documents of the digilib endpoints: as data, and as text (digilib.md, section 4). */

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

const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

const escaped = (text: string, special: RegExp): string =>
  text
    .replace(notInXml, '\ufffd')
    .replace(special, (character) => escapes[character] ?? `&#${character.charCodeAt(0)};`);

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
