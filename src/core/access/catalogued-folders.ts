/** What of a catalogue a caller may see: folders with very many names, finds of searches, and folders in the order of a walk. */
import pMap, { pMapSkip } from 'p-map';
import type { FolderMetadata } from '../image/folder/folder-metadata.ts';
import { ImageError } from '../image/model/errors.ts';
import {
  childOf,
  formatIdentifier,
  type Identifier,
  isSegment,
  parseIdentifier,
  splitLast,
} from '../image/model/identifier.ts';
import type { Admitted } from '../image/model/image-set.ts';
import type { CataloguedPart, Folder, Library } from '../library/library.ts';
import type { CataloguedSubfolder, FolderCounts, PositionRange } from '../storage/catalogue.ts';
import { bounded } from './if-answering.ts';
import type { Access, Caller } from './policy.ts';

/** A folder with so many names that they are not listed, all of which the caller may see. */
export interface LongFolder {
  readonly identifier: Identifier;
  /** As in `Folder`. */
  readonly paths: readonly Identifier[];
  readonly isLong: true;
  readonly totalImages: number;
  readonly totalFolders: number;
  /** Some of them in their order. All throw ImageError `store-late` where the catalogue does not answer. */
  imagesAt(range: PositionRange): Promise<readonly string[]>;
  foldersAt(range: PositionRange): Promise<readonly CataloguedSubfolder[]>;
  /** The position of an image, from 1. */
  positionOf(image: string): Promise<number | undefined>;
  /** The same by what it is called: its name, without its extension where no other image has the same one. */
  positionNamed(name: string): Promise<number | undefined>;
}

/** A folder whose names are listed, or one with too many for that. */
export type AnyFolder = Admitted<Folder> | Admitted<LongFolder>;

export const isLongFolder = (folder: AnyFolder): folder is Admitted<LongFolder> => 'isLong' in folder;

/** What a search finds that the caller may see by its paths; each is still to be admitted. */
export interface FoundPaths {
  readonly folders: readonly Identifier[];
  readonly images: readonly Identifier[];
  readonly isComplete: boolean;
  /** Folders below that the catalogue does not have. */
  readonly virtual: readonly Identifier[];
}

/** A folder that was found, with the names of some of its images. */
interface FoundNames {
  readonly identifier: Identifier;
  readonly images: readonly string[];
}

/** Folders that a search for some folded words found. */
export interface Finds {
  readonly found: readonly FoundNames[];
  readonly words: readonly string[];
}

/** What tells of a folder without its list. */
export interface ToldFolder {
  /** The path of its first image, which is not read for that. */
  readonly cover: string;
  /** What its metadata says of the folder as a whole; empty where it has none, undefined where that is not known. */
  readonly metadata: FolderMetadata | undefined;
  /** As in `FolderSummary`. */
  readonly hasPages: boolean;
  readonly mayMatchInside: boolean;
  /** The number of its images, and the positions of those that were found. */
  readonly total: number;
  readonly positions: ReadonlyMap<string, number | undefined>;
}

/** Positions in folders with more images are not counted, nor those of more images. */
const [maxTold, maxPlaced] = [5000, 50];

/** Longer folders without images are not listed, since each folder in them would be for its collection, and longer folders with images. */
const [longFolders, longImages] = [100, 100_000];

/** A list of a few folders is exact in all that belongs to images; one of very many would take too long. */
const isLong = ({ images, folders }: FolderCounts, maxListedNames: number): boolean =>
  images === 0 ? folders > longFolders : images + folders > Math.min(longImages, maxListedNames);

/** A path from a folder on; undefined where it has names that no list shows. */
function below({ segments }: Identifier, path: string): Identifier | undefined {
  const names = path === '' ? [] : path.split('/');
  return names.every(isSegment) ? parseIdentifier([...segments, ...names].join('/')) : undefined;
}

/** What a catalogue says; no list of the bucket takes its place, which would take minutes. */
export async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new ImageError('store-late', 'The catalogue of the library does not answer.', { cause: error });
  }
}

const isWithin = ({ segments }: Identifier, around: Identifier): boolean =>
  around.segments.every((name, index) => segments[index] === name);

export class CataloguedFolders {
  readonly #library: Library;
  readonly #access: Access;

  constructor(library: Library, access: Access) {
    this.#library = library;
    this.#access = access;
  }

  /**
   * A folder with very many names; undefined where it has fewer, where no catalogue that answers has it, and where rules may
   * close what is in it: then it is listed.
   */
  async long(identifier: Identifier, caller: Caller): Promise<Admitted<LongFolder> | undefined> {
    const part = this.#library.catalogued(identifier);
    if (part === undefined || part.virtual.length > 0) return undefined;
    const paths = (await this.#library.folderPaths(identifier)) ?? [];
    if (this.#access.grantAt([identifier, ...paths], caller) === undefined) return undefined;
    const { folder } = part;
    const counts = await folder.counts().catch(() => undefined);
    if (counts === undefined || !isLong(counts, folder.maxListedNames)) return undefined;
    for (const kind of ['images', 'folders'] as const)
      if (counts[kind] > 0 && this.#access.mayHide(kind, paths, caller)) return undefined;
    const hidden = await this.#library.hiddenFoldersIn(identifier);
    const long: LongFolder = {
      ...{ identifier, paths, isLong: true },
      totalImages: counts.images,
      totalFolders: counts.folders - hidden.length,
      imagesAt: async (range) => (await answered(folder.images(range))).map(({ name }) => name).filter(isSegment),
      foldersAt: async (range) => (await answered(folder.folders(range, hidden))).filter(({ name }) => isSegment(name)),
      positionOf: (image) => answered(folder.positionOf(image)),
      positionNamed: async (name) => {
        const [named, other] = await answered(folder.imagesNamed(name));
        // Two files of one stem are named with their extensions.
        return answered(folder.positionOf(named !== undefined && other === undefined ? named : name));
      },
    };
    return { ...long, isOpen: !this.#access.isOn } as Admitted<LongFolder>;
  }

  /** What has all of these words in a folder and below it; undefined where no catalogue has the folder. */
  async find(
    folder: Identifier,
    words: readonly string[],
    max: number,
    caller: Caller,
  ): Promise<FoundPaths | undefined> {
    const part = this.#library.catalogued(folder);
    if (part === undefined) return undefined;
    const { virtual } = part;
    const found = await part.folder.search(words, max).catch(() => undefined);
    // No list of a bucket takes the place of its catalogue: it would take minutes.
    if (found === undefined) return { folders: [], images: [], isComplete: false, virtual };
    const isEmpty = found.folders.length + found.images.length === 0;
    // The path may be spelled in another way in the bucket.
    if (isEmpty && (await part.folder.counts().catch(() => undefined)) === undefined) return undefined;
    const shown = async (path: string, isFolder: boolean) => {
      const identifier = below(folder, path);
      if (identifier === undefined || !this.#isVisible(identifier, part, caller)) return pMapSkip;
      const { parent = identifier } = splitLast(identifier);
      return (await this.#library.isShown(isFolder ? identifier : parent)) ? identifier : pMapSkip;
    };
    return {
      folders: await pMap(found.folders, (path) => shown(path, true), bounded),
      images: await pMap(found.images, (path) => shown(path, false), bounded),
      isComplete: found.isComplete,
      virtual,
    };
  }

  /**
   * What tells of some folders that were found below a folder, by their paths: of those with images, though not very many, in a library
   * without rules. Others have to be admitted.
   */
  async tell(folder: Identifier, { found, words }: Finds): Promise<ReadonlyMap<string, ToldFolder>> {
    const part = this.#library.catalogued(folder);
    if (part === undefined || this.#access.isOn || found.length === 0) return new Map();
    const pathOf = ({ segments }: Identifier): string => segments.slice(folder.segments.length).join('/');
    const paths = found.map(({ identifier }) => pathOf(identifier));
    const summaries = await part.folder.summaries(paths, words).catch(() => []);
    const told = found.flatMap((one, index) => {
      const summary = summaries[index];
      const { firstImage, images = 0 } = summary ?? {};
      if (summary === undefined || firstImage === undefined || !isSegment(firstImage) || images > maxTold) return [];
      const { titles, hasPages, mayMatchInside } = summary;
      const metadata = titles === undefined ? undefined : (JSON.parse(titles) as FolderMetadata);
      const cover = formatIdentifier(childOf(one.identifier, firstImage));
      return [{ one, cover, metadata, hasPages, mayMatchInside, total: images }];
    });
    const names = told.flatMap(({ one }) => one.images.map((name) => ({ path: pathOf(one.identifier), name })));
    const positions =
      names.length === 0 || names.length > maxPlaced ? [] : await part.folder.positionsOf(names).catch(() => []);
    let at = 0;
    return new Map(
      told.map(({ one, ...facts }) => {
        const positionsIn = new Map(one.images.map((name) => [name, positions[at++]]));
        return [formatIdentifier(one.identifier), { ...facts, positions: positionsIn }];
      }),
    );
  }

  #isVisible(identifier: Identifier, { virtual }: CataloguedPart, caller: Caller): boolean {
    return (
      this.#access.grantAt([identifier], caller) !== undefined &&
      !virtual.some((around) => isWithin(identifier, around))
    );
  }
}
