/** Parts of addresses: escapes, numbers, and paths of images of other manifests. */
import { encodeText } from '../../../../src/core/image/addresses/folder-address.ts';

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

const isSegment = (name: string): boolean => name !== '' && name !== '.';

/** The decoded segments of a percent-encoded path. */
export const decodeNames = (path: string): readonly string[] => path.split('/').map(decodeText).filter(isSegment);

/** The path without empty segments, as the server reads it. */
export const cleanPath = (path: string): string => path.split('/').filter(isSegment).join('/');

/** Whether a browser would resolve the path to another one, since it contains `.` or `..`, encoded or not. */
export const isResolvedAway = (path: string): boolean =>
  path.split('/').some((name) => /^(?:\.|%2e){1,2}$/i.test(name));

const numberForm = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[fd]?\s*$/i;

/** Parses a number as the Scaler does, but in double precision; undefined if it is malformed or not finite. */
export function parseNumber(text: string): number | undefined {
  const value = Number(numberForm.exec(text)?.[1] ?? Number.NaN);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}

export function parsePositive(text: string): number | undefined {
  const value = parseNumber(text);
  return value !== undefined && value > 0 ? value : undefined;
}

/** Parses a whole number of at least 1. */
export function parseCount(text: string): number | undefined {
  const value = /^\s*\+?\d{1,9}\s*$/.test(text) ? Number(text) : 0;
  return value >= 1 ? value : undefined;
}

/** Parses `count` numbers separated by slashes; undefined if one is malformed or the count is wrong. */
export function parseNumbers(text: string, count: number, more: 'allowed' | 'refused'): readonly number[] | undefined {
  const parts = text.split('/');
  if (parts.length < count || (parts.length > count && more === 'refused')) return undefined;
  const numbers = parts.slice(0, count).map(parseNumber);
  return numbers.every((value) => value !== undefined) ? numbers : undefined;
}

/** Rounds, by default to four decimals, as digilib's viewer does; the result is never -0. */
export const rounded = (value: number, decimals = 4): number => Number(value.toFixed(decimals)) + 0;

export const formatNumber = (value: number, decimals = 4): string => String(rounded(value, decimals));

export const formatNumbers = (values: readonly number[], decimals = 4): string =>
  values.map((value) => formatNumber(value, decimals)).join('/');

/** A parameter that is left out where it has its default. */
export const pairUnless = (byDefault: string, name: string, text: string): readonly Pair[] =>
  text === byDefault ? [] : [[name, text]];

/** A canvas of a manifest, by their ids. */
interface ForeignPage {
  readonly manifest: string;
  /** The id of the canvas; empty for the page at which the manifest is opened. */
  readonly canvas: string;
  /** The number of the order of the pages, from 1, which is that of the manifest. */
  readonly order?: number;
}

const manifestMark = '//manifest/';
const contentMark = '//content/';

/** `encodeURIComponent` for any text: a half of a surrogate pair, which JSON can hold, becomes U+FFFD. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD'));

/**
 * Paths of pages that are not in the library: pages of other people's manifests, and what a content state points to. They begin
 * with two slashes, which no path of the library does, so that everything that is kept by path can hold them too.
 */
export const foreignPath = ({ manifest, canvas, order = 1 }: ForeignPage): string =>
  `${manifestMark}${encoded(manifest)}/${encoded(canvas)}${order > 1 ? `/${order}` : ''}`;

/** The page that a path names; undefined for paths of the library. */
export function parseForeignPath(path: string): ForeignPage | undefined {
  if (!path.startsWith(manifestMark)) return undefined;
  const [manifest = '', canvas = '', order = ''] = path.slice(manifestMark.length).split('/').map(decodeText);
  return { manifest, canvas, order: parseCount(order) ?? 1 };
}

/** The path that stands for a content state until it is known what it points to. */
export const contentPath = (content: string): string => contentMark + encoded(content);

/** The text of the content state that a path stands for. */
export const parseContentPath = (path: string): string | undefined =>
  path.startsWith(contentMark) ? decodeText(path.slice(contentMark.length)) : undefined;

/** Whether a path names something outside of the library. */
export const isForeign = (path: string): boolean => path.startsWith('//');

/** The parameters that name what is outside of the library; undefined for images of the library. */
export function outsidePairs(path: string): readonly Pair[] | undefined {
  const content = parseContentPath(path);
  if (content !== undefined) return [['iiif-content', content]];
  const page = parseForeignPath(path);
  if (page === undefined) return undefined;
  const { manifest, canvas, order = 1 } = page;
  return [['manifest', manifest], ...pairUnless('', 'canvas', canvas), ...pairUnless('1', 'sequence', String(order))];
}

/** The path of what parameters name outside of the library; undefined where they name nothing. */
export function outsidePath(values: ReadonlyMap<string, string>): string | undefined {
  const [content, manifest] = [values.get('iiif-content') ?? '', values.get('manifest') ?? ''];
  if (content !== '') return contentPath(content);
  if (manifest === '') return undefined;
  return foreignPath({
    manifest,
    canvas: values.get('canvas') ?? '',
    order: parseCount(values.get('sequence') ?? '') ?? 1,
  });
}

/**
 * How base64 begins of what a content state may be: `{`, `[`, `"` and `http`, each as it is and percent-encoded (IIIF Content
 * State 1.0, section 6).
 */
const encodedContent = /^(?:e[wy]|W[wy3]|Imh0d|aHR0c|JTd[Ci]|JTV[Ci]|JTIy)[A-Za-z0-9_-]{12,}={0,2}$/;

/** The path of a content state as JSON or encoded; undefined for any other text. */
export function pathOfContent(typed: string): string | undefined {
  const text = typed.trim();
  return /^[{[]/.test(text) || encodedContent.test(text) ? contentPath(text) : undefined;
}

/**
 * The path of what a typed, pasted or dropped text means: the address of a manifest or of an image’s `info.json`, that of a viewer
 * which names one (`manifest`, `iiif-content`), as the IIIF icon gives them, or a content state. Undefined for anything else.
 */
export function pathOfIiif(typed: string): string | undefined {
  const text = typed.trim();
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return pathOfContent(text);
  const { search, hash } = new URL(text);
  const named = [search, hash].map((part) => outsidePath(new Map(parsePairs(part.replace(/^[?#]+/, '')))));
  return named.find((path) => path !== undefined) ?? foreignPath({ manifest: text, canvas: '' });
}
