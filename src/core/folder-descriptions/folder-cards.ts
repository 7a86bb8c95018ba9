/** Folders as cards: a title, the number of images and folders inside, and a cover image. */
import { type Admission, ifAdmitted } from '../access/admit.ts';
import { type AnyFolder, isLongFolder } from '../access/catalogued-folders.ts';
import { ifAnswering } from '../access/if-answering.ts';
import type { KnownDamage } from '../access/known-damage.ts';
import type { Caller } from '../access/policy.ts';
import type { FolderCard } from '../image/folder/folder-listing.ts';
import { type FolderMetadata, textFor } from '../image/folder/folder-metadata.ts';
import { inDisplayOrder, labelOfFolder } from '../image/folder/page-labels.ts';
import { childOf, formatIdentifier, type Identifier, isSegment } from '../image/model/identifier.ts';
import type { Admitted } from '../image/model/image-set.ts';
import type { Folder } from '../library/library.ts';

export interface FolderMetadataSource {
  /** The metadata of a folder, or all but what it says of pages, for which no long folder is listed. */
  metadataOf(folder: Identifier, part?: 'titles'): Promise<FolderMetadata>;
}

const shown = new WeakMap<readonly string[], readonly string[]>();

/**
 * The names among those of a folder's image files that an identifier can have, in their order: lists show no others. The same
 * array where these are all, as nearly always; computed once for each array.
 */
export function shownImages({ images }: { readonly images: readonly string[] }): readonly string[] {
  const known = shown.get(images);
  if (known !== undefined) return known;
  const names = images.every(isSegment) ? images : images.filter(isSegment);
  shown.set(images, names);
  return names;
}

export interface FolderCards {
  /** The path of an undamaged image that stands for a folder; undefined where none is found near its top. */
  coverOf(folder: AnyFolder, caller: Caller): Promise<string | undefined>;
  /**
   * The card of the folder at this path; undefined where there is none that the caller may see. Where its disk does not
   * answer, the card has nothing but the folder's name.
   */
  cardOf(path: string, caller: Caller, languages: readonly string[]): Promise<FolderCard | undefined>;
}

const maxCoverDepth = 4;
const maxCoverTries = 5;

/** A folder with its metadata, for a reader of these languages. */
export interface LocalizedFolder {
  readonly identifier: Identifier;
  readonly metadata: FolderMetadata;
  /** Language tags in lower case, the preferred one first. */
  readonly languages: readonly string[];
}

/** The title of a folder: its label, or else its name; empty for a root without a label. */
export const titleOf = ({ identifier, metadata, languages }: LocalizedFolder): string =>
  textFor(labelOfFolder(identifier.segments.at(-1) ?? '', metadata), languages).join(' ');

export function createFolderCards(
  admission: Admission,
  source: FolderMetadataSource,
  damage: Pick<KnownDamage, 'isWhole'>,
): FolderCards {
  /** Names of the images that the caller may see. In an open library the entries need not be checked. */
  const namesOf = async (folder: Admitted<Folder>, caller: Caller): Promise<readonly string[]> =>
    folder.isOpen ? shownImages(folder) : (await admission.entriesOf(folder, caller)).map(({ name }) => name);

  /** The first names in display order. */
  async function firstImages(folder: AnyFolder, caller: Caller): Promise<readonly string[]> {
    if (isLongFolder(folder)) return folder.imagesAt({ from: 1, count: maxCoverTries });
    const names = await namesOf(folder, caller);
    const { pageOrder } = names.length > 0 ? await source.metadataOf(folder.identifier) : {};
    return inDisplayOrder(names, pageOrder, (one) => [one]).slice(0, maxCoverTries);
  }

  async function coverOf(folder: AnyFolder, caller: Caller, depth = 0): Promise<string | undefined> {
    const { identifier } = folder;
    for (const name of await firstImages(folder, caller)) {
      const image = formatIdentifier(childOf(identifier, name));
      const admitted = await ifAdmitted(admission.admit(image, 1, caller));
      if (admitted && damage.isWhole(admitted)) return image;
    }
    if (depth === maxCoverDepth) return undefined;
    const [below] = isLongFolder(folder)
      ? (await folder.foldersAt({ from: 1, count: 1 })).map(({ name }) => name)
      : await admission.foldersOf(folder, caller);
    const inside =
      below && (await ifAdmitted(admission.admitAnyFolder(formatIdentifier(childOf(identifier, below)), caller)));
    return inside && coverOf(inside, caller, depth + 1);
  }

  /** How many images and folders it has that the caller may see. */
  async function totalsOf(folder: AnyFolder, caller: Caller) {
    if (isLongFolder(folder)) return { images: folder.totalImages, folders: folder.totalFolders };
    const [images, folders] = await Promise.all([namesOf(folder, caller), admission.foldersOf(folder, caller)]);
    return { images: images.length, folders: folders.length };
  }

  async function fullCardOf(
    path: string,
    caller: Caller,
    languages: readonly string[],
  ): Promise<FolderCard | undefined> {
    const folder = await ifAdmitted(admission.admitAnyFolder(path, caller));
    if (folder === undefined) return undefined;
    const { identifier } = folder;
    const [totals, cover, metadata] = await Promise.all([
      totalsOf(folder, caller),
      coverOf(folder, caller),
      source.metadataOf(identifier, isLongFolder(folder) ? 'titles' : undefined),
    ]);
    return {
      path,
      name: identifier.segments.at(-1) ?? '',
      title: titleOf({ identifier, metadata, languages }),
      summary: textFor(metadata.summary ?? {}, languages)[0] ?? '',
      ...totals,
      cover: cover ?? null,
    };
  }

  return {
    coverOf,
    async cardOf(path, caller, languages) {
      const card = await ifAnswering(fullCardOf(path, caller, languages));
      if (card !== 'no-answer') return card;
      const name = path.slice(path.lastIndexOf('/') + 1);
      return { path, name, title: name, summary: '', images: 0, folders: 0, cover: null };
    },
  };
}
