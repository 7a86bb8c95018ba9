/** Puts texts that come from files into sentences for people. */

const maxQuoted = 60;

/** A text in quotation marks: on one line, without control characters, at most 60 characters long. */
export function quote(text: string): string {
  const plain = text.slice(0, 4 * maxQuoted).replace(/[\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g, ' ');
  return `“${plain.length > maxQuoted ? `${plain.slice(0, maxQuoted - 1)}…` : plain}”`;
}

/** An enumeration such as `“a”, “b” and “c”`. */
export function enumerate(texts: readonly string[], conjunction = 'and'): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${conjunction} ${texts.at(-1)}`;
}
