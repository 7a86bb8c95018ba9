/** The bytes of a text's file as text: UTF-8, UTF-16, or the encoding that an XML declaration names. */
import { decodeStrictly, encodingOf } from '../../../core/text/encoding.ts';
import { quote } from '../../../core/text/quote.ts';
import { TextFaultError } from './text-fault.ts';

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

/** UTF-16 without a byte order mark, where the first two characters are of ASCII. */
function unmarkedUtf16(bytes: Buffer): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be';
  return a !== 0 && b === 0 && c !== 0 && d === 0 ? 'utf-16le' : undefined;
}

function decodeAs(bytes: Buffer, encoding: string): string {
  const text = decodeStrictly(bytes, encoding);
  if (text !== undefined) return text;
  throw new TextFaultError(`The file has bytes that are not ${encoding.toUpperCase()}; save it as UTF-8.`);
}

/** Throws TextFaultError for an encoding that is not read, and for bytes that are not of theirs. */
export function decodeXml(bytes: Buffer): string {
  const declared = unmarkedUtf16(bytes) ?? encodingOf(bytes);
  const encoding = encodings.get(declared.toLowerCase());
  if (encoding !== undefined) return decodeAs(bytes, encoding);
  throw new TextFaultError(`The encoding ${quote(declared)} is not one that is read here; save the file as UTF-8.`, 1);
}

/** The text of a plain file: by its byte order mark, else UTF-8. Throws TextFaultError. */
export function decodePlain(bytes: Buffer): string {
  const marked = bytes[0] === 0xff || bytes[0] === 0xfe ? encodingOf(bytes) : undefined;
  return decodeAs(bytes, unmarkedUtf16(bytes) ?? marked ?? 'utf-8');
}
