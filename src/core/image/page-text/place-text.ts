/** Makes the text of a page from what its file tells: boxes on the upright image, whole words, language and direction. */
import type { Rect } from '../model/geometry.ts';
import { directionOf } from './direction.ts';
import { joinHyphenated } from './hyphens.ts';
import type { PageText, TextBlock, TextLine, TextWord } from './page-text.ts';
import { type Place, type PlacedOn, placementOf } from './placement.ts';
import type { SourceBlock, SourceLine, SourcePage, SourceWord } from './source-page.ts';
import { mainLanguage } from './text-languages.ts';

const noPlace: Place = () => undefined;

/** The smallest rectangle around some; undefined for none. */
function around(boxes: readonly (Rect | undefined)[]): Rect | undefined {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (const box of boxes) {
    if (box === undefined) continue;
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
}

const boxOf = (own: Rect | undefined, inside: readonly { readonly box?: Rect }[], place: Place): Rect | undefined =>
  (own && place(own)) ?? around(inside.map(({ box }) => box));

/** Without soft hyphens, which are not printed inside of a word. */
export const printed = (text: string): string => text.replace(/\u00ad(?=.)/gu, '');

function placeWord({ text, box, joined, ...others }: SourceWord, place: Place): TextWord {
  const placed = box && place(box);
  return {
    ...others,
    text: printed(text),
    ...(placed && { box: placed }),
    ...(joined === undefined ? {} : { joined: printed(joined) }),
  };
}

function placeLine({ words: own, box: ownBox, ...others }: SourceLine, place: Place): TextLine {
  const words = own.map((word) => placeWord(word, place));
  const box = boxOf(ownBox, words, place);
  return { ...others, ...(box && { box }), words };
}

function placeBlock({ lines: own, box: ownBox, language, direction }: SourceBlock, place: Place): TextBlock {
  const filled = own.filter(({ words }) => words.length > 0);
  const lines = joinHyphenated(filled).map((line) => placeLine(line, place));
  const box = boxOf(ownBox, lines, place);
  return { ...(box && { box }), lines, ...(language && { language }), ...(direction && { direction }) };
}

/** The text of a page on an image; without boxes where these have no scale. */
export function placeText(page: SourcePage, image: PlacedOn): PageText {
  const place = placementOf(page, image) ?? noPlace;
  const blocks = page.blocks.map((block) => placeBlock(block, place)).filter(({ lines }) => lines.length > 0);
  const language = mainLanguage(page.blocks, page.language);
  return { blocks, ...(language === undefined ? {} : { language }), direction: directionOf(page) };
}
