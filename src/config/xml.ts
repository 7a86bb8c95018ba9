/** Reads small XML files, such as digilib's configuration, into plain elements that know their lines. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Element, Node } from '@xmldom/xmldom';
import { decodeStrictly, encodingOf } from '../core/text/encoding.ts';
import { childElements, parseXmlDocument, XmlSyntaxError } from '../core/text/xml.ts';

export interface XmlElement {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  /** The text inside, without that of other elements. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** A file that can't be read as XML, with a message in one sentence that names it. */
export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlError';
  }
}

const maxBytes = 1024 * 1024;
const maxDepth = 100;

const isText = (node: Node): boolean => node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE;

function plain(element: Element, depth: number): XmlElement {
  if (depth > maxDepth) throw new XmlError(`its elements are nested more than ${maxDepth} deep`);
  return {
    name: element.nodeName,
    line: element.lineNumber ?? 1,
    attributes: new Map(Array.from(element.attributes, ({ name, value }) => [name, value])),
    text: Array.from(element.childNodes)
      .filter(isText)
      .map((node) => node.nodeValue ?? '')
      .join(''),
    children: childElements(element).map((child) => plain(child, depth + 1)),
  };
}

function decode(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  const text = decodeStrictly(bytes, encoding);
  if (text === undefined) throw new XmlError(`it is not in the encoding ${encoding}`);
  return text;
}

/** The root element of a text. Throws XmlError without the file's name. */
export function parseXml(text: string): XmlElement {
  try {
    const { root, hasDeclarations } = parseXmlDocument(text);
    if (hasDeclarations) {
      throw new XmlError('it has a DOCTYPE with declarations of its own, such as entities, which are not read');
    }
    return plain(root, 1);
  } catch (error) {
    if (!(error instanceof XmlSyntaxError)) throw error;
    const line = error.line > 0 ? `line ${error.line}: ` : '';
    throw new XmlError(`${line}it is no well-formed XML: ${error.message.split('\n')[0]}`);
  }
}

/** The root element of a file of at most 1 MiB. Throws XmlError in one sentence with the file and the line. */
export function readXmlFile(file: string): XmlElement {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new XmlError(`there is no file ${file}`);
  const name = path.basename(file);
  if (stats.size > maxBytes) throw new XmlError(`${name}: it is larger than 1 MiB`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new XmlError(`the file ${file} can’t be read`);
  }
  try {
    return parseXml(decode(bytes));
  } catch (error) {
    throw error instanceof XmlError ? new XmlError(`${name}: ${error.message}`) : error;
  }
}

/** The outermost elements of this name, wherever they stand. */
export const elementsNamed = (root: XmlElement, name: string): readonly XmlElement[] =>
  root.name === name ? [root] : root.children.flatMap((child) => elementsNamed(child, name));
