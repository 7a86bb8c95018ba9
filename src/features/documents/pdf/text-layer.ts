/** The invisible words over the image of a page, as PDF operators: block by block, in reading order. */
import type { Rect, Size } from '../../../core/image/model/geometry.ts';
import type { PageText, TextBlock, TextDirection, TextLine } from '../../../core/image/page-text/page-text.ts';
import type { SheetLayout } from './document.ts';
import { type CharacterCodes, invisibleAdvance } from './invisible-font.ts';

/** The name of the invisible font in the resources of a page. */
export const invisibleFontName = 'Words';

interface PlacedWord {
  readonly text: string;
  /** In pixels of the upright image. */
  readonly box: Rect;
  readonly direction: TextDirection;
}

export interface PlacedBlock {
  readonly language?: string;
  /** A list of words for each line. */
  readonly lines: readonly (readonly PlacedWord[])[];
}

/** Shares the box of a line among its words by their lengths, with a space between two of them. */
function shared(words: readonly string[], box: Rect, direction: TextDirection): readonly PlacedWord[] {
  const lengths = words.map((text) => Math.max(1, Array.from(text).length));
  const whole = lengths.reduce((sum, length) => sum + length, words.length - 1);
  let before = 0;
  return words.map((text, index) => {
    const [from, length] = [before / whole, (lengths[index] ?? 1) / whole];
    before += (lengths[index] ?? 1) + 1;
    if (direction === 'ttb') {
      return { text, direction, box: { ...box, y: box.y + from * box.height, height: length * box.height } };
    }
    const start = direction === 'rtl' ? 1 - from - length : from;
    return { text, direction, box: { ...box, x: box.x + start * box.width, width: length * box.width } };
  });
}

const isDrawable = ({ width, height }: Rect): boolean => width > 0 && height > 0;

function placedLine(line: TextLine, direction: TextDirection, fallback: Rect): readonly PlacedWord[] {
  const words = line.words.filter(({ text }) => text.trim() !== '');
  const own = words.flatMap(({ text, box }) =>
    box !== undefined && isDrawable(box) ? [{ text: text.trim(), box, direction }] : [],
  );
  if (own.length === words.length) return own;
  const texts = words.map(({ text }) => text.trim());
  return shared(texts, line.box !== undefined && isDrawable(line.box) ? line.box : fallback, direction);
}

/** Lines without a place, as in plain text, get a part each of the height of the image. */
function* linePlaces({ blocks }: PageText, { width, height }: Size): Generator<Rect> {
  const count = blocks.reduce((sum, { lines }) => sum + lines.length, 0);
  for (let index = 0; index < count; index++) {
    yield { x: 0, y: (index * height) / count, width, height: height / count };
  }
}

const directionOf = (line: TextLine, block: TextBlock, text: PageText): TextDirection =>
  line.direction ?? block.direction ?? text.direction;

/** The words of a page of this size, in pixels, each with its place. */
export function placedBlocks(text: PageText, size: Size): readonly PlacedBlock[] {
  const places = linePlaces(text, size);
  return text.blocks
    .map((block): PlacedBlock => {
      const language = block.language ?? text.language;
      const lines = block.lines.map((line) => {
        const place = places.next().value ?? { x: 0, y: 0, ...size };
        return placedLine(line, directionOf(line, block, text), place);
      });
      return { ...(language !== undefined && { language }), lines: lines.filter((words) => words.length > 0) };
    })
    .filter(({ lines }) => lines.length > 0);
}

/** Letters that run from right to left: Hebrew, Arabic, Syriac, Thaana, N’Ko and others. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The characters from left to right, as the strings of a PDF have them; readers turn them back (ISO 32000-1, 14.8.2.3.3). */
const inVisualOrder = (text: string): string =>
  rightToLeft.test(text)
    ? Array.from(graphemes.segment(text), ({ segment }) => segment)
        .reverse()
        .join('')
    : text;

const number = (value: number): string => String(Math.round(value * 10_000) / 10_000);

/**
 * The most that a letter is higher than its part of the line is long. Poppler takes the second of two equal letters for bold print,
 * and drops it, where it is nearer than a tenth of the height: so it would with the lines of plain text, which share a page.
 */
const mostSlender = 8;

/** The text matrix with which a text of `count` characters fills a box, in points, from the lower left corner. */
function matrixOf({ x, y, width, height }: Rect, count: number, direction: TextDirection): readonly number[] {
  const advance = (length: number): number => (length * 1000) / (count * invisibleAdvance);
  const across = (breadth: number, length: number): number => Math.min(breadth, (mostSlender * length) / count);
  if (direction === 'ttb') {
    const breadth = across(width, height);
    return [0, -advance(height), breadth, 0, x + (width - breadth) / 2, y + height];
  }
  const breadth = across(height, width);
  return [advance(width), 0, 0, breadth, x, y + (height - breadth) / 2];
}

/** The gap between two words of a line; undefined where the second one does not stand behind the first. */
function gapBetween({ box: first, direction }: PlacedWord, { box: second }: PlacedWord): Rect | undefined {
  if (direction === 'ttb') {
    const y = first.y + first.height;
    const gap = { ...first, y, height: second.y - y };
    return isDrawable(gap) ? gap : undefined;
  }
  const [left, right] = direction === 'rtl' ? [second, first] : [first, second];
  const x = left.x + left.width;
  const gap = { ...first, x, width: right.x - x };
  return isDrawable(gap) ? gap : undefined;
}

/** Converts boxes in pixels of an image of this size to points on its sheet. */
function toSheet({ image }: SheetLayout, { width, height }: Size): (box: Rect) => Rect {
  const [scaleX, scaleY] = [image.width / width, image.height / height];
  return (box) => ({
    x: image.x + box.x * scaleX,
    y: image.y + image.height - (box.y + box.height) * scaleY,
    width: box.width * scaleX,
    height: box.height * scaleY,
  });
}

/** The operators that write a block, in the invisible rendering mode (ISO 32000-1, 9.3.6). */
export function blockOperators(
  block: PlacedBlock,
  size: Size,
  layout: SheetLayout,
  codes: CharacterCodes,
): readonly string[] {
  const place = toSheet(layout, size);
  const show = (text: string, box: Rect, direction: TextDirection): string => {
    const { hex, count } = codes.encode(inVisualOrder(text));
    return `${matrixOf(place(box), count, direction).map(number).join(' ')} Tm <${hex}> Tj`;
  };
  const written = block.lines.flatMap((words) =>
    words.flatMap((word, index) => {
      const next = words[index + 1];
      const gap = next && gapBetween(word, next);
      const shown = show(word.text, word.box, word.direction);
      return gap === undefined ? [shown] : [shown, show(' ', gap, word.direction)];
    }),
  );
  return ['BT', `/${invisibleFontName} 1 Tf`, '3 Tr', ...written, 'ET'];
}
