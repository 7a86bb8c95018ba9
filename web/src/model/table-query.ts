/** Where in a folder the library or the light table is, to and from the parameters of `/browse/`. */
import { parseCount } from './number-text.ts';
import type { Pair } from './query-pairs.ts';
import type { BrowseRoute, TableRoute } from './routes.ts';

type LibraryRoute = BrowseRoute | TableRoute;

/** What an address can do to every thumbnail of a contact sheet: the Scaler's parameters but for image and size. */
const operationNames: ReadonlySet<string> = new Set([
  'ws',
  'wx',
  'wy',
  'ww',
  'wh',
  'mo',
  'rot',
  'cont',
  'brgt',
  'rgbm',
  'rgba',
  'colop',
  'ddpi',
  'ddpix',
  'ddpiy',
  'scale',
]);

/** The pairs that are operations, in their order. */
export const operationsOf = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.filter(([name, value]) => operationNames.has(name) && value !== '');

/** The place in a folder that parameters describe. */
export function parseLibrary(folder: string, pairs: readonly Pair[]): LibraryRoute {
  const values = new Map(pairs);
  const countOf = (name: string): number | undefined => parseCount(values.get(name) ?? '');
  const from = countOf('from') ?? 1;
  if (values.get('layout') !== 'table') return { kind: 'browse', folder, from, search: values.get('q') ?? '' };
  const operations = operationsOf(pairs);
  return { kind: 'table', folder, from, columns: countOf('columns'), rows: countOf('rows'), operations };
}

const count = (name: string, value: number | undefined): readonly Pair[] =>
  value === undefined ? [] : [[name, String(value)]];

/** The parameters of a place in a folder; `parseLibrary` reads them back. */
export function libraryPairs(route: LibraryRoute): readonly Pair[] {
  const from = count('from', route.from === 1 ? undefined : route.from);
  if (route.kind === 'browse') return [...from, ...(route.search === '' ? [] : [['q', route.search] as const])];
  const grid = [...count('columns', route.columns), ...count('rows', route.rows)];
  return [['layout', 'table'], ...from, ...grid, ...operationsOf(route.operations)];
}
