/** Reads the metadata of images from `.meta` files, with what access rules need of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isRedactionsFile, redactionsFiles } from '../image/folder/folder-metadata.ts';
import { ImageError } from '../image/model/errors.ts';
import { formatIdentifier, type Identifier, parseIdentifier, splitLast } from '../image/model/identifier.ts';
import { type ImageMetadata, mergeMetadata } from '../image/model/image-set.ts';
import { joinRedactions, type Redactions } from '../image/model/redaction.ts';
import { RequestCoalescer } from '../storage/request-coalescer.ts';
import type { Storages } from '../storage/storages.ts';
import type { Folders } from './listings/folder-cache.ts';
import type { ListedImage, Listing } from './listings/listing.ts';
import type { Located, Locator } from './locate.ts';
import { folderMetaFile, metaFileOf, pathKey } from './metadata/meta-files.ts';
import type { MetadataReader } from './metadata/reader.ts';
import { RequestStatCache } from './stats/request-stat-cache.ts';

/** What access rules apply to: every path of an image, and its access type from metadata; and what is covered of it. */
interface Subject {
  readonly paths: readonly Identifier[];
  readonly type?: string;
  readonly redactions?: Redactions;
}

export type Subjects = ReadonlyMap<string, Subject>;

/** How many subjects are read before other requests have their turn. */
const subjectsPerTurn = 256;

export interface ImageMetadataParts {
  /** The folders of the first base directory. */
  readonly first: Folders;
  readonly locator: Locator;
  readonly metadata: MetadataReader;
  readonly storages: Storages;
}

/**
 * The metadata of an image, each field from the first file that has it: the image's own, the folder's, then the parent
 * folder's. In each file, what it says of the image precedes what it says of all.
 */
async function metadataOfImage(
  { folder, listing, name }: ListedImage,
  list: (folder: Identifier, metaFiles: readonly string[]) => Promise<Listing | undefined>,
  reader: MetadataReader,
  statCache: RequestStatCache,
): Promise<ImageMetadata> {
  const readFrom = async (listed: Listing, metaFile: string, path: string): Promise<readonly ImageMetadata[]> => {
    const { general, byPath } = await reader.metaFile(listed, metaFile, statCache);
    return [byPath.get(pathKey(path)) ?? [], general].flat();
  };
  const readFromParent = async (): Promise<readonly ImageMetadata[]> => {
    const { parent, name: folderName } = splitLast(folder);
    const listed = parent && (await list(parent, [folderMetaFile]));
    return listed === undefined ? [] : readFrom(listed, folderMetaFile, `${folderName}/${name}`);
  };
  const found = await Promise.all([
    readFrom(listing, metaFileOf(name), name),
    readFrom(listing, folderMetaFile, name),
    readFromParent(),
  ]);
  return mergeMetadata(found.flat());
}

/** Undefined where the folder is not listed: by the settings, or since it has too many names. */
async function listIfAllowed(listing: Promise<Listing | undefined>): Promise<Listing | undefined> {
  try {
    return await listing;
  } catch (error) {
    if (error instanceof ImageError && ['not-found', 'too-large'].includes(error.code)) return undefined;
    throw error;
  }
}

export class ImageMetadataReader {
  readonly #parts: ImageMetadataParts;
  readonly #subjects = new RequestCoalescer((path) => this.#readSubjects(path));
  /** The metadata of a located image is needed twice: for access, then to describe it. */
  readonly #metadata = new WeakMap<Located, Promise<ImageMetadata>>();

  constructor(parts: ImageMetadataParts) {
    this.#parts = parts;
  }

  /** The metadata of a located image (digilib.md, section 3), without that of its own header. */
  metadataOf(located: Located): Promise<ImageMetadata> {
    const metadata = this.#metadata.get(located) ?? this.#read(located);
    this.#metadata.set(located, metadata);
    return metadata;
  }

  /** The subjects of all image files of a folder, read once for all simultaneous requests, since there can be very many. */
  subjectsIn(folder: Identifier): Promise<Subjects> {
    return this.#subjects.run(formatIdentifier(folder));
  }

  /**
   * Whether some of the images of a folder may be covered, or closed by files that can't be read: false where neither files beside
   * them nor links say so.
   */
  async mayCover(folder: Identifier): Promise<boolean> {
    const { first, locator, metadata, storages } = this.#parts;
    const statCache = new RequestStatCache(storages);
    const listing = await first.list(folder.segments, statCache);
    if (listing === undefined) return false;
    if (listing.hasLinks || [...listing.metaFiles].some((name) => !isRedactionsFile(name))) return true;
    if (await metadata.speaksOfRedactions(listing, statCache)) return true;
    const parents = locator.listedPaths(folder, listing).flatMap((path) => splitLast(path).parent ?? []);
    const around = await Promise.all(
      parents.map(({ segments }) => first.withMetaFiles(segments, [folderMetaFile], statCache)),
    );
    return around.some((listed) => listed?.metaFiles.has(folderMetaFile));
  }

  /** An access type or a redaction under one path of an image restricts it under all: a link does not open what it leads to. */
  async #read(located: Located): Promise<ImageMetadata> {
    const { first, metadata } = this.#parts;
    const { statCache } = located;
    const list = (folder: Identifier, metaFiles: readonly string[]) =>
      first.withMetaFiles(folder.segments, metaFiles, statCache);
    const own = await metadataOfImage(located, list, metadata, statCache);
    const types = [own.access];
    const redactions = [own.redactions, await this.#redactionsOfPage(located, statCache)];
    for (const path of located.paths.slice(1)) {
      const { parent: folder, name } = splitLast(path);
      const listing = folder && (await list(folder, [metaFileOf(name), folderMetaFile, ...redactionsFiles]));
      if (!folder || !listing) continue;
      const image = { folder, listing, name };
      const other = await metadataOfImage(image, list, metadata, statCache);
      types.push(other.access);
      redactions.push(other.redactions, await this.#redactionsOfPage(image, statCache));
    }
    const restricting = types.find((type) => type !== undefined && type !== 'free');
    const covered = joinRedactions(redactions);
    if (restricting === undefined && covered === undefined) return own;
    return { ...own, ...(restricting && { access: restricting }), ...(covered && { redactions: covered }) };
  }

  async #redactionsOfPage(
    { folder, listing, name }: ListedImage,
    statCache: RequestStatCache,
  ): Promise<Redactions | undefined> {
    if (!redactionsFiles.some((file) => listing.metaFiles.has(file))) return undefined;
    const { first, metadata } = this.#parts;
    const listAll = async () => (listing.isByName ? listIfAllowed(first.list(folder.segments, statCache)) : listing);
    return metadata.redactionsOf(listing, name, listAll, statCache);
  }

  async #readSubjects(path: string): Promise<Subjects> {
    const { first, locator, storages } = this.#parts;
    const folder = parseIdentifier(path);
    const statCache = new RequestStatCache(storages);
    const listing = folder && (await first.list(folder.segments, statCache));
    const subjects = new Map<string, Subject>();
    if (!folder || !listing) return subjects;
    for (let from = 0; from < listing.images.length; from += subjectsPerTurn) {
      // Cached subjects are found without waiting for any I/O, which would block the event loop.
      if (from > 0) await nextTurn();
      const names = listing.images.slice(from, from + subjectsPerTurn);
      await Promise.all(
        names.map(async (name) => {
          const located = await locator.located({ folder, listing, name }, statCache);
          const { access, redactions } = await this.metadataOf(located);
          subjects.set(name, {
            paths: located.paths,
            ...(access === undefined ? {} : { type: access }),
            ...(redactions && { redactions }),
          });
        }),
      );
    }
    return subjects;
  }
}
