/** Reads digilib's parameters for folders, error pictures and virtual folders (digilib.md, section 7). */
import path from 'node:path';
import { isFolder } from '../files/paths.ts';
import { type Tree, valueAt } from '../sources/tree.ts';
import { configFileOf, inWebapp, isFile, mappedFolder } from './locations.ts';
import { type DigilibContext, flagOf, labelOf, type Piece, textOf, unusedOf } from './values.ts';
import { elementsNamed, readXmlFile, XmlError } from './xml-file.ts';

/** A list of folders, separated as on the system that the file is from: by `:`, or by `;` on Windows. */
function foldersIn(list: string): readonly string[] {
  const isWindows = list.includes(';') || /^[A-Za-z]:[\\/]/.test(list);
  return list.split(isWindows ? ';' : ':').flatMap((folder) => folder.trim() || []);
}

/** The base directories; where none are named, digilib's own samples if they exist. */
export function readFolders(context: DigilibContext): Piece {
  const named = textOf(context, 'basedir-list');
  if (named !== undefined) {
    return { values: { library: { folders: foldersIn(named).map((folder) => inWebapp(context.locations, folder)) } } };
  }
  const samples = inWebapp(context.locations, 'sample-images');
  return isFolder(samples) ? { values: { library: { folders: [samples] } } } : {};
}

const pictures = [
  ['notfound-image', 'notFound', 'img/digilib-notfound.png'],
  ['denied-image', 'denied', 'img/digilib-denied.png'],
  ['error-image', 'error', 'img/digilib-error.png'],
] as const;

/** The error pictures; where none are named, the webapp's own ones if they exist. */
export function readPictures(context: DigilibContext): Piece {
  const found = pictures.flatMap(([parameter, name, usual]) => {
    const named = textOf(context, parameter);
    const file = inWebapp(context.locations, named ?? usual);
    return named === undefined && !isFile(file) ? [] : [[name, file] as const];
  });
  return found.length === 0 ? {} : { values: { digilib: { errorPictures: Object.fromEntries(found) } } };
}

/**
 * Where documents are kept and the logo on their covers, by paths from the webapp, as digilib reads them. The logo may be an
 * address there; nothing is fetched here.
 */
export function readPdf(context: DigilibContext): Piece {
  const [directory, logo] = [textOf(context, 'pdf-cache-dir'), textOf(context, 'pdf-logo')];
  const isAddress = logo !== undefined && /^[a-z]+:\/\//i.test(logo);
  const pdf = {
    ...(directory !== undefined && { directory: inWebapp(context.locations, directory) }),
    ...(logo !== undefined && !isAddress && { logo: inWebapp(context.locations, logo) }),
  };
  return {
    ...(Object.keys(pdf).length > 0 && { values: { pdf } }),
    ...(isAddress && { unused: ['pdf-logo: the logo of documents is a file; nothing is fetched from elsewhere'] }),
  };
}

/** The first base directory, as the overriding sources or this one name it. */
function firstFolder(context: DigilibContext): string | undefined {
  const path = ['library', 'folders'];
  const folders = valueAt(context.others, path) ?? valueAt(readFolders(context).values, path);
  return Array.isArray(folders) ? String(folders[0]) : undefined;
}

/** The virtual folders of a mapping file; of a repeated link the last counts. Throws XmlError. */
function virtualFoldersIn(
  file: string,
  first: string | undefined,
): Required<Pick<Piece, 'unused'>> & { folders: Tree[] } {
  const [aliases] = elementsNamed(readXmlFile(file), 'digilib-aliases');
  const name = path.basename(file);
  if (aliases === undefined) throw new XmlError(`${name}: it must have <digilib-aliases>`);
  const folders = new Map<string, Tree>();
  const unused: string[] = [];
  for (const { attributes, line } of elementsNamed(aliases, 'mapping')) {
    const [link, dir] = [attributes['link'], attributes['dir']];
    if (!link || !dir) throw new XmlError(`${name}, line ${line}: <mapping> must have link="…" and dir="…"`);
    const folder = mappedFolder(first, dir);
    if (folder === undefined)
      unused.push(`mapping-file: the link ${link} leads to ${dir}, and there is no such folder`);
    else folders.set(link.replace(/^\/+|\/+$/g, ''), { link, folder });
  }
  return { folders: [...folders.values()], unused };
}

/** The virtual folders of the mapping file, which is used where use-mapping is true. */
export function readMapping(context: DigilibContext): Piece {
  const isOn = flagOf(context, 'use-mapping');
  if (isOn === undefined) return { problems: [`${labelOf(context, 'use-mapping')}: must be true or false`] };
  if (!isOn) return { unused: unusedOf(context, ['mapping-file'], 'it has no effect unless use-mapping is true') };
  const file = configFileOf(context.locations, textOf(context, 'mapping-file') ?? 'digilib-map.xml');
  try {
    const { folders, unused } = virtualFoldersIn(file, firstFolder(context));
    return { values: { library: { virtualFolders: folders } }, unused };
  } catch (error) {
    if (error instanceof XmlError) return { problems: [`${labelOf(context, 'mapping-file')}: ${error.message}`] };
    throw error;
  }
}
