/** Addresses of folders and images: the reading room's, and those behind a Presentation prefix. */
import { type AnnotationListName, annotationLists } from '../folder/folder-description.ts';
import { decodeSegment, manifestParts } from './iiif-addresses.ts';

const loneSurrogates = /\p{Surrogate}/gu;

/** Percent-encodes a text; apostrophes too: browsers encode them in queries, and they would end attributes in HTML. */
export const encodeText = (text: string): string =>
  encodeURIComponent(text.replace(loneSurrogates, '\uFFFD')).replaceAll("'", '%27');

/** Encodes a segment of a path, except for the legible characters that are allowed there. */
export const encodeName = (name: string): string =>
  encodeText(name).replace(/%(?:3B|2C|40|3A|3D)/g, (code) => decodeURIComponent(code));

/** Percent-encodes a path inside the library, whose empty and `.` segments are dropped. */
export const encodePath = (path: string): string =>
  path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .map(encodeName)
    .join('/');

/** The page of an image by its path, with its extension and `;2` for a second page of its file. */
export const imagePagePath = (path: string): string => `view/${encodePath(path)}`;

/** The page of a folder, from the position `from` on (from 1); empty for the start page. */
export function folderPagePath(path: string, from = 1, more: readonly (readonly [string, string])[] = []): string {
  const pairs = [
    ...(from === 1 ? [] : [`from=${from}`]),
    ...more.map(([name, value]) => `${name}=${encodeText(value)}`),
  ];
  const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  return path === '' && query === '' ? '' : `browse/${encodePath(path)}${query}`;
}

/** A list of annotations of one page. */
export interface RequestedList {
  readonly list: AnnotationListName;
  /** The page, as `keyOfPage` names it. */
  readonly key: string;
}

export interface FolderAddress {
  readonly kind: 'manifest' | 'collection';
  /** Where not the manifest itself is requested, but a list of annotations of one of its pages. */
  readonly list?: RequestedList;
  /**
   * The possible decoded paths, the likelier first: a mark, usually `!`, stands for a slash, or for itself where no folder
   * has the first path. (`%21` always stands for itself.)
   */
  readonly paths: readonly [string, ...string[]];
}

/** The folder that raw segments name, and what of it is requested; undefined where they can't be decoded. */
function addressOf(
  kind: FolderAddress['kind'],
  rawSegments: readonly string[],
  slash: string,
): FolderAddress | undefined {
  const raw = rawSegments.join('/');
  const [withSlashes, literal] = [decodeSegment(raw.replaceAll(slash, '/')), decodeSegment(raw)];
  if (withSlashes === undefined || literal === undefined) return undefined;
  return { kind, paths: raw.includes(slash) ? [withSlashes, literal] : [literal] };
}

/** The list that the last two segments name; undefined where they name none. */
function listOf([part, rawKey]: readonly string[]): RequestedList | undefined {
  const list = annotationLists.find((name) => name === part);
  const key = decodeSegment(rawKey ?? '');
  return list === undefined || key === undefined || key === '' ? undefined : { list, key };
}

/** The address of the folder with what is requested of it, by the segments behind it. */
function partAddress(rawFolder: readonly string[], part: readonly string[], slash: string): FolderAddress | undefined {
  const list = listOf(part);
  if (list === undefined && !isPart(part[0])) return undefined;
  const address = addressOf('manifest', rawFolder, slash);
  return address && list ? { ...address, list } : address;
}

const isPart = (rawSegment: string | undefined): boolean => manifestParts.some((part) => part === rawSegment);

/**
 * Parses the raw path behind `/presentation/{version}/`: `{folder}/manifest.json`, `{folder}/collection.json`, or the
 * address of a part such as `{folder}/canvas/{name}`, which means the whole manifest, except for lists of annotations. The folder's names stand in segments
 * of their own, or in one with `slash` or `%2F` for slashes; the root has none. Undefined where the path has no such form.
 */
export function parsePresentationAddress(rawPath: string, slash = '!'): FolderAddress | undefined {
  const segments = rawPath.split('/');
  switch (segments.at(-1)) {
    case 'manifest.json':
      return addressOf('manifest', segments.slice(0, -1), slash);
    case 'collection.json':
      return addressOf('collection', segments.slice(0, -1), slash);
    default:
      return partAddress(segments.slice(0, -2), segments.slice(-2), slash);
  }
}

/**
 * Parses the raw path behind digilib's `/Manifester/IIIF[/{version}]/` (digilib.md, section 6): the identifier in one
 * segment, then nothing, `manifest`, or the address of a part. Undefined where the path has no such form.
 */
export function parseManifesterAddress(rawPath: string, slash = '!'): FolderAddress | undefined {
  const [identifier = '', behind = '', name = ''] = rawPath.split('/');
  if (identifier === '') return undefined;
  const isManifest = behind === '' || behind === 'manifest' || behind === 'manifest.json';
  return isManifest ? addressOf('manifest', [identifier], slash) : partAddress([identifier], [behind, name], slash);
}
