/** The pairs of a query string in its four forms (digilib.md, section 1, "Query forms"). */
import { badRequest, type ImageError } from '../image/model/errors.ts';
import { decodeFormText } from '../parsing/parse.ts';

/** The maximum number of parameters in a query (survive.md, "Input"). */
export const maxParameters = 100;

export const tooManyParameters = (): ImageError => badRequest(`A query can have at most ${maxParameters} parameters.`);

/** Whether a query that begins at a position has too many parameters, which `&` separates at each endpoint. */
export function hasTooManyParameters(text: string, start = 0): boolean {
  let at = start - 1;
  for (let count = 0; count < maxParameters; count++) {
    at = text.indexOf('&', at + 1);
    if (at < 0) return false;
  }
  return true;
}

type Pair = readonly [name: string, value: string];

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
  if (parts.length > maxParameters) throw tooManyParameters();
  return parts;
}

const firstOfEachName = (pairs: readonly Pair[]): readonly Pair[] => {
  const seen = new Map<string, string>();
  for (const [name, value] of pairs) if (!seen.has(name)) seen.set(name, value);
  return [...seen];
};

/**
 * The decoded pairs of a raw query string (without its `?`), in the order in which they take effect: a later one wins. Values
 * of the positional form get the names of their positions. Throws ImageError `bad-request` for more than 100 parameters.
 */
export function queryPairs(query: string, positionalNames: readonly string[]): readonly Pair[] {
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
