/** Settings of the library: the folders that are served, and how image files in them are read. */
import { z } from 'zod';
import { path } from './path-setting.ts';

/** A link names a path inside the library, so no spelling of it may lead out of the library. */
const isLink = (text: string): boolean =>
  !/[\0\\\uFFFD]|%(?:25|2e|2f|5c)/i.test(text) &&
  /[^/.]/.test(text) &&
  text.split('/').every((name) => name === '.' || !name.startsWith('.'));

const virtualFolder = z.strictObject({
  link: z
    .string()
    .refine(isLink, 'must be a path inside of the library, such as maps/atlas')
    .describe('the path under which the library shows the folder'),
  folder: path.describe('the folder on the disk'),
});

const isFolderName = (text: string): boolean => text !== '' && !text.startsWith('.') && !/[/\\\0\uFFFD]/.test(text);

function haveUniqueLinks(folders: readonly { readonly link: string }[]): boolean {
  const links = folders.map(({ link }) =>
    link
      .split('/')
      .filter((name) => name !== '' && name !== '.')
      .join('/'),
  );
  return new Set(links).size === links.length;
}

export const librarySettings = z.strictObject({
  folders: z
    .array(path)
    .min(1, 'needs at least one folder')
    .describe('base directories; the first holds the highest resolution, the others prescaled versions'),
  virtualFolders: z
    .array(virtualFolder)
    .refine(haveUniqueLinks, 'must not have the same link twice')
    .default([])
    .describe('paths of the library that lead to folders elsewhere on the disk'),
  followLinksOutside: z
    .boolean()
    .default(false)
    .describe('serve files that symbolic links outside the folders lead to'),
  textFolders: z
    .array(z.string().refine(isFolderName, 'must be the name of a folder, without slashes'))
    .max(50, 'may name 50 folders at most')
    .default(['alto', 'page', 'hocr', 'txt', 'ocr'])
    .describe(
      'names of folders, inside or beside a folder of scans, that hold the texts of these; the preferred one first',
    ),
  orientation: z.enum(['apply', 'ignore']).default('apply').describe('turn images upright by their EXIF orientation'),
});

/** The folders that hold images: the base directories and the virtual folders. */
export const imageFolders = ({
  folders,
  virtualFolders,
}: Pick<z.infer<typeof librarySettings>, 'folders' | 'virtualFolders'>): readonly string[] => [
  ...folders,
  ...virtualFolders.map(({ folder }) => folder),
];
