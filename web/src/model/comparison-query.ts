/**
 * Parses and formats comparisons: `1.fn=a.tif&1.rot=90&2.fn=b.tif&layout=slider`, or `2.manifest` and `2.canvas` for a page of
 * another host's manifest. The number before the dot names the image; behind it are the parameters of a view (view-query.ts), and `points`.
 */
import {
  type Arrangement,
  alignmentPoints,
  type Comparison,
  comparedView,
  isLayout,
  maxCompared,
  type Pair as Overlaid,
  plainArrangement,
  pointsAt,
  tidyPoints,
  validPair,
} from './comparison.ts';
import { outsidePairs, outsidePath } from './foreign-path.ts';
import { parsePoints } from './mark-lists.ts';
import { formatPrecise, parseNumber } from './number-text.ts';
import { cleanPath } from './path-segments.ts';
import type { Pair } from './query-pairs.ts';
import { parseView, viewPairs } from './view-query.ts';
import type { Point, Rect, ViewState } from './view-state.ts';

const numbered = /^([1-9])\.(.+)$/;

/** The path of an image of this library, or of a page of another host's manifest; '' for none. */
function pathIn(pairs: readonly Pair[]): string {
  const values = new Map(pairs);
  return outsidePath(values) ?? cleanPath(values.get('fn') ?? '');
}

/** The pairs of each image, without its number. */
function pairsOfImages(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const lists: Pair[][] = Array.from({ length: maxCompared }, () => []);
  for (const [name, value] of pairs) {
    const [, number = '0', rest = ''] = numbered.exec(name) ?? [];
    lists[Number(number) - 1]?.push([rest, value]);
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

function parsePair(text: string, count: number): Overlaid {
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

/** Six decimals: images over each other show a shift that a single image does not. */
const preciseRegion = ({ x, y, width, height }: Rect): readonly Pair[] => [
  ['wx', formatPrecise(x)],
  ['wy', formatPrecise(y)],
  ['ww', formatPrecise(Math.max(width, 0.000001))],
  ['wh', formatPrecise(Math.max(height, 0.000001))],
];

const isDefault = ([name, value]: Pair): boolean => value === (name === 'wx' || name === 'wy' ? '0' : '1');

const regionNames: ReadonlySet<string> = new Set(['wx', 'wy', 'ww', 'wh']);

/** A region that the window determines has its corner only, as in the address of a view. */
const imagePairs = (state: ViewState): readonly Pair[] => {
  const others = viewPairs(state);
  if (state.mode !== 'fit') return others;
  return [
    ...preciseRegion(state.region).filter((pair) => !isDefault(pair)),
    ...others.filter(([name]) => !regionNames.has(name)),
  ];
};

const formatPoints = (points: readonly Point[]): string =>
  points.map(({ x, y }) => `${formatPrecise(x)}/${formatPrecise(y)}`).join(',');

const pointPairs = (points: readonly Point[]): readonly Pair[] =>
  points.length === 0 ? [] : [['points', formatPoints(points)]];

const unless = (byDefault: string, name: string, text: string): readonly Pair[] =>
  text === byDefault ? [] : [[name, text]];

const arrangementPairs = ({ layout, pair, position, together }: Arrangement): readonly Pair[] => [
  ...unless(plainArrangement.layout, 'layout', layout),
  ...unless('1/2', 'pair', pair.map((index) => index + 1).join('/')),
  ...unless('0.5', 'position', formatPrecise(position)),
  ...(together ? [] : [['move', 'apart'] as const]),
];

/** The parameters of a comparison; defaults are left out. `parseComparison` reads them back. */
export const comparisonPairs = (comparison: Comparison): readonly Pair[] => [
  ...comparison.views.flatMap((state, index) =>
    [
      ...(outsidePairs(state.fn) ?? [['fn', state.fn] as const]),
      ...imagePairs(state),
      ...pointPairs(pointsAt(comparison, index)),
    ].map(([name, value]): Pair => [`${index + 1}.${name}`, value]),
  ),
  ...arrangementPairs(comparison),
];
