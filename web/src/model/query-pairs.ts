/** Parses queries in all forms of the old viewers into pairs of name and value, and formats pairs. */
import { encodeText } from '../../../src/core/image/folder/page-address.ts';

export type Pair = readonly [name: string, value: string];

const byteRuns = /(?:%[0-9A-Fa-f]{2})+/g;

/** Decodes percent-encoding as UTF-8; malformed bytes become U+FFFD, malformed escapes stay. */
export function decodeText(text: string): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return text.replace(byteRuns, (run) => {
    const bytes = run.slice(1).split('%');
    return decoder.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  });
}

/** Encodes a value of a query, except for slashes, commas, colons and `@`, so that lists and addresses stay legible. */
const encodeValue = (value: string): string => encodeText(value).replace(/%(?:2F|2C|3A|40)/g, decodeURIComponent);

const decodeValue = (text: string): string => decodeText(text.replaceAll('+', ' '));

function splitPair(text: string): Pair {
  const at = text.indexOf('=');
  return at < 0 ? [decodeValue(text), ''] : [decodeValue(text.slice(0, at)), decodeValue(text.slice(at + 1))];
}

/** The last value of a repeated name counts. Semicolons do not separate pairs, since old marks contain them. */
export function parsePairs(query: string): readonly Pair[] {
  // Addresses copied from the source of a page contain `&amp;`.
  const pairs = query.replaceAll('&amp;', '&').split('&').map(splitPair);
  return [...new Map(pairs.filter(([name]) => name !== ''))];
}

/** The order of digilib's first form: `fn+pn+ws+mo+mk+wx+wy+ww+wh`. */
const positionalNames = ['fn', 'pn', 'ws', 'mo', 'mk', 'wx', 'wy', 'ww', 'wh'] as const;

function parsePositional(query: string): readonly Pair[] {
  const values = query.split('+');
  const pairs = positionalNames.map((name, at): Pair => [name, decodeText(values[at] ?? '')]);
  return pairs.filter(([, value]) => value !== '');
}

/** Parses a query of an old viewer: pairs if it contains `=`, else the positional form. */
export const parseOldQuery = (query: string): readonly Pair[] =>
  query.includes('=') ? parsePairs(query) : parsePositional(query);

/** `parsePairs` reads it back. */
export const formatPairs = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${encodeText(name)}=${encodeValue(value)}`).join('&');
