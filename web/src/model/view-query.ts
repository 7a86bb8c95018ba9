/** What is shown of an image, to and from the parameters of digilib's viewer. */
import { colorNames, formatColor, parseColor } from './color-text.ts';
import { formatModes, parseModes } from './mode-list.ts';
import { formatNumber, parseCount, parseNumber, parsePositive, rounded } from './number-text.ts';
import { formatMarks, formatRectangles, parseMarks, parseRectangles } from './mark-lists.ts';
import { formatPairs, type Pair } from './query-pairs.ts';
import type { Rect, ScaleMode, ViewState } from './view-state.ts';

/** What the reading room reads out of a query, so that it is no parameter that is merely kept. */
const parsedNames = ['fn', 'pn', 'wx', 'wy', 'ww', 'wh', 'rot', 'mo', 'mk', 'rg', 'ddpi', 'pages', ...colorNames];

/** What the window and the folder say themselves. */
const droppedNames = ['dw', 'dh', 'pt'];

const handledNames: ReadonlySet<string> = new Set([...parsedNames, ...droppedNames]);

/** Secrets of the one who came with them; they are in no address that the reading room makes, in any spelling. */
const secretNames: ReadonlySet<string> = new Set(['id_token', 'access_token']);

/** The reading room has no size factor of its own; a factor of 1 says nothing, and one that does not parse neither. */
const isMeaningful = ([name, value]: Pair): boolean => name !== 'ws' || (parseNumber(value) ?? 1) !== 1;

const isPassedThrough = (pair: Pair): boolean =>
  !handledNames.has(pair[0]) && !secretNames.has(pair[0].toLowerCase()) && isMeaningful(pair);

type TextOf = (name: string) => string;

/** With one pixel to a pixel, or in true size, the window says how much is shown: only the corner counts. */
const parseRegion = (textOf: TextOf, mode: ScaleMode): Rect => ({
  x: parseNumber(textOf('wx')) ?? 0,
  y: parseNumber(textOf('wy')) ?? 0,
  width: (mode === 'fit' ? parsePositive(textOf('ww')) : undefined) ?? 1,
  height: (mode === 'fit' ? parsePositive(textOf('wh')) : undefined) ?? 1,
});

/** Degrees from 0 to below 360; never -0. */
export function normalizedDegrees(degrees: number): number {
  const rest = degrees % 360;
  return rest < 0 ? (rest + 360) % 360 : rest + 0;
}

/** The view of `fn` that the parameters describe. Numbers that don't parse count as absent. */
export function parseView(fn: string, pairs: readonly Pair[]): ViewState {
  const values = new Map(pairs);
  const textOf: TextOf = (name) => values.get(name) ?? '';
  const modes = parseModes(textOf('mo'));
  return {
    fn,
    pn: parseCount(textOf('pn')) ?? 1,
    region: parseRegion(textOf, modes.mode),
    rotation: normalizedDegrees(parseNumber(textOf('rot')) ?? 0),
    ...modes,
    color: parseColor(textOf),
    marks: parseMarks(textOf('mk')),
    rectangles: parseRectangles(textOf('rg')),
    ddpi: parsePositive(textOf('ddpi')),
    twoPages: textOf('pages').trim() === '2',
    unknown: pairs.filter(isPassedThrough),
  };
}

const unless = (usual: string, name: string, text: string): readonly Pair[] => (text === usual ? [] : [[name, text]]);

/** An extent that rounding would make nothing stays as small as four decimals can say. */
const formatExtent = (extent: number): string => formatNumber(Math.max(extent, 0.0001));

/** The parameters of a region; only those of its corner where the window says how much is shown. */
export const formatRegion = ({ x, y, width, height }: Rect, mode: ScaleMode): readonly Pair[] => [
  ...unless('0', 'wx', formatNumber(x)),
  ...unless('0', 'wy', formatNumber(y)),
  ...(mode === 'fit' ? unless('1', 'ww', formatExtent(width)) : []),
  ...(mode === 'fit' ? unless('1', 'wh', formatExtent(height)) : []),
];

/** The parameter of a rotation; none where it rounds to a full turn. */
export const formatRotation = (degrees: number): readonly Pair[] =>
  unless('0', 'rot', formatNumber(normalizedDegrees(rounded(degrees))));

/** The parameters that say all of a view but its image; defaults are left out. */
export const viewPairs = (state: ViewState): readonly Pair[] => [
  ...unless('1', 'pn', String(state.pn)),
  ...formatRegion(state.region, state.mode),
  ...formatRotation(state.rotation),
  ...unless('', 'mo', formatModes(state)),
  ...formatColor(state.color),
  ...unless('', 'mk', formatMarks(state.marks)),
  ...unless('', 'rg', formatRectangles(state.rectangles)),
  ...(state.ddpi === undefined ? [] : [['ddpi', formatExtent(state.ddpi)] as const]),
  ...(state.twoPages ? [['pages', '2'] as const] : []),
  ...state.unknown.filter(isPassedThrough),
];

/** The query that says all of a view but its image; defaults are left out. `parseView` reads it back. */
export const formatViewQuery = (state: ViewState): string => formatPairs(viewPairs(state));
