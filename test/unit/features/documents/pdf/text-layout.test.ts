import { describe, expect, it } from 'vitest';
import type { CoverFonts } from '../../../../../src/features/documents/pdf/fonts.ts';
import { layOut } from '../../../../../src/features/documents/pdf/text-layout.ts';

const font = (name: string) => ({ name, file: Buffer.alloc(0), has: () => true });
const latin = font('latin');
const arabic = font('arabic');

/** Latin letters and digits have one font, Arabic ones another, and all others none. */
const fonts: CoverFonts = {
  fontFor(codePoint) {
    if (codePoint < 0x250 || codePoint === 0x2026) return latin;
    return codePoint >= 0x600 && codePoint < 0x700 ? arabic : undefined;
  },
};

/** Every character is 10 points wide. */
const options = {
  fonts,
  weight: 'regular',
  width: 100,
  maxLines: 9,
  measure: (text: string) => text.length * 10,
} as const;

const linesOf = (text: string, more: object = {}) =>
  layOut(text, { ...options, ...more }).lines.map(({ pieces }) => pieces.map((piece) => piece.text).join(''));

describe('a paragraph', () => {
  it('is broken between words', () => expect(linesOf('one two three four')).toEqual(['one two', 'three four']));

  it('parts a word that is longer than a line', () =>
    expect(linesOf('abcdefghijklmno')).toEqual(['abcdefghij', 'klmno']));

  it('ends with an ellipsis where it has too many lines', () =>
    expect(linesOf('one two three four five six', { maxLines: 2 })).toEqual(['one two', 'three fou…']));

  it('leaves out characters that no font has', () => expect(linesOf('a中b')).toEqual(['ab']));

  it('from right to left has its first word at the right', () => {
    const { lines, rightToLeft } = layOut('باب ثان', { ...options });
    expect(rightToLeft).toBe(true);
    expect(lines[0]?.pieces.map(({ text }) => text)).toEqual(['ثان', ' ', 'باب']);
    expect(lines[0]?.pieces.map(({ x }) => x)).toEqual([0, 30, 40]);
  });

  it('keeps numbers in text from right to left as they are', () => {
    expect(layOut('باب 15', { ...options }).lines[0]?.pieces.map(({ text }) => text)).toEqual(['15', ' ', 'باب']);
  });

  it('of two scripts has a piece for each font', () => {
    const { lines } = layOut('ab باب', { ...options });
    expect(lines[0]?.pieces.map((piece) => piece.font.name)).toEqual(['latin', 'latin', 'arabic']);
  });

  it('of nothing has no lines', () => expect(layOut(' \n ', { ...options }).lines).toEqual([]));
});
