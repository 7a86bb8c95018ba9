/** A page's text as its file tells it: boxes in the file's own unit, on the scan that was recognized. */
import type { Rect, Size } from '../model/geometry.ts';
import type { TextDirection } from './page-text.ts';

/** Units of length of a file: pixels of the recognized scan, 1/10 mm, or 1/1200 inch (ALTO, MeasurementUnit). */
export type LengthUnit = 'pixel' | 'mm10' | 'inch1200';

export interface SourceWord {
  readonly text: string;
  readonly box?: Rect;
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
