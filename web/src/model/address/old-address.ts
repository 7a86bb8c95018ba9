/** Parses addresses of digilib's old viewers and contact sheets. */
import { cleanPath, type Pair, parseCount, parseOldQuery } from './address-text.ts';
import { operationsOf, type Route, viewRoute } from './routes.ts';
import { parseView } from './view-query.ts';

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
export function parseOldAddress(names: readonly string[], query: string): Route | undefined {
  const page = pageAt(names);
  if (page === undefined) return undefined;
  const pairs = parseOldQuery(query);
  if (page === 'sheet' || page === 'old-sheet') return parseTable(page, pairs);
  const fn = cleanPath(new Map(pairs).get('fn') ?? '');
  return viewRoute(parseView(fn, pairs), page === 'embedded');
}
