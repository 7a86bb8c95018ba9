/** Turns the bytes of an XML file into its root element, or says in a sentence what is wrong with it. */
import { DOMParser, type Element } from '@xmldom/xmldom';
import { quote } from '../metadata/faults.ts';

/** Where in a text something is wrong, and what. */
export interface XmlFault {
  /** From 1; 0 where the fault has no place. */
  readonly line: number;
  /** A sentence. */
  readonly message: string;
}

export type XmlReading =
  | { readonly kind: 'document'; readonly root: Element }
  | { readonly kind: 'faulty'; readonly fault: XmlFault };

const faulty = (line: number, message: string): XmlReading => ({ kind: 'faulty', fault: { line, message } });

const byteOrderMarks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Encodings that an XML declaration may name, by the names that TextDecoder has for them. */
const declarable: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
]);

/** The encoding by the byte order mark, else by the XML declaration (XML 1.0, appendix F). */
function encodingOf(bytes: Buffer): string {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, place) => bytes[place] === byte));
  if (marked !== undefined) return marked[0];
  const start = bytes.toString('latin1', 0, 200);
  const declared = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(start)?.[1] ?? 'utf-8';
  return declarable.get(declared.toLowerCase()) ?? declared;
}

function decode(bytes: Buffer): { readonly text: string } | XmlReading {
  const encoding = encodingOf(bytes);
  const supported = [...byteOrderMarks.map(([name]) => name), ...declarable.values()];
  if (!supported.includes(encoding))
    return faulty(1, `The encoding ${quote(encoding)} is not one that is read here; save the file as UTF-8.`);
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return faulty(0, `The file has bytes that are not ${encoding.toUpperCase()}; save it as UTF-8.`);
  }
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split(/\r\n|\r|\n/).length;

/** Where a document type is declared; undefined where none is. Only these things may stand before it. */
function placeOfDoctype(text: string): number | undefined {
  const before = /\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/y;
  let place = 0;
  while (before.test(text)) place = before.lastIndex;
  return text.startsWith('<!DOCTYPE', place) ? place : undefined;
}

/** Whether XML 1.0 (production 2) allows a character. */
const isCharacter = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xfffd && !(code >= 0xd800 && code <= 0xdfff)) ||
  (code >= 0x10000 && code <= 0x10ffff);

/** What the parser lets pass in a text that has otherwise parsed: lone ampersands, and characters that may not be. */
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

/** A U+FFFD that the file itself holds is no sign of a wrong encoding: the bytes have been decoded strictly. */
const isHarmless = (level: string, message: string): boolean =>
  level === 'warning' && message.startsWith('Unicode replacement character');

function parse(text: string): XmlReading {
  let first: XmlFault | undefined;
  const onError = (
    level: string,
    message: string,
    context: { readonly locator?: { readonly lineNumber?: number } },
  ) => {
    if (isHarmless(level, message)) return;
    first ??= { line: context.locator?.lineNumber ?? 0, message: `The XML is not well-formed: ${quote(message)}.` };
    throw new Error(message);
  };
  try {
    const root = new DOMParser({ onError }).parseFromString(text, 'application/xml').documentElement;
    if (root !== null) return { kind: 'document', root };
  } catch {
    // What is thrown says no more than the first error did, and less well.
  }
  return { kind: 'faulty', fault: first ?? { line: 0, message: 'The XML can’t be read.' } };
}

/** The root element of an XML file that is well-formed and declares no document type. Never throws for what a file holds. */
export function readXml(bytes: Buffer): XmlReading {
  const decoded = decode(bytes);
  if ('kind' in decoded) return decoded;
  const { text } = decoded;
  const doctype = placeOfDoctype(text);
  if (doctype !== undefined)
    return faulty(lineAt(text, doctype), 'A document type (<!DOCTYPE …>) is not read here; leave it out.');
  const reading = parse(text);
  const fault = reading.kind === 'document' ? faultOfCharacters(text) : undefined;
  return fault === undefined ? reading : { kind: 'faulty', fault };
}

function* childrenOf(element: Element): Generator<Element> {
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType === node.ELEMENT_NODE) yield node as Element;
  }
}

const localNameOf = (element: Element): string => element.localName ?? element.nodeName;

/** The elements inside of one that have one of these names, in their order; names count without namespaces. */
export const elementsIn = (element: Element, ...names: readonly string[]): readonly Element[] =>
  [...childrenOf(element)].filter((child) => names.includes(localNameOf(child)));

/** The elements at a path of names below these. */
export const elementsAt = (elements: readonly Element[], ...path: readonly string[]): readonly Element[] =>
  path.reduce((found, name) => found.flatMap((element) => elementsIn(element, name)), elements);

/** Whether an element has this name, whatever its namespace. */
export const isNamed = (element: Element, name: string): boolean => localNameOf(element) === name;

/** The trimmed text of an element; undefined where it has none. */
export const textOf = (element: Element | undefined): string | undefined => element?.textContent?.trim() || undefined;
