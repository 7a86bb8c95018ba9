/** The query of an address as names with values, in all forms that the old viewers understood. */

export type Pair = readonly [name: string, value: string];

const byteRuns = /(?:%[0-9A-Fa-f]{2})+/g;
const loneSurrogates = /\p{Surrogate}/gu;

/** Decodes percent-encoding as UTF-8; what is malformed becomes U+FFFD or stays as it is. */
export function decodeText(text: string): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return text.replace(byteRuns, (run) => {
    const bytes = run.slice(1).split('%');
    return decoder.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  });
}

/** Apostrophes too: browsers encode them in queries, and they end attributes in pages that addresses are pasted into. */
const encode = (text: string): string =>
  encodeURIComponent(text.replace(loneSurrogates, '\uFFFD')).replaceAll("'", '%27');

/** Encodes a name of a path; what may be there and is easier to read stays. */
export const encodeName = (name: string): string =>
  encode(name).replace(/%(?:3B|2C|40|3A|3D)/g, (code) => decodeURIComponent(code));

/** Encodes a value of a query; slashes, commas and colons stay, for lists of numbers and addresses are full of them. */
const encodeValue = (value: string): string => encode(value).replace(/%(?:2F|2C|3A|40)/g, decodeURIComponent);

const decodeValue = (text: string): string => decodeText(text.replaceAll('+', ' '));

function splitPair(text: string): Pair {
  const at = text.indexOf('=');
  return at < 0 ? [decodeValue(text), ''] : [decodeValue(text.slice(0, at)), decodeValue(text.slice(at + 1))];
}

/** Names with values; of a repeated name the last counts. Semicolons separate nothing: old marks are full of them. */
export function parsePairs(query: string): readonly Pair[] {
  // Addresses that were copied out of a page's source still hold its `&amp;`.
  const pairs = query.replaceAll('&amp;', '&').split('&').map(splitPair);
  return [...new Map(pairs.filter(([name]) => name !== ''))];
}

/** The places of the form that digilib had first: `fn+pn+ws+mo+mk+wx+wy+ww+wh`. */
const positionalNames = ['fn', 'pn', 'ws', 'mo', 'mk', 'wx', 'wy', 'ww', 'wh'] as const;

function parsePositional(query: string): readonly Pair[] {
  const places = query.split('+');
  const pairs = positionalNames.map((name, at): Pair => [name, decodeText(places[at] ?? '')]);
  return pairs.filter(([, value]) => value !== '');
}

/** A query of an old viewer: pairs where it has any `=`, else the positional form. */
export const parseOldQuery = (query: string): readonly Pair[] =>
  query.includes('=') ? parsePairs(query) : parsePositional(query);

/** Prints pairs; `parsePairs` reads them back. */
export const formatPairs = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encodeValue(value)}`).join('&');
