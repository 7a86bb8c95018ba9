/** What a name in a folder stands for, where the storage finds files by their names, so that the folder need not be listed. */
import { isRedactionsFile, redactionsFiles } from '../../image/folder/folder-metadata.ts';
import { imageExtensions, isImageName, stemOf } from '../../image/model/formats.ts';
import { splitPage } from '../../image/model/identifier.ts';
import type { FilesByName, NameUse, StoredEntry } from '../../storage/storage.ts';
import { folderMetaFile, metaFileOf } from '../metadata/meta-files.ts';
import { addEntry, type Entries, noEntries } from './listing.ts';

/** Whether nothing was found that a name may stand for. */
export const isEmpty = ({ images, folders, metaFiles }: Entries): boolean =>
  images.length + folders.length + metaFiles.length === 0;

/** In code-unit order, for names that too many others begin with. */
const allExtensions = [...imageExtensions].flatMap((one) => [one, one.toUpperCase()]).sort();

const join = (directory: string, name: string): string => `${directory}/${name}`;

/** Those of some files of metadata that are there; `.meta` files only where the settings say that there are any. */
export async function metaEntries(byName: FilesByName, directory: string, names: readonly string[]): Promise<Entries> {
  const asked = byName.hasMetaFiles ? names : names.filter(isRedactionsFile);
  const areThere = await Promise.all(asked.map((name) => byName.has(join(directory, name), 'beside')));
  return { ...noEntries(), metaFiles: asked.filter((_, index) => areThere[index]) };
}

/** The files of a folder that say something of its images. */
const filesOfFolder = [folderMetaFile, ...redactionsFiles];

/** The name of the image of a page, from 1, in a folder; undefined where there are fewer. */
export async function imageInOrder(byName: FilesByName, directory: string, page: number): Promise<string | undefined> {
  const known = await byName.imageAt(directory, page);
  if (known !== undefined) return known.name;
  let before = 0;
  for await (const names of byName.namesInOrder(directory)) {
    const images = names.filter(isImageName);
    if (before + images.length >= page) return images[page - 1 - before];
    before += images.length;
  }
  return undefined;
}

/** An image that is there, with its metadata; files beside images, such as prescaled versions, have none of their own. */
export async function entriesOfImage(
  byName: FilesByName,
  directory: string,
  name: string,
  use: NameUse = 'image',
): Promise<Entries> {
  const metaFiles = use === 'image' ? [metaFileOf(name), ...filesOfFolder] : [];
  return { ...(await metaEntries(byName, directory, metaFiles)), images: [name] };
}

/** An image of exactly this name; its metadata is asked for at the same time, since it is there most likely. */
async function exactly(byName: FilesByName, directory: string, name: string, use: NameUse) {
  const [isThere, entries] = await Promise.all([
    byName.has(join(directory, name), use),
    entriesOfImage(byName, directory, name, use),
  ]);
  return isThere ? entries : undefined;
}

/** The first image with one of the extensions, in their order, of the name as a whole and then without its own extension. */
async function byExtension(byName: FilesByName, directory: string, name: string, use: NameUse) {
  const { extensions = allExtensions } = byName;
  for (const stem of new Set([name, stemOf(name)]))
    for (const extension of extensions) {
      const image = `${stem}.${extension}`;
      if (isImageName(image) && (await byName.has(join(directory, image), 'beside')))
        return entriesOfImage(byName, directory, image, use);
    }
  return undefined;
}

/** The metadata of the folder is not among the entries of a name; that of an image may be missing in a list that is old or of a replica. */
async function ofNamed(byName: FilesByName, directory: string, named: readonly StoredEntry[], use: NameUse) {
  const entries = noEntries();
  for (const { name, kind } of named)
    if (byName.hasMetaFiles || !name.endsWith('.meta')) addEntry(entries, name, false, kind);
  const mayHaveMeta = use === 'image' && entries.images.length > 0;
  const known = new Set(entries.metaFiles);
  const asked = [...filesOfFolder, ...entries.images.map(metaFileOf)].filter((name) => !known.has(name));
  const { metaFiles } = await metaEntries(byName, directory, mayHaveMeta ? asked : []);
  entries.metaFiles.push(...metaFiles);
  return entries;
}

/**
 * The entries of a folder that a name may stand for, as `Listing.find` chooses among them, with the metadata that belongs to
 * them: an image of exactly this name, without the page inside of it, or with another extension, in both forms of normalization.
 */
export async function entriesAround(
  byName: FilesByName,
  directory: string,
  name: string,
  use: NameUse,
): Promise<Entries> {
  for (const spelling of new Set([name, name.normalize('NFC'), name.normalize('NFD')])) {
    const { file } = splitPage(spelling);
    for (const own of new Set([spelling, file])) {
      const image = isImageName(own) ? await exactly(byName, directory, own, use) : undefined;
      if (image !== undefined) return image;
    }
    const named = byName.extensions === undefined ? await byName.entriesNamed(directory, stemOf(file)) : undefined;
    const entries =
      named === undefined
        ? await byExtension(byName, directory, file, use)
        : await ofNamed(byName, directory, named, use);
    if (entries !== undefined && !isEmpty(entries)) return entries;
  }
  return noEntries();
}
