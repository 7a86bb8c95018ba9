/** Where words lie on the image: which is at a point, what selected ones cover, and how their letters lie over their pictures. */

import type { Point, Rect } from '../view-state.ts';
import {
  around,
  type Caret,
  type PageText,
  type TextDirection,
  type TextLine,
  type TextWord,
  type WordPart,
} from './page-text.ts';

/** How far a value lies outside of an interval. */
const outside = (value: number, from: number, length: number): number =>
  Math.max(from - value, 0, value - from - length);

/** The distance of a point from a rectangle, in pixels; 0 inside of it. */
const distance = ({ x, y }: Point, box: Rect): number =>
  Math.hypot(outside(x, box.x, box.width), outside(y, box.y, box.height));

function nearest<T>(items: readonly T[], lengthTo: (item: T) => number): T | undefined {
  let [best, least]: [T | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const item of items) {
    const length = lengthTo(item);
    if (length < least) [best, least] = [item, length];
  }
  return best;
}

/** The boxes of the paragraphs and columns, by their indices. */
function blockBounds(text: PageText): readonly (Rect | undefined)[] {
  const boxes: Rect[][] = [];
  for (const { block, box } of text.lines) {
    boxes[block] ??= [];
    if (box !== undefined) boxes[block].push(box);
  }
  return Array.from(boxes, (ofBlock = []) => around(ofBlock));
}

/** How far a point is from a line, in pixels: what comes first decides. */
type Distances = readonly number[];

/**
 * From its paragraph, then across the line, so that a point beside a short line is at its end, then along the line. Boxes of
 * lines that do not lie straight overlap: inside of several, the nearest word decides.
 */
function distancesTo(text: PageText, line: TextLine, toBlock: number, point: Point): Distances {
  const { box } = line;
  if (box === undefined) return [Number.POSITIVE_INFINITY];
  const [across, down] = [outside(point.x, box.x, box.width), outside(point.y, box.y, box.height)];
  const aside = line.direction === 'ttb' ? [across, down] : [down, across];
  if (across > 0 || down > 0) return [toBlock, ...aside];
  const boxes = text.words.slice(line.from, line.to).flatMap((word) => word.box ?? []);
  return [toBlock, ...aside, Math.min(...boxes.map((one) => distance(point, one)))];
}

function isLess(one: Distances, other: Distances): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? Number.POSITIVE_INFINITY);
}

/** The line that is nearest to a point, in pixels of the image; undefined where no line has a place. */
export function lineAt(text: PageText, point: Point): TextLine | undefined {
  const toBlocks = blockBounds(text).map((box) =>
    box === undefined ? Number.POSITIVE_INFINITY : distance(point, box),
  );
  const [nearestBlock, slack] = [Math.min(...toBlocks), 1e-9];
  let [best, least]: [TextLine | undefined, Distances] = [undefined, [Number.POSITIVE_INFINITY]];
  for (const line of text.lines) {
    const toBlock = toBlocks[line.block] ?? Number.POSITIVE_INFINITY;
    if (toBlock > nearestBlock + slack) continue;
    const distances = distancesTo(text, line, toBlock, point);
    if (isLess(distances, least)) [best, least] = [line, distances];
  }
  return best;
}

/** The same only where the point is in the line's own box, or between its words. */
export function lineUnder(text: PageText, point: Point): TextLine | undefined {
  const line = lineAt(text, point);
  return line?.box !== undefined && distance(point, line.box) === 0 ? line : undefined;
}

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Offsets in UTF-16 at which a caret can stand: between characters as readers see them. */
const stopsOf = (word: string): readonly number[] => [
  ...[...segments.segment(word)].map(({ index }) => index),
  word.length,
];

/** How far along a word a point is: 0 at its beginning, 1 at its end. */
function fractionAlong({ x, y }: Point, box: Rect, direction: TextDirection): number {
  const along = direction === 'ttb' ? (y - box.y) / box.height : (x - box.x) / box.width;
  return Math.min(Math.max(direction === 'rtl' ? 1 - along : along, 0), 1);
}

/** The position in the text that is nearest to a point, in pixels of the image. */
export function caretAt(text: PageText, point: Point): Caret | undefined {
  const line = lineAt(text, point);
  if (line === undefined) return undefined;
  const indices = Array.from({ length: line.to - line.from }, (_, at) => line.from + at);
  const word = nearest(indices, (at) => {
    const box = text.words[at]?.box;
    if (box === undefined) return Number.POSITIVE_INFINITY;
    return line.direction === 'ttb' ? outside(point.y, box.y, box.height) : outside(point.x, box.x, box.width);
  });
  const found = word === undefined ? undefined : text.words[word];
  if (word === undefined || found?.box === undefined) return undefined;
  const stops = stopsOf(found.text);
  const at = Math.round(fractionAlong(point, found.box, line.direction) * (stops.length - 1));
  return { word, offset: stops[at] ?? 0 };
}

/** The font size and line height of all words before they are transformed, in CSS pixels. */
export const letterSize = 64;

/** How much higher than its highest word a line's box may be that lies straight. */
const straightness = 1.35;

/** The part of the line across which its words are selected: all alike in a line that lies straight. */
function acrossOf(line: TextLine, boxes: readonly Rect[], own: Rect): Rect {
  const vertical = line.direction === 'ttb';
  const thickness = (box: Rect): number => (vertical ? box.width : box.height);
  if (line.box === undefined || thickness(line.box) > straightness * Math.max(...boxes.map(thickness))) return own;
  const { x, y, width, height } = line.box;
  return vertical ? { ...own, x, width } : { ...own, y, height };
}

/** The boxes that the words of a line cover; undefined for those without a place. */
export function wordBoxes({ words }: PageText, line: TextLine): readonly (Rect | undefined)[] {
  const own = words.slice(line.from, line.to).map(({ box }: TextWord) => box);
  const boxes = own.filter((box) => box !== undefined);
  return own.map((box) => box && acrossOf(line, boxes, box));
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * The transform of a word that is written at the origin with a space after it. `length` is the word's own length along its
 * line, and `space` that of the space, in CSS pixels before the transform.
 */
export function transformOfWord(box: Rect, direction: TextLine['direction'], length: number, space: number): string {
  const vertical = direction === 'ttb';
  const along = (vertical ? box.height : box.width) / Math.max(length, 1);
  const across = (vertical ? box.width : box.height) / letterSize;
  const [right, down] = vertical ? [across, along] : [along, across];
  // From right to left, the space lies before the word.
  const x = direction === 'rtl' ? box.x - space * along : box.x;
  return `matrix(${[right, 0, 0, down, x, box.y].map(rounded).join(',')})`;
}

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
