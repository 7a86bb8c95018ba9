/** Takes the path behind an IIIF prefix apart: identifier, and what is asked of it (Image API, section 2). */
import type { ImagePath } from './image-path.ts';

export type IiifAddress =
  /** The image's base address, which leads to info.json. */
  | { readonly kind: 'base'; readonly identifier: string; readonly rawIdentifier: string }
  | { readonly kind: 'info'; readonly identifier: string; readonly rawIdentifier: string }
  | { readonly kind: 'image'; readonly identifier: string; readonly rawIdentifier: string; readonly path: ImagePath };

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/**
 * Reads the raw path behind the prefix, without its leading slash and its query. The identifier is one segment in which
 * slashes stand as `%2F` or `!`. Undefined where the path has no such form.
 */
export function parseAddress(rawPath: string): IiifAddress | undefined {
  const [rawIdentifier = '', ...rest] = rawPath.split('/');
  const identifier = decode(rawIdentifier)?.replaceAll('!', '/');
  if (identifier === undefined || identifier === '') return undefined;
  if (rest.length === 0 || (rest.length === 1 && rest[0] === '')) return { kind: 'base', identifier, rawIdentifier };
  if (rest.length === 1 && rest[0] === 'info.json') return { kind: 'info', identifier, rawIdentifier };
  const [region, size, rotation, qualityAndFormat, ...more] = rest.map(decode);
  if (region === undefined || size === undefined || rotation === undefined || qualityAndFormat === undefined) {
    return undefined;
  }
  if (more.length > 0) return undefined;
  return { kind: 'image', identifier, rawIdentifier, path: { region, size, rotation, qualityAndFormat } };
}
