/** The bytes of a text's file as text: UTF-8, UTF-16, or the encoding that an XML declaration names. */
import { decodeXml, encodingOf } from '../../../core/text/encoding.ts';
import { TextFaultError } from './text-fault.ts';

/** UTF-16 without a byte order mark, where the first two characters are of ASCII. */
function unmarkedUtf16(bytes: Buffer): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be';
  return a !== 0 && b === 0 && c !== 0 && d === 0 ? 'utf-16le' : undefined;
}

function decodeAs(bytes: Buffer, encoding: string): string {
  const text = decodeXml(bytes, encoding);
  if (typeof text === 'string') return text;
  throw new TextFaultError(text.message, text.line);
}

/** Throws TextFaultError for an encoding that is not read, and for bytes that are not of theirs. */
export const decodeMarkup = (bytes: Buffer): string => decodeAs(bytes, unmarkedUtf16(bytes) ?? encodingOf(bytes));

/** The text of a plain file: by its byte order mark, else UTF-8. Throws TextFaultError. */
export function decodePlain(bytes: Buffer): string {
  const marked = bytes[0] === 0xff || bytes[0] === 0xfe ? encodingOf(bytes) : undefined;
  return decodeAs(bytes, unmarkedUtf16(bytes) ?? marked ?? 'utf-8');
}
