/** Makes the text of a page from what its file tells: boxes on the upright image, whole words, language and direction. */
import {
  type Dpi,
  isTransposed,
  mapRect,
  type Orientation,
  type Rect,
  roundHalfUp,
  type Size,
  transpose,
  turned,
  upright,
} from '../model/geometry.ts';
import type {
  LengthUnit,
  PageText,
  SourceBlock,
  SourceLine,
  SourcePage,
  SourceWord,
  TextBlock,
  TextDirection,
  TextLine,
  TextWord,
} from './page-text.ts';
import { mainLanguage } from './text-languages.ts';

/** The image that a page's text is placed on. */
export interface PlacedOn {
  /** The size as stored, in pixels of the highest resolution. */
  readonly stored: Size;
  readonly orientation: Orientation;
  /** Along the axes as stored; absent where the file does not say it. */
  readonly dpi?: Dpi;
  /** The size as stored of the scan, where the image has fewer pixels. */
  readonly scanned?: Size;
}

/** From a box of the file to pixels of the upright image; undefined for a box without area, or outside of the image. */
export type Place = (box: Rect) => Rect | undefined;

/** How many units an inch has; a pixel has no length of its own. */
const unitsAnInch: Readonly<Record<Exclude<LengthUnit, 'pixel'>, number>> = { mm10: 254, inch1200: 1200 };

const ratioOf = ({ width, height }: Size): number => width / height;

const distance = (a: Size, b: Size): number => Math.abs(Math.log(ratioOf(a) / ratioOf(b)));

/**
 * Whether the scan that was recognized had been turned upright before: where the orientation exchanges width and height,
 * its shape tells. Programs that recognize text mostly ignore the orientation, so that they see the pixels as stored.
 */
export function isRecognizedUpright(size: Size | undefined, { stored, orientation }: PlacedOn): boolean {
  if (size === undefined || !isTransposed(orientation)) return false;
  return distance(size, transpose(stored)) < distance(size, stored);
}

/** Pixels of an image of `target` for a unit of the file, along each axis. */
function scaleOf({ unit, size }: SourcePage, target: Size, { stored, scanned, dpi }: PlacedOn): Size | undefined {
  if (size !== undefined) return { width: target.width / size.width, height: target.height / size.height };
  const pixel = { width: 1, height: 1 };
  if (unit === 'pixel')
    return scanned ? { width: stored.width / scanned.width, height: stored.height / scanned.height } : pixel;
  return dpi && { width: dpi.x / unitsAnInch[unit], height: dpi.y / unitsAnInch[unit] };
}

/** The part of a box inside of an image, its edges on whole pixels; undefined where nothing of it is inside. */
function within(box: Rect, size: Size): Rect | undefined {
  const edge = (value: number, most: number): number => Math.min(Math.max(roundHalfUp(value), 0), most);
  const [x, y] = [edge(box.x, size.width), edge(box.y, size.height)];
  const width = edge(box.x + box.width, size.width) - x;
  const height = edge(box.y + box.height, size.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** How the boxes of a page are placed; undefined where the file names lengths, and neither it nor the image a scale. */
export function placementOf(page: SourcePage, image: PlacedOn): Place | undefined {
  const { stored, orientation } = image;
  const shown = isTransposed(orientation) ? transpose(stored) : stored;
  const wasUpright = isRecognizedUpright(page.size, image);
  const scale = scaleOf(page, wasUpright ? shown : stored, image);
  if (scale === undefined) return undefined;
  const turn = upright(orientation);
  return (box) => {
    const scaled = mapRect(box, scale, (value, factor) => value * factor);
    return within(wasUpright ? scaled : turned(scaled, stored, turn), shown);
  };
}

const uprightScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Mongolian}]/u;

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
  if (!line.words.some(({ text }) => uprightScript.test(text))) return undefined;
  const letters = line.words.flatMap(({ text }) => text.match(/\p{L}/gu) ?? []);
  const count = letters.filter((letter) => uprightScript.test(letter)).length;
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

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** As many words of a page tell enough of it. */
const sampledWords = 200;

function* wordsIn(blocks: readonly SourceBlock[]): Generator<string> {
  for (const { lines } of blocks) {
    for (const { words } of lines) {
      for (const { text } of words) yield text;
    }
  }
}

/** The direction of most of some words: right to left where their first letters are of such a script. */
export function directionOfWords(words: Iterable<string>): TextDirection {
  let [sampled, fromRight] = [0, 0];
  for (const word of words) {
    const letter = /\p{L}/u.exec(word)?.[0];
    if (letter === undefined) continue;
    if (rightToLeft.test(letter)) fromRight++;
    if (++sampled === sampledWords) break;
  }
  return fromRight * 2 > sampled ? 'rtl' : 'ltr';
}

/** The direction of a page: what it says, else that of its lines and words. */
export function directionOf({ direction, blocks }: Pick<SourcePage, 'direction' | 'blocks'>): TextDirection {
  if (direction !== undefined) return direction;
  return isVertical(blocks) ? 'ttb' : directionOfWords(wordsIn(blocks));
}

/** Hyphens that only ever part a word: soft hyphen, not sign (of transcriptions), double oblique hyphen. */
const partingHyphen = /\p{L}[\u00ad\u00ac\u2e17]$/u;

/** Hyphens that can also join two words or end a text: then the next line has to go on in lower case. */
const anyHyphen = /\p{L}[-\u2010\u2011=]$/u;

/** Whether a line that ends with one word and the next line, which begins with the other, part a word. */
export const isContinued = (first: string, next: string): boolean =>
  partingHyphen.test(first) ? /^\p{L}/u.test(next) : anyHyphen.test(first) && /^\p{Ll}/u.test(next);

/** Replaces the last or the first word of a line. */
const withWord = (line: SourceLine, index: number, word: SourceWord): SourceLine => ({
  ...line,
  words: line.words.with(index, word),
});

/** The lines of a block with whole words where lines end with a hyphen, unless the file has said them. */
export function joinHyphenated(lines: readonly SourceLine[]): readonly SourceLine[] {
  const joined = [...lines];
  for (let index = 0; index + 1 < joined.length; index++) {
    const [line, next] = [joined[index], joined[index + 1]];
    const [first, second] = [line?.words.at(-1), next?.words[0]];
    if (line === undefined || next === undefined || first === undefined || second === undefined) continue;
    // A word of three lines is joined with its first two only.
    if (first.joined !== undefined || second.joined !== undefined) continue;
    if (!isContinued(first.text, second.text)) continue;
    const whole = first.text.slice(0, -1) + second.text;
    joined[index] = withWord(line, line.words.length - 1, { ...first, joined: whole });
    joined[index + 1] = withWord(next, 0, { ...second, joined: '' });
  }
  return joined;
}

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
