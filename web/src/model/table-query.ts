/** Parses and formats the parameters of `/browse/`: the position in a folder, for its page and its light table. */
import { colorNames } from './color-text.ts';
import { parseCount } from './number-text.ts';
import type { Pair } from './query-pairs.ts';
import type { BrowseRoute, TableRoute } from './routes.ts';

type LibraryRoute = BrowseRoute | TableRoute;

/** Parameters that a contact sheet applies to every thumbnail: the Scaler's without those of image and size. */
const operationNames: ReadonlySet<string> = new Set([
  'ws',
  'wx',
  'wy',
  'ww',
  'wh',
  'mo',
  'rot',
  ...colorNames,
  'ddpi',
  'ddpix',
  'ddpiy',
  'scale',
]);

export const operationsOf = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.filter(([name, value]) => operationNames.has(name) && value !== '');

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

/** `parseLibrary` reads them back. */
export function libraryPairs(route: LibraryRoute): readonly Pair[] {
  const from = count('from', route.from === 1 ? undefined : route.from);
  if (route.kind === 'browse') return [...from, ...(route.search === '' ? [] : [['q', route.search] as const])];
  const grid = [...count('columns', route.columns), ...count('rows', route.rows)];
  return [['layout', 'table'], ...from, ...grid, ...operationsOf(route.operations)];
}
