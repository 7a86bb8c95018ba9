/** The four forms of a digilib query string become parameter values (digilib.md, section 1, "Query forms"). */
import { badRequest } from '../../core/image/model/errors.ts';
import {
  defaultValues,
  isSettable,
  type ParameterName,
  type ParameterValues,
  parseValue,
  positionalNames,
} from './parameters.ts';

/** The maximum number of parameters in a query (survive.md, "Input"). */
export const maxParameters = 100;

type Pair = readonly [name: string, value: string];

/** Decodes percent-encoding as UTF-8 and `+` as a space; what is malformed becomes U+FFFD or stays as it is. */
export function decodeFormText(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  return spaced.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** A pair whose value ends at the next `=`, as in the two old separator forms. */
function splitLegacyPair(text: string): Pair {
  const [name = '', value = ''] = text.split('=', 2);
  return [decodeFormText(name), decodeFormText(value)];
}

function splitPair(text: string): Pair {
  const at = text.indexOf('=');
  if (at < 0) return [decodeFormText(text), ''];
  return [decodeFormText(text.slice(0, at)), decodeFormText(text.slice(at + 1))];
}

function splitBounded(query: string, separator: string): readonly string[] {
  const parts = query.split(separator, maxParameters + 1);
  if (parts.length > maxParameters) throw badRequest(`A query can have at most ${maxParameters} parameters.`);
  return parts;
}

/** The pairs in the order in which they take effect: a later one wins. */
function readPairs(query: string): readonly Pair[] {
  for (const separator of ['&amp;', ';']) {
    if (query.includes(separator)) return splitBounded(query, separator).map(splitLegacyPair);
  }
  if (query.includes('=')) return firstOfEachName(splitBounded(query, '&').map(splitPair));
  const texts = splitBounded(query, '+');
  return positionalNames.flatMap((name, index): Pair[] => {
    const text = texts[index] ?? '';
    return text === '' ? [] : [[name, text]];
  });
}

const firstOfEachName = (pairs: readonly Pair[]): readonly Pair[] => {
  const seen = new Map<string, string>();
  for (const [name, value] of pairs) if (!seen.has(name)) seen.set(name, value);
  return [...seen];
};

/**
 * Reads a raw query string (without its `?`) into a value for every parameter. Numbers that are empty or do not parse,
 * unknown names and internal parameters change nothing. Throws ImageError `bad-request` for more than 100 parameters.
 */
export function parseQuery(query: string): ParameterValues {
  if (query === '') return defaultValues;
  // The defaults are inherited instead of copied, since this runs for every request.
  const values: Partial<Record<ParameterName, ParameterValues[ParameterName]>> = Object.create(defaultValues);
  for (const [name, text] of readPairs(query)) {
    if (!isSettable(name)) continue;
    const value = parseValue(name, text);
    if (value !== undefined) values[name] = value;
  }
  return values as ParameterValues;
}
