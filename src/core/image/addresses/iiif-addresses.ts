/** The addresses in manifests and collections: their own, and those of their parts and of the image services. */
import type { AnnotationListName } from '../folder/folder-description.ts';
import { stemOf } from '../model/formats.ts';
import { joinPage, joinTier, splitPage, splitTier } from '../model/identifier.ts';

/** The versions of the Presentation API that folders are written in. */
export type PresentationVersion = 2 | 3;

/** How one manifest names itself and its parts; each part has an address of its own, by name and not by number. */
export interface ManifestAddresses {
  readonly manifest: string;
  /** The PDF document of all pages; absent where there is none. */
  readonly pdf?: string;
  /** The data set of the folder; absent where there is none. */
  readonly dataSet?: string;
  /** The collection that lists the manifest; absent where there is none. */
  readonly collection?: string;
  /** The address of a part; `name` is the file's name or another that is unique among parts of its kind. */
  part(kind: ManifestPart, name: string): string;
}

/** The kinds of parts that have addresses; each leads to the whole manifest. */
export const manifestParts = ['canvas', 'page', 'annotation', 'range', 'sequence'] as const;

export type ManifestPart = (typeof manifestParts)[number] | AnnotationListName;

/**
 * How addresses name a page of a folder: `page1-jpg`, since readers of 2.1 take an address that ends in `.jpg` for that of a
 * picture. No two files share one, because no extension holds a hyphen. `page` counts those of one file, from 1.
 */
export function keyOfPage(file: string, page = 1): string {
  const stem = stemOf(file);
  return joinPage(`${stem}-${file.slice(stem.length + 1)}`, page);
}

/** The file and the page inside of it that a key names; `keyOfPage` writes it. Undefined for other texts. */
export function pageOfKey(key: string): { readonly file: string; readonly page: number } | undefined {
  const { file, page } = splitPage(key);
  const at = file.lastIndexOf('-');
  return at < 1 ? undefined : { file: `${file.slice(0, at)}.${file.slice(at + 1)}`, page };
}

const escaped = (text: string): string =>
  text.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Decodes percent-encoding; undefined where it is malformed. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** One segment of an address. The mark that stands for a slash, in ASCII, is escaped too. */
export const formatSegment = (name: string, slash = '!'): string =>
  // Most names need no escaping, and testing that is cheaper than escaping ten times for each page.
  /^[\w.~-]*$/.test(name) && !name.includes(slash)
    ? name
    : name.split(slash).map(encodeURIComponent).join(escaped(slash));

const namesOf = (path: string): readonly string[] => path.split('/').filter((name) => name !== '');

/** The path of an image or folder as one segment: `slash` between the names, or `%2F` where a name holds it itself. */
export function formatIdentifierSegment(path: string, slash = '!'): string {
  const separator = path.includes(slash) ? '%2F' : slash;
  // The name of a tier stands there in one spelling, so that a picture of it has one address.
  const { path: own, tier } = splitTier(path);
  const names = namesOf(own).map((name) => formatSegment(name, slash));
  return joinTier(names.join(separator), tier);
}

/** The address of a folder below a prefix, without a slash at its end. */
const folderBelow = (prefix: string, path: string, slash: string): string =>
  [prefix, ...namesOf(path).map((name) => formatSegment(name, slash))].join('/');

/** The addresses of the manifests and collections of folders, by the folder's path. */
export interface FolderAddresses {
  manifest(path: string): string;
  collection(path: string): string;
}

/** Manifests and collections under `/presentation/{version}`, which is `prefix`. */
export const foldersBelow = (prefix: string, slash = '!'): FolderAddresses => ({
  manifest: (path) => `${folderBelow(prefix, path, slash)}/manifest.json`,
  collection: (path) => `${folderBelow(prefix, path, slash)}/collection.json`,
});

/** The path of the folder that a folder is in; undefined for the root. */
export const parentOf = (path: string): string | undefined =>
  namesOf(path).length === 0 ? undefined : namesOf(path).slice(0, -1).join('/');

/** How the manifest of a folder names its parts under `/presentation/{version}`, which is `prefix`. */
export function presentationAddresses(prefix: string, path: string, slash = '!'): ManifestAddresses {
  const parent = parentOf(path);
  const folder = folderBelow(prefix, path, slash);
  const folders = foldersBelow(prefix, slash);
  return {
    manifest: folders.manifest(path),
    ...(parent === undefined ? {} : { collection: folders.collection(parent) }),
    part: (kind, name) => `${folder}/${kind}/${formatSegment(name, slash)}`,
  };
}

/** The same under digilib's `/Manifester/IIIF[/{version}]`, which is `prefix`: a single segment, and no collections. */
export function manifesterAddresses(prefix: string, path: string, slash = '!'): ManifestAddresses {
  // The root's path is empty; an escaped slash is its segment.
  const folder = `${prefix}/${formatIdentifierSegment(path, slash) || '%2F'}`;
  return {
    manifest: `${folder}/manifest`,
    part: (kind, name) => `${folder}/${kind}/${formatSegment(name, slash)}`,
  };
}

/** The addresses of an image's text. */
export interface TextServices {
  text(form: 'txt' | 'xml' | 'html'): string;
}

/** The addresses of one image's services, without a slash at their ends, and of its text. */
export interface ImageServices extends TextServices {
  readonly version2: string;
  readonly version3: string;
}

/** The services of an image by its path. */
export type ServicesOf = (path: string) => ImageServices;

/** The services of images by their paths, below an address such as `https://library.example/digilib`. */
export const imageServicesBelow =
  (base: string, slash = '!'): ServicesOf =>
  (path) => {
    const identifier = formatIdentifierSegment(path, slash);
    return {
      version2: `${base}/iiif/2/${identifier}`,
      version3: `${base}/iiif/3/${identifier}`,
      text: (form) => `${folderBelow(`${base}/api/text`, path, slash)}.${form}`,
    };
  };

/** A picture of an image service, by which the service is probed. */
export const probedPicture = (service: string, version: 1 | 2 | 3): string =>
  version === 1 ? `${service}/full/full/0/native.jpg` : `${service}/full/max/0/default.jpg`;
