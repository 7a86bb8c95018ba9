/** Places on a canvas and on the image that is painted on a part of it, both in fractions. */
import type { Annotations } from '../annotations.ts';
import type { Point, Rect } from '../view-state.ts';

/** The point of the image that lies at a point of the canvas. */
export const pointOnImage = ({ x, y }: Point, place: Rect): Point => ({
  x: (x - place.x) / place.width,
  y: (y - place.y) / place.height,
});

/** The part of the image that lies at a part of the canvas. */
export const partOnImage = (part: Rect, place: Rect): Rect => ({
  ...pointOnImage(part, place),
  width: part.width / place.width,
  height: part.height / place.height,
});

/** The part of the canvas that a part of the image lies at. */
export const partOnCanvas = (part: Rect, place: Rect): Rect => ({
  x: place.x + part.x * place.width,
  y: place.y + part.y * place.height,
  width: part.width * place.width,
  height: part.height * place.height,
});

/** The point of the canvas that a point of the image lies at. */
export const pointOnCanvas = ({ x, y }: Point, place: Rect): Point => ({
  x: place.x + x * place.width,
  y: place.y + y * place.height,
});

/** Notes on an image as notes on its canvas, both in fractions. */
export const notesOnCanvas = ({ marks, rectangles, measures }: Annotations, place: Rect): Annotations => ({
  marks: marks.map((mark) => ({ ...mark, ...pointOnCanvas(mark, place) })),
  rectangles: rectangles.map((rectangle) => ({ ...rectangle, ...partOnCanvas(rectangle, place) })),
  measures: measures.map((measure) => ({
    ...measure,
    points: measure.points.map((point) => ({ ...point, ...pointOnCanvas(point, place) })),
  })),
});
