/** The text of a page, and carets between its characters. */
import type { TextAnswer } from '../../../../src/core/image/page-text/text-answer.ts';
import { boxAround, cornersOf } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';

export type TextDirection = TextAnswer['direction'];

type AnsweredLine = TextAnswer['blocks'][number]['lines'][number];
type AnsweredWord = AnsweredLine['words'][number];

/** Left, top, width and height in pixels of the upright image. */
type PixelBox = readonly [x: number, y: number, width: number, height: number];

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
export function readPageText({
  width,
  height,
  language,
  direction,
  blocks,
}: Pick<TextAnswer, 'width' | 'height' | 'language' | 'direction' | 'blocks'>): PageText {
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

export const wordsOfLine = ({ words }: PageText, { from, to }: TextLine): readonly TextWord[] => words.slice(from, to);

/** The words of a line, those that a hyphen parts whole in the line where they begin. */
export const wholeWordsOf = (text: PageText, line: TextLine): string =>
  wordsOfLine(text, line)
    .map((word) => word.joined ?? word.text)
    .filter((word) => word !== '')
    .reduce((before, word) => before + (before === '' ? '' : gapBetween(before, word)) + word, '');

/** What a voice says of a line; empty for none. */
export function spokenLine(text: PageText, at: number): string {
  const line = text.lines[at];
  return line === undefined ? '' : wholeWordsOf(text, line);
}

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

/** A position in the text: before the character `offset` (in UTF-16) of a word. */
export interface Caret {
  readonly word: number;
  readonly offset: number;
}

/** A word or a part of it, from one character up to another one. */
export interface WordPart {
  readonly word: number;
  readonly from: number;
  readonly to: number;
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** What stands between two words of a line: nothing between Chinese or Japanese characters. */
export const gapBetween = (before: string, after: string): '' | ' ' =>
  wide.test(before.at(-1) ?? '') && wide.test(after.at(0) ?? '') ? '' : ' ';

const isBefore = (one: Caret, other: Caret): boolean =>
  one.word < other.word || (one.word === other.word && one.offset < other.offset);

/** All that lies between two positions, in either order. */
export function partsBetween({ words }: PageText, one: Caret, other: Caret): readonly WordPart[] {
  const [start, end] = isBefore(one, other) ? [one, other] : [other, one];
  return words.slice(start.word, end.word + 1).flatMap(({ text }, index) => {
    const word = start.word + index;
    const from = word === start.word ? start.offset : 0;
    const to = word === end.word ? end.offset : text.length;
    return to > from ? [{ word, from, to }] : [];
  });
}

/** Positions in the text of a page: what lies between two of them, what is copied of it, and where keys move them. */
export const wholeWords = ({ words }: PageText, at: readonly number[]): readonly WordPart[] =>
  at.map((word) => ({ word, from: 0, to: words[word]?.text.length ?? 0 }));

/** The index of the last part of a word that is parted by a hyphen after the word at `at`. */
function lastPartAfter({ words }: PageText, at: number): number | undefined {
  const next = words.findIndex(({ joined }, index) => index > at && joined !== undefined);
  return words[next]?.joined === '' ? next : undefined;
}

/** The text of a part, and the last part of the word where both are in it. */
function textOfPart(text: PageText, part: WordPart, byWord: ReadonlyMap<number, WordPart>) {
  const word = text.words[part.word];
  const printed = word?.text.slice(part.from, part.to) ?? '';
  if (!word?.joined || part.to < word.text.length) return { text: printed };
  const at = lastPartAfter(text, part.word);
  const last = at === undefined ? undefined : byWord.get(at);
  if (last === undefined || last.from > 0) return { text: printed };
  const missing = (text.words[last.word]?.text.length ?? 0) - last.to;
  return { text: word.joined.slice(part.from, word.joined.length - missing), last: last.word };
}

/**
 * The parts as text, in the order of the page: a line of the page is a line, with an empty one between paragraphs. A word
 * that a hyphen parts is whole in its first line where both parts are among them, and as it is printed otherwise.
 */
export function copiedText(text: PageText, parts: readonly WordPart[]): string {
  const byWord = new Map(parts.map((part) => [part.word, part]));
  const done = new Set<number>();
  const lines: { readonly line: number; text: string }[] = [];
  for (const part of parts) {
    if (done.has(part.word)) continue;
    const copied = textOfPart(text, part, byWord);
    if (copied.last !== undefined) done.add(copied.last);
    const line = text.words[part.word]?.line ?? 0;
    const current = lines.at(-1);
    if (current?.line === line) current.text += gapBetween(current.text, copied.text) + copied.text;
    else lines.push({ line, text: copied.text });
  }
  return lines
    .map(({ line, text: written }, at) => {
      const before = lines[at - 1];
      const block = (index: number): number | undefined => text.lines[index]?.block;
      if (before === undefined) return written;
      return (block(before.line) === block(line) ? '\n' : '\n\n') + written;
    })
    .join('');
}

export const wholeText = (text: PageText): string =>
  copiedText(
    text,
    wholeWords(
      text,
      text.words.map((_, at) => at),
    ),
  );

export type SelectionStep = 'next-word' | 'previous-word' | 'next-line' | 'previous-line';

/** What the arrow keys mean by how the line of the end runs, however the image is turned. */
const stepsByKey: Readonly<Record<TextDirection, Readonly<Record<string, SelectionStep>>>> = {
  ltr: {
    ArrowRight: 'next-word',
    ArrowLeft: 'previous-word',
    ArrowDown: 'next-line',
    ArrowUp: 'previous-line',
  },
  rtl: {
    ArrowLeft: 'next-word',
    ArrowRight: 'previous-word',
    ArrowDown: 'next-line',
    ArrowUp: 'previous-line',
  },
  ttb: {
    ArrowDown: 'next-word',
    ArrowUp: 'previous-word',
    ArrowLeft: 'next-line',
    ArrowRight: 'previous-line',
  },
};

/** Undefined for keys that are no arrows. */
export const stepOfKey = (key: string, direction: TextDirection): SelectionStep | undefined =>
  stepsByKey[direction][key];

/** The positions before the first and behind the last character of a text. */
export const startOfText: Caret = { word: 0, offset: 0 };
export const endOfText = (text: PageText): Caret => endOf(text, Math.max(0, text.words.length - 1));

const startOf = (word: number): Caret => ({ word, offset: 0 });

const endOf = ({ words }: PageText, word: number): Caret => ({ word, offset: words[word]?.text.length ?? 0 });

function nextWord(text: PageText, to: Caret): Caret {
  const end = endOf(text, to.word);
  if (isBefore(to, end)) return end;
  return to.word + 1 < text.words.length ? endOf(text, to.word + 1) : end;
}

const previousWord = ({ word, offset }: Caret): Caret => startOf(offset > 0 ? word : Math.max(0, word - 1));

const middleAlong = ({ x, y, width, height }: Rect, direction: TextDirection): number =>
  direction === 'ttb' ? y + height / 2 : x + width / 2;

/** The word of a line that is nearest to another word along the line; its first where nothing says where they are. */
function nearestWord({ words, lines }: PageText, line: number, word: number): number | undefined {
  const target = lines[line];
  const box = words[word]?.box;
  if (target === undefined) return undefined;
  let [nearest, least] = [target.from, Number.POSITIVE_INFINITY];
  for (let at = target.from; at < target.to; at += 1) {
    const other = words[at]?.box;
    if (box === undefined || other === undefined) continue;
    const distance = Math.abs(middleAlong(other, target.direction) - middleAlong(box, target.direction));
    if (distance < least) [nearest, least] = [at, distance];
  }
  return nearest;
}

/** Selects at least one word more: the last word of the text after the last line, the first one before the first. */
function byLine(text: PageText, to: Caret, by: 1 | -1): Caret {
  const word = nearestWord(text, (text.words[to.word]?.line ?? 0) + by, to.word);
  if (by === 1) return endOf(text, word ?? text.words.length - 1);
  return startOf(word ?? 0);
}

/** The end of the selection after a step; the same place where the text ends. */
export function stepped(text: PageText, to: Caret, step: SelectionStep): Caret {
  if (step === 'next-word') return nextWord(text, to);
  if (step === 'previous-word') return previousWord(to);
  return byLine(text, to, step === 'next-line' ? 1 : -1);
}
