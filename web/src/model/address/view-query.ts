/** Parses and formats views as the parameters of digilib’s viewer. */

import { isColorOperator, type Triple } from '../../../../src/core/image/model/color.ts';
import { formatSeconds, parseTime } from '../media/time.ts';
import {
  type Mark,
  type MarkedRegion,
  type PageLayout,
  type Point,
  type Rect,
  type ScaleMode,
  type TourPlace,
  type ViewColor,
  type ViewEffect,
  type ViewState,
  viewEffects,
} from '../view-state.ts';
import {
  formatNumber,
  formatNumbers,
  formatPairs,
  isForeign,
  type Pair,
  pairUnless,
  parseCount,
  parseNumber,
  parseNumbers,
  parsePositive,
  rounded,
} from './address-text.ts';
import { formatLayers, layerNames, parseLayers } from './layer-query.ts';

type Modes = Pick<ViewState, 'mode' | 'mirror' | 'quality' | 'options'>;

const qualities = [0, 1, 2, 3] as const;

const ownEntries: ReadonlySet<string> = new Set(['fit', 'clip', 'osize', 'hmir', 'vmir', 'q0', 'q1', 'q2', 'q3']);

/** Of several modes, the same takes precedence as in the Scaler. */
function scaleModeOf(entries: ReadonlySet<string>): ScaleMode {
  if (entries.has('fit')) return 'fit';
  if (entries.has('clip')) return 'pixels';
  return entries.has('osize') ? 'true-size' : 'fit';
}

function parseModes(text: string): Modes {
  const entries = new Set(text.split(',').map((entry) => entry.trim()));
  return {
    mode: scaleModeOf(entries),
    mirror: { horizontal: entries.has('hmir'), vertical: entries.has('vmir') },
    quality: qualities.find((quality) => entries.has(`q${quality}`)),
    options: [...entries].filter((entry) => entry !== '' && !ownEntries.has(entry)),
  };
}

const modeEntries: Readonly<Record<ScaleMode, readonly string[]>> = {
  fit: [],
  pixels: ['clip'],
  'true-size': ['osize'],
};

/** The entries of `mo` that mirror. */
export const mirrorEntries = ({ horizontal, vertical }: ViewState['mirror']): readonly string[] => [
  ...(horizontal ? ['hmir'] : []),
  ...(vertical ? ['vmir'] : []),
];

/** Empty for the defaults. */
const formatModes = ({ mode, mirror, quality, options }: Modes): string =>
  [...modeEntries[mode], ...mirrorEntries(mirror), ...(quality === undefined ? [] : [`q${quality}`]), ...options].join(
    ',',
  );

/** Points as `x/y,x/y`; malformed entries are skipped. The oldest viewers separated marks by `;`. */
export function parsePoints(text: string): readonly Point[] {
  return text.split(/[,;]/).flatMap((entry): Point[] => {
    const [x, y] = parseNumbers(entry, 2, 'allowed') ?? [];
    return x === undefined || y === undefined ? [] : [{ x, y }];
  });
}

const parseMarks = (text: string): readonly Mark[] => parsePoints(text);

/** Malformed entries are skipped. */
function parseRectangles(text: string): readonly MarkedRegion[] {
  return text.split(/[,;]/).flatMap((entry): MarkedRegion[] => {
    const [x, y, width, height] = parseNumbers(entry, 4, 'allowed') ?? [];
    if (x === undefined || y === undefined || width === undefined || height === undefined) return [];
    return [{ x, y, width, height }];
  });
}

/** Without texts, which addresses do not contain. */
export const formatMarks = (marks: readonly Mark[]): string => marks.map(({ x, y }) => formatNumbers([x, y])).join(',');

export const formatRectangles = (rectangles: readonly MarkedRegion[]): string =>
  rectangles.map(({ x, y, width, height }) => formatNumbers([x, y, width, height])).join(',');

/** Splits at bars; a backslash stands before bars and backslashes of a text. */
function parseTexts(text: string): readonly string[] {
  const texts = [''];
  for (const [part, escaped] of text.matchAll(/\\([\s\S]?)|\||[^\\|]+/g)) {
    if (part === '|') texts.push('');
    else texts.push((texts.pop() ?? '') + (escaped ?? part));
  }
  return texts;
}

const formatText = (text: string): string => text.replace(/[|\\]/g, '\\$&');

/** The texts of items as `first|second`, empty for items without one. */
const formatTexts = (items: readonly { readonly text?: string }[]): string =>
  items
    .map(({ text = '' }) => formatText(text))
    .join('|')
    .replace(/\|+$/, '');

/** Gives items their texts, in order; `formatTexts` writes them. */
function withTexts<Item extends { readonly text?: string }>(items: readonly Item[], text: string): readonly Item[] {
  if (text === '') return items;
  const texts = parseTexts(text);
  return items.map((item, at) => (texts[at] ? { ...item, text: texts[at].trim() } : item));
}

export const colorNames = ['cont', 'brgt', 'rgbm', 'rgba', 'colop'] as const;

function parseTriple(text: string): Triple {
  const [red, green, blue] = parseNumbers(text, 3, 'refused') ?? [];
  return red === undefined || green === undefined || blue === undefined ? [0, 0, 0] : [red, green, blue];
}

function parseOperation(text: string): ViewColor['operation'] {
  const name = text.toUpperCase();
  return isColorOperator(name) ? name : '';
}

/** Parses the colors of a query; `textOf` returns '' for a parameter that is absent. */
export const parseColor = (textOf: (name: (typeof colorNames)[number]) => string): ViewColor => ({
  contrast: parseNumber(textOf('cont')) ?? 0,
  brightness: parseNumber(textOf('brgt')) ?? 0,
  multiply: parseTriple(textOf('rgbm')),
  add: parseTriple(textOf('rgba')),
  operation: parseOperation(textOf('colop')),
});

/** The parameters for these colors, without those that have their default. */
export const formatColor = (color: ViewColor): readonly Pair[] => [
  ...pairUnless('0', 'cont', formatNumber(color.contrast)),
  ...pairUnless('0', 'brgt', formatNumber(color.brightness)),
  ...pairUnless('0/0/0', 'rgbm', formatNumbers(color.multiply)),
  ...pairUnless('0/0/0', 'rgba', formatNumbers(color.add)),
  ...pairUnless('', 'colop', color.operation),
];

/** The effects that a list names, in their own order. */
function parseEffects(text: string): readonly ViewEffect[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  return viewEffects.filter((name) => names.has(name));
}

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
  'layout',
  'q',
  'text',
  'texts',
  'letters',
  't',
  'tour',
  'step',
  ...colorNames,
  ...layerNames,
  'fx',
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
const outsideNames: ReadonlySet<string> = new Set(['manifest', 'canvas', 'sequence', 'iiif-content']);

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

const parseLayout = (text: string): PageLayout =>
  text === 'gallery' || text === 'scroll' || text === 'text' || text === 'map' ? text : 'page';

/** The keys of at most two texts; malformed ones count as absent. */
function parseTextKeys(text: string): readonly string[] {
  const keys = text
    .split(',')
    .slice(0, 2)
    .map((key) => (/^[\w-]{1,60}$/.test(key) ? key : ''));
  return keys.every((key) => key === '') ? [] : keys;
}

/** The bounds of the size of letters, in percent. */
export const lettersRange = { from: 60, to: 300 } as const;

function parseLetters(text: string): number | undefined {
  const letters = parseCount(text);
  return letters === undefined ? undefined : Math.min(Math.max(letters, lettersRange.from), lettersRange.to);
}

const parseTourPlace = (source: string, step: string): TourPlace | undefined =>
  source === '' ? undefined : { source, step: parseCount(step) ?? 1 };

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
    effects: parseEffects(textOf('fx')),
    layers: parseLayers(textOf),
    marks: withTexts(parseMarks(textOf('mk')), textOf('mkt')),
    rectangles: withTexts(parseRectangles(textOf('rg')), textOf('rgt')),
    withTexts: textOf('mkt') !== '' || textOf('rgt') !== '',
    ddpi: parsePositive(textOf('ddpi')),
    twoPages: parseTwoPages(textOf('pages').trim()),
    shifted: textOf('shift').trim() === '1',
    layout: parseLayout(textOf('layout').trim()),
    search: textOf('q').trim().slice(0, maxSearch),
    selectsText: textOf('text').trim() === '1',
    texts: parseTextKeys(textOf('texts').trim()),
    letters: parseLetters(textOf('letters')),
    time: parseTime(textOf('t')),
    tour: parseTourPlace(textOf('tour').trim(), textOf('step')),
    unknown: pairs.filter((pair) => isPassedThrough(pair) && !(isForeign(fn) && outsideNames.has(pair[0]))),
  };
}

/** At a fixed scale, only the parameters of the corner. Extents are at least the smallest number above 0 with these decimals. */
export function formatRegion({ x, y, width, height }: Rect, mode: ScaleMode, decimals = 4): readonly Pair[] {
  const corner = [
    ...pairUnless('0', 'wx', formatNumber(x, decimals)),
    ...pairUnless('0', 'wy', formatNumber(y, decimals)),
  ];
  if (mode !== 'fit') return corner;
  const extent = (length: number): string => formatNumber(Math.max(length, 1 / 10 ** decimals), decimals);
  return [...corner, ...pairUnless('1', 'ww', extent(width)), ...pairUnless('1', 'wh', extent(height))];
}

export const formatRotation = (degrees: number): readonly Pair[] =>
  pairUnless('0', 'rot', formatNumber(normalizedDegrees(rounded(degrees))));

/** The parameters of a view without its image; defaults are left out. `decimals` are those of the region. */
export const viewPairs = (state: ViewState, decimals = 4): readonly Pair[] => [
  ...pairUnless('1', 'pn', String(state.pn)),
  ...formatRegion(state.region, state.mode, decimals),
  ...formatRotation(state.rotation),
  ...pairUnless('', 'mo', formatModes(state)),
  ...formatColor(state.color),
  ...pairUnless('', 'fx', state.effects.join(',')),
  ...formatLayers(state.layers),
  ...pairUnless('', 'mk', formatMarks(state.marks)),
  ...pairUnless('', 'rg', formatRectangles(state.rectangles)),
  // digilib does not have texts of marks and rectangles.
  ...pairUnless('', 'mkt', state.withTexts ? formatTexts(state.marks) : ''),
  ...pairUnless('', 'rgt', state.withTexts ? formatTexts(state.rectangles) : ''),
  ...pairUnless('', 'ddpi', state.ddpi === undefined ? '' : formatNumber(Math.max(state.ddpi, 0.0001))),
  ...pairUnless('', 'pages', state.twoPages === undefined ? '' : state.twoPages ? '2' : '1'),
  ...pairUnless('', 'shift', state.shifted ? '1' : ''),
  ...pairUnless('page', 'layout', state.layout),
  ...pairUnless('', 'q', state.search),
  ...pairUnless('', 'text', state.selectsText ? '1' : ''),
  ...pairUnless('', 'texts', state.texts.join(',')),
  ...pairUnless('', 'letters', state.letters === undefined ? '' : String(state.letters)),
  ...pairUnless('', 't', state.time === undefined ? '' : formatSeconds(state.time)),
  ...(state.tour === undefined
    ? []
    : [['tour', state.tour.source] as const, ...pairUnless('1', 'step', String(state.tour.step))]),
  ...state.unknown.filter(isPassedThrough),
];

/** The query of a view without its image; `parseView` reads it back. */
export const formatViewQuery = (state: ViewState): string => formatPairs(viewPairs(state));
