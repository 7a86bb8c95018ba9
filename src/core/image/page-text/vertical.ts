/** Whether lines run downward, by their shape: ALTO and hOCR of Chinese and Japanese mostly do not say it. */
import type { Rect } from '../model/geometry.ts';
import type { SourceBlock, SourceLine } from './source-page.ts';

const upright = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Mongolian}]/u;

/** As many lines at the beginning of a page tell enough of it. */
const sampledLines = 60;

/** A line is one that runs downward where it is that many times as high as wide. */
const slender = 1.5;

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Of the line's box, or of all boxes of its words; undefined where it has none. */
function extentOf({ box, words }: SourceLine): Extent | undefined {
  if (box !== undefined) return box;
  const boxes = words.flatMap((word): readonly Rect[] => (word.box === undefined ? [] : [word.box]));
  if (boxes.length === 0) return undefined;
  const range = (starts: readonly number[], ends: readonly number[]): number => Math.max(...ends) - Math.min(...starts);
  return {
    width: range(
      boxes.map(({ x }) => x),
      boxes.map(({ x, width }) => x + width),
    ),
    height: range(
      boxes.map(({ y }) => y),
      boxes.map(({ y, height }) => y + height),
    ),
  };
}

/** The extent of a line that tells it: of at least two letters, most of whose script is written downward too. */
function tellingExtent(line: SourceLine): Extent | undefined {
  if (!line.words.some(({ text }) => upright.test(text))) return undefined;
  const letters = line.words.flatMap(({ text }) => text.match(/\p{L}/gu) ?? []);
  const count = letters.filter((letter) => upright.test(letter)).length;
  return letters.length > 1 && count * 2 > letters.length ? extentOf(line) : undefined;
}

/** Whether most lines of a page that does not say its direction run downward. */
export function isVertical(blocks: readonly SourceBlock[]): boolean {
  const lines: SourceLine[] = [];
  for (const block of blocks) {
    for (const line of block.lines) if (lines.push(line) === sampledLines) break;
    if (lines.length === sampledLines) break;
  }
  const extents = lines.flatMap((line) => tellingExtent(line) ?? []);
  return extents.filter(({ width, height }) => height > slender * width).length * 2 > extents.length;
}
