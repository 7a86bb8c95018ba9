/** The state of a view: all that its address contains. */
import type { ColorOperator, Triple } from '../../../src/core/image/model/color.ts';

/** Fractions of the whole upright image, from its left and top edge. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const wholeImage: Rect = { x: 0, y: 0, width: 1, height: 1 };

/** In fractions of the whole upright image. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Words of a text, with what stands before and after them (W3C Web Annotation, TextQuoteSelector). */
export interface TextQuote {
  readonly exact: string;
  readonly prefix?: string;
  readonly suffix?: string;
}

/** What a note says besides its place. */
export interface NoteContent {
  readonly text?: string;
  /** The id of the annotation that it was read from, or was last written as. */
  readonly id?: string;
  readonly tags?: readonly string[];
  /** The color of its lines as CSS writes colors; absent for the usual one. */
  readonly color?: string;
  /** The words for which the text is suggested instead; absent where the note is no correction. */
  readonly corrects?: TextQuote;
}

/** A numbered mark; the number is its position in the list. */
export interface Mark extends Point, NoteContent {}

export interface MarkedRegion extends Rect, NoteContent {}

/** Changes of the colors, as the Scaler's `brgt`, `cont`, `rgbm`, `rgba` and `colop`. */
export interface ViewColor {
  /** Added to every channel, -255 to 255. */
  readonly brightness: number;
  /** Every channel is multiplied by 2^contrast. */
  readonly contrast: number;
  /** Red, green and blue are multiplied by 2^value. */
  readonly multiply: Triple;
  /** Added to red, green and blue, -255 to 255. */
  readonly add: Triple;
  readonly operation: ColorOperator | '';
}

export const plainColor: ViewColor = {
  brightness: 0,
  contrast: 0,
  multiply: [0, 0, 0],
  add: [0, 0, 0],
  operation: '',
};

/**
 * Changes that depend on what is around a pixel, or show a single channel; the reading room alone makes them, in the order of this list.
 * Of the channels, one is shown at a time.
 */
export const viewEffects = ['red', 'green', 'blue', 'sharp', 'ink', 'local'] as const;
export type ViewEffect = (typeof viewEffects)[number];

/** How the layers of a page are shown together: over each other, with an edge between them, by turns, or by their difference. */
export const layerMixes = ['over', 'slider', 'blink', 'difference'] as const;
export type LayerMix = (typeof layerMixes)[number];

/** A layer is seen in its own colors, or as a channel of a false color. */
export const layerTints = ['red', 'green', 'blue'] as const;
export type LayerTint = (typeof layerTints)[number];

export interface ShownLayer {
  /** Counts from 1, from the lowest layer of the page on. */
  readonly number: number;
  /** 0 to 1. */
  readonly opacity: number;
  readonly tint: LayerTint | undefined;
}

export interface LayersView {
  /** In the order of the layers; undefined for those that the page shows at first. */
  readonly shown: readonly ShownLayer[] | undefined;
  readonly mix: LayerMix;
  /** Where the edge of `slider` is, in fractions of the width of the window: the upper layer is at its right. */
  readonly edge: number;
}

export const plainLayers: LayersView = { shown: undefined, mix: 'over', edge: 0.5 };

/** The region fits the window; one pixel of the image is one device pixel; or the image has its true size. */
export type ScaleMode = 'fit' | 'pixels' | 'true-size';

/** How a book is shown: a page or an opening, all its pages as small pictures, one page below the other, its text alone, or a page on a map. */
export type PageLayout = 'page' | 'gallery' | 'scroll' | 'text' | 'map';

/** Guided views that are played: where they come from, and which of their steps is seen. */
export interface TourPlace {
  /** The path of a file in the library, an address, the guided views themselves as text, or the name of those in this browser. */
  readonly source: string;
  /** From 1. */
  readonly step: number;
}

export interface ViewState {
  /** The path of an image, or of a folder whose page `pn` is shown. */
  readonly fn: string;
  readonly pn: number;
  /** Of the unrotated image. */
  readonly region: Rect;
  /** Degrees clockwise, 0 to below 360; after mirroring. */
  readonly rotation: number;
  readonly mirror: { readonly horizontal: boolean; readonly vertical: boolean };
  readonly mode: ScaleMode;
  readonly color: ViewColor;
  /** In the order of `viewEffects`. */
  readonly effects: readonly ViewEffect[];
  readonly layers: LayersView;
  /** The Scaler's q0 to q3. */
  readonly quality: 0 | 1 | 2 | 3 | undefined;
  readonly marks: readonly Mark[];
  readonly rectangles: readonly MarkedRegion[];
  /** Whether the address has the texts of marks and rectangles too. */
  readonly withTexts: boolean;
  /** The resolution in dpi of the display on which the address was created. */
  readonly ddpi: number | undefined;
  /** Whether two pages are shown side by side; undefined where the address leaves it to the folder and the reader. */
  readonly twoPages: boolean | undefined;
  /** Whether the openings of two pages are shifted by one page. */
  readonly shifted: boolean;
  readonly layout: PageLayout;
  /** Words that are searched for in the book; empty for none. */
  readonly search: string;
  /** Whether dragging over the image selects its text, where it has one. */
  readonly selectsText: boolean;
  /** The keys of the text that is shown of the pages and of that beside it; an empty one is the first text of each page. */
  readonly texts: readonly string[];
  /** The size of the letters where the text alone is shown, in percent; undefined for the reader's own. */
  readonly letters: number | undefined;
  /** The time at which sound or video begins, in seconds; absent for its beginning. */
  readonly time: number | undefined;
  /** Undefined where none are played. */
  readonly tour: TourPlace | undefined;
  /** Other entries of `mo`, unchanged. */
  readonly options: readonly string[];
  /** Other parameters, unchanged. */
  readonly unknown: readonly (readonly [name: string, value: string])[];
}

export const plainView = (fn: string): ViewState => ({
  fn,
  pn: 1,
  region: wholeImage,
  rotation: 0,
  mirror: { horizontal: false, vertical: false },
  mode: 'fit',
  color: plainColor,
  effects: [],
  layers: plainLayers,
  quality: undefined,
  marks: [],
  rectangles: [],
  withTexts: false,
  ddpi: undefined,
  twoPages: undefined,
  shifted: false,
  layout: 'page',
  search: '',
  selectsText: false,
  texts: [],
  letters: undefined,
  time: undefined,
  tour: undefined,
  options: [],
  unknown: [],
});
