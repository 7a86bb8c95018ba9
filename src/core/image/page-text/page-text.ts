/** The words of a scanned page with the places where they stand: as a file tells them, and as they are shown. */
import type { Rect, Size } from '../model/geometry.ts';

/** How the lines of a text run: from left to right, from right to left, or from top to bottom in columns from the right. */
export type TextDirection = 'ltr' | 'rtl' | 'ttb';

export interface TextWord {
  /** As it is printed, with a hyphen that ends a line. */
  readonly text: string;
  /** In pixels of the image as it is shown (turned upright by its EXIF orientation); absent in plain text. */
  readonly box?: Rect;
  /** Whether the file has no place of it, so that the box is a share of that of its line. */
  readonly isShare?: true;
  /** How sure the recognition is, from 0 to 1; absent where nothing is said. */
  readonly confidence?: number;
  /** BCP 47; absent where it is that of the line. */
  readonly language?: string;
  /**
   * Of a word that a hyphen parts between two lines: the whole word on its first part, an empty string on its last. A
   * reader or an index that takes `joined ?? text` of all words has each word once.
   */
  readonly joined?: string;
}

export interface TextLine {
  /** In pixels of the image as it is shown; absent in plain text. */
  readonly box?: Rect;
  readonly words: readonly TextWord[];
  readonly language?: string;
  readonly direction?: TextDirection;
}

/** A paragraph or column. */
export interface TextBlock {
  /** In pixels of the image as it is shown; absent in plain text. */
  readonly box?: Rect;
  readonly lines: readonly TextLine[];
  readonly language?: string;
  readonly direction?: TextDirection;
}

/** What is written on one page, in reading order. */
export interface PageText {
  readonly blocks: readonly TextBlock[];
  /** BCP 47, of most of the page. */
  readonly language?: string;
  readonly direction: TextDirection;
}

/** The words of a line as they are printed. */
export const textOfLine = (line: TextLine): string => line.words.map((word) => word.text).join(' ');

/** The lines of a page as they are printed, with an empty line between blocks. */
export const plainText = (text: PageText): string =>
  text.blocks.map((block) => block.lines.map(textOfLine).join('\n')).join('\n\n');

/** Units of length of a file: pixels of the recognized scan, 1/10 mm, or 1/1200 inch (ALTO, MeasurementUnit). */
export type LengthUnit = 'pixel' | 'mm10' | 'inch1200';

export interface SourceWord {
  readonly text: string;
  readonly box?: Rect;
  /** As in `TextWord`. */
  readonly isShare?: true;
  /** From 0 to 1. */
  readonly confidence?: number;
  /** BCP 47. */
  readonly language?: string;
  /** As in `TextWord`, where the file says it. */
  readonly joined?: string;
}

export interface SourceLine {
  readonly box?: Rect;
  readonly words: readonly SourceWord[];
  readonly language?: string;
  readonly direction?: TextDirection;
}

export interface SourceBlock {
  readonly box?: Rect;
  readonly lines: readonly SourceLine[];
  readonly language?: string;
  readonly direction?: TextDirection;
}

export interface SourcePage {
  readonly unit: LengthUnit;
  /** Of the whole page in this unit; absent where the file does not say it. */
  readonly size?: Size;
  /** In reading order. */
  readonly blocks: readonly SourceBlock[];
  readonly language?: string;
  readonly direction?: TextDirection;
}

/** A page of plain text: its blocks, their lines, and the words of these, none of them empty. */
export type PlainBlocks = readonly (readonly (readonly string[])[])[];

const wordsIn = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

/** The place of the characters from `from` to `to`, fractions of the line, where all characters are of the same width. */
function partOf({ x, y, width, height }: Rect, from: number, to: number, direction: TextDirection): Rect {
  if (direction === 'ttb') return { x, y: y + from * height, width, height: (to - from) * height };
  const start = direction === 'rtl' ? 1 - to : from;
  return { x: x + start * width, y, width: (to - from) * width, height };
}

/** The words of a text; where the line has a box, each gets the part of it that its characters take of all. */
export function wordsOfLine(text: string, box: Rect | undefined, direction: TextDirection): readonly SourceWord[] {
  const words = wordsIn(text);
  if (box === undefined) return words.map((word) => ({ text: word }));
  const total = words.reduce((sum, word) => sum + [...word].length, words.length - 1);
  let at = 0;
  return words.map((word) => {
    const length = [...word].length;
    const part = partOf(box, at / total, (at + length) / total, direction);
    at += length + 1;
    return { text: word, box: part, isShare: true };
  });
}
