/** Writes XML documents with xmldom, which escapes text and keeps them well-formed. */
import { DOMImplementation, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import type { XmlElement } from '../text/xml-text.ts';

/** Characters that XML 1.0 can't contain even when escaped (its section 2.2), lone surrogates among them. */
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const writable = (text: string): string => text.replace(notInXml, '\ufffd');

function build(document: Document, { name, attributes = {}, content = [] }: XmlElement): Element {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, writable(value));
  if (typeof content === 'string') element.appendChild(document.createTextNode(writable(content)));
  else for (const child of content) element.appendChild(build(document, child));
  return element;
}

/** A document in UTF-8 with its declaration. */
export function xmlText(root: XmlElement): string {
  const document = new DOMImplementation().createDocument(null, '');
  const element = build(document, root);
  // Readers turn a bare carriage return into a line feed (XML 1.0, section 2.11).
  const text = new XMLSerializer().serializeToString(element).replaceAll('\r', '&#13;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}
