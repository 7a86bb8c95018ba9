/** Several images beside or above each other: their views, and how they are arranged. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { Point, ViewState } from './view-state.ts';

/** The largest number of images in a comparison. */
export const maxCompared = 4;

/** How many points of each image an alignment takes. */
export const alignmentPoints = 2;

/**
 * `beside`: all images side by side. The others lay two images over each other: with an edge between them (`slider`),
 * the upper one translucent (`blend`), or the difference of their colors (`difference`).
 */
export const layouts = ['beside', 'slider', 'blend', 'difference'] as const;
export type Layout = (typeof layouts)[number];

export const isLayout = (text: string): text is Layout => layouts.some((layout) => layout === text);

/** The indices of the lower and the upper of two images that lie over each other. */
export type Pair = readonly [lower: number, upper: number];

export interface Arrangement {
  readonly layout: Layout;
  readonly pair: Pair;
  /** Where the edge of `slider` is, in fractions of the width; how opaque the upper image of `blend` is. */
  readonly position: number;
  /** Whether the images are moved and zoomed together. */
  readonly together: boolean;
  /** For each image, up to two points in fractions of it; the first ones show the same spot, and the second ones. */
  readonly points: readonly (readonly Point[])[];
}

export interface Comparison extends Arrangement {
  readonly views: readonly ViewState[];
}

export const plainArrangement: Arrangement = {
  layout: 'beside',
  pair: [0, 1],
  position: 0.5,
  together: true,
  points: [],
};

/** A view as it is compared: one page, since its neighbors are no part of a comparison; `points` is a name of ours. */
export const comparedView = (state: ViewState): ViewState => ({
  ...state,
  twoPages: undefined,
  shifted: false,
  search: '',
  selectsText: false,
  unknown: state.unknown.filter(([name]) => name !== 'points'),
});

export const sideBySide = (views: readonly ViewState[]): Comparison => ({
  ...plainArrangement,
  views: views.slice(0, maxCompared).map(comparedView),
});

/** The points of the image at an index. */
export const pointsAt = ({ points }: Pick<Arrangement, 'points'>, index: number): readonly Point[] =>
  points[index] ?? [];

/** Whether both points of an image are set. */
export const isAligned = (arrangement: Pick<Arrangement, 'points'>, index: number): boolean =>
  pointsAt(arrangement, index).length === alignmentPoints;

/** The index of the point that is nearer to another, in pixels of the image. */
export function nearerPoint(points: readonly Point[], to: Point, { width, height }: Size): number {
  const distances = points.map(({ x, y }) => Math.hypot((x - to.x) * width, (y - to.y) * height));
  return distances.indexOf(Math.min(...distances));
}

/** One list of points for each of `count` images, without empty ones at the end. */
export function tidyPoints(points: Arrangement['points'], count: number): Arrangement['points'] {
  const kept = points.slice(0, count).map((list) => list.slice(0, alignmentPoints));
  const last = kept.findLastIndex((list) => list.length > 0);
  return kept.slice(0, last + 1).map((list) => list ?? []);
}

/** Sets the points of one image. */
export const withPoints = (
  arrangement: Arrangement,
  index: number,
  points: readonly Point[],
  count: number,
): Arrangement => {
  const all = Array.from({ length: count }, (_, at) => (at === index ? points : pointsAt(arrangement, at)));
  return { ...arrangement, points: tidyPoints(all, count) };
};

/** Two different images of `count`; the first two where the wanted ones are not there. */
export function validPair([lower, upper]: Pair, count: number): Pair {
  const isThere = (index: number): boolean => index >= 0 && index < count;
  return lower !== upper && isThere(lower) && isThere(upper) ? [lower, upper] : [0, 1];
}

/** Adds an image behind the others; the same where there is no room for it. */
export const withImage = (comparison: Comparison, state: ViewState): Comparison =>
  comparison.views.length >= maxCompared
    ? comparison
    : { ...comparison, views: [...comparison.views, comparedView(state)] };

/** Takes an image out; a layout with two images over each other needs two. */
export function withoutImage(comparison: Comparison, index: number): Comparison {
  const views = comparison.views.filter((_, at) => at !== index);
  const points = comparison.views.map((_, at) => pointsAt(comparison, at)).filter((_, at) => at !== index);
  return {
    ...comparison,
    views,
    layout: views.length < 2 ? 'beside' : comparison.layout,
    pair: [0, 1],
    points: tidyPoints(points, views.length),
  };
}

/** Shows another image in the place of one, with the same region, turn and colors; points and notes belong to the old one. */
export function withOtherImage(comparison: Comparison, index: number, fn: string): Comparison {
  const views = comparison.views.map((state, at) =>
    at === index ? { ...state, fn, pn: 1, marks: [], rectangles: [], withTexts: false } : state,
  );
  return { ...comparison, ...withPoints(comparison, index, [], views.length), views };
}

/** The comparison of nothing yet, for choosing images. */
export const emptyComparison: Comparison = { ...plainArrangement, views: [] };
