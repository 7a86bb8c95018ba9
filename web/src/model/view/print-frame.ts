/** What a printed page shows of the stage, and the length of its scale bar. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Rect, ViewState } from '../view-state.ts';
import { boundsOfRotated } from './framing.ts';
import { type Matrix, toScreen } from './geometry.ts';

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

interface ScaleBar {
  readonly meters: number;
  /** Of the length that was available, from 0 to 1. */
  readonly share: number;
}

/** The longest of 1, 2 and 5 times a power of ten units that is at most `available` meters; undefined without length. */
export function scaleBarWithin(available: number, metersPerUnit: number): ScaleBar | undefined {
  const units = available / metersPerUnit;
  if (!(units > 0) || !Number.isFinite(units)) return undefined;
  const power = 10 ** Math.floor(Math.log10(units));
  const round = [5, 2, 1].find((factor) => factor * power <= units * (1 + 1e-9)) ?? 1;
  return { meters: round * power * metersPerUnit, share: (round * power) / units };
}
