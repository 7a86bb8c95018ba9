/** Both pages of an opening as one picture: how large it is, and which part of each page is where in it. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { clipToImage } from '../view/framing.ts';
import { boxAround, cornersOf, type Matrix, matrixOf, matrixOfPart, toImage, toScreen } from '../view/geometry.ts';
import type { Rect, ViewState } from '../view-state.ts';

/** A page of an opening, which lies at a place in fractions of the main one. */
export interface OpeningPage {
  readonly path: string;
  /** Its upright pixels. */
  readonly size: Size;
  readonly part: Rect;
}

/** Browsers make no larger pictures, or run out of memory: pixels in all, and along a side. */
const mostPixels = 64_000_000;
const longestSide = 16_000;

/** A picture of an opening: `matrix` maps fractions of the main page to its pixels. */
export interface OpeningPlan {
  readonly matrix: Matrix;
  readonly size: Size;
  /** Whether it is smaller than it was to be. */
  readonly reduced: boolean;
}

const shifted = ([a, b, c, d, e, f]: Matrix, { x, y }: Rect, factor: number): Matrix => [
  a * factor,
  b * factor,
  c * factor,
  d * factor,
  (e - x) * factor,
  (f - y) * factor,
];

/** The pixels of a box that is drawn larger or smaller, as far as browsers can. */
export function planBox(matrix: Matrix, box: Rect, wanted: number): OpeningPlan {
  const { width, height } = box;
  const factor = Math.min(wanted, longestSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)));
  const [wide, high] = [width, height].map((side) => Math.max(1, Math.round(side * factor)));
  return {
    matrix: shifted(matrix, box, factor),
    size: { width: wide ?? 1, height: high ?? 1 },
    reduced: factor < wanted,
  };
}

/** Both pages whole, turned and mirrored as the view, at a scale of the main page's own pixels. */
export function planOpening(
  pages: readonly OpeningPage[],
  { rotation, mirror }: Pick<ViewState, 'rotation' | 'mirror'>,
  scale: number,
): OpeningPlan | undefined {
  const [main] = pages;
  if (main === undefined) return undefined;
  const matrix = matrixOf({ center: { x: 0, y: 0 }, scale: 1, rotation, mirror }, main.size, { width: 0, height: 0 });
  const corners = pages.flatMap(({ part }) => cornersOf(part)).map((corner) => toScreen(matrix, corner));
  const box = boxAround(corners);
  return box && planBox(matrix, box, scale);
}

/** What is drawn of a page: the part of it, in fractions of the page, and the size in which that is asked for. */
export interface DrawnPart {
  readonly region: Rect;
  readonly size: Size;
  /** Maps fractions of the page to pixels of the picture. */
  readonly matrix: Matrix;
}

/** Undefined where nothing of the page is in the picture. */
export function drawnPart(page: OpeningPage, plan: OpeningPlan): DrawnPart | undefined {
  const matrix = matrixOfPart(plan.matrix, page.part, { width: 1, height: 1 });
  const whole = { x: 0, y: 0, ...plan.size };
  const seen = boxAround(cornersOf(whole).map((corner) => toImage(matrix, corner)));
  if (seen === undefined || seen.x >= 1 || seen.y >= 1 || seen.x + seen.width <= 0 || seen.y + seen.height <= 0)
    return undefined;
  const region = clipToImage(seen);
  const scale = Math.min(1, Math.hypot(matrix[0], matrix[1]) / page.size.width);
  const [width, height] = [
    Math.max(1, Math.round(region.width * page.size.width * scale)),
    Math.max(1, Math.round(region.height * page.size.height * scale)),
  ];
  return { region, size: { width, height }, matrix };
}
