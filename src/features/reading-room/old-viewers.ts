/**
 * Which page of the reading room an address names, also one of digilib's viewers and contact sheets (digilib-viewer.md).
 */
import type { Target } from '../../core/http/target.ts';
import { parseWish } from '../../core/image/folder/folder-wish.ts';
import type { PagePlace } from './pages/description.ts';

/** Below the context path. Links to them open the reading room, which parses their queries itself. */
export const oldViewerPaths: readonly [string, ...string[]] = [
  '/digilib.html',
  '/jquery/digilib.html',
  '/embedded.html',
  '/jquery/digicat.html',
  '/digicat.html',
  '/digicat.jsp',
  '/digilib.jsp',
  '/greyskin/digilib.html',
  '/greyskin/diginew.jsp',
  '/oldskin/digilib.html',
  '/oldskin/digilib.jsp',
  '/oldskin/digimage.jsp',
  '/oldskin/digicat.jsp',
];

/** The page at an address of an old viewer; sites have moved these to other folders, so that only the last names count. */
export function oldViewerPlace({ path, query }: Target): PagePlace | undefined {
  const viewer = oldViewerPaths.find((old) => path.endsWith(old));
  return viewer === undefined ? undefined : oldPlace(viewer.slice(viewer.lastIndexOf('/') + 1), query);
}

/** Pairs of a query: the last of a repeated name counts, and semicolons separate nothing, since old marks contain them. */
const pairsOf = (query: string): URLSearchParams => new URLSearchParams(query.replaceAll('&amp;', '&'));

/** A query of digilib's old viewers: pairs, or the positional form `fn+pn+…` (digilib.md, section 1, "Query forms"). */
function oldPairsOf(query: string): URLSearchParams {
  if (query.includes('=')) return pairsOf(query);
  const [fn = '', pn = ''] = query.split('+');
  return new URLSearchParams(`fn=${fn}&pn=${pn}`);
}

/** A whole number from 1 on; 1 for anything else. */
function countIn(pairs: URLSearchParams, name: string): number {
  const text = pairs.getAll(name).at(-1)?.trim() ?? '';
  return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 1;
}

const valueIn = (pairs: URLSearchParams, name: string): string => pairs.getAll(name).at(-1) ?? '';

/** The page of a folder at `/browse/…` and at the start page; `path` is decoded. */
export function folderPlace(path: string, query: string): PagePlace {
  const values = new URLSearchParams(query);
  const wish = parseWish((name) => values.get(name));
  return { kind: 'folder', path, from: countIn(pairsOf(query), 'from'), wish };
}

/** The page of an image at `/view/…`; `path` is decoded. Without one, the query is that of an old viewer. */
export function imagePlace(path: string, query: string): PagePlace {
  const isNamed = /[^/.]/.test(path);
  const pairs = isNamed ? pairsOf(query) : oldPairsOf(query);
  return { kind: 'image', path: isNamed ? path : valueIn(pairs, 'fn'), page: countIn(pairs, 'pn') };
}

/** The page at an address of an old viewer, by the last name of its path: contact sheets show a folder. */
export function oldPlace(viewer: string, query: string): PagePlace {
  if (!/^digicat\./.test(viewer)) return imagePlace('', query);
  return { kind: 'folder', path: valueIn(oldPairsOf(query), 'fn'), from: 1 };
}
