/** Parses addresses of the reading room into routes, those of older releases included. */
import { encodePath } from '../../../../src/core/image/addresses/folder-address.ts';
import type { ViewState } from '../view-state.ts';
import {
  cleanPath,
  decodeNames,
  formatPairs,
  isResolvedAway,
  outsidePairs,
  outsidePath,
  type Pair,
  parseCount,
  parseOldQuery,
  parsePairs,
} from './address-text.ts';
import { comparisonPairs, parseComparison } from './comparison.ts';
import {
  type CompareRoute,
  compareRoute,
  deskPairs,
  type LightTableRoute,
  libraryPairs,
  lightTableRoute,
  operationsOf,
  parseDesk,
  parseLibrary,
  type Route,
  viewRoute,
} from './routes.ts';
import { formatViewQuery, parseView } from './view-query.ts';

/** The parts of an address below the base, as the browser has them: percent-encoded. */
export interface RouteAddress {
  /** Without a slash before it. */
  readonly path: string;
  /** Without its `?`. */
  readonly query: string;
  /** Without its `#`. Not part of the route: logins leave their tokens there. */
  readonly fragment: string;
}

function parseViewAddress(path: string, query: string): ViewState {
  const outside = path === '' ? outsidePath(new Map(parsePairs(query))) : undefined;
  if (path !== '' || outside !== undefined) return parseView(outside ?? path, parsePairs(query));
  const pairs = parseOldQuery(query);
  return parseView(cleanPath(new Map(pairs).get('fn') ?? ''), pairs);
}

/** The route of an address in any form, old or new; the library for all other addresses. */
export function parseRoute({ path, query }: RouteAddress): Route {
  const names = decodeNames(path);
  const below = cleanPath(names.slice(1).join('/'));
  switch (names[0]) {
    case 'view':
      return viewRoute(parseViewAddress(below, query));
    case 'embed':
      return viewRoute(parseViewAddress(below, query), true);
    case 'compare':
      return compareRoute(parseComparison(parsePairs(query)));
    case 'desk':
      return parseDesk(parsePairs(query));
    case 'light-table':
      return lightTableRoute(parsePairs(query));
    case 'browse':
      return parseLibrary(below, parsePairs(query));
    default:
      // Where the address of the start page is known as that of the viewer.
      if (below === '' && /(?:^|&)(?:iiif-content|manifest)=/.test(query))
        return viewRoute(parseViewAddress('', query));
      return parseOldAddress(names, query) ?? parseLibrary('', parsePairs(query));
  }
}

const join = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

/** In bytes. Servers accept 8192; the rest is for the base and for what proxies add. */
const maxAddressLength = 7000;

const withoutNotes = (state: ViewState): ViewState => ({ ...state, marks: [], rectangles: [], withTexts: false });

/** The characters of the shortest mark or rectangle with its separator: `0/0,`. Thousands need no formatting to be too long. */
const shortestNote = 4;

const isWithinAddress = (state: ViewState): boolean =>
  (state.marks.length + state.rectangles.length) * shortestNote <= maxAddressLength &&
  formatWhole('embed', state).length <= maxAddressLength;

/** The view without the texts of notes, or without notes, if they would make its address too long for servers. */
export const withinAddress = (state: ViewState): ViewState =>
  [state, { ...state, withTexts: false }].find(isWithinAddress) ?? withoutNotes(state);

const formatView = (part: 'view' | 'embed', state: ViewState): string => formatWhole(part, withinAddress(state));

function formatWhole(part: 'view' | 'embed', state: ViewState): string {
  const query = formatViewQuery(state);
  const outside = outsidePairs(state.fn);
  if (outside !== undefined) return join(part, [formatPairs(outside), query].filter((text) => text !== '').join('&'));
  if (!isResolvedAway(state.fn)) return join(`${part}/${encodePath(state.fn)}`, query);
  // A browser would resolve `..` in the path, so such a path is written as the parameter `fn`.
  const name: Pair = ['fn', state.fn];
  return join(`${part}/`, [formatPairs([name]), query].filter((text) => text !== '').join('&'));
}

/** As addresses of views, without marks and rectangles where it would be too long. */
function formatComparison({ comparison }: CompareRoute): string {
  const address = join('compare', formatPairs(comparisonPairs(comparison)));
  if (address.length <= maxAddressLength) return address;
  const views = comparison.views.map(withoutNotes);
  return join('compare', formatPairs(comparisonPairs({ ...comparison, views })));
}

/** As much of a light table as an address can be long, from its lowest thing on. */
function formatLightTable({ pairs }: LightTableRoute): string {
  const fitting = [...pairs];
  const format = (): string => join('light-table', formatPairs(fitting));
  while (format().length > maxAddressLength) fitting.pop();
  return format();
}

/** The address of a route, relative to the base; `parseRoute` reads it back. The library's root is ''. */
export function formatRoute(route: Route): string {
  if (route.kind === 'view') return formatView(route.embedded ? 'embed' : 'view', route.state);
  if (route.kind === 'compare') return formatComparison(route);
  if (route.kind === 'desk') return join('desk', formatPairs(deskPairs(route)));
  if (route.kind === 'light-table') return formatLightTable(route);
  const folder = isResolvedAway(route.folder) ? '' : encodePath(route.folder);
  const query = formatPairs(libraryPairs(route));
  return folder === '' && query === '' ? '' : join(`browse/${folder}`, query);
}

/**
 * The path of the image that a typed address means: one of this library, in any form, or a bare path. Undefined for
 * other addresses. `base` is the address of the library with a slash at its end.
 */
export function pathInAddress(typed: string, base: string): string | undefined {
  const text = typed.trim();
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return cleanPath(text) || undefined;
  if (!text.startsWith(base)) return undefined;
  const [before = ''] = text.slice(base.length).split('#');
  const at = before.includes('?') ? before.indexOf('?') : before.length;
  const route = parseRoute({ path: before.slice(0, at), query: before.slice(at + 1), fragment: '' });
  return route.kind === 'view' && route.state.fn !== '' ? route.state.fn : undefined;
}

type OldPage = 'viewer' | 'embedded' | 'sheet' | 'old-sheet';

/** By the last segment of the path: the context path and the skin may be any. */
const pagesByName: Readonly<Record<string, OldPage>> = {
  'digilib.html': 'viewer',
  'digilib.jsp': 'viewer',
  'diginew.jsp': 'viewer',
  'digimage.jsp': 'viewer',
  'embedded.html': 'embedded',
  'digicat.html': 'old-sheet',
  'digicat.jsp': 'old-sheet',
};

function pageAt(names: readonly string[]): OldPage | undefined {
  const name = names.at(-1) ?? '';
  if (name === 'digicat.html' && names.at(-2) === 'jquery') return 'sheet';
  return Object.hasOwn(pagesByName, name) ? pagesByName[name] : undefined;
}

interface Sheet {
  readonly from: number;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

/** The contact sheet of the jQuery client: sheet `pg` of `cols` x `rows` thumbnails. */
function parseSheet(textOf: (name: string) => string): Sheet {
  const columns = parseCount(textOf('cols')) ?? 4;
  const rows = parseCount(textOf('rows')) ?? 5;
  const sheet = parseCount(textOf('pg')) ?? 1;
  return { from: (sheet - 1) * columns * rows + 1, columns, rows };
}

/** Older contact sheets: from page `pn`, or sheet `pg`; `mx` is columns x rows, and a single number shows all images. */
function parseOldSheet(textOf: (name: string) => string): Sheet {
  const matrix = textOf('mx') || '6x4';
  const [columns, rows, ...more] = matrix.split('x').map(parseCount);
  if (columns === undefined || rows === undefined || more.length > 0) {
    return { from: 1, columns: undefined, rows: undefined };
  }
  const sheet = parseCount(textOf('pg')) ?? 1;
  return { from: parseCount(textOf('pn')) ?? (sheet - 1) * columns * rows + 1, columns, rows };
}

function parseTable(page: 'sheet' | 'old-sheet', pairs: readonly Pair[]): Route {
  const values = new Map(pairs);
  const textOf = (name: string): string => values.get(name) ?? '';
  const sheet = page === 'sheet' ? parseSheet(textOf) : parseOldSheet(textOf);
  return { kind: 'table', folder: cleanPath(textOf('fn')), ...sheet, operations: operationsOf(pairs) };
}

/** The route of an address by the decoded segments of its path; undefined if it is not of an old page. */
function parseOldAddress(names: readonly string[], query: string): Route | undefined {
  const page = pageAt(names);
  if (page === undefined) return undefined;
  const pairs = parseOldQuery(query);
  if (page === 'sheet' || page === 'old-sheet') return parseTable(page, pairs);
  const fn = cleanPath(new Map(pairs).get('fn') ?? '');
  return viewRoute(parseView(fn, pairs), page === 'embedded');
}
