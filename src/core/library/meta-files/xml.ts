/** Reads the XML of `.meta` files, more strictly than the parser: faults are returned with their line, never thrown. */
import type { Element } from '@xmldom/xmldom';
import { decodeStrictly, encodingOf } from '../../text/encoding.ts';
import { quote } from '../../text/quote.ts';
import { childElements, parseXmlDocument, XmlSyntaxError } from '../../text/xml.ts';

export interface XmlFault {
  /** From 1; 0 where the fault has no line. */
  readonly line: number;
  readonly message: string;
}

/** The encodings that are read, by the names that a declaration may have for them, as TextDecoder calls them. */
const encodings: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['utf-16le', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
]);

function decode(bytes: Buffer): string | XmlFault {
  const declared = encodingOf(bytes);
  const encoding = encodings.get(declared.toLowerCase());
  if (encoding === undefined) {
    const message = `The encoding ${quote(declared)} is not one that is read here; save the file as UTF-8.`;
    return { line: 1, message };
  }
  const message = `The file has bytes that are not ${encoding.toUpperCase()}; save it as UTF-8.`;
  return decodeStrictly(bytes, encoding) ?? { line: 0, message };
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split(/\r\n|\r|\n/).length;

/** Where a document type is declared, as an index into the text; undefined where none is. */
function indexOfDoctype(text: string): number | undefined {
  // Only white space, comments and processing instructions may precede it.
  const before = /\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/y;
  let index = 0;
  while (before.test(text)) index = before.lastIndex;
  return text.startsWith('<!DOCTYPE', index) ? index : undefined;
}

/** Whether XML 1.0 (production 2) allows a character. */
const isCharacter = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xfffd && !(code >= 0xd800 && code <= 0xdfff)) ||
  (code >= 0x10000 && code <= 0x10ffff);

/** Checks what the parser accepts although XML does not: lone ampersands and characters that are not allowed. */
function faultOfCharacters(text: string): XmlFault | undefined {
  const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.exec(text);
  if (control)
    return { line: lineAt(text, control.index), message: 'There is a control character, which XML does not allow.' };
  const pattern = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|&(?:[a-z]+;|#(\d+);|#x([\da-f]+);)?/gi;
  for (const { 0: found, 1: decimal, 2: hexadecimal, index } of text.matchAll(pattern)) {
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hexadecimal ?? '20', 16);
    if (found === '&') return { line: lineAt(text, index), message: 'There is an & alone; write &amp;.' };
    if (!isCharacter(code))
      return { line: lineAt(text, index), message: `XML does not allow the character ${quote(found)}.` };
  }
  return undefined;
}

function parse(text: string): Element | XmlFault {
  try {
    return parseXmlDocument(text).root;
  } catch (error) {
    if (!(error instanceof XmlSyntaxError)) throw error;
    return { line: error.line, message: `The XML is not well-formed: ${quote(error.message)}.` };
  }
}

/** The root element of an XML file that is well-formed and declares no document type, or the first fault. */
export function readXml(bytes: Buffer): Element | XmlFault {
  const text = decode(bytes);
  if (typeof text !== 'string') return text;
  const doctype = indexOfDoctype(text);
  if (doctype !== undefined) {
    const message = 'A document type (<!DOCTYPE …>) is not read here; leave it out.';
    return { line: lineAt(text, doctype), message };
  }
  const root = parse(text);
  return 'message' in root ? root : (faultOfCharacters(text) ?? root);
}

const localNameOf = (element: Element): string => element.localName ?? element.nodeName;

/** The child elements that have one of these local names, in document order. */
export const elementsIn = (element: Element, ...names: readonly string[]): readonly Element[] =>
  childElements(element).filter((child) => names.includes(localNameOf(child)));

/** The descendants at a path of local names below these elements. */
export const elementsAt = (elements: readonly Element[], ...path: readonly string[]): readonly Element[] =>
  path.reduce((found, name) => found.flatMap((element) => elementsIn(element, name)), elements);

/** Whether an element has this local name, in any namespace. */
export const isNamed = (element: Element, name: string): boolean => localNameOf(element) === name;

/** The trimmed text of an element; undefined where it is empty. */
export const textOf = (element: Element | undefined): string | undefined => element?.textContent?.trim() || undefined;
