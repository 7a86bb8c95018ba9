/** Addresses of the reading room and of all viewers before it, to and from the place that they lead to. */
import { parseOldAddress } from './old-address.ts';
import { formatPairs, type Pair, parseOldQuery, parsePairs } from './query-pairs.ts';
import { cleanPath, decodeNames, encodePath, isResolvedAway } from './room-path.ts';
import { type Route, viewRoute } from './routes.ts';
import { libraryPairs, parseLibrary } from './table-query.ts';
import { formatViewQuery, parseView } from './view-query.ts';
import type { ViewState } from './view-state.ts';

export { formatViewQuery };

/** The parts of an address below the base, as the browser has them: percent-encoded. */
export interface RouteAddress {
  /** Without a slash before it. */
  readonly path: string;
  /** Without its `?`. */
  readonly query: string;
  /** Without its `#`. It says nothing of the place: logins leave their tokens there. */
  readonly fragment: string;
}

function parseViewAddress(path: string, query: string): ViewState {
  if (path !== '') return parseView(path, parsePairs(query));
  const pairs = parseOldQuery(query);
  return parseView(cleanPath(new Map(pairs).get('fn') ?? ''), pairs);
}

/** The place that an address leads to, in all forms, old and new; the library where it is none of them. */
export function parseRoute({ path, query }: RouteAddress): Route {
  const names = decodeNames(path);
  const below = cleanPath(names.slice(1).join('/'));
  switch (names[0]) {
    case 'view':
      return viewRoute(parseViewAddress(below, query));
    case 'embed':
      return viewRoute(parseViewAddress(below, query), true);
    case 'browse':
      return parseLibrary(below, parsePairs(query));
    default:
      return parseOldAddress(names, query) ?? parseLibrary('', parsePairs(query));
  }
}

const join = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

/** What a server takes at most is 8192 bytes; some are left for the base and for what proxies add. */
const longestAddress = 7000;

/** What an address can hold of a view: no marks and rectangles where there are too many; one that is refused says nothing. */
export const withinAddress = (state: ViewState): ViewState =>
  formatWhole('embed', state).length <= longestAddress ? state : { ...state, marks: [], rectangles: [] };

const formatView = (part: 'view' | 'embed', state: ViewState): string => formatWhole(part, withinAddress(state));

function formatWhole(part: 'view' | 'embed', state: ViewState): string {
  const query = formatViewQuery(state);
  if (!isResolvedAway(state.fn)) return join(`${part}/${encodePath(state.fn)}`, query);
  // Such a path names nothing; behind `fn` it can be shown as what it is, and the browser leaves it alone.
  const name: Pair = ['fn', state.fn];
  return join(`${part}/`, [formatPairs([name]), query].filter((text) => text !== '').join('&'));
}

/** The address of a place, relative to the base; `parseRoomAddress` reads it back. The library's root is ''. */
export function formatRoute(route: Route): string {
  if (route.kind === 'view') return formatView(route.embedded ? 'embed' : 'view', route.state);
  const folder = isResolvedAway(route.folder) ? '' : encodePath(route.folder);
  const query = formatPairs(libraryPairs(route));
  return folder === '' && query === '' ? '' : join(`browse/${folder}`, query);
}
