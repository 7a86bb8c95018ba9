/** Joins the words that a hyphen parts between two lines. */
import type { SourceLine, SourceWord } from './source-page.ts';

/** Hyphens that only ever part a word: soft hyphen, not sign (of transcriptions), double oblique hyphen. */
const partingHyphen = /\p{L}[\u00ad\u00ac\u2e17]$/u;

/** Hyphens that can also join two words or end a text: then the next line has to go on in lower case. */
const anyHyphen = /\p{L}[-\u2010\u2011=]$/u;

/** Whether a line that ends with one word and the next line, which begins with the other, part a word. */
export const isContinued = (first: string, next: string): boolean =>
  partingHyphen.test(first) ? /^\p{L}/u.test(next) : anyHyphen.test(first) && /^\p{Ll}/u.test(next);

/** Replaces the last or the first word of a line. */
const withWord = (line: SourceLine, index: number, word: SourceWord): SourceLine => ({
  ...line,
  words: line.words.with(index, word),
});

/** The lines of a block with whole words where lines end with a hyphen, unless the file has said them. */
export function joinHyphenated(lines: readonly SourceLine[]): readonly SourceLine[] {
  const joined = [...lines];
  for (let index = 0; index + 1 < joined.length; index++) {
    const [line, next] = [joined[index], joined[index + 1]];
    const [first, second] = [line?.words.at(-1), next?.words[0]];
    if (line === undefined || next === undefined || first === undefined || second === undefined) continue;
    // A word of three lines is joined with its first two only.
    if (first.joined !== undefined || second.joined !== undefined) continue;
    if (!isContinued(first.text, second.text)) continue;
    const whole = first.text.slice(0, -1) + second.text;
    joined[index] = withWord(line, line.words.length - 1, { ...first, joined: whole });
    joined[index + 1] = withWord(next, 0, { ...second, joined: '' });
  }
  return joined;
}
