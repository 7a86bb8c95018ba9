/** The pages of digilib's viewers and contact sheets, by the ends of their addresses. */
import { parseCount } from './number-text.ts';
import { type Pair, parseOldQuery } from './query-pairs.ts';
import { cleanPath } from './room-path.ts';
import { type Route, viewRoute } from './routes.ts';
import { operationsOf } from './table-query.ts';
import { parseView } from './view-query.ts';

type OldPage = 'viewer' | 'embedded' | 'sheet' | 'old-sheet';

/** By the last name of the path, so that any context path and any skin will do. */
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

/** jQuery's contact sheet counts sheets: `pg` of `cols` x `rows` thumbnails. */
function parseSheet(textOf: (name: string) => string): Sheet {
  const columns = parseCount(textOf('cols')) ?? 4;
  const rows = parseCount(textOf('rows')) ?? 5;
  const sheet = parseCount(textOf('pg')) ?? 1;
  return { from: (sheet - 1) * columns * rows + 1, columns, rows };
}

/** The older contact sheets begin at the page `pn`, or else count sheets as `pg`; `mx` is columns x rows, and a single number shows all. */
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

/** The place that an address of an old page leads to; undefined where the path, by its decoded names, is none. */
export function parseOldAddress(names: readonly string[], query: string): Route | undefined {
  const page = pageAt(names);
  if (page === undefined) return undefined;
  const pairs = parseOldQuery(query);
  if (page === 'sheet' || page === 'old-sheet') return parseTable(page, pairs);
  const fn = cleanPath(new Map(pairs).get('fn') ?? '');
  return viewRoute(parseView(fn, pairs), page === 'embedded');
}
