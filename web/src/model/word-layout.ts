/** CSS transforms that lay the letters of words over their pictures. */
import type { PageText, TextLine, TextWord } from './page-text.ts';
import type { Rect } from './view-state.ts';

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
