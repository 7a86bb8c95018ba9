/** A digilib query string becomes parameter values (digilib.md, section 1, "Query forms"). */
import { queryPairs } from '../../core/http/query-pairs.ts';
import {
  defaultValues,
  isSettable,
  type ParameterName,
  type ParameterValues,
  parseValue,
  positionalNames,
} from './parameters.ts';

/**
 * Reads a raw query string (without its `?`) into a value for every parameter. Numbers that are empty or do not parse,
 * unknown names and internal parameters change nothing. Throws ImageError `bad-request` for more than 100 parameters.
 */
export function parseQuery(query: string): ParameterValues {
  if (query === '') return defaultValues;
  // The defaults are inherited instead of copied, since this runs for every request.
  const values: Partial<Record<ParameterName, ParameterValues[ParameterName]>> = Object.create(defaultValues);
  for (const [name, text] of queryPairs(query, positionalNames)) {
    if (!isSettable(name)) continue;
    const value = parseValue(name, text);
    if (value !== undefined) values[name] = value;
  }
  return values as ParameterValues;
}
