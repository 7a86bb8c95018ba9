/** Reads the small XML files of digilib's configuration. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { decodeStrictly, encodingOf } from '../../core/parsing/encoding.ts';
import { parseXmlDocument, type XmlElement, XmlSyntaxError } from '../../core/parsing/xml.ts';

/** A file that can't be read as XML, with a message in one sentence that names it. */
export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlError';
  }
}

const maxBytes = 1024 * 1024;

function decode(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  const text = decodeStrictly(bytes, encoding);
  if (text === undefined) throw new XmlError(`it is not in the encoding ${encoding}`);
  return text;
}

/** The root element of a text. Throws XmlError without the file's name. */
export function parseXml(text: string): XmlElement {
  try {
    return parseXmlDocument(text, {
      doctype(content) {
        if (content.includes('['))
          throw new XmlError('it has a DOCTYPE with declarations of its own, such as entities, which are not read');
      },
    });
  } catch (error) {
    if (!(error instanceof XmlSyntaxError)) throw error;
    const line = error.line > 0 ? `line ${error.line}: ` : '';
    throw new XmlError(`${line}it is no well-formed XML: ${error.message.replace(/\.$/, '')}`);
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
