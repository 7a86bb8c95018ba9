/** Files with a light table: all that its address can hold, and what is too much for one. */
import type { Pair } from '../address/address-text.ts';
import { isObject, memberOf } from '../json-value.ts';
import type { LightTable } from './table.ts';
import { parseTable, tablePairs } from './table-query.ts';

interface TableFile {
  readonly type: 'lectern-light-table';
  readonly version: 1;
  /** The parameters of the address `/light-table`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** An object has its numbers in the order of numbers: notes among images are put in order by their numbers. */
const numberOf = ([name]: Pair): number => Number.parseInt(name, 10) || Number.MAX_SAFE_INTEGER;

export const formatTableFile = (table: LightTable): TableFile => ({
  type: 'lectern-light-table',
  version: 1,
  parameters: Object.fromEntries(tablePairs(table)),
});

/** Undefined for other files. */
export function parseTableFile(json: unknown): LightTable | undefined {
  const parameters = memberOf(json, 'parameters');
  if (memberOf(json, 'type') !== 'lectern-light-table' || !isObject(parameters)) return undefined;
  const pairs = Object.entries(parameters).flatMap(([name, value]): readonly Pair[] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return parseTable(pairs.toSorted((one, other) => numberOf(one) - numberOf(other)));
}
