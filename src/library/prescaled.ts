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
  /** The base directories after the first one. */
  readonly others: readonly Folders[];
  readonly prober: Prober;
  readonly fileSystem: LibraryFileSystem;
  /** The first base directory and the virtual folders. */
  readonly mountPoints: readonly MountPoint[];
}

export class Prescaled {
  readonly #parts: PrescaledParts;

  constructor(parts: PrescaledParts) {
    this.#parts = parts;
  }

  /** The prescaled versions of an image of the first base directory, largest first. */
  async versionsOf(image: ListedImage, statCache: RequestStatCache): Promise<readonly Resolution[]> {
    const found = await Promise.all(this.#parts.others.map((folders) => this.#versionIn(folders, image, statCache)));
    const versions = found.filter((version) => version !== undefined);
    return versions.sort((a, b) => b.width * b.height - a.width * a.height);
  }

  async #versionIn(
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
    if (listing.linkedImages.has(found) && (await this.#leadsToOriginals(pathIn(listing, found)))) return undefined;
    const [first] = await this.#parts.prober.probe(listing, found, statCache);
    return first;
  }

  /** Whether a link leads into the first base directory or a virtual folder. */
  async #leadsToOriginals(link: string): Promise<boolean> {
    const target = await this.#parts.fileSystem.resolve(link);
    return target === undefined || mountedPaths(rootIdentifier, [target], this.#parts.mountPoints).length > 1;
  }
}
