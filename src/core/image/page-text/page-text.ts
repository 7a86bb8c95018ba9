/** The words of a scanned page with the places where they stand, whatever file told them (ALTO, PAGE, hOCR, plain text). */
import type { Rect } from '../model/geometry.ts';

/** How the lines of a text run: from left to right, from right to left, or from top to bottom in columns from the right. */
export type TextDirection = 'ltr' | 'rtl' | 'ttb';

export interface TextWord {
  /** As it is printed, with a hyphen that ends a line. */
  readonly text: string;
  /** In pixels of the image as it is shown (turned upright by its EXIF orientation); absent in plain text. */
  readonly box?: Rect;
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
