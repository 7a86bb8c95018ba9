/** Two texts of a page line by line: which lines of one stand beside which lines of the other. */
import type { Rect } from '../view-state.ts';
import { around, type PageText, type TextLine } from './page-text.ts';

/** Lines that stand beside each other, by their indices; one side may have none. */
export interface ParallelRow {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

/** Groups of lines that begin at `firstFrom` and `secondFrom`: as many rows as the side with fewer lines has. */
function inProportion(first: readonly number[], second: readonly number[]): readonly ParallelRow[] {
  const rows = Math.min(first.length, second.length);
  if (rows === 0) return first.length + second.length === 0 ? [] : [{ first, second }];
  const part = (all: readonly number[], row: number): readonly number[] =>
    all.slice(Math.floor((row * all.length) / rows), Math.floor(((row + 1) * all.length) / rows));
  return range(0, rows).map((row) => ({ first: part(first, row), second: part(second, row) }));
}

/** The lines of each block, by their indices. */
function blocksOf({ lines }: PageText): readonly (readonly number[])[] {
  const blocks = new Map<number, number[]>();
  for (const [at, { block }] of lines.entries()) {
    const known = blocks.get(block);
    if (known === undefined) blocks.set(block, [at]);
    else known.push(at);
  }
  return [...blocks.values()];
}

/** By the order alone: line by line where there are as many, else block by block, else in proportion. */
function byOrder(first: PageText, second: PageText): readonly ParallelRow[] {
  const [all, others] = [range(0, first.lines.length), range(0, second.lines.length)];
  if (all.length === others.length) return inProportion(all, others);
  const [blocks, otherBlocks] = [blocksOf(first), blocksOf(second)];
  if (blocks.length !== otherBlocks.length) return inProportion(all, others);
  return blocks.flatMap((block, at) => inProportion(block, otherBlocks[at] ?? []));
}

const sharedArea = (one: Rect, other: Rect): number =>
  Math.max(0, Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)) *
  Math.max(0, Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y));

/** The least part of a line that lies on another one that is the same line of the page. */
const leastShared = 0.3;

/** The line of `lines` on which most of a box lies; undefined where too little of it does. */
function lineBelow(lines: readonly TextLine[], box: Rect | undefined): number | undefined {
  if (box === undefined) return undefined;
  let [best, most] = [undefined as number | undefined, leastShared * box.width * box.height];
  for (const [at, line] of lines.entries()) {
    const shared = line.box === undefined ? 0 : sharedArea(line.box, box);
    if (shared > most) [best, most] = [at, shared];
  }
  return best;
}

/** Boxes of a text in the pixels of another one. */
const scaledTo = ({ lines, width, height }: PageText, to: PageText): readonly (Rect | undefined)[] =>
  lines.map(
    ({ box }) =>
      box && {
        x: (box.x * to.width) / width,
        y: (box.y * to.height) / height,
        width: (box.width * to.width) / width,
        height: (box.height * to.height) / height,
      },
  );

/** By the places: a row for each line of the first text; lines that lie on none of them follow the one before them. */
function byPlace(first: PageText, second: PageText): readonly ParallelRow[] {
  const rows = first.lines.map((_, at) => ({ first: [at], second: [] as number[] }));
  let last = 0;
  for (const [at, box] of scaledTo(second, first).entries()) {
    last = lineBelow(first.lines, box) ?? last;
    rows[last]?.second.push(at);
  }
  return rows;
}

export const hasPlaces = ({ lines }: PageText): boolean => lines.some(({ box }) => box !== undefined);

/** Every line of both texts once. By their places where both have some, else by their order. */
export const parallelRows = (first: PageText, second: PageText): readonly ParallelRow[] =>
  first.lines.length > 0 && hasPlaces(first) && hasPlaces(second) ? byPlace(first, second) : byOrder(first, second);

/** A text without places, such as a translation, with those of the lines of another one beside which its own stand. */
export function placedAs(text: PageText, other: PageText | undefined): PageText {
  if (other === undefined || hasPlaces(text) || !hasPlaces(other)) return text;
  const boxes = new Map<number, Rect | undefined>();
  for (const { first, second } of parallelRows(other, text)) {
    const box = around(first.flatMap((at) => other.lines[at]?.box ?? []));
    const scaled = box && scaledTo({ ...other, lines: [{ ...noLine, box }] }, text)[0];
    for (const at of second) boxes.set(at, scaled);
  }
  return { ...text, lines: text.lines.map((line, at) => ({ ...line, box: boxes.get(at) })) };
}

const noLine: TextLine = { from: 0, to: 0, box: undefined, block: 0, direction: 'ltr', language: undefined };
