/** Several images beside or above each other: their views, how they are arranged, and the parameters of their address. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Point, ViewState } from '../view-state.ts';
import {
  cleanPath,
  formatNumber,
  formatNumbers,
  outsidePairs,
  outsidePath,
  type Pair,
  pairUnless,
  parseNumber,
} from './address-text.ts';
import { parsePoints, parseView, viewPairs } from './view-query.ts';

/** As many as an address of 8 KB describes. */
export const maxCompared = 60;

/** The most parameters of images in an address, which can have 100 parameters; with more, those of an image are one. */
const maxSinglePairs = 80;

/** How many points of each image an alignment takes. */
export const alignmentPoints = 2;

/**
 * `beside`: all images side by side. The others lay two images over each other: with an edge between them (`slider`),
 * the upper one translucent (`blend`), or the difference of their colors (`difference`).
 */
export const layouts = ['beside', 'slider', 'blend', 'difference'] as const;
export type Layout = (typeof layouts)[number];

const isLayout = (text: string): text is Layout => layouts.some((layout) => layout === text);

/** The indices of the lower and the upper of two images that lie over each other. */
type OverlaidPair = readonly [lower: number, upper: number];

export interface Arrangement {
  readonly layout: Layout;
  readonly pair: OverlaidPair;
  /** Where the edge of `slider` is, in fractions of the width; how opaque the upper image of `blend` is. */
  readonly position: number;
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

/** A view as it is compared: a page or an opening, without a search; `points` is a name of ours. */
const comparedView = (state: ViewState): ViewState => ({
  ...state,
  search: '',
  tour: undefined,
  selectsText: false,
  texts: [],
  letters: undefined,
  unknown: state.unknown.filter(([name]) => name !== 'points'),
});

export const sideBySide = (views: readonly ViewState[]): Comparison => ({
  ...plainArrangement,
  views: views.slice(0, maxCompared).map(comparedView),
});

export const pointsAt = ({ points }: Pick<Arrangement, 'points'>, index: number): readonly Point[] =>
  points[index] ?? [];

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
export function validPair([lower, upper]: OverlaidPair, count: number): OverlaidPair {
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

/** A parameter of an image, or all parameters of it as one. */
const numbered = /^([1-9]\d?)(?:\.(.+))?$/;

/** The path of an image of this library, or of a page of another host's manifest; '' for none. */
function pathIn(pairs: readonly Pair[]): string {
  const values = new Map(pairs);
  return outsidePath(values) ?? cleanPath(values.get('fn') ?? '');
}

/** The pairs of each image, without its number. */
function pairsOfImages(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const lists: Pair[][] = Array.from({ length: maxCompared }, () => []);
  for (const [name, value] of pairs) {
    const [, number = '0', rest] = numbered.exec(name) ?? [];
    const own = rest === undefined ? [...new URLSearchParams(value)] : [[rest, value] as const];
    lists[Number(number) - 1]?.push(...own);
  }
  // Images without a name are none, and the others move up.
  return lists.filter((list) => pathIn(list) !== '');
}

const parseImage = (pairs: readonly Pair[]): ViewState =>
  comparedView(
    parseView(
      pathIn(pairs),
      pairs.filter(([name]) => name !== 'points'),
    ),
  );

/** Between 0 and 1; the default where it is malformed. */
const parsePosition = (text: string): number =>
  Math.min(Math.max(parseNumber(text) ?? plainArrangement.position, 0), 1);

function parsePair(text: string, count: number): OverlaidPair {
  const [lower = 1, upper = 2] = text.split('/').map((part) => parseNumber(part) ?? 0);
  return validPair([lower - 1, upper - 1], count);
}

/** Malformed parameters count as absent. */
export function parseComparison(pairs: readonly Pair[]): Comparison {
  const values = new Map(pairs);
  const images = pairsOfImages(pairs);
  const views = images.map(parseImage);
  const layout = values.get('layout') ?? '';
  const points = images.map((own) => parsePoints(new Map(own).get('points') ?? '').slice(0, alignmentPoints));
  return {
    views,
    layout: isLayout(layout) && views.length > 1 ? layout : plainArrangement.layout,
    pair: parsePair(values.get('pair') ?? '', views.length),
    position: parsePosition(values.get('position') ?? ''),
    together: values.get('move') !== 'apart',
    points: tidyPoints(points, views.length),
  };
}

/** Of regions and points: images over each other show a shift that a single image does not. */
const decimals = 6;

const arrangementPairs = ({ layout, pair, position, together }: Arrangement): readonly Pair[] => [
  ...pairUnless(plainArrangement.layout, 'layout', layout),
  ...pairUnless('1/2', 'pair', pair.map((index) => index + 1).join('/')),
  ...pairUnless('0.5', 'position', formatNumber(position, decimals)),
  ...pairUnless('', 'move', together ? '' : 'apart'),
];

const pairsOfImage = (comparison: Comparison, state: ViewState, index: number): readonly Pair[] => [
  ...(outsidePairs(state.fn) ?? [['fn', state.fn] as const]),
  ...viewPairs(state, state.mode === 'fit' ? decimals : undefined),
  ...pairUnless(
    '',
    'points',
    pointsAt(comparison, index)
      .map(({ x, y }) => formatNumbers([x, y], decimals))
      .join(','),
  ),
];

/** The parameters of a comparison; defaults are left out. `parseComparison` reads them back. */
export function comparisonPairs(comparison: Comparison): readonly Pair[] {
  const images = comparison.views.map((state, index) => pairsOfImage(comparison, state, index));
  const isEachOne = images.flat().length > maxSinglePairs;
  const named = images.flatMap((own, index): readonly Pair[] =>
    isEachOne
      ? [[`${index + 1}`, new URLSearchParams(own.map(([name, value]) => [name, value])).toString()]]
      : own.map(([name, value]) => [`${index + 1}.${name}`, value]),
  );
  return [...named, ...arrangementPairs(comparison)];
}
