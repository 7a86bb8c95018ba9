/** The use case of the HTML of the reading room's pages: what the caller may know of a folder or an image, without rendering. */
import pMap from 'p-map';
import type { Caller } from '../access/access.ts';
import { citationFieldsOf } from '../image/folder/citation-fields.ts';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import type { FolderLink } from '../image/folder/folder-listing.ts';
import { textFor } from '../image/folder/languages.ts';
import {
  inDisplayOrder,
  labelOfFile,
  metadataLabelOf,
  namesOfFile,
  type PageLabels,
  sharedStems,
} from '../image/folder/page-labels.ts';
import { ImageError } from '../image/model/errors.ts';
import { stemOf } from '../image/model/formats.ts';
import {
  childOf,
  formatIdentifier,
  type Identifier,
  joinPage,
  parseIdentifier,
  splitPage,
} from '../image/model/identifier.ts';
import { type Admitted, highest } from '../image/model/image-set.ts';
import type { Folder } from '../library/library.ts';
import type {
  DescribedPicture,
  LabeledPath,
  PageDescription,
  PagePlace,
  WorkDescription,
} from '../pages/description.ts';
import { type Admission, denial, ifAdmitted } from './admit.ts';
import { bounded } from './concurrency.ts';
import { type FolderCards, type LocalizedFolder, titleOf } from './folder-cards.ts';
import { factsOf } from './folder-facts.ts';
import type { FolderMetadataSource } from './present.ts';

/**
 * Describes the page at a place. Throws ImageError `not-found` where there is nothing, `denied` or `login-needed` where the
 * caller may see nothing of it.
 */
export type DescribePage = (place: PagePlace, caller: Caller, languages: readonly string[]) => Promise<PageDescription>;

export interface DescribePageParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly cards: Pick<FolderCards, 'coverOf'>;
  readonly pageLabels: PageLabels;
}

/** How many images and folders the page of a folder names, as on the pages that the scripts show. */
const partCount = 100;

/** A folder in display order, as far as the caller may see it. */
interface Listed extends LocalizedFolder {
  readonly folder: Admitted<Folder>;
  readonly entries: readonly FolderEntry[];
  readonly folders: readonly string[];
  readonly caller: Caller;
}

const notFound = (): ImageError => new ImageError('not-found', 'There is no image of this name.');

export function createDescribePage({
  admission,
  metadata: source,
  cards,
  pageLabels,
}: DescribePageParts): DescribePage {
  async function listOf(folder: Admitted<Folder>, caller: Caller, languages: readonly string[]): Promise<Listed> {
    const { identifier } = folder;
    const [metadata, visible, folders] = await Promise.all([
      source.metadataOf(identifier),
      admission.entriesOf(folder, caller),
      admission.foldersOf(folder, caller),
    ]);
    if (visible.length + folders.length === 0 && folder.images.length > 0) throw denial(caller);
    const entries = inDisplayOrder(visible, metadata.pageOrder, ({ name }) => namesOfFile(name));
    return { identifier, metadata, languages, folder, entries, folders, caller };
  }

  async function linkTo(identifier: Identifier, { languages, caller }: Listed): Promise<FolderLink> {
    const path = formatIdentifier(identifier);
    const isVisible = (await ifAdmitted(admission.admitFolder(path, caller))) !== undefined;
    const metadata = isVisible ? await source.metadataOf(identifier) : {};
    return { path, title: titleOf({ identifier, metadata, languages }) };
  }

  async function workOf(listed: Listed): Promise<WorkDescription> {
    const { segments } = listed.identifier;
    const above = segments.map((_, depth) => parseIdentifier(segments.slice(0, depth).join('/')));
    const identifiers = above.filter((identifier) => identifier !== undefined);
    return {
      ...factsOf(listed),
      citation: citationFieldsOf(listed.metadata, listed.languages),
      parents: await pMap(identifiers, (identifier) => linkTo(identifier, listed), bounded),
    };
  }

  /** The labels of the images at some positions, from 1; those that there are not have none. */
  function labeled(
    { identifier, metadata, languages, entries }: Listed,
    positions: readonly number[],
  ): readonly (LabeledPath | undefined)[] {
    const stems = new Set(positions.flatMap((at) => entries[at - 1]?.name ?? []).map(stemOf));
    const shared = sharedStems(
      entries.map(({ name }) => name),
      stems,
    );
    return positions.map((at) => {
      const name = entries[at - 1]?.name;
      if (name === undefined) return undefined;
      const metadataLabel = metadataLabelOf(metadata, name);
      const file = { file: name, metadataLabel, number: at, sharesStem: shared.has(stemOf(name)) };
      const label = textFor(labelOfFile(file, pageLabels), languages).join(' ');
      return { path: formatIdentifier(childOf(identifier, name)), label };
    });
  }

  /** The size of an image that can be read; undefined for others. */
  async function pictureAt(path: string | undefined, caller: Caller): Promise<DescribedPicture | undefined> {
    const image = path === undefined ? undefined : await ifAdmitted(admission.admit(path, 1, caller));
    if (path === undefined || image === undefined) return undefined;
    const { width, height } = highest(image);
    return { path, width, height };
  }

  async function describeFolder(listed: Listed, from: number): Promise<PageDescription> {
    const { identifier, entries, folders, caller } = listed;
    const part = folders.slice(from - 1, from - 1 + partCount);
    const positions = entries.slice(from - 1, from - 1 + partCount).map((_, index) => from + index);
    const [work, cover, links] = await Promise.all([
      workOf(listed),
      cards.coverOf(listed.folder, caller).then((path) => pictureAt(path, caller)),
      pMap(part, (name) => linkTo(childOf(identifier, name), listed), bounded),
    ]);
    if (from > 1 && positions.length + part.length === 0) throw notFound();
    return {
      kind: 'folder',
      work,
      cover,
      folders: links,
      images: labeled(listed, positions).filter((image) => image !== undefined),
      totalFolders: folders.length,
      totalImages: entries.length,
      from,
      count: partCount,
    };
  }

  /** The label of a page inside of a file with several. */
  const innerLabel = (label: string, inner: number): string => (inner === 1 ? label : `${label}, ${inner}`);

  async function describeImage(listed: Listed, at: number, inner: number): Promise<PageDescription> {
    const { entries, caller } = listed;
    const [own, before, after] = labeled(listed, [at, at - 1, at + 1]);
    if (own === undefined) throw notFound();
    const path = joinPage(own.path, inner);
    const image = await admission.admit(path, 1, caller);
    const { width, height } = highest(image);
    const inFile = (page: number): LabeledPath => ({
      path: joinPage(own.path, page),
      label: innerLabel(own.label, page),
    });
    return {
      kind: 'image',
      work: await workOf(listed),
      picture: { path, width, height },
      label: innerLabel(own.label, inner),
      at,
      total: entries.length,
      before: inner > 1 ? inFile(inner - 1) : before,
      after: inner < image.pageCount ? inFile(inner + 1) : after,
    };
  }

  return async (place, caller, languages) => {
    if (place.kind === 'folder') {
      return describeFolder(
        await listOf(await admission.admitFolder(place.path, caller), caller, languages),
        place.from,
      );
    }
    const { file, page: inner } = splitPage(place.path);
    const { folder, name } = await admission.admitFolderOrImage(file, caller);
    const listed = await listOf(folder, caller, languages);
    const { entries, folders } = listed;
    // The scripts show a folder that holds folders only as such.
    if (name === undefined && entries.length === 0 && folders.length > 0) return describeFolder(listed, 1);
    const at =
      entries.findIndex((entry) => (name === undefined ? entry.index === place.page : entry.name === name)) + 1;
    return describeImage(listed, at, inner);
  };
}
