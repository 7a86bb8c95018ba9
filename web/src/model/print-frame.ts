/** The part of the stage that a printed page shows. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import { boundsOfRotated } from './framing.ts';
import { type Matrix, toScreen } from './geometry.ts';
import type { Rect, ViewState } from './view-state.ts';

/** The bounding box of a region that is rotated about its center, in CSS pixels of the stage. `scale`: CSS pixels per pixel of the image. */
export function boxOfRegion(
  { region, rotation }: Pick<ViewState, 'region' | 'rotation'>,
  image: Size,
  scale: number,
  matrix: Matrix,
): Rect {
  const { x, y } = toScreen(matrix, { x: region.x + region.width / 2, y: region.y + region.height / 2 });
  const upright = { width: region.width * image.width * scale, height: region.height * image.height * scale };
  const { width, height } = boundsOfRotated(upright, rotation);
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The map from fractions of the image to the box, which is enlarged to `width`. */
export function matrixInBox([a, b, c, d, e, f]: Matrix, box: Rect, width: number): Matrix {
  const factor = width / box.width;
  return [a * factor, b * factor, c * factor, d * factor, (e - box.x) * factor, (f - box.y) * factor];
}
