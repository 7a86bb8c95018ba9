/** Finds the prescaled versions of an image in the other base directories: same folder, same stem, any image format. */
import { isNoAnswer } from '../image/model/errors.ts';
import { stemOf } from '../image/model/formats.ts';
import { rootIdentifier } from '../image/model/identifier.ts';
import type { Resolution } from '../image/model/image-set.ts';
import type { Prober } from './file-facts.ts';
import type { Folders } from './listings/folder-cache.ts';
import { type ListedImage, pathIn } from './listings/listing.ts';
import { type MountPoint, mountedPaths } from './roots/virtual-folders.ts';
import type { RequestStatCache } from './stats/request-stat-cache.ts';

export interface PrescaledParts {
  readonly others: readonly Folders[];
  readonly prober: Prober;
  /** The first base directory and the virtual folders. */
  readonly mountPoints: readonly MountPoint[];
}

/**
 * Returns the prescaled versions of an image of the first base directory, largest first; undefined where not all can be
 * found, since a disk does not answer.
 */
export type Prescaled = (image: ListedImage, statCache: RequestStatCache) => Promise<readonly Resolution[] | undefined>;

/** An image is described without the versions on a disk that takes longer, in ms. */
const waitMs = 2000;

export function createPrescaled({ others, prober, mountPoints }: PrescaledParts): Prescaled {
  async function versionIn(
    folders: Folders,
    { folder, name, listing: original }: ListedImage,
    statCache: RequestStatCache,
  ): Promise<Resolution | undefined> {
    const listing = await folders.list(folder.segments, statCache);
    const found = listing?.find(name);
    if (listing === undefined || found === undefined || stemOf(found) !== stemOf(name)) return undefined;
    // Two images with the same stem have versions of their own.
    if (found !== name && original.has(found)) return undefined;
    // A link could lead to an image that the caller may not see.
    if (await leadsToOriginals(pathIn(listing, found), statCache)) return undefined;
    const [first] = await prober.probe(listing, found, statCache);
    return first;
  }

  /** Whether a path is a link that leads into the first base directory, a virtual folder, or nowhere. */
  async function leadsToOriginals(path: string, statCache: RequestStatCache): Promise<boolean> {
    if (!(await statCache.lstat(path))?.stats.isSymbolicLink()) return false;
    const target = await statCache.follow(path);
    return target === undefined || mountedPaths(rootIdentifier, [target.real], mountPoints).length > 1;
  }

  return async (image, statCache) => {
    if (others.length === 0) return [];
    const found = await within(waitMs, Promise.all(others.map((folders) => versionIn(folders, image, statCache))));
    if (found === undefined) return undefined;
    const versions = found.filter((version) => version !== undefined);
    return versions.sort((a, b) => b.width * b.height - a.width * a.height);
  };
}

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
