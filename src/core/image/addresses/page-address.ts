/** Addresses of the reading room's pages of folders and images, relative to the base; the server and the pages write the same. */

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
export function folderPagePath(path: string, from = 1): string {
  const query = from === 1 ? '' : `?from=${from}`;
  return path === '' && query === '' ? '' : `browse/${encodePath(path)}${query}`;
}
