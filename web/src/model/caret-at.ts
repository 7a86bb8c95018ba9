/** Which word of a page lies at a point of the image, and which of its characters. */
import type { Caret } from './copied-text.ts';
import { around, type PageText, type TextDirection, type TextLine } from './page-text.ts';
import type { Point, Rect } from './view-state.ts';

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

const bounds = new WeakMap<PageText, readonly (Rect | undefined)[]>();

/** The boxes of the paragraphs and columns, by their indices. */
function blockBounds(text: PageText): readonly (Rect | undefined)[] {
  const known = bounds.get(text);
  if (known !== undefined) return known;
  const boxes: Rect[][] = [];
  for (const { block, box } of text.lines) {
    boxes[block] ??= [];
    if (box !== undefined) boxes[block].push(box);
  }
  const found = Array.from(boxes, (ofBlock = []) => around(ofBlock));
  bounds.set(text, found);
  return found;
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
export const stopsOf = (word: string): readonly number[] => [
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
