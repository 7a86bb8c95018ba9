/** Sizes and rectangles in pixels, or in units of a scan. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}
