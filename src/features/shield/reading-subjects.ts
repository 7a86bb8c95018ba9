/** What documents and pictures are about, as numbers that take little memory: an image, or the folder of a book. */

/** Images or folders that are equal have the same number, whatever their addresses write for a slash. */
export type Subject = number;

/** FNV-1a, of 32 bits: of a client’s few subjects, hardly any two are the same by chance. */
function hashOf(path: string): Subject {
  let hash = 0x811c9dc5;
  for (let at = 0; at < path.length; at++) hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193);
  return hash;
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function pathOf(text: string, slash: string): string {
  const path = decoded(text).replaceAll(slash, '/');
  return path.startsWith('/') || path.endsWith('/') ? path.replace(/^\/+|\/+$/g, '') : path;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const infoPath = /\/iiif\/[123]\/([^?]+)\/info\.json/;
const folderPath = /\/(?:view|presentation\/[23])\/([^?]+?)(?:\/(?:manifest|collection)\.json)?(?:\?|$)/;
const inQuery = /[?&]fn=([^&]*)/;

/** The folder that a path of a folder or of an image in it is about; undefined for the library as a whole. */
function folderOf(path: string): Subject | undefined {
  const folder = /\.\w{2,5}(?:;\d+)?$/.test(path) ? parentOf(path) : path;
  return folder === '' ? undefined : hashOf(folder);
}

export interface Subjects {
  readonly image?: Subject | undefined;
  readonly folder?: Subject | undefined;
  /** The folder of an image of which alone the document is. */
  readonly around?: Subject | undefined;
}

/** What a document is about, by its address; nothing where that is the library as a whole. */
export function subjectsOf(address: string, slash: string): Subjects {
  const image = infoPath.exec(address)?.[1];
  if (image !== undefined) {
    const path = pathOf(image, slash);
    return { image: hashOf(path), around: folderOf(path) };
  }
  const named = inQuery.exec(address)?.[1];
  if (named !== undefined) {
    const path = pathOf(named, '/');
    if (path === '') return {};
    return { image: hashOf(path), folder: folderOf(path) };
  }
  const folder = folderPath.exec(address)?.[1];
  return folder === undefined ? {} : { folder: folderOf(pathOf(folder, slash)) };
}

/** Whether the image of an identifier in an address is right in one of these folders. */
export const isIn = (identifier: string, folders: readonly Subject[], slash: string): boolean =>
  folders.includes(hashOf(parentOf(pathOf(identifier, slash))));

/** Whether a picture, by its identifier in an address, is of one of these images, or in or below one of these folders. */
export function isAbout(
  identifier: string,
  { images, folders }: { readonly images: readonly Subject[]; readonly folders: readonly Subject[] },
  slash: string,
): boolean {
  const path = pathOf(identifier, slash);
  if (images.includes(hashOf(path))) return true;
  if (folders.length === 0) return false;
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder))
    if (folders.includes(hashOf(folder))) return true;
  return false;
}
