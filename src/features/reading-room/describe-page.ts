/** The use case of the HTML of the reading room's pages: what the caller may know of a folder or an image, without rendering. */
import pMap from 'p-map';
import { ifAdmitted, ifFound, type LongFolderTarget } from '../../core/access/admit.ts';
import { type AnyFolder, isLongFolder, type LongFolder } from '../../core/access/catalogued-folders.ts';
import { bounded } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import { arrangeFolders, createFactsOfFolder, mostArranged } from '../../core/folder-descriptions/arranged-folders.ts';
import type { FolderCards } from '../../core/folder-descriptions/folder-cards.ts';
import { factsOf, requestedPosition } from '../../core/folder-descriptions/folder-contents.ts';
import {
  createListedFolders,
  type ListedFolder,
  type ListedFoldersParts,
  partOf,
  type Reader,
} from '../../core/folder-descriptions/listed-folders.ts';
import { citationFieldsOf } from '../../core/image/folder/citation-fields.ts';
import type { FolderWish } from '../../core/image/folder/folder-wish.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { stemOf } from '../../core/image/model/formats.ts';
import { childOf, formatIdentifier, joinPage, splitPage } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet } from '../../core/image/model/image-set.ts';
import { mediaFormatOf } from '../../core/image/model/media-formats.ts';
import type {
  DescribedPicture,
  LabeledPath,
  PageDescription,
  PagePlace,
  WorkDescription,
} from './pages/description.ts';

/**
 * Describes the page at a place. Throws ImageError `not-found` where there is nothing, `denied` or `login-needed` where the
 * caller may see nothing of it.
 */
export type DescribePage = (place: PagePlace, caller: Caller, languages: readonly string[]) => Promise<PageDescription>;

export interface DescribePageParts extends ListedFoldersParts {
  readonly cards: Pick<FolderCards, 'coverOf'>;
}

/** How many images and folders the page of a folder names, as on the pages that the scripts show. */
const partCount = 100;

const notFound = (): ImageError => new ImageError('not-found', 'There is no image of this name.');

function pictureOf(path: string, image: Admitted<ImageSet>): DescribedPicture {
  const { width, height } = highest(image);
  const { tier } = image.terms ?? {};
  return { path, width, height, ...(tier && { tier: tier.name }) };
}

export function createDescribePage(parts: DescribePageParts): DescribePage {
  const { admission, cards } = parts;
  const { list, listPart, linkTo, parentsOf, labelsOf } = createListedFolders(parts);
  const factsOfFolder = createFactsOfFolder(admission, parts.metadata);

  async function workOf(listed: ListedFolder): Promise<WorkDescription> {
    return {
      ...factsOf(listed),
      citation: citationFieldsOf(listed.metadata, listed.languages),
      parents: await parentsOf(listed),
    };
  }

  /** The images at some positions, from 1, with their labels; undefined for those that there are not. */
  function imagesAt(listed: ListedFolder, positions: readonly number[]): readonly (LabeledPath | undefined)[] {
    const nameAt = (position: number): string | undefined => listed.entries[position - 1 - listed.skippedImages]?.name;
    const labelOf = labelsOf(listed, new Set(positions.flatMap((at) => nameAt(at) ?? []).map(stemOf)));
    return positions.map((at) => {
      const name = nameAt(at);
      if (name === undefined) return undefined;
      return { path: formatIdentifier(childOf(listed.identifier, name)), label: labelOf(at) };
    });
  }

  /** The size of an image that can be read; undefined for others. */
  async function pictureAt(path: string | undefined, caller: Caller): Promise<DescribedPicture | undefined> {
    const image = path === undefined ? undefined : await ifAdmitted(admission.admit(path, 1, caller));
    if (path === undefined || image === undefined) return undefined;
    return pictureOf(path, image);
  }

  async function describeFolder(
    folder: AnyFolder,
    own: ListedFolder,
    from: number,
    wish?: FolderWish,
  ): Promise<PageDescription> {
    const { listed } = wish === undefined ? { listed: own } : await arrangeFolders(own, wish, factsOfFolder);
    const { identifier, caller, totalFolders, totalImages } = listed;
    const { entries, folders: part } = partOf(listed, { from, count: partCount });
    const positions = entries.map((_, index) => from + index);
    const [work, cover, links] = await Promise.all([
      workOf(listed),
      cards.coverOf(folder, caller).then((path) => pictureAt(path, caller)),
      pMap(part, (name) => linkTo(childOf(identifier, name), listed), bounded),
    ]);
    if (from > 1 && positions.length + part.length === 0) throw notFound();
    return {
      kind: 'folder',
      work,
      cover,
      folders: links,
      images: imagesAt(listed, positions).filter((image) => image !== undefined),
      totalFolders,
      totalImages,
      from,
      count: partCount,
      wish,
      isArrangeable: own.totalFolders > 1 && own.totalFolders <= mostArranged,
    };
  }

  /** The label of a page inside of a file with several. */
  const innerLabel = (label: string, inner: number): string => (inner === 1 ? label : `${label}, ${inner}`);

  async function describeImage(listed: ListedFolder, at: number, inner: number): Promise<PageDescription> {
    const { totalImages, caller } = listed;
    const [own, before, after] = imagesAt(listed, [at, at - 1, at + 1]);
    if (own === undefined) throw notFound();
    const path = joinPage(own.path, inner);
    const image = await admission.admit(path, 1, caller);
    const inFile = (page: number): LabeledPath => ({
      path: joinPage(own.path, page),
      label: innerLabel(own.label, page),
    });
    return {
      kind: 'image',
      work: await workOf(listed),
      picture: pictureOf(path, image),
      label: innerLabel(own.label, inner),
      at,
      total: totalImages,
      before: inner > 1 ? inFile(inner - 1) : before,
      after: inner < image.pageCount ? inFile(inner + 1) : after,
    };
  }

  const partAt = (folder: Admitted<LongFolder>, from: number, reader: Reader): Promise<ListedFolder> =>
    listPart(folder, { from, count: partCount }, reader);

  async function describeInLong(
    { folder, name }: LongFolderTarget,
    page: number | undefined,
    inner: number,
    reader: Reader,
  ): Promise<PageDescription> {
    if (name === undefined && folder.totalImages === 0)
      return describeFolder(folder, await partAt(folder, 1, reader), 1);
    const at = (name === undefined ? page : await folder.positionOf(name)) ?? 0;
    if (at < 1) throw notFound();
    const around = { from: Math.max(1, at - 1), count: 3 };
    return describeImage(await listPart(folder, around, reader), at, inner);
  }

  return async (place, caller, languages) => {
    const reader = { caller, languages };
    if (place.kind === 'folder') {
      const folder = await admission.admitAnyFolder(place.path, caller);
      const { from, wish } = place;
      const listed = isLongFolder(folder) ? await partAt(folder, from, reader) : await list(folder, reader);
      return describeFolder(folder, listed, from, wish);
    }
    const { file, page: inner } = splitPage(place.path);
    if (mediaFormatOf(file) !== undefined) {
      // Its page is a part of the manifest, which the scripts play; what is told of it is told of its folder.
      const media = await ifFound(admission.admitMedia(file, caller));
      if (media !== undefined) {
        const around = await admission.admitFolder(formatIdentifier(media.folder), caller);
        return describeFolder(around, await list(around, reader), 1);
      }
    }
    const long = await admission.admitLongFolderOrImage(file, caller);
    if (long !== undefined) return describeInLong(long, place.page, inner, reader);
    const { folder, name } = await admission.admitFolderShowing(file, caller);
    const listed = await list(folder, reader);
    const { entries, folders } = listed;
    // The scripts show a folder that holds folders only as such.
    if (name === undefined && entries.length === 0 && folders.length > 0) return describeFolder(folder, listed, 1);
    const page = name === undefined ? undefined : (listed.layers.pageOf(name) ?? name);
    const at = requestedPosition(entries, { name: page, page: place.page }, () => null) ?? 0;
    return describeImage(listed, at, inner);
  };
}
