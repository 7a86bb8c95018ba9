/**
 * Paths of pages that are not in the library: pages of other people's manifests, and what a content state points to. They begin
 * with two slashes, which no path of the library does, so that everything that is kept by path can hold them too.
 */
import { decodeText } from './query-pairs.ts';

/** A canvas of a manifest, by their ids. */
export interface ForeignPage {
  readonly manifest: string;
  /** The id of the canvas; empty for the page at which the manifest is opened. */
  readonly canvas: string;
}

const manifestMark = '//manifest/';
const contentMark = '//content/';

/** `encodeURIComponent` for any text: a half of a surrogate pair, which JSON can hold, becomes U+FFFD. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD'));

export const foreignPath = ({ manifest, canvas }: ForeignPage): string =>
  `${manifestMark}${encoded(manifest)}/${encoded(canvas)}`;

/** The page that a path names; undefined for paths of the library. */
export function parseForeignPath(path: string): ForeignPage | undefined {
  if (!path.startsWith(manifestMark)) return undefined;
  const [manifest = '', canvas = ''] = path.slice(manifestMark.length).split('/').map(decodeText);
  return { manifest, canvas };
}

/** The path that stands for a content state until it is known what it points to. */
export const contentPath = (content: string): string => contentMark + encoded(content);

/** The text of the content state that a path stands for. */
export const parseContentPath = (path: string): string | undefined =>
  path.startsWith(contentMark) ? decodeText(path.slice(contentMark.length)) : undefined;

/** Whether a path names something outside of the library. */
export const isForeign = (path: string): boolean => path.startsWith('//');
