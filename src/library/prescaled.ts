/** Finds the prescaled versions of an image in the other base directories: same folder, same stem, any image format. */
import { stemOf } from '../image/model/formats.ts';
import { rootIdentifier } from '../image/model/identifier.ts';
import type { Resolution } from '../image/model/image-set.ts';
import type { Prober } from './facts/probe.ts';
import type { Folders } from './listings/folders.ts';
import { type ListedImage, pathIn } from './listings/listing.ts';
import { type MountPoint, mountedPaths } from './roots/mount-points.ts';
import type { LibraryFileSystem } from './stats/library-file-system.ts';
import type { RequestStatCache } from './stats/request-stat-cache.ts';

export interface PrescaledParts {
  readonly others: readonly Folders[];
  readonly prober: Prober;
  readonly fileSystem: LibraryFileSystem;
  /** The first base directory and the virtual folders. */
  readonly mountPoints: readonly MountPoint[];
}

/** Returns the prescaled versions of an image of the first base directory, largest first. */
export type Prescaled = (image: ListedImage, statCache: RequestStatCache) => Promise<readonly Resolution[]>;

export function createPrescaled({ others, prober, fileSystem, mountPoints }: PrescaledParts): Prescaled {
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
    if (listing.linkedImages.has(found) && (await leadsToOriginals(pathIn(listing, found)))) return undefined;
    const [first] = await prober.probe(listing, found, statCache);
    return first;
  }

  /** Whether a link leads into the first base directory or a virtual folder. */
  async function leadsToOriginals(link: string): Promise<boolean> {
    const target = await fileSystem.resolve(link);
    return target === undefined || mountedPaths(rootIdentifier, [target], mountPoints).length > 1;
  }

  return async (image, statCache) => {
    const found = await Promise.all(others.map((folders) => versionIn(folders, image, statCache)));
    const versions = found.filter((version) => version !== undefined);
    return versions.sort((a, b) => b.width * b.height - a.width * a.height);
  };
}
