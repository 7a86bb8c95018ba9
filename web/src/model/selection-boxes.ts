/** The boxes that selected words cover on the image. */
import { stopsOf } from './caret-at.ts';
import type { WordPart } from './copied-text.ts';
import { around, type PageText, type TextLine, type TextWord } from './page-text.ts';
import type { Rect } from './view-state.ts';
import { wordBoxes } from './word-layout.ts';

/** The part of a word's box that some of its characters cover: all characters are taken as equally long. */
function boxOfPart(box: Rect, { text }: TextWord, { from, to }: WordPart, direction: TextLine['direction']): Rect {
  const stops = stopsOf(text);
  const fractionAt = (offset: number): number => stops.findLastIndex((stop) => stop <= offset) / (stops.length - 1);
  const [start, end] = [fractionAt(from), fractionAt(to)];
  const { x, y, width, height } = box;
  if (direction === 'ttb') return { x, y: y + start * height, width, height: (end - start) * height };
  const left = direction === 'rtl' ? 1 - end : start;
  return { x: x + left * width, y, width: (end - start) * width, height };
}

/** One box for each line, in pixels of the image. Words without a place have none. */
export function selectionBoxes(text: PageText, parts: readonly WordPart[]): readonly Rect[] {
  const byLine = new Map<number, Rect[]>();
  for (const part of parts) {
    const word = text.words[part.word];
    const line = word && text.lines[word.line];
    const box = line && wordBoxes(text, line)[part.word - line.from];
    if (word === undefined || line === undefined || box === undefined) continue;
    const boxes = byLine.get(word.line) ?? [];
    boxes.push(boxOfPart(box, word, part, line.direction));
    byLine.set(word.line, boxes);
  }
  return [...byLine.values()].flatMap((boxes) => around(boxes) ?? []);
}
