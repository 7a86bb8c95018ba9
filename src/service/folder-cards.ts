/** What is shown of folders: what they are called, what they hold, and an image that stands for each. */
import type { Caller } from '../access/access.ts';
import type { FolderCard } from '../image/folder/folder-listing.ts';
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import { inDisplayOrder, labelOfFolder } from '../image/folder/page-labels.ts';
import { childOf, formatIdentifier, type Identifier } from '../image/model/identifier.ts';
import type { Admitted } from '../image/model/image-set.ts';
import { textFor } from '../image/model/languages.ts';
import type { Folder } from '../library/library.ts';
import { type Admission, ifAdmitted } from './admit.ts';
import type { FolderMetadataSource } from './present.ts';

export interface FolderCards {
  /** The path of an image that stands for a folder; undefined where none was found near its top. */
  coverOf(folder: Admitted<Folder>, caller: Caller): Promise<string | undefined>;
  /** The card of the folder at this path; undefined where there is none that the caller may see. */
  cardOf(path: string, caller: Caller, languages: readonly string[]): Promise<FolderCard | undefined>;
}

const coverDepth = 4;
const coverTries = 5;

/** What a folder is called; the root that nobody has named is called nothing. */
export const titleOf = (folder: Identifier, said: FolderMetadata, languages: readonly string[]): string =>
  textFor(labelOfFolder(folder.segments.at(-1) ?? '', said), languages).join(' ');

export function createFolderCards(admission: Admission, metadata: FolderMetadataSource): FolderCards {
  /** Names of the images that the caller may see. In an open library they need not be asked for one by one. */
  const namesOf = async (folder: Admitted<Folder>, caller: Caller): Promise<readonly string[]> =>
    folder.isOpen ? folder.images : (await admission.entriesOf(folder, caller)).map(({ name }) => name);

  async function coverOf(folder: Admitted<Folder>, caller: Caller, depth = 0): Promise<string | undefined> {
    const { identifier } = folder;
    const names = await namesOf(folder, caller);
    const { pageOrder } = names.length > 0 ? await metadata.metadataOf(identifier) : {};
    for (const name of inDisplayOrder(names, pageOrder, (one) => [one]).slice(0, coverTries)) {
      const image = formatIdentifier(childOf(identifier, name));
      if (await ifAdmitted(admission.admit(image, 1, caller))) return image;
    }
    const [below] = depth < coverDepth ? await admission.foldersOf(folder, caller) : [];
    const inside =
      below && (await ifAdmitted(admission.admitFolder(formatIdentifier(childOf(identifier, below)), caller)));
    return inside && coverOf(inside, caller, depth + 1);
  }

  return {
    coverOf,
    async cardOf(path, caller, languages) {
      const folder = await ifAdmitted(admission.admitFolder(path, caller));
      if (folder === undefined) return undefined;
      const { identifier } = folder;
      const [names, folders, cover, said] = await Promise.all([
        namesOf(folder, caller),
        admission.foldersOf(folder, caller),
        coverOf(folder, caller),
        metadata.metadataOf(identifier),
      ]);
      return {
        path,
        name: identifier.segments.at(-1) ?? '',
        title: titleOf(identifier, said, languages),
        images: names.length,
        folders: folders.length,
        cover: cover ?? null,
      };
    },
  };
}
