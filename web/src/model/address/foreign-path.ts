/**
 * Paths of pages that are not in the library: pages of other people's manifests, and what a content state points to. They begin
 * with two slashes, which no path of the library does, so that everything that is kept by path can hold them too.
 */
import { decodeText, type Pair, parsePairs } from './address-text.ts';

/** A canvas of a manifest, by their ids. */
interface ForeignPage {
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

/** The parameters that name what is outside of the library; undefined for images of the library. */
export function outsidePairs(path: string): readonly Pair[] | undefined {
  const content = parseContentPath(path);
  if (content !== undefined) return [['iiif-content', content]];
  const page = parseForeignPath(path);
  if (page === undefined) return undefined;
  const { manifest, canvas } = page;
  return [['manifest', manifest], ...(canvas === '' ? [] : [['canvas', canvas] as const])];
}

/** The path of what parameters name outside of the library; undefined where they name nothing. */
export function outsidePath(values: ReadonlyMap<string, string>): string | undefined {
  const [content, manifest] = [values.get('iiif-content') ?? '', values.get('manifest') ?? ''];
  if (content !== '') return contentPath(content);
  return manifest === '' ? undefined : foreignPath({ manifest, canvas: values.get('canvas') ?? '' });
}

/**
 * The path of the manifest that a typed or pasted address means: its own address, or that of a viewer which names it (`manifest`,
 * `iiif-content`), as the IIIF icon gives them. Undefined for anything but an address of the web.
 */
export function pathOfManifest(typed: string): string | undefined {
  const text = typed.trim();
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { search, hash } = new URL(text);
  const named = [search, hash].map((part) => outsidePath(new Map(parsePairs(part.replace(/^[?#]+/, '')))));
  return named.find((path) => path !== undefined) ?? foreignPath({ manifest: text, canvas: '' });
}
