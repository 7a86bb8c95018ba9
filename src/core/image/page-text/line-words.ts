/** The words of a line of which a file has only the text as a whole. */
import type { Rect } from '../model/geometry.ts';
import type { TextDirection } from './page-text.ts';
import type { SourceWord } from './source-page.ts';

const wordsIn = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

/** The place of the characters from `from` to `to`, fractions of the line, where all characters are of the same width. */
function partOf({ x, y, width, height }: Rect, from: number, to: number, direction: TextDirection): Rect {
  if (direction === 'ttb') return { x, y: y + from * height, width, height: (to - from) * height };
  const start = direction === 'rtl' ? 1 - to : from;
  return { x: x + start * width, y, width: (to - from) * width, height };
}

/** The words of a text; where the line has a box, each gets the part of it that its characters take of all. */
export function wordsOfLine(text: string, box: Rect | undefined, direction: TextDirection): readonly SourceWord[] {
  const words = wordsIn(text);
  if (box === undefined) return words.map((word) => ({ text: word }));
  const total = words.reduce((sum, word) => sum + [...word].length, words.length - 1);
  let at = 0;
  return words.map((word) => {
    const length = [...word].length;
    const part = partOf(box, at / total, (at + length) / total, direction);
    at += length + 1;
    return { text: word, box: part };
  });
}
