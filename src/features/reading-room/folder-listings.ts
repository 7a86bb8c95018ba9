/** A folder as the reading room lists it, one part at a time; only the images of that part are described. */
import pMap, { pMapSkip } from 'p-map';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { type AnyFolder, isLongFolder, type LongFolder } from '../../core/access/catalogued-folders.ts';
import { bounded } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import { arrangeFolders, createFactsOfFolder } from '../../core/folder-descriptions/arranged-folders.ts';
import type { FolderCards } from '../../core/folder-descriptions/folder-cards.ts';
import {
  contentsOf,
  factsOf,
  positionOfLabel,
  requestedPosition,
} from '../../core/folder-descriptions/folder-contents.ts';
import {
  createListedFolders,
  type ListedFolder,
  type ListedFoldersParts,
  partOf,
} from '../../core/folder-descriptions/listed-folders.ts';
import type { FolderEntry } from '../../core/image/folder/folder-description.ts';
import type {
  FolderCard,
  FolderListing,
  FrontPicture,
  ImageCard,
  MediaCard,
  UnpairedPage,
} from '../../core/image/folder/folder-listing.ts';
import { textFor } from '../../core/image/folder/folder-metadata.ts';
import type { FolderWish } from '../../core/image/folder/folder-wish.ts';
import { type FrontPictureChoice, frontRegion } from '../../core/image/folder/front-picture.ts';
import { labelOfLayer } from '../../core/image/folder/layers.ts';
import {
  inDisplayOrder,
  metadataLabelOf,
  pageBehaviorsIn,
  positionsAmong,
  textsOfLabel,
} from '../../core/image/folder/page-labels.ts';
import { stemOf } from '../../core/image/model/formats.ts';
import { childOf, formatIdentifier, splitPage } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet, isCovered } from '../../core/image/model/image-set.ts';
import type { FilesOfPage, PageTexts, Ports } from '../../core/ports.ts';

export interface FolderQuery {
  /** The decoded path of a folder, or of an image in it. */
  readonly path: string;
  /** The `pn` of the requested image, where the path names a folder. */
  readonly page?: number;
  /** The label of the requested image, ignoring case; it has precedence over the page. */
  readonly label?: string;
  /** The position of the first image and folder of the part, from 1; by default, the part contains the requested image. */
  readonly from?: number;
  /** The largest number of images, and of folders, in the part. */
  readonly count: number;
  /** The reader's language tags in lower case, the preferred one first. */
  readonly languages: readonly string[];
  /** The order of the folders, and which of them. */
  readonly wish?: FolderWish;
  /** Whether it is told what can be chosen, which a wish asks for as well. */
  readonly facets?: boolean;
}

export interface FolderListingsParts extends ListedFoldersParts {
  readonly cards: FolderCards;
  readonly frontPictureOf: FrontPictureOf;
  readonly pageTexts: Pick<PageTexts, 'textsOf'>;
  readonly annotationFilesIn: Ports['annotationFilesIn'];
  readonly georeferenceFilesIn: Ports['georeferenceFilesIn'];
  readonly media: Ports['media'];
  readonly tours: Ports['tours'];
}

/** The pages of an image file, from 1, that have annotations. */
const annotatedPages = (filesOf: FilesOfPage | undefined, name: string, pageCount: number): readonly number[] =>
  filesOf === undefined
    ? []
    : Array.from({ length: pageCount }, (_, index) => index + 1).filter((page) => filesOf(name, page).length > 0);

/** The pages that stand alone; metadata names those of a file with several pages each. */
function unpairedOf({ metadata, entries }: ListedFolder): readonly UnpairedPage[] {
  const names = [...new Set([...(metadata.nonPaged ?? []), ...(metadata.facingPages ?? [])])];
  const files = names.map((name) => splitPage(name).file);
  const positions = positionsAmong(entries, ({ name }) => name, new Set([...names, ...files]));
  const behaviorOf = pageBehaviorsIn(metadata);
  return names.flatMap((name) => {
    const { file, page } = splitPage(name);
    const index = positions.get(name) ?? positions.get(file);
    const behavior = behaviorOf([name]);
    return index === undefined || behavior === undefined ? [] : [{ at: index + 1, page, behavior }];
  });
}

/** The images that lie over each other on a page, as far as the caller may see them. */
const layersOf = ({ layers, identifier, languages }: ListedFolder, page: string): NonNullable<ImageCard['layers']> =>
  layers.layersOf(page).map((layer) => ({
    path: formatIdentifier(childOf(identifier, layer.file)),
    label: textFor(labelOfLayer(layer), languages).join(' '),
  }));

/** The position at which the part begins that contains the image at this position. */
const startOfPart = (position: number | null, count: number): number =>
  position === null ? 1 : Math.floor((position - 1) / count) * count + 1;

/** Lists folders. Throws ImageError `not-found`, or `denied` or `login-needed` where the caller may see nothing of it. */
export function createFolderListings(
  parts: FolderListingsParts,
): (query: FolderQuery, caller: Caller) => Promise<FolderListing> {
  const { admission, cards, annotationFilesIn, georeferenceFilesIn, frontPictureOf, pageLabels, pageTexts } = parts;
  const { list, listPart, parentsOf, labelsOf } = createListedFolders(parts);
  const factsOfFolder = createFactsOfFolder(admission, parts.metadata);

  function contentsIn(listed: ListedFolder): FolderListing['contents'] {
    if (listed.metadata.structures === undefined) return [];
    const stems = new Set(listed.entries.map(({ name }) => stemOf(name)));
    return contentsOf(listed, listed.entries, labelsOf(listed, stems));
  }

  async function imageCards(
    folder: AnyFolder,
    listed: ListedFolder,
    from: number,
    part: readonly FolderEntry[],
  ): Promise<readonly ImageCard[]> {
    const { identifier, caller } = listed;
    const names = part.map(({ name }) => name);
    // What lies beside the images of a long folder is found only by a list of it.
    const isListed = !isLongFolder(folder);
    const texts = isListed ? await pageTexts.textsOf(folder, names, caller) : new Map();
    const labelOf = labelsOf(listed, new Set(part.map(({ name }) => stemOf(name))));
    const filesOf = isListed && part.length > 0 ? await annotationFilesIn?.(identifier) : undefined;
    const mapsOf = isListed && part.length > 0 ? await georeferenceFilesIn?.(identifier) : undefined;
    const cardOf = async ({ name, index: pn }: FolderEntry, position: number): Promise<ImageCard> => {
      const path = formatIdentifier(childOf(identifier, name));
      const image = await ifAdmitted(admission.admit(path, 1, caller));
      const { width = null, height = null, truncated = false } = image ? highest(image) : {};
      const label = labelOf(from + position);
      const hasText = image !== undefined && texts.has(name);
      const pages = image?.pageCount ?? 1;
      const hasAnnotations = image !== undefined && image.terms?.tier.texts !== false;
      const annotated = hasAnnotations ? annotatedPages(filesOf, name, pages) : [];
      const mapped = hasAnnotations ? annotatedPages(mapsOf, name, pages) : [];
      const facts = { path, name, pn, label, width, height, pages, truncated, hasText, annotated };
      const layers = layersOf(listed, name);
      const card = {
        ...facts,
        ...(mapped.length > 0 && { mapped }),
        ...(layers.length > 0 && { layers }),
        ...(image && isCovered(image) && { covered: true as const }),
      };
      if (image?.terms === undefined) return card;
      const { name: tier, originals, documents } = image.terms.tier;
      return { ...card, tier: { name: tier, originals, documents } };
    };
    return pMap(part, cardOf, bounded);
  }

  function folderCards(names: readonly string[], listed: ListedFolder): Promise<readonly FolderCard[]> {
    const { identifier, languages, caller } = listed;
    const cardOf = async (name: string) =>
      (await cards.cardOf(formatIdentifier(childOf(identifier, name)), caller, languages)) ?? pMapSkip;
    return pMap(names, cardOf, bounded);
  }

  /** Sound and video of a folder; of a long one, which is not listed, there are none. */
  async function mediaCards(folder: AnyFolder, { identifier, metadata, caller }: ListedFolder) {
    if (isLongFolder(folder)) return [];
    const files = (await parts.media?.mediaIn(folder, caller)) ?? [];
    const inFolder = (name: string): string => formatIdentifier(childOf(identifier, name));
    const visible = new Set(
      await admission.visibleAmong(
        folder,
        files.flatMap(({ image }) => image ?? []),
        caller,
      ),
    );
    return inDisplayOrder(files, metadata.pageOrder, ({ name }) => [name]).map(
      ({ path, name, kind, duration = null, image }): MediaCard => ({
        path,
        label: textsOfLabel(metadataLabelOf(metadata, name))[0] ?? name,
        kind,
        duration,
        image: image !== undefined && visible.has(image) ? inFolder(image) : null,
      }),
    );
  }

  async function tourCards(folder: AnyFolder, { languages, caller }: ListedFolder) {
    const found = isLongFolder(folder) ? [] : ((await parts.tours?.toursIn(folder, caller)) ?? []);
    return found.map(({ path, name, title, summary, first: { page, view } }) => ({
      path,
      title: textFor(title, languages)[0] ?? name.replace(/\.tour\.json$/, ''),
      summary: textFor(summary, languages).join('\n'),
      page,
      view,
    }));
  }

  /** The part that a request means, and the position of the image that it names. */
  async function requested(query: FolderQuery, caller: Caller) {
    const { languages, count } = query;
    const reader = { caller, languages };
    const long = await admission.admitLongFolderOrImage(query.path, caller);
    if (long !== undefined) {
      const { folder } = long;
      const at = await positionIn(folder, { ...query, name: long.name });
      const from = query.from ?? startOfPart(at, count);
      return { folder, listed: await listPart(folder, { from, count }, reader), at, from };
    }
    const { folder, name } = await admission.admitFolderShowing(query.path, caller);
    const listed = await list(folder, reader);
    const { metadata, entries } = listed;
    const positionOf = (label: string) => positionOfLabel(entries, label, metadata, pageLabels);
    const page = name === undefined ? undefined : (listed.layers.pageOf(name) ?? name);
    const at = requestedPosition(entries, { ...query, name: page }, positionOf);
    return { folder, listed, at, from: query.from ?? startOfPart(at, count) };
  }

  /** The position of the requested image in a long folder; by its label where that is its name or its number. */
  async function positionIn(
    folder: Admitted<LongFolder>,
    { name, page, label }: Pick<FolderQuery, 'page' | 'label'> & { readonly name: string | undefined },
  ): Promise<number | null> {
    const within = (at: number): number | null => (at >= 1 && at <= folder.totalImages ? at : null);
    if (label === undefined) return name === undefined ? within(page ?? 0) : ((await folder.positionOf(name)) ?? null);
    if (pageLabels === 'number') return /^\d{1,9}$/.test(label) ? within(Number(label)) : null;
    return (await folder.positionNamed(label)) ?? null;
  }

  return async (query, caller) => {
    const { folder, listed: own, at, from } = await requested(query, caller);
    const isArranged = query.wish !== undefined || query.facets === true;
    const { listed, ...told } = isArranged ? await arrangeFolders(own, query.wish, factsOfFolder) : { listed: own };
    const { identifier, metadata, totalFolders, totalImages } = listed;
    const part = partOf(listed, { from, count: query.count });
    const [parents, folders, images, media, tours] = await Promise.all([
      parentsOf(listed),
      folderCards(part.folders, listed),
      imageCards(folder, listed, from, part.entries),
      mediaCards(folder, listed),
      tourCards(folder, listed),
    ]);
    return {
      ...factsOf(listed),
      direction: metadata.viewingDirection === 'right-to-left' ? 'right-to-left' : 'left-to-right',
      behavior: metadata.behavior ?? [],
      unpaired: unpairedOf(listed),
      contents: contentsIn(listed),
      parents,
      folders,
      totalFolders,
      ...told,
      front: identifier.segments.length === 0 && from === 1 ? await frontPictureOf(folders, caller) : null,
      images,
      totalImages,
      ...(media.length > 0 && { media }),
      ...(tours.length > 0 && { tours }),
      from,
      at,
    };
  };
}

interface Candidate {
  readonly path: string;
  readonly image: Admitted<ImageSet>;
  readonly choice?: FrontPictureChoice;
  /** The title of the folder that it stands for. */
  readonly title: string;
}

/** A narrower detail would be enlarged on most screens. */
const leastWidth = 800;

function pictureOf({ path, image, choice, title }: Candidate): FrontPicture {
  const { width, height } = highest(image);
  const region = choice?.region ?? frontRegion({ width, height });
  return {
    path,
    title,
    region,
    width: Math.max(1, Math.round(region.width * width)),
    height: Math.max(1, Math.round(region.height * height)),
  };
}

const isUsable = (candidate: Candidate): boolean =>
  highest(candidate.image).truncated !== true && pictureOf(candidate).width >= leastWidth;

const pixelsOf = ({ image }: Candidate): number => highest(image).width * highest(image).height;

/** The picture for a start page with these folders; null where there is none that the caller may see. */
export type FrontPictureOf = (folders: readonly FolderCard[], caller: Caller) => Promise<FrontPicture | null>;

export function createFrontPictures(admission: Admission, choice: FrontPictureChoice | undefined): FrontPictureOf {
  async function candidate(path: string, title: string, caller: Caller): Promise<Candidate | undefined> {
    const image = await ifAdmitted(admission.admit(path, 1, caller));
    return image && { path, image, title };
  }
  return async (folders, caller) => {
    const chosen = choice && (await candidate(choice.path, '', caller));
    if (choice !== undefined && chosen !== undefined) return pictureOf({ ...chosen, choice });
    const found = await pMap(
      folders,
      ({ cover, title }) => (cover === null ? undefined : candidate(cover, title, caller)),
      bounded,
    );
    const usable = found.filter((one) => one !== undefined).filter(isUsable);
    const [largest] = usable.sort((a, b) => pixelsOf(b) - pixelsOf(a));
    return largest === undefined ? null : pictureOf(largest);
  };
}
