/** The words of a page with their boxes in a form that compresses well: what the index stores to show a page as a hit. */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Rect } from '../../../core/image/model/geometry.ts';
import type { PageText, TextDirection } from '../../../core/image/page-text/page-text.ts';
import type { PagePayload } from './search-engine.ts';

export interface StoredWord {
  /** As it is printed. */
  readonly text: string;
  /** The whole word on the first of two parts, and empty on the second. */
  readonly joined?: string;
  /** In pixels of the upright image. */
  readonly box?: Rect;
  /** Whether a line begins with it. */
  readonly startsLine: boolean;
}

export interface StoredPage {
  readonly words: readonly StoredWord[];
  readonly direction: TextDirection;
  /** BCP 47. */
  readonly language?: string;
}

const version = 1;
/** Stand between lines and between the parts of a word; no text has them. */
export const [lineEnd, joint] = ['\n', '\u0001'];

const boxCompression = { strategy: constants.Z_HUFFMAN_ONLY, memLevel: 3, windowBits: 9 };
const boxLimits = { maxOutputLength: 16 * 2 ** 20 };

/** A word without the characters that part words. */
export const plain = (text: string): string => text.replace(/[\s\u0000\u0001]+/g, '\u00a0');

/** The words of a page's blocks and lines, as they are stored. */
export function storedPageOf(text: PageText): StoredPage {
  const words = text.blocks.flatMap(({ lines }) =>
    lines.flatMap((line) =>
      line.words.map(
        (word, index): StoredWord => ({
          text: plain(word.text),
          startsLine: index === 0,
          ...(word.joined === undefined ? {} : { joined: plain(word.joined) }),
          ...(word.box === undefined ? {} : { box: word.box }),
        }),
      ),
    ),
  );
  return { words, direction: text.direction, ...(text.language === undefined ? {} : { language: text.language }) };
}

/** The words that are searched: those that a hyphen parts are one. */
export const searchedWords = ({ words }: StoredPage): readonly string[] =>
  words.map(({ text, joined }) => joined ?? text);

const textOf = ({ words }: StoredPage): string =>
  words
    .map(({ text, joined, startsLine }, index) => {
      const separator = index === 0 ? '' : startsLine ? lineEnd : ' ';
      return separator + text + (joined === undefined ? '' : joint + joined);
    })
    .join('');

/** What the words before suggest of the next one's box, so that little has to be stored of it. */
interface Suggestion {
  x: number;
  /** Of the line's first word. */
  y: number;
  height: number;
  /** The widths and the lengths of the words so far, the older ones counting less and less. */
  width: number;
  length: number;
}

const newSuggestion = (): Suggestion => ({ x: 0, y: 0, height: 0, width: 0, length: 0 });

const widthOf = ({ width, length }: Suggestion, word: StoredWord): number =>
  length === 0 ? 0 : Math.round((width / length) * word.text.length);

function learn(suggestion: Suggestion, word: StoredWord, box: Rect): void {
  if (word.startsLine) suggestion.y = box.y;
  suggestion.x = box.x + box.width;
  suggestion.height = box.height;
  suggestion.width = Math.round(suggestion.width / 2) + box.width;
  suggestion.length = Math.round(suggestion.length / 2) + word.text.length;
}

/** Four numbers a word, each as the difference from what the words before it suggest; a word without a box has this width. */
const noBox = -(2 ** 30);

function numbersOf(words: readonly StoredWord[]): Int32Array {
  const count = words.length;
  const numbers = new Int32Array(count * 4);
  const before = newSuggestion();
  for (const [index, word] of words.entries()) {
    if (word.box === undefined) {
      numbers[index + 2 * count] = noBox;
      continue;
    }
    const { box } = word;
    numbers[index] = box.x - before.x;
    numbers[index + count] = box.y - before.y;
    numbers[index + 2 * count] = box.width - widthOf(before, word);
    numbers[index + 3 * count] = box.height - before.height;
    learn(before, word, box);
  }
  return numbers;
}

function boxesOf(numbers: Int32Array, words: readonly StoredWord[], step: number): readonly (Rect | undefined)[] {
  const count = words.length;
  const before = newSuggestion();
  return words.map((word, index) => {
    const stored = numbers[index + 2 * count] ?? noBox;
    if (stored === noBox) return undefined;
    const box = {
      x: before.x + (numbers[index] ?? 0),
      y: before.y + (numbers[index + count] ?? 0),
      width: widthOf(before, word) + stored,
      height: before.height + (numbers[index + 3 * count] ?? 0),
    };
    learn(before, word, box);
    return { x: box.x * step, y: box.y * step, width: box.width * step, height: box.height * step };
  });
}

/** Most numbers take a byte: seven bits each, with the sign in the lowest bit, and the highest where more bytes follow. */
function bytesOf(numbers: Int32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.length * 5);
  let at = 0;
  for (const number of numbers) {
    let rest = ((number << 1) ^ (number >> 31)) >>> 0;
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
  }
  return bytes.subarray(0, at);
}

function numbersIn(bytes: Uint8Array, count: number): Int32Array {
  const numbers = new Int32Array(count);
  let at = 0;
  for (let index = 0; index < count; index++) {
    let folded = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      folded |= (byte & 0x7f) << shift;
      if (byte < 0x80 || shift > 28) break;
    }
    numbers[index] = (folded >>> 1) ^ -(folded & 1);
  }
  return numbers;
}

/** What is stored before the words of a page. */
interface PageHead extends Pick<StoredPage, 'direction' | 'language'> {
  /** The number of words. */
  readonly count: number;
  /** In which boxes are stored, in pixels: 1, or more in an index of an earlier version; 0 where there are none. */
  readonly step: number;
}

/** The stored text of a page: `words` are its words, each but the first of a line after a space. */
export const encodeText = ({ direction, language, count, step }: PageHead, words: string): string =>
  `${version} ${direction} ${language ?? ''} ${count} ${step}${lineEnd}${words}`;

/** What engines store of a page. */
export function encodePage(page: StoredPage): PagePayload {
  const hasBoxes = page.words.some(({ box }) => box !== undefined);
  return {
    text: encodeText({ ...page, count: page.words.length, step: hasBoxes ? 1 : 0 }, textOf(page)),
    // Single bytes with few values: looking for repetitions finds none.
    boxes: hasBoxes ? deflateRawSync(bytesOf(numbersOf(page.words)), boxCompression) : new Uint8Array(),
  };
}

/** The words of a stored text. */
const wordsIn = (text: string): readonly StoredWord[] =>
  text.split(lineEnd).flatMap((line) =>
    line.split(' ').map((word, index) => {
      const at = word.indexOf(joint);
      const startsLine = index === 0;
      return at < 0 ? { text: word, startsLine } : { text: word.slice(0, at), startsLine, joined: word.slice(at + 1) };
    }),
  );

/** The page of what an engine stored. Throws where it is damaged. */
export function decodePage({ text, boxes }: PagePayload): StoredPage {
  const headEnd = text.indexOf(lineEnd);
  const [stored, direction, language, count, step] = text.slice(0, headEnd).split(' ');
  if (stored !== String(version) || headEnd < 0) throw new RangeError('the stored page is damaged');
  const words = count === '0' ? [] : wordsIn(text.slice(headEnd + 1));
  const page = { direction: direction as TextDirection, ...(language ? { language } : {}) };
  if (!(Number(step) > 0)) return { ...page, words };
  const places = boxesOf(numbersIn(inflateRawSync(boxes, boxLimits), words.length * 4), words, Number(step));
  return {
    ...page,
    words: words.map((word, index) => {
      const box = places[index];
      return box === undefined ? word : { ...word, box };
    }),
  };
}
