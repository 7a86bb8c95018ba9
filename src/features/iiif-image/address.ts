/** Parses the path behind an IIIF prefix: the identifier, and the request (Image API, section 2). */
import { decodeSegment } from '../../core/image/addresses/iiif-addresses.ts';
import type { ImagePath } from './image-path.ts';

interface Named {
  /** The possible paths of the identifier, likeliest first; there is at least one. */
  readonly identifiers: readonly string[];
  /** As it was sent, for the addresses in responses. */
  readonly rawIdentifier: string;
}

/** `base` is the image's base address, which leads to info.json. */
export type IiifAddress = Named &
  ({ readonly kind: 'base' } | { readonly kind: 'info' } | { readonly kind: 'image'; readonly path: ImagePath });

/** Where there are more marks than this, all of them stand for slashes. */
const maxMarks = 8;

/**
 * The possible paths of an identifier. A mark, digilib's `!`, stands for a slash, but is also a character of names. In the
 * first path all marks are slashes, in the next all but the last, and so on: `book!who!.jpg` can be `book/who/.jpg`,
 * `book/who!.jpg` or `book!who!.jpg`.
 */
function meaningsOf(identifier: string, slash: string): readonly string[] {
  const parts = identifier.split(slash);
  if (parts.length > maxMarks + 1) return [parts.join('/')];
  return parts.map((_, literal) => {
    const slashes = parts.length - literal;
    return [...parts.slice(0, slashes - 1), parts.slice(slashes - 1).join(slash)].join('/');
  });
}

/** Parses the identifier's segments, which are several only where raw slashes are allowed. */
function parseIdentifierSegments(segments: readonly string[], rawSlashes: boolean, slash: string): Named | undefined {
  if (segments.length === 0 || (segments.length > 1 && !rawSlashes)) return undefined;
  const rawIdentifier = segments.join('/');
  const identifier = decodeSegment(rawIdentifier);
  return identifier === undefined || identifier === ''
    ? undefined
    : { identifiers: meaningsOf(identifier, slash), rawIdentifier };
}

/** Region, size, rotation, quality and format, where the last four segments can be these. */
function parseImageSegments(segments: readonly string[]): ImagePath | undefined {
  const [region, size, rotation, qualityAndFormat] = segments.slice(-4).map(decodeSegment);
  if (region === undefined || size === undefined || rotation === undefined || qualityAndFormat === undefined) {
    return undefined;
  }
  return { region, size, rotation, qualityAndFormat };
}

/**
 * Parses the raw path behind the prefix from the right, without its leading slash and its query. The identifier is one
 * segment in which slashes stand as `%2F` or as `slash`, or with `rawSlashes` any number of segments. Undefined where
 * the path has no such form.
 */
export function parseAddress(rawPath: string, rawSlashes: boolean, slash = '!'): IiifAddress | undefined {
  const segments = rawPath.split('/');
  if (segments.at(-1) === 'info.json') {
    const named = parseIdentifierSegments(segments.slice(0, -1), rawSlashes, slash);
    return named && { ...named, kind: 'info' };
  }
  if (segments.length >= 5 && (!rawSlashes || segments.at(-1)?.includes('.'))) {
    const named = parseIdentifierSegments(segments.slice(0, -4), rawSlashes, slash);
    const path = parseImageSegments(segments);
    if (named && path) return { ...named, kind: 'image', path };
  }
  const named = parseIdentifierSegments(segments.at(-1) === '' ? segments.slice(0, -1) : segments, rawSlashes, slash);
  return named && { ...named, kind: 'base' };
}
