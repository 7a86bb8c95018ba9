/** Makes image sets of located images: the highest resolution, prescaled versions, a derived pyramid, and metadata. */

import { isNoAnswer } from '../image/model/errors.ts';
import { stemOf } from '../image/model/formats.ts';
import { rootIdentifier } from '../image/model/identifier.ts';
import type { ImageSet, Resolution } from '../image/model/image-set.ts';
import type { Storages } from '../storage/storages.ts';
import type { Prober } from './file-facts.ts';
import type { ImageMetadataReader } from './image-metadata-reader.ts';
import type { Folders } from './listings/folder-cache.ts';
import { type ListedImage, pathIn } from './listings/listing.ts';
import type { Located } from './locate.ts';
import { type MountPoint, mountedPaths } from './roots/virtual-folders.ts';
import { FreshnessCheck, type RequestStatCache } from './stats/request-stat-cache.ts';

/** An image is described without the versions on a disk that takes longer, in ms. */
const waitMs = 2000;

/** The result; undefined where it takes longer, or where a disk does not answer. */
function within<T>(ms: number, result: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    const fail = (error: unknown): void => {
      if (isNoAnswer(error)) resolve(undefined);
      else reject(error);
    };
    result.finally(() => clearTimeout(timer)).then(resolve, fail);
  });
}

/** Finds the derived pyramids of resolutions. */
export interface Derived {
  /** The pyramid of a resolution; undefined where there is none. */
  find(source: Resolution): Promise<Resolution | undefined> | undefined;
  /** A number that changes whenever a pyramid is added or removed. */
  state(): number;
}

export interface DescriberParts {
  readonly prober: Prober;
  /** The folders of the first base directory. */
  readonly first: Folders;
  /** The folders of the base directories with prescaled versions. */
  readonly others: readonly Folders[];
  /** The first base directory and the virtual folders. */
  readonly originals: readonly MountPoint[];
  readonly derived: Derived;
  readonly metadata: ImageMetadataReader;
  readonly storages: Storages;
}

export class ImageDescriber {
  readonly #parts: DescriberParts;
  readonly #freshnessChecks = new WeakMap<ImageSet, FreshnessCheck>();

  constructor(parts: DescriberParts) {
    this.#parts = parts;
  }

  /** The image set of a located image; undefined where its first resolution can't be read or has no such page. */
  async describe(located: Located): Promise<ImageSet | undefined> {
    const { prober, derived, metadata: metadataReader } = this.#parts;
    const { identifier, listing, name, pageInFile: page, statCache } = located;
    const derivedState = derived.state();
    const [pages, versions, metadata] = await Promise.all([
      prober.probe(listing, name, statCache),
      page === 1 ? this.#prescaled(located, statCache) : [],
      metadataReader.metadataOf(located),
    ]);
    const full = pages[page - 1];
    if (full === undefined) return undefined;
    const pyramid = await derived.find(full);
    const image: ImageSet = {
      identifier,
      name,
      page,
      pageCount: pages.length,
      resolutions: [full, ...(versions ?? [])],
      metadata,
      ...(pyramid && { derived: pyramid }),
    };
    // The stats of a disk that does not answer would have to be waited for.
    const fingerprints = versions && (await statCache.fingerprints());
    if (fingerprints !== undefined) this.#freshnessChecks.set(image, new FreshnessCheck(fingerprints, derivedState));
    return image;
  }

  /**
   * Whether an image that was described within the last second would be described the same now, by synchronous stats. False
   * also where these can’t tell.
   */
  isFresh(image: ImageSet): boolean {
    const { storages, derived } = this.#parts;
    const lstatSync = (path: string) => storages.of(path).knownStats(path);
    return this.#freshnessChecks.get(image)?.isFresh(lstatSync, derived.state()) ?? false;
  }

  /** The prescaled versions of an image, largest first; undefined where a disk does not answer, so that there may be more. */
  async #prescaled(image: ListedImage, statCache: RequestStatCache): Promise<readonly Resolution[] | undefined> {
    const { others } = this.#parts;
    if (others.length === 0) return [];
    const versions = Promise.all(others.map((folders) => this.#versionIn(folders, image, statCache)));
    const found = (await within(waitMs, versions))?.filter((version) => version !== undefined);
    return found?.sort((a, b) => b.width * b.height - a.width * a.height);
  }

  async #versionIn(
    folders: Folders,
    { folder, name, listing: original }: ListedImage,
    statCache: RequestStatCache,
  ): Promise<Resolution | undefined> {
    const listing = await folders.around(folder.segments, name, statCache, 'beside');
    const found = listing?.find(name);
    if (listing === undefined || found === undefined || stemOf(found) !== stemOf(name)) return undefined;
    // Two images with the same stem have versions of their own.
    if (found !== name && (await this.#parts.first.hasImage(original, found))) return undefined;
    // A link could lead to an image that the caller may not see.
    if (await this.#leadsToOriginals(pathIn(listing, found), statCache)) return undefined;
    const [first] = await this.#parts.prober.probe(listing, found, statCache);
    return first;
  }

  /** Whether a path is a link that leads into the first base directory, a virtual folder, or nowhere. */
  async #leadsToOriginals(path: string, statCache: RequestStatCache): Promise<boolean> {
    if (!(await statCache.lstat(path))?.stats.isSymbolicLink()) return false;
    const target = await statCache.follow(path);
    return target === undefined || mountedPaths(rootIdentifier, [target.real], this.#parts.originals).length > 1;
  }
}
