/** Bytes to text, in the encoding that a byte order mark or an XML declaration names. */
import { quote } from './nearest.ts';

const byteOrderMarks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding by the byte order mark, else as the XML declaration writes it, else UTF-8 (XML 1.0, appendix F). */
export function encodingOf(bytes: Buffer): string {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return marked[0];
  const start = bytes.toString('latin1', 0, 200);
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']/.exec(start)?.[1] ?? 'utf-8';
}

/** The text of bytes; undefined where they are not valid in the encoding, or TextDecoder does not support it. */
export function decodeStrictly(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The encodings that are read, by the names that a declaration may have for them, as TextDecoder calls them. */
const encodings: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
  ['windows-1252', 'windows-1252'],
  ['utf-16', 'utf-16le'],
  ['utf-16le', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
]);

/** What is wrong with bytes: a sentence, and a line from 1; 0 where it has none. */
export interface DecodingFault {
  readonly line: number;
  readonly message: string;
}

/** The text of a file beside images, in the encoding that it declares or is known to have. */
export function decodeXml(bytes: Buffer, declared = encodingOf(bytes)): string | DecodingFault {
  const encoding = encodings.get(declared.toLowerCase());
  if (encoding === undefined) {
    const message = `The encoding ${quote(declared)} is not one that is read here; save the file as UTF-8.`;
    return { line: 1, message };
  }
  const message = `The file has bytes that are not ${encoding.toUpperCase()}; save it as UTF-8.`;
  return decodeStrictly(bytes, encoding) ?? { line: 0, message };
}
