/** The text of a page for the reading room: numbered words and lines with their boxes, and what of them is copied. */
import type { TextAnswer } from '../../../../src/core/image/page-text/text-answer.ts';
import { boxAround, cornersOf } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';

export type TextDirection = TextAnswer['direction'];

type AnsweredLine = TextAnswer['blocks'][number]['lines'][number];
type AnsweredWord = AnsweredLine['words'][number];

/** Left, top, width and height in pixels of the upright image. */
export type PixelBox = readonly [x: number, y: number, width: number, height: number];

export interface TextWord {
  readonly text: string;
  /** In pixels of the upright image; undefined where nothing says where the word is. */
  readonly box: Rect | undefined;
  readonly confidence: number | undefined;
  readonly joined: string | undefined;
  /** BCP 47, where it is another one than that of the line. */
  readonly language: string | undefined;
  /** The index of its line. */
  readonly line: number;
}

export interface TextLine {
  /** The indices of its first word and of the one after its last. */
  readonly from: number;
  readonly to: number;
  /** In pixels of the upright image. */
  readonly box: Rect | undefined;
  /** The index of its paragraph or column. */
  readonly block: number;
  readonly direction: TextDirection;
  /** BCP 47; undefined where nothing says it. */
  readonly language: string | undefined;
}

export interface PageText {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly TextLine[];
  /** In reading order. */
  readonly words: readonly TextWord[];
}

const rectOf = ([x, y, width, height]: PixelBox): Rect => ({ x, y, width, height });

/** The smallest rectangle around some; undefined for none. */
export const around = (boxes: readonly Rect[]): Rect | undefined => boxAround(boxes.flatMap(cornersOf));

/** Parts of a line's box for words that have none, by their numbers of characters with a space between them. */
function sharedOut(line: Rect, words: readonly AnsweredWord[], direction: TextDirection): readonly Rect[] {
  const total = words.reduce((sum, { text }) => sum + text.length + 1, -1);
  let before = 0;
  return words.map(({ text }) => {
    const [start, length] = [before / total, text.length / total];
    before += text.length + 1;
    const { x, y, width, height } = line;
    if (direction === 'ttb') return { x, y: y + start * height, width, height: length * height };
    const offset = direction === 'rtl' ? 1 - start - length : start;
    return { x: x + offset * width, y, width: length * width, height };
  });
}

function boxesOf({ box, words }: AnsweredLine, direction: TextDirection): readonly (Rect | undefined)[] {
  return box === undefined || words.some((word) => word.box !== undefined)
    ? words.map((word) => word.box && rectOf(word.box))
    : sharedOut(rectOf(box), words, direction);
}

/** Numbers the lines and words of an answer; lines without words are left out. */
export function readPageText({ width, height, language, direction, blocks }: Omit<TextAnswer, 'source'>): PageText {
  const lines: TextLine[] = [];
  const words: TextWord[] = [];
  for (const [block, inBlock] of blocks.entries()) {
    for (const line of inBlock.lines) {
      if (line.words.length === 0) continue;
      const runs = line.direction ?? inBlock.direction ?? direction;
      const boxes = boxesOf(line, runs);
      const from = words.length;
      for (const [at, { text, confidence, joined, language: own }] of line.words.entries()) {
        words.push({ text, box: boxes[at], confidence, joined, language: own, line: lines.length });
      }
      const box = line.box ? rectOf(line.box) : around(boxes.filter((one) => one !== undefined));
      const spoken = line.language ?? inBlock.language ?? language;
      lines.push({ from, to: words.length, box, block, direction: runs, language: spoken });
    }
  }
  return { width, height, lines, words };
}

/** The words of a line. */
export const wordsOfLine = ({ words }: PageText, { from, to }: TextLine): readonly TextWord[] => words.slice(from, to);

/** Words below this are uncertain, from 0 to 1. */
export const certainFrom = 0.8;

export const isUncertain = ({ confidence }: TextWord): boolean => confidence !== undefined && confidence < certainFrom;

/** The words whose middle lies in a rectangle, by their indices. Pixels. */
export function wordsWithin({ words }: PageText, { x, y, width, height }: Rect): readonly number[] {
  const isInside = ({ x: across, y: down }: Point): boolean =>
    across >= x && across <= x + width && down >= y && down <= y + height;
  return words.flatMap(({ box }, at) =>
    box && isInside({ x: box.x + box.width / 2, y: box.y + box.height / 2 }) ? [at] : [],
  );
}
