/** Finds the prescaled versions of an image in the other base directories: same folder, same name, any image type. */
import { stemOf } from '../image/model/formats.ts';
import type { Identifier } from '../image/model/identifier.ts';
import { rootIdentifier } from '../image/model/identifier.ts';
import type { Resolution } from '../image/model/image-set.ts';
import type { Prober } from './facts/probe.ts';
import type { Folders } from './listings/folders.ts';
import { type Listing, pathIn } from './listings/listing.ts';
import { type MountPoint, placesOf } from './roots/mount-points.ts';
import type { LibraryFileSystem } from './stats/library-file-system.ts';
import type { RequestStatCache } from './stats/request-stat-cache.ts';

export interface PrescaledParts {
  /** The base directories behind the first one. */
  readonly folders: readonly Folders[];
  readonly prober: Prober;
  readonly disk: LibraryFileSystem;
  /** The first base directory and the virtual folders. */
  readonly home: readonly MountPoint[];
}

/** An image file of the first base directory. */
interface ImageFile {
  readonly folder: Identifier;
  readonly listing: Listing;
  readonly name: string;
}

export class Prescaled {
  readonly #parts: PrescaledParts;

  constructor(parts: PrescaledParts) {
    this.#parts = parts;
  }

  /** The largest first. */
  async versionsOf(image: ImageFile, moment: RequestStatCache): Promise<readonly Resolution[]> {
    const found = await Promise.all(this.#parts.folders.map((folders) => this.#sameStem(folders, image, moment)));
    const versions = found.filter((version) => version !== undefined);
    return versions.sort((a, b) => b.width * b.height - a.width * a.height);
  }

  async #sameStem(
    folders: Folders,
    { folder, name, listing: around }: ImageFile,
    moment: RequestStatCache,
  ): Promise<Resolution | undefined> {
    const listing = await folders.list(folder.segments, moment);
    const found = listing?.find(name);
    if (listing === undefined || found === undefined || stemOf(found) !== stemOf(name)) return undefined;
    // Of two images that share a stem, each has its own versions; and a link could lead to what the caller may not see.
    if (found !== name && around.has(found)) return undefined;
    if (listing.linkedImages.has(found) && (await this.#leadsHome(pathIn(listing, found)))) return undefined;
    const [first] = await this.#parts.prober.probe(listing, found, moment);
    return first;
  }

  /** Whether a link of another base directory leads into the first one, or into a virtual folder. */
  async #leadsHome(link: string): Promise<boolean> {
    const target = await this.#parts.disk.resolve(link);
    return target === undefined || placesOf(rootIdentifier, [target], this.#parts.home).length > 1;
  }
}
