/** The use cases behind manifests and collections: the pages and members of a folder, with its metadata. */
import pMap from 'p-map';
import { ifAdmitted, ifFound, type TextNames } from '../../core/access/admit.ts';
import { type AnyFolder, isLongFolder, type LongFolder } from '../../core/access/catalogued-folders.ts';
import { requireTexts } from '../../core/access/denials.ts';
import { bounded } from '../../core/access/if-answering.ts';
import { LongReads, type Reading } from '../../core/access/long-reads.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { FolderMetadataSource } from '../../core/folder-descriptions/folder-cards.ts';
import type { RequestedList } from '../../core/image/addresses/folder-address.ts';
import { pageOfKey } from '../../core/image/addresses/iiif-addresses.ts';
import type {
  AnnotationListName,
  FolderDescription,
  FolderMember,
  FolderOfFolders,
  PageDescription,
  PageTextFile,
} from '../../core/image/folder/folder-description.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { childOf, formatIdentifier, type Identifier, joinPage } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, storedHighest } from '../../core/image/model/image-set.ts';
import { mediaFormatOf } from '../../core/image/model/media-formats.ts';
import type { Tier } from '../../core/image/model/tier.ts';
import type { Folder } from '../../core/library/library.ts';
import type { FilesOfPage, MediaFile, MediaFiles, PageTexts, TourCard, TourFiles } from '../../core/ports.ts';
import type { CataloguedSubfolder, PositionRange } from '../../core/storage/catalogue.ts';
import { type AnnotationFiles, type FolderFileFault, onceEach } from './annotation-files.ts';
import { type CanvasesParts, createCanvases } from './canvases.ts';
import type { AnnotatedCanvas } from './model/annotation-pages.ts';
import { georeferencing } from './model/georeferences.ts';
import { lineAnnotations } from './model/text-members.ts';
import { type CanvasAnnotation, onReduced, outsideOf } from './model/web-annotations.ts';

export interface FolderFiles {
  /** The text of a file by its name alone; undefined where there is none that may be read. */
  readText(folder: Identifier, name: string): Promise<string | undefined>;
}

export type ManifestAnswer =
  /** The folder's own `manifest.json`. */
  | { readonly kind: 'file'; readonly text: string }
  | {
      readonly kind: 'pages';
      readonly folder: FolderDescription;
      /** Sound and video that the caller may see. */
      readonly media: readonly MediaFile[];
      /** Guided views that the caller may see. */
      readonly tours: readonly TourCard[];
      /** Whether any of its pages has a text that the caller may see. */
      readonly hasTexts: boolean;
      /** Present where pictures of none of its pages may be taken along. */
      readonly isWithoutDocuments?: true;
      /** The members of the folder's `manifest-meta.json`. */
      readonly additions?: JsonObject;
    }
  /** The folder contains only folders. */
  | { readonly kind: 'see-collection'; readonly path: string };

/** A list of annotations of one page of a folder. */
export interface AnnotationsAnswer {
  readonly kind: 'annotations';
  readonly folder: string;
  readonly canvas: AnnotatedCanvas;
}

export type CollectionAnswer =
  | { readonly kind: 'members'; readonly folder: FolderOfFolders }
  /** The folder contains only images. */
  | { readonly kind: 'see-manifest'; readonly path: string };

/**
 * Presents folders. A folder with images has a manifest, a folder with folders a collection, and the root always has a
 * collection. A folder with both has both: the collection around it lists both, and its own begins with its manifest. A
 * request for the one that a folder does not have is referred to the other. A collection of very many folders has parts, by
 * their numbers from 1.
 *
 * All throw ImageError `not-found` where there is nothing to present, and `denied` where the caller may not see it; manifests
 * also `abandoned` when the signal is aborted, and `being-read` where its pages could not be read in time, which goes on then.
 */
export interface Presentation {
  manifest(path: string, caller: Caller, signal: AbortSignal): Promise<ManifestAnswer>;
  /** The manifest of the folder that a path names, or of the folder around the image that it names. */
  manifestAround(path: string, caller: Caller, signal: AbortSignal): Promise<ManifestAnswer>;
  collection(path: string, caller: Caller, part?: number): Promise<CollectionAnswer>;
  /**
   * A list of annotations of a page of the folder that a path names, which may be empty; only for callers who may see the
   * page's image.
   */
  annotations(path: string, requested: RequestedList, caller: Caller): Promise<AnnotationsAnswer>;
}

export interface PresentationParts extends CanvasesParts {
  /** As in `LongReadsOptions`. */
  readonly deadlineMs: number;
  readonly metadata: FolderMetadataSource;
  readonly files: FolderFiles;
  readonly annotationFiles: AnnotationFiles;
  readonly georeferenceFiles: AnnotationFiles;
  /** Sound and video; undefined where nothing serves them. */
  readonly media: MediaFiles | undefined;
  /** Guided views; undefined where nothing serves them. */
  readonly tours: TourFiles | undefined;
  readonly pageTexts: Pick<PageTexts, 'pageText' | 'textsOfPages'>;
  /** Called once for each version of a file that can't be used. */
  readonly onFault: (fault: FolderFileFault) => void;
}

const notFound = (message: string): ImageError => new ImageError('not-found', message);

/** A collection of more folders has parts, and how many folders these have: each is admitted, and its metadata is read. */
const [mostMembers, membersInPart] = [1000, 200];

const nameOf = ({ segments }: Identifier): string => segments.at(-1) ?? '/';

type JsonObject = Readonly<Record<string, unknown>>;

interface JsonFile {
  readonly text: string;
  readonly members: JsonObject;
}

function jsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const noObject = 'The file holds no JSON object, so it is ignored.';

/** What belongs to the pages of a folder. */
interface PageExtras {
  readonly filesOf: FilesOfPage | undefined;
  /** The pages that guided views are about. */
  readonly toured: ReadonlySet<string>;
  readonly mapsOf: FilesOfPage | undefined;
  readonly texts: ReadonlyMap<string, PageTextFile>;
  /** The tiers of those images that the caller does not see whole, by name. */
  readonly tiers: ReadonlyMap<string, Tier>;
  readonly covered: TextNames;
}

/** The pages with the lists of annotations that they have, and with their texts. */
function withLists(
  pages: readonly PageDescription[],
  { filesOf, mapsOf, toured, texts, tiers, covered }: PageExtras,
): readonly PageDescription[] {
  if (filesOf === undefined && mapsOf === undefined && texts.size + toured.size === 0) return pages;
  return pages.map((page) => {
    const { file, pageInFile = 1 } = page;
    const tier = tiers.get(file);
    const source = texts.get(joinPage(file, pageInFile));
    const has = (of: FilesOfPage | undefined): boolean =>
      tier?.texts !== false && of !== undefined && of(file, page.pageInFile).length > 0;
    const lists: readonly AnnotationListName[] = [
      ...(has(filesOf) ? (['annotations'] as const) : []),
      ...(toured.has(joinPage(file, pageInFile)) ? (['tours'] as const) : []),
      ...(source === undefined ? [] : (['text'] as const)),
      ...(has(mapsOf) ? (['georef'] as const) : []),
    ];
    // The file has places in pixels of the whole image, and all of its words.
    const hasFile = tier?.originals !== false && covered.get(file) === '';
    const { format, profile } = (hasFile ? source : undefined) ?? {};
    return {
      ...page,
      ...(lists.length === 0 ? {} : { annotationLists: lists }),
      ...(format === undefined ? {} : { text: { format, ...(profile === undefined ? {} : { profile }) } }),
    };
  });
}

export function createPresentation(parts: PresentationParts): Presentation {
  const { admission, metadata: source, files, annotationFiles, georeferenceFiles, pageTexts } = parts;
  const pagesOf = createCanvases(parts);
  const reads = new LongReads(parts);
  const reportOnce = onceEach(parts.onFault);
  async function readObject(folder: Identifier, name: string): Promise<JsonFile | undefined> {
    const read = await files.readText(folder, name);
    if (read === undefined) return undefined;
    const text = read.replace(/^\uFEFF/, '');
    const members = jsonObject(text);
    if (members === undefined) reportOnce(folder, name, text.length, noObject);
    return members && { text, members };
  }

  /** Whether the folder has sound or video that is served. */
  const hasMedia = ({ mediaFiles = [] }: Folder): boolean =>
    parts.media !== undefined && mediaFiles.some((name) => mediaFormatOf(name) !== undefined);

  async function seesAll(folder: Admitted<Folder>, caller: Caller): Promise<boolean> {
    const entries = await admission.entriesOf(folder, caller);
    if (hasMedia(folder) && !folder.isOpen && !(await seesAllMedia(folder, caller))) return false;
    if (entries.length !== folder.images.length || (await admission.tiersIn(folder, caller)).size > 0) return false;
    const texts = await admission.withTexts(folder, folder.images, caller);
    return folder.images.every((name) => texts.get(name) === '');
  }

  async function seesAllMedia(folder: Admitted<Folder>, caller: Caller): Promise<boolean> {
    const named = (folder.mediaFiles ?? []).filter((name) => mediaFormatOf(name) !== undefined);
    return ((await parts.media?.mediaIn(folder, caller)) ?? []).length === named.length;
  }

  async function manifestOf(folder: Admitted<Folder>, caller: Caller, signal: AbortSignal): Promise<ManifestAnswer> {
    const { identifier, images, folders } = folder;
    const path = formatIdentifier(identifier);
    const own = await readObject(identifier, 'manifest.json');
    // The folder's own manifest names all pages, so it is only for callers who may see all of them whole.
    if (own !== undefined && (await seesAll(folder, caller))) return { kind: 'file', text: own.text };
    if (images.length === 0 && folders.length > 0 && !hasMedia(folder)) return { kind: 'see-collection', path };
    return reads.run(path, signal, (reading) => withPages(folder, caller, reading));
  }

  async function withPages(folder: Admitted<Folder>, caller: Caller, reading: Reading): Promise<ManifestAnswer> {
    const { identifier } = folder;
    const path = formatIdentifier(identifier);
    const pages = await pagesOf(folder, caller, reading);
    const media = (await parts.media?.mediaIn(folder, caller)) ?? [];
    if (pages.length + media.length === 0 && folder.folders.length > 0) return { kind: 'see-collection', path };
    if (pages.length + media.length === 0) throw notFound('This folder holds no readable image.');
    reading.begin('texts', pages.length);
    const names = [...new Set(pages.map(({ file }) => file))];
    const [metadata, tiers, covered, additions, filesOf, mapsOf, texts, tours, toured] = await Promise.all([
      source.metadataOf(identifier),
      admission.tiersIn(folder, caller),
      admission.withTexts(folder, names, caller),
      readObject(identifier, 'manifest-meta.json'),
      annotationFiles.filesIn(identifier),
      georeferenceFiles.filesIn(identifier),
      pageTexts.textsOfPages(folder, pages, caller, reading),
      parts.tours?.toursIn(folder, caller) ?? [],
      parts.tours?.pagesIn(folder, caller) ?? new Set<string>(),
    ]);
    const hasDocuments = pages.some(({ file }) => tiers.get(file)?.documents !== false);
    return {
      kind: 'pages',
      folder: {
        path,
        name: nameOf(identifier),
        pages: withLists(pages, { filesOf, mapsOf, toured, texts, tiers, covered }),
        metadata,
      },
      media,
      tours,
      hasTexts: texts.size > 0,
      ...(!hasDocuments && { isWithoutDocuments: true }),
      ...(additions === undefined ? {} : { additions: additions.members }),
    };
  }

  async function membersAt(path: string, caller: Caller): Promise<readonly FolderMember[]> {
    const folder = await ifAdmitted(admission.admitAnyFolder(path, caller));
    if (folder === undefined) return [];
    const { identifier } = folder;
    const isLong = isLongFolder(folder);
    const [images, folders] = isLong
      ? [folder.totalImages, folder.totalFolders]
      : [folder.images.length, folder.folders.length];
    const hasManifest =
      images > 0 ||
      (!isLong && hasMedia(folder)) ||
      (!isLong && (await readObject(identifier, 'manifest.json')) !== undefined);
    if (!hasManifest && folders === 0) return [];
    const metadata = await source.metadataOf(identifier, isLong ? 'titles' : undefined);
    const member = { path, name: nameOf(identifier), metadata };
    return [
      ...(hasManifest ? [{ ...member, kind: 'manifest' } as const] : []),
      ...(folders > 0 ? [{ ...member, kind: 'collection' } as const] : []),
    ];
  }

  /** The manifest of a folder, with which its collection begins. */
  async function ownManifest(identifier: Identifier, caller: Caller): Promise<readonly FolderMember[]> {
    return (await membersAt(formatIdentifier(identifier), caller)).filter(({ kind }) => kind === 'manifest');
  }

  async function membersIn(identifier: Identifier, names: readonly string[], caller: Caller) {
    const inside = (name: string) => membersAt(formatIdentifier(childOf(identifier, name)), caller);
    return (await pMap(names, inside, bounded)).flat();
  }

  /** Of folders that have nothing but images, the catalogue says all at once. */
  async function membersOfLong(folder: Admitted<LongFolder>, range: PositionRange, caller: Caller) {
    const { identifier } = folder;
    const inside = range.count === 0 ? [] : await folder.foldersAt(range);
    const membersOf = async ({ name, images, isPlain }: CataloguedSubfolder): Promise<readonly FolderMember[]> => {
      const path = formatIdentifier(childOf(identifier, name));
      if (!isPlain) return membersAt(path, caller);
      return images > 0 ? [{ path, name, metadata: {}, kind: 'manifest' }] : [];
    };
    return (await pMap(inside, membersOf, bounded)).flat();
  }

  async function collectionOfLong(folder: Admitted<LongFolder>, caller: Caller): Promise<CollectionAnswer> {
    const { identifier, totalFolders } = folder;
    const itself = await ownManifest(identifier, caller);
    const members = [...itself, ...(await membersOfLong(folder, { from: 1, count: totalFolders }, caller))];
    const metadata = await source.metadataOf(identifier, 'titles');
    return {
      kind: 'members',
      folder: { path: formatIdentifier(identifier), name: nameOf(identifier), metadata, members },
    };
  }

  async function collectionOf(folder: Admitted<Folder>, caller: Caller): Promise<CollectionAnswer> {
    const { identifier, images, folders } = folder;
    const path = formatIdentifier(identifier);
    const isRoot = identifier.segments.length === 0;
    if (folders.length === 0 && !isRoot) {
      if (images.length > 0 || hasMedia(folder)) return { kind: 'see-manifest', path };
      throw notFound('This folder holds neither images nor folders.');
    }
    const itself = await ownManifest(identifier, caller);
    const members = [...itself, ...(await membersIn(identifier, folders, caller))];
    const metadata = await source.metadataOf(identifier);
    return { kind: 'members', folder: { path, name: nameOf(identifier), metadata, members } };
  }

  /** Undefined where the folder has so few folders that the collection has no parts. */
  async function partOfCollection(
    folder: AnyFolder,
    number: number,
    caller: Caller,
  ): Promise<CollectionAnswer | undefined> {
    const isLong = isLongFolder(folder);
    if (!isLong && folder.folders.length <= mostMembers) return undefined;
    const visible = isLong ? [] : await admission.foldersOf(folder, caller);
    const total = isLong ? folder.totalFolders : visible.length;
    if (total <= mostMembers) return undefined;
    const parts = Math.ceil(total / membersInPart);
    if (number > parts) throw notFound('The collection has no page of this number.');
    const from = (number - 1) * membersInPart + 1;
    const { identifier } = folder;
    const range = { from, count: number === 0 ? 0 : membersInPart };
    const inside = isLong
      ? await membersOfLong(folder, range, caller)
      : await membersIn(identifier, visible.slice(from - 1, from - 1 + range.count), caller);
    const itself = number === 1 ? await ownManifest(identifier, caller) : [];
    return {
      kind: 'members',
      folder: {
        path: formatIdentifier(identifier),
        name: nameOf(identifier),
        metadata: await source.metadataOf(identifier, 'titles'),
        members: [...itself, ...inside],
        part: { number, parts, size: membersInPart, total },
      },
    };
  }

  async function folderAround(path: string, caller: Caller): Promise<Admitted<Folder>> {
    const folder = await ifFound(admission.admitFolder(path, caller));
    if (folder !== undefined) return folder;
    const { identifier } = await admission.admit(path, 1, caller);
    return admission.admitFolder(identifier.segments.slice(0, -1).join('/'), caller);
  }

  return {
    manifest: async (path, caller, signal) => manifestOf(await admission.admitFolder(path, caller), caller, signal),
    async manifestAround(path, caller, signal) {
      const answer = await manifestOf(await folderAround(path, caller), caller, signal);
      if (answer.kind === 'see-collection') throw notFound('This folder holds no images.');
      return answer;
    },
    async annotations(path, { list, key }, caller) {
      const folder = await admission.admitFolder(path, caller);
      const { identifier } = folder;
      const { file, page } = pageOfKey(key) ?? {};
      if (file === undefined) throw notFound('There is no page of this name.');
      const own = formatIdentifier(childOf(identifier, joinPage(file, page ?? 1)));
      const image = await admission.admit(own, 1, caller);
      requireTexts(image);
      const size = highest(image);
      const ofFiles = async (files: AnnotationFiles): Promise<readonly CanvasAnnotation[]> => {
        const names = (await files.filesIn(identifier))?.(file, page) ?? [];
        const annotations = await files.read(identifier, names, storedHighest(image));
        const seen = outsideOf(annotations, image.covers?.redactions ?? []);
        return onReduced(seen, storedHighest(image), size);
      };
      const ofText = async (): Promise<readonly CanvasAnnotation[]> => {
        const text = await pageTexts.pageText(image);
        return text === undefined ? [] : lineAnnotations(text);
      };
      // Of what is covered, or in a tier without texts, there are none.
      const ofTours = async (): Promise<readonly CanvasAnnotation[]> =>
        (await parts.tours?.stepsOn(folder, joinPage(file, page ?? 1), caller)) ?? [];
      const ofMaps = async (): Promise<readonly CanvasAnnotation[]> =>
        (await ofFiles(georeferenceFiles)).filter(({ motivation }) => motivation.includes(georeferencing));
      const ofAll = { annotations: () => ofFiles(annotationFiles), text: ofText, tours: ofTours, georef: ofMaps };
      const annotations = await ofAll[list]();
      return { kind: 'annotations', folder: formatIdentifier(identifier), canvas: { list, key, size, annotations } };
    },
    async collection(path, caller, part = 0) {
      const folder = await admission.admitAnyFolder(path, caller);
      const paged = await partOfCollection(folder, part, caller);
      if (paged !== undefined) return paged;
      if (!isLongFolder(folder)) return collectionOf(folder, caller);
      return folder.totalFolders === 0 ? { kind: 'see-manifest', path } : collectionOfLong(folder, caller);
    },
  };
}
