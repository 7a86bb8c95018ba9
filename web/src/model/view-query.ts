/** Parses and formats views as the parameters of digilib's viewer. */
import { colorNames, formatColor, parseColor } from './color-text.ts';
import { isForeign } from './foreign-path.ts';
import { formatMarks, formatRectangles, formatTexts, parseMarks, parseRectangles, withTexts } from './mark-lists.ts';
import { formatModes, parseModes } from './mode-list.ts';
import { formatNumber, parseCount, parseNumber, parsePositive, rounded } from './number-text.ts';
import { formatPairs, type Pair } from './query-pairs.ts';
import type { Rect, ScaleMode, ViewState } from './view-state.ts';

/** Parameters that `parseView` parses; others pass through. */
const parsedNames = [
  'fn',
  'pn',
  'wx',
  'wy',
  'ww',
  'wh',
  'rot',
  'mo',
  'mk',
  'rg',
  'mkt',
  'rgt',
  'ddpi',
  'pages',
  'shift',
  'q',
  'text',
  ...colorNames,
];

/** The size of the window and the number of images, which do not belong to a view. */
const droppedNames = ['dw', 'dh', 'pt'];

const handledNames: ReadonlySet<string> = new Set([...parsedNames, ...droppedNames]);

/** Secrets of the reader, which no formatted address contains, in any case. */
const secretNames: ReadonlySet<string> = new Set(['id_token', 'access_token']);

/** `ws` is the size factor of old viewers; 1 is its default, also for a malformed value. */
const hasEffect = ([name, value]: Pair): boolean => name !== 'ws' || (parseNumber(value) ?? 1) !== 1;

const isPassedThrough = (pair: Pair): boolean =>
  !handledNames.has(pair[0]) && !secretNames.has(pair[0].toLowerCase()) && hasEffect(pair);

/** What names a page outside of the library, which is its path then; the links of IIIF icons also have it beside a path. */
const outsideNames: ReadonlySet<string> = new Set(['manifest', 'canvas', 'iiif-content']);

/** The most characters of a search that an address has. */
const maxSearch = 500;

type TextOf = (name: string) => string;

/** At a fixed scale, the extent of the region depends on the window: only the corner is parsed. */
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

/** `pages`: 2 for two pages side by side, 1 for one also where the folder's pages are shown in twos. */
const twoPagesByText: Readonly<Record<string, boolean>> = { 1: false, 2: true };

const parseTwoPages = (text: string): boolean | undefined => twoPagesByText[text];

const twoPagesPairs = (twoPages: boolean | undefined): readonly Pair[] =>
  twoPages === undefined ? [] : [['pages', twoPages ? '2' : '1']];

/** Malformed numbers count as absent. */
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
    marks: withTexts(parseMarks(textOf('mk')), textOf('mkt')),
    rectangles: withTexts(parseRectangles(textOf('rg')), textOf('rgt')),
    withTexts: textOf('mkt') !== '' || textOf('rgt') !== '',
    ddpi: parsePositive(textOf('ddpi')),
    twoPages: parseTwoPages(textOf('pages').trim()),
    shifted: textOf('shift').trim() === '1',
    search: textOf('q').trim().slice(0, maxSearch),
    selectsText: textOf('text').trim() === '1',
    unknown: pairs.filter((pair) => isPassedThrough(pair) && !(isForeign(fn) && outsideNames.has(pair[0]))),
  };
}

const unless = (byDefault: string, name: string, text: string): readonly Pair[] =>
  text === byDefault ? [] : [[name, text]];

/** At least the smallest number above 0 with four decimals. */
const formatExtent = (extent: number): string => formatNumber(Math.max(extent, 0.0001));

/** At a fixed scale, only the parameters of the corner. */
export const formatRegion = ({ x, y, width, height }: Rect, mode: ScaleMode): readonly Pair[] => [
  ...unless('0', 'wx', formatNumber(x)),
  ...unless('0', 'wy', formatNumber(y)),
  ...(mode === 'fit' ? unless('1', 'ww', formatExtent(width)) : []),
  ...(mode === 'fit' ? unless('1', 'wh', formatExtent(height)) : []),
];

export const formatRotation = (degrees: number): readonly Pair[] =>
  unless('0', 'rot', formatNumber(normalizedDegrees(rounded(degrees))));

/** The texts of marks and rectangles (`mkt`, `rgt`), which digilib does not have. */
const textPairs = ({ marks, rectangles }: ViewState): readonly Pair[] => [
  ...unless('', 'mkt', formatTexts(marks)),
  ...unless('', 'rgt', formatTexts(rectangles)),
];

/** The parameters of a view without its image; defaults are left out. */
export const viewPairs = (state: ViewState): readonly Pair[] => [
  ...unless('1', 'pn', String(state.pn)),
  ...formatRegion(state.region, state.mode),
  ...formatRotation(state.rotation),
  ...unless('', 'mo', formatModes(state)),
  ...formatColor(state.color),
  ...unless('', 'mk', formatMarks(state.marks)),
  ...unless('', 'rg', formatRectangles(state.rectangles)),
  ...(state.withTexts ? textPairs(state) : []),
  ...(state.ddpi === undefined ? [] : [['ddpi', formatExtent(state.ddpi)] as const]),
  ...twoPagesPairs(state.twoPages),
  ...(state.shifted ? [['shift', '1'] as const] : []),
  ...unless('', 'q', state.search),
  ...(state.selectsText ? [['text', '1'] as const] : []),
  ...state.unknown.filter(isPassedThrough),
];

/** The query of a view without its image; `parseView` reads it back. */
export const formatViewQuery = (state: ViewState): string => formatPairs(viewPairs(state));
