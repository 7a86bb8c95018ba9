/** Bytes to text, in the encoding that a byte order mark or an XML declaration names. */

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
