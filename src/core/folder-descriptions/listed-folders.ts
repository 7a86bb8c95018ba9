/** Folders in display order with their titles and labels, as far as a caller may see them: for lists, HTML and searches. */
import pMap from 'p-map';
import type { Admission } from '../access/admit.ts';
import type { LongFolder } from '../access/catalogued-folders.ts';
import { denial } from '../access/denials.ts';
import { bounded, ifAnswering } from '../access/if-answering.ts';
import type { Caller } from '../access/policy.ts';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import type { FolderLink } from '../image/folder/folder-listing.ts';
import { type FolderMetadata, textFor } from '../image/folder/folder-metadata.ts';
import { type FolderLayers, layersIn } from '../image/folder/layers.ts';
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
  /** The images that are layers of a page; only the pages are among the entries. */
  readonly layers: FolderLayers;
  /** Its images; of a folder that is too long for a list, those around a part of it. */
  readonly entries: readonly FolderEntry[];
  /** How many precede these. */
  readonly skippedImages: number;
  /** How many there are. */
  readonly totalImages: number;
  /** The names of the folders in it, and the same of them. */
  readonly folders: readonly string[];
  readonly skippedFolders: number;
  readonly totalFolders: number;
}

/** The positions of a part of a folder, from 1. */
export interface ListedPart {
  readonly from: number;
  readonly count: number;
}

/** The images and folders of a part. */
export function partOf(listed: ListedFolder, { from, count }: ListedPart) {
  const slice = <Item>(items: readonly Item[], skipped: number): readonly Item[] =>
    items.slice(Math.max(0, from - 1 - skipped), Math.max(0, from - 1 - skipped + count));
  return {
    entries: slice(listed.entries, listed.skippedImages),
    folders: slice(listed.folders, listed.skippedFolders),
  };
}

export interface ListedFolders {
  /** Throws ImageError `denied` or `login-needed` where the caller may see nothing of it. */
  list(folder: Admitted<Folder>, reader: Reader): Promise<ListedFolder>;
  /** A part of a folder that is too long for a list; of its metadata what does not name pages. */
  listPart(folder: Admitted<LongFolder>, part: ListedPart, reader: Reader): Promise<ListedFolder>;
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

/** What of a folder's metadata governs each of its images. */
const rightsAlone = ({ rights, requiredStatement }: FolderMetadata): FolderMetadata => ({
  ...(rights !== undefined && { rights }),
  ...(requiredStatement !== undefined && { requiredStatement }),
});

/** Names beside a part of a long folder, where those stand that share a stem with one in it. */
const namesAround = 20;

export function createListedFolders({ admission, metadata: source, pageLabels }: ListedFoldersParts): ListedFolders {
  const linkTo = createLinkTo(admission, source);
  return {
    linkTo,
    async list(folder, { caller, languages }) {
      const { identifier } = folder;
      const [metadata, visible, folders] = await Promise.all([
        folder.isAlone ? source.metadataOf(identifier).then(rightsAlone) : source.metadataOf(identifier),
        admission.entriesOf(folder, caller),
        admission.foldersOf(folder, caller),
      ]);
      if (visible.length + folders.length === 0 && shownImages(folder).length > 0) {
        throw denial(caller, 'You may not see any image of this folder.');
      }
      const layers = layersIn(metadata, () => visible.map(({ name }) => name));
      const pages = visible.filter(({ name }) => layers.pageOf(name) === undefined);
      const entries = inDisplayOrder(pages, metadata.pageOrder, ({ name }) => namesOfFile(name));
      const totals = { totalImages: entries.length, totalFolders: folders.length };
      return {
        identifier,
        metadata,
        languages,
        entries,
        folders,
        caller,
        skippedImages: 0,
        skippedFolders: 0,
        layers,
        ...totals,
      };
    },
    async listPart(folder, { from, count }, { caller, languages }) {
      const { identifier, totalImages, totalFolders } = folder;
      const skippedImages = Math.max(0, from - 1 - namesAround);
      const around = { from: skippedImages + 1, count: from - 1 - skippedImages + count + namesAround };
      const [metadata, names, inside] = await Promise.all([
        source.metadataOf(identifier, 'titles'),
        around.from > totalImages ? [] : folder.imagesAt(around),
        from > totalFolders ? [] : folder.foldersAt({ from, count }),
      ]);
      const entries = names.map((name, index): FolderEntry => ({ index: around.from + index, name }));
      const folders = inside.map(({ name }) => name);
      const totals = { totalImages, totalFolders };
      return {
        identifier,
        metadata,
        languages,
        entries,
        folders,
        caller,
        skippedImages,
        skippedFolders: from - 1,
        layers: layersIn({}, () => []),
        ...totals,
      };
    },
    parentsOf(listed) {
      const { segments } = listed.identifier;
      const above = segments.map((_, depth) => parseIdentifier(segments.slice(0, depth).join('/')));
      const identifiers = above.filter((identifier) => identifier !== undefined);
      return pMap(identifiers, (identifier) => linkTo(identifier, listed), bounded);
    },
    labelsOf({ entries, skippedImages, metadata, languages }, stems) {
      const files = entries.map(({ name }) => name);
      const shared = sharedStems(files, stems);
      return (number) => {
        const file = files[number - 1 - skippedImages] ?? '';
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
