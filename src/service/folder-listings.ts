/** A folder as the reading room shows it: a part of what it holds, of which alone the images are looked into. */
import type { Caller } from '../access/access.ts';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import type {
  FolderCard,
  FolderLink,
  FolderListing,
  ImageCard,
  ReadingDirection,
  ShownText,
} from '../image/folder/folder-listing.ts';
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import {
  inDisplayOrder,
  labelOfFile,
  metadataLabelOf,
  namesOfFile,
  type PageLabels,
  sharedStems,
} from '../image/folder/page-labels.ts';
import { stemOf } from '../image/model/formats.ts';
import { childOf, formatIdentifier, type Identifier, parseIdentifier } from '../image/model/identifier.ts';
import { highest } from '../image/model/image-set.ts';
import { textFor } from '../image/model/languages.ts';
import { type Admission, denial, ifAdmitted } from './admit.ts';
import { type FolderCards, titleOf } from './folder-cards.ts';
import { contentsOf } from './folder-contents.ts';
import { mapBounded } from './map-bounded.ts';
import type { FolderMetadataSource } from './present.ts';
import { positionOfLabel, requestedPosition } from './requested-page.ts';

/** A part of a folder. */
export interface FolderQuery {
  /** The decoded path of a folder, or of an image in it. */
  readonly path: string;
  /** The `pn` of the image that is meant where the path names a folder. */
  readonly page?: number;
  /** The label of the image that is meant, whatever its case; it goes before the page. */
  readonly label?: string;
  /** The place of the first image and folder of the part, from 1; absent for the part that holds the image that is meant. */
  readonly from?: number;
  /** How many images and folders the part has at most. */
  readonly count: number;
  /** Tags of the languages that are read, in lower case, the first one best. */
  readonly languages: readonly string[];
}

export interface FolderListingsParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly cards: FolderCards;
  readonly pageLabels: PageLabels;
}

/** What the folder page says of one folder in the languages that are read. */
interface Shown {
  readonly identifier: Identifier;
  readonly said: FolderMetadata;
  readonly languages: readonly string[];
}

const directionOf = ({ viewingDirection }: FolderMetadata): ReadingDirection =>
  viewingDirection === 'right-to-left' ? 'right-to-left' : 'left-to-right';

function textsOf({ said, languages }: Shown): readonly ShownText[] {
  const { metadata = [], requiredStatement } = said;
  const pairs = requiredStatement === undefined ? metadata : [...metadata, requiredStatement];
  return pairs.map(({ label, value }) => ({
    label: textFor(label, languages).join(' '),
    value: textFor(value, languages),
  }));
}

function aboutFolder(
  shown: Shown,
): Pick<FolderListing, 'path' | 'title' | 'summary' | 'metadata' | 'attribution' | 'rights' | 'direction'> {
  const { identifier, said, languages } = shown;
  return {
    path: formatIdentifier(identifier),
    title: titleOf(identifier, said, languages),
    summary: textFor(said.summary ?? {}, languages),
    metadata: textsOf(shown),
    attribution: textFor(said.requiredStatement?.value ?? {}, languages),
    rights: said.rights ?? null,
    direction: directionOf(said),
  };
}

/** The place at which the part begins that holds the image at this place. */
const beginOf = (at: number | null, count: number): number =>
  at === null ? 1 : Math.floor((at - 1) / count) * count + 1;

/** Answers with a part of a folder. Throws ImageError `not-found`, or `denied` or `login-needed` where nothing of it may be seen. */
export function createFolderListings(
  parts: FolderListingsParts,
): (asked: FolderQuery, caller: Caller) => Promise<FolderListing> {
  const { admission, metadata, cards, pageLabels } = parts;

  async function linkTo(identifier: Identifier, caller: Caller, languages: readonly string[]): Promise<FolderLink> {
    const path = formatIdentifier(identifier);
    const isSeen = (await ifAdmitted(admission.admitFolder(path, caller))) !== undefined;
    const said = isSeen ? await metadata.metadataOf(identifier) : {};
    return { path, title: titleOf(identifier, said, languages) };
  }

  function parentsOf(path: string, caller: Caller, languages: readonly string[]): Promise<readonly FolderLink[]> {
    const names = path.split('/').filter((name) => name !== '');
    const above = names.map((_, depth) => parseIdentifier(names.slice(0, depth).join('/')));
    const identifiers = above.filter((identifier) => identifier !== undefined);
    return mapBounded(identifiers, (identifier) => linkTo(identifier, caller, languages));
  }

  async function imageCard(
    { name, index }: FolderEntry,
    number: number,
    sharesStem: boolean,
    { identifier, said, languages }: Shown,
    caller: Caller,
  ): Promise<ImageCard> {
    const path = formatIdentifier(childOf(identifier, name));
    const image = await ifAdmitted(admission.admit(path, 1, caller));
    const size = image && highest(image);
    const label = labelOfFile(
      { file: name, metadataLabel: metadataLabelOf(said, name), number, sharesStem },
      pageLabels,
    );
    return {
      path,
      name,
      pn: index,
      label: textFor(label, languages).join(' '),
      width: size?.width ?? null,
      height: size?.height ?? null,
      pages: image?.pageCount ?? 1,
    };
  }

  function imageCards(
    entries: readonly FolderEntry[],
    from: number,
    count: number,
    shown: Shown,
    caller: Caller,
  ): Promise<readonly ImageCard[]> {
    const part = entries.slice(from - 1, from - 1 + count);
    const stems = new Set(part.map(({ name }) => stemOf(name)));
    const files = entries.map(({ name }) => name);
    const shared = sharedStems(files, stems);
    const numbered = part.map((entry, index) => ({ entry, number: from + index }));
    return mapBounded(numbered, ({ entry, number }) =>
      imageCard(entry, number, shared.has(stemOf(entry.name)), shown, caller),
    );
  }

  async function folderCards(
    names: readonly string[],
    { identifier, languages }: Shown,
    caller: Caller,
  ): Promise<readonly FolderCard[]> {
    const found = await mapBounded(names, (name) =>
      cards.cardOf(formatIdentifier(childOf(identifier, name)), caller, languages),
    );
    return found.filter((card) => card !== undefined);
  }

  return async (asked, caller) => {
    const { languages, count } = asked;
    const { folder, name } = await admission.admitFolderOrImage(asked.path, caller);
    const { identifier } = folder;
    const [said, seen, names] = await Promise.all([
      metadata.metadataOf(identifier),
      admission.entriesOf(folder, caller),
      admission.foldersOf(folder, caller),
    ]);
    if (seen.length + names.length === 0 && folder.images.length > 0) {
      throw denial(caller, 'You may not see any image of this folder.');
    }
    const shown: Shown = { identifier, said, languages };
    const entries = inDisplayOrder(seen, said.pageOrder, (entry) => namesOfFile(entry.name));
    const at = requestedPosition(entries, { ...asked, name }, (label) =>
      positionOfLabel(entries, label, said, pageLabels),
    );
    const from = asked.from ?? beginOf(at, count);
    const [parents, folders, images] = await Promise.all([
      parentsOf(formatIdentifier(identifier), caller, languages),
      folderCards(names.slice(from - 1, from - 1 + count), shown, caller),
      imageCards(entries, from, count, shown, caller),
    ]);
    return {
      ...aboutFolder(shown),
      contents: contentsOf(shown, entries),
      parents,
      folders,
      totalFolders: names.length,
      images,
      totalImages: entries.length,
      from,
      at,
    };
  };
}
