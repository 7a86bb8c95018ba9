/** Folders in display order with their titles and labels, as far as a caller may see them: for lists, HTML and searches. */
import pMap from 'p-map';
import { type Admission, denial } from '../access/admit.ts';
import { bounded, ifAnswering } from '../access/if-answering.ts';
import type { Caller } from '../access/policy.ts';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import type { FolderLink } from '../image/folder/folder-listing.ts';
import { textFor } from '../image/folder/folder-metadata.ts';
import {
  inDisplayOrder,
  labelOfFile,
  metadataLabelOf,
  namesOfFile,
  type PageLabels,
  sharedStems,
} from '../image/folder/page-labels.ts';
import { stemOf } from '../image/model/formats.ts';
import { formatIdentifier, type Identifier, parseIdentifier } from '../image/model/identifier.ts';
import type { Admitted } from '../image/model/image-set.ts';
import type { Folder } from '../library/library.ts';
import { type FolderMetadataSource, type LocalizedFolder, shownImages, titleOf } from './folder-cards.ts';

/** Somebody who reads some languages: their tags in lower case, the preferred one first. */
export interface Reader {
  readonly caller: Caller;
  readonly languages: readonly string[];
}

export interface ListedFolder extends LocalizedFolder, Reader {
  readonly entries: readonly FolderEntry[];
  /** The names of the folders in it. */
  readonly folders: readonly string[];
}

export interface ListedFolders {
  /** Throws ImageError `denied` or `login-needed` where the caller may see nothing of it. */
  list(folder: Admitted<Folder>, reader: Reader): Promise<ListedFolder>;
  /** A folder with its title; of one that the reader may not see, or whose storage does not answer, the name. */
  linkTo(identifier: Identifier, reader: Reader): Promise<FolderLink>;
  /** The folders around a folder, the root first. */
  parentsOf(listed: ListedFolder): Promise<readonly FolderLink[]>;
  /** The labels of files by their positions, from 1, if their stems are among these. */
  labelsOf(listed: ListedFolder, stems: ReadonlySet<string>): (position: number) => string;
}

export interface ListedFoldersParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly pageLabels: PageLabels;
}

export function createListedFolders({ admission, metadata: source, pageLabels }: ListedFoldersParts): ListedFolders {
  const linkTo = createLinkTo(admission, source);
  return {
    linkTo,
    async list(folder, { caller, languages }) {
      const { identifier } = folder;
      const [metadata, visible, folders] = await Promise.all([
        source.metadataOf(identifier),
        admission.entriesOf(folder, caller),
        admission.foldersOf(folder, caller),
      ]);
      if (visible.length + folders.length === 0 && shownImages(folder).length > 0) {
        throw denial(caller, 'You may not see any image of this folder.');
      }
      const entries = inDisplayOrder(visible, metadata.pageOrder, ({ name }) => namesOfFile(name));
      return { identifier, metadata, languages, entries, folders, caller };
    },
    parentsOf(listed) {
      const { segments } = listed.identifier;
      const above = segments.map((_, depth) => parseIdentifier(segments.slice(0, depth).join('/')));
      const identifiers = above.filter((identifier) => identifier !== undefined);
      return pMap(identifiers, (identifier) => linkTo(identifier, listed), bounded);
    },
    labelsOf({ entries, metadata, languages }, stems) {
      const files = entries.map(({ name }) => name);
      const shared = sharedStems(files, stems);
      return (number) => {
        const file = files[number - 1] ?? '';
        const metadataLabel = metadataLabelOf(metadata, file);
        const labeled = { file, metadataLabel, number, sharesStem: shared.has(stemOf(file)) };
        return textFor(labelOfFile(labeled, pageLabels), languages).join(' ');
      };
    },
  };
}

export const createLinkTo =
  (admission: Admission, source: FolderMetadataSource): ListedFolders['linkTo'] =>
  async (identifier, { caller, languages }) => {
    const path = formatIdentifier(identifier);
    const isVisible = await admission.isFolderVisible(path, caller);
    const metadata = isVisible ? await ifAnswering(source.metadataOf(identifier, 'titles')) : {};
    const known = metadata === 'no-answer' ? {} : metadata;
    return { path, title: titleOf({ identifier, metadata: known, languages }) };
  };

/** The titles from the first folder below the root to a folder, itself included; of those that are closed, the names. */
export type TitlesDownTo = (folder: Identifier, reader: Reader) => Promise<readonly string[]>;

/** Remembers the titles that it has read for a reader, since many finds lie in one folder. */
export function createTitlesDownTo(admission: Admission, source: FolderMetadataSource): TitlesDownTo {
  const linkTo = createLinkTo(admission, source);
  const known = new WeakMap<Reader, Map<string, Promise<string>>>();

  return async ({ segments }, reader) => {
    const titles = known.get(reader) ?? new Map<string, Promise<string>>();
    known.set(reader, titles);
    const way: string[] = [];
    for (const depth of segments.keys()) {
      const identifier = parseIdentifier(segments.slice(0, depth + 1).join('/'));
      if (identifier === undefined) continue;
      const path = formatIdentifier(identifier);
      const title = titles.get(path) ?? linkTo(identifier, reader).then((link) => link.title);
      titles.set(path, title);
      way.push(await title);
    }
    return way;
  };
}
