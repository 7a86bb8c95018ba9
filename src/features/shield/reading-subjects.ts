/** What documents and pictures are about, as numbers that take little memory: an image, or the folder of a book. */

/** Images or folders that are equal have the same number, whatever their addresses write for a slash. */
export type Subject = number;

const slashCode = 0x2f;

/** The numbers of a path, undefined for the empty one, and of the folders that it is in, the innermost last. */
interface Numbers {
  readonly path: Subject | undefined;
  readonly folders: readonly Subject[];
}

function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * The numbers of a path in an address, where `slash` stands for a slash; slashes at both ends don’t count. They are FNV-1a, of 32
 * bits: of a client’s few subjects, hardly any two are the same by chance.
 */
function numbersOf(written: string, slash: string): Numbers {
  const isCharacter = slash.length === 1 && slash !== '+';
  const path = decoded(isCharacter ? written : written.replaceAll(slash, '/'));
  const writtenSlash = isCharacter ? slash.charCodeAt(0) : slashCode;
  const isSlash = (code: number): boolean => code === slashCode || code === writtenSlash;
  let start = 0;
  let end = path.length;
  while (start < end && isSlash(path.charCodeAt(start))) start++;
  while (end > start && isSlash(path.charCodeAt(end - 1))) end--;
  let hash = 0x811c9dc5;
  const folders: Subject[] = [];
  for (let at = start; at < end; at++) {
    const code = path.charCodeAt(at);
    if (isSlash(code)) folders.push(hash);
    hash = Math.imul(hash ^ (isSlash(code) ? slashCode : code), 0x01000193);
  }
  return { path: start === end ? undefined : hash, folders };
}

const infoPath = /\/iiif\/[123]\/([^?]+)\/info\.json/;
const folderPath = /\/(?:view|presentation\/[23])\/([^?]+?)(?:\/(?:manifest|collection)\.json)?(?:\?|$)/;
const inQuery = /[?&]fn=([^&]*)/;

/** The folder that a path of a folder or of an image in it is about; undefined for the library as a whole. */
function folderOf(written: string, { path, folders }: Numbers): Subject | undefined {
  return /\.\w{2,5}(?:;\d+)?\/*$/.test(written) ? folders.at(-1) : path;
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
    const { path, folders } = numbersOf(image, slash);
    return { image: path, around: folders.at(-1) };
  }
  const named = inQuery.exec(address)?.[1];
  if (named !== undefined) {
    const numbers = numbersOf(named, slash);
    return { image: numbers.path, folder: folderOf(named, numbers) };
  }
  const folder = folderPath.exec(address)?.[1];
  return folder === undefined ? {} : { folder: folderOf(folder, numbersOf(folder, slash)) };
}

/** Whether the image of an identifier in an address is right in one of these folders. */
export function isIn(identifier: string, folders: readonly Subject[], slash: string): boolean {
  const parent = numbersOf(identifier, slash).folders.at(-1);
  return parent !== undefined && folders.includes(parent);
}

/** Whether a picture, by its identifier in an address, is of one of these images, or in or below one of these folders. */
export function isAbout(
  identifier: string,
  { images, folders }: { readonly images: readonly Subject[]; readonly folders: readonly Subject[] },
  slash: string,
): boolean {
  const { path, folders: around } = numbersOf(identifier, slash);
  return (path !== undefined && images.includes(path)) || around.some((folder) => folders.includes(folder));
}
