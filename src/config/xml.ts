/** Reads small XML files, such as digilib's configuration, into plain elements that know their lines. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DOMParser, type Element, type Node, ParseError } from '@xmldom/xmldom';

export interface XmlElement {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  /** The text inside, without that of other elements. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** A file that can't be read as XML, said in one sentence that names it. */
export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlError';
  }
}

const maxBytes = 1024 * 1024;
const maxDepth = 100;

const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;
const isText = (node: Node): boolean => node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE;

function plain(element: Element, depth: number): XmlElement {
  if (depth > maxDepth) throw new XmlError(`its elements are nested more than ${maxDepth} deep`);
  const nodes = Array.from(element.childNodes);
  return {
    name: element.nodeName,
    line: element.lineNumber ?? 1,
    attributes: new Map(Array.from(element.attributes, ({ name, value }) => [name, value])),
    text: nodes
      .filter(isText)
      .map((node) => node.nodeValue ?? '')
      .join(''),
    children: nodes.filter(isElement).map((child) => plain(child, depth + 1)),
  };
}

/** The text in the encoding that its first bytes or its declaration name; UTF-8 where they name none (XML 1.0, 4.3.3). */
function decode(bytes: Buffer): string {
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1];
  const mark = bytes.toString('latin1', 0, 2);
  const encoding = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : (declared ?? 'utf-8');
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new XmlError(`it is not in the encoding ${encoding}`);
  }
}

/** What the parser says of a place, in its own words but without its marks of position. */
function faultOf(error: unknown, level: string | undefined): string {
  if (error instanceof XmlError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const line =
    error instanceof ParseError ? (error.locator as { lineNumber?: number } | undefined)?.lineNumber : undefined;
  const where = line === undefined || line < 1 ? '' : `line ${line}: `;
  return `${where}it is no well-formed XML: ${(level ?? message).split('\n')[0]}`;
}

/** The root element of a text. Throws XmlError without the file's name. */
export function parseXml(text: string): XmlElement {
  let said: string | undefined;
  const parser = new DOMParser({
    // Every complaint counts: what this parser only warns of, digilib's refuses.
    onError: (_level, message) => {
      said ??= message;
      throw new Error(message);
    },
  });
  try {
    const document = parser.parseFromString(text, 'text/xml');
    if (document.doctype?.internalSubset) {
      throw new XmlError('it has a DOCTYPE with declarations of its own, such as entities, which are not read');
    }
    if (document.documentElement === null) throw new XmlError('it has no element');
    return plain(document.documentElement, 1);
  } catch (error) {
    throw new XmlError(faultOf(error, said));
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
