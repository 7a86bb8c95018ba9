/** What a text means that is dropped onto a page: a place of this room, a manifest, an image or a content state. */
import { parseRoute } from '../../model/address/address.ts';
import { isForeign, pathOfIiif } from '../../model/address/address-text.ts';
import { imageRoute, type Route, viewRoute } from '../../model/address/routes.ts';

/** The first address of a `text/uri-list` (RFC 2483), whose comments begin with `#`; any other text as it is. */
function firstOf(text: string): string {
  if (/^\s*[{[]/.test(text)) return text;
  return text.split(/\r?\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
}

/** The IIIF icon adds names for other viewers to the addresses of this room. */
const iconNames: ReadonlySet<string> = new Set(['manifest', 'canvas']);

/** A place of this room by its address; undefined for documents of the server, and for the library itself. */
function ownRoute(text: string, base: string): Route | undefined {
  if (!text.startsWith(base)) return undefined;
  const { pathname, search } = new URL(text);
  const path = pathname.slice(new URL(base).pathname.length);
  const route = parseRoute({ path, query: search.slice(1), fragment: '' });
  if (route.kind === 'compare' || route.kind === 'desk' || route.kind === 'light-table') return route;
  if (route.kind !== 'view') return route.folder === '' ? undefined : route;
  const { state } = route;
  if (state.fn === '') return undefined;
  return viewRoute({ ...state, unknown: state.unknown.filter(([name]) => !iconNames.has(name)) });
}

/** Undefined for a text that means none of these. `base` is the address of the library with a slash at its end. */
export function droppedRoute(dropped: string, base: string): Route | undefined {
  const text = firstOf(dropped).trim();
  const own = URL.canParse(text) ? ownRoute(text, base) : undefined;
  if (own !== undefined) return own;
  const path = pathOfIiif(text);
  return path === undefined || !isForeign(path) ? undefined : imageRoute(path);
}
