/** Describes located images: the highest resolution, prescaled versions, a derived pyramid, and metadata. */
import type { ImageSet, Resolution } from '../image/model/image-set.ts';
import type { Storages } from '../storage/storages.ts';
import type { Prober } from './file-facts.ts';
import type { ImageMetadataReader } from './image-metadata-reader.ts';
import type { Located } from './locate.ts';
import type { Prescaled } from './prescaled.ts';
import { FreshnessCheck } from './stats/request-stat-cache.ts';

/** Finds the derived pyramids of resolutions. */
export interface Derived {
  /** The pyramid of a resolution; undefined where there is none. */
  find(source: Resolution): Promise<Resolution | undefined> | undefined;
  /** A number that changes whenever a pyramid is added or removed. */
  state(): number;
}

export interface DescriberParts {
  readonly prober: Prober;
  readonly prescaled: Prescaled;
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
    const { prober, prescaled, derived, metadata: metadataReader } = this.#parts;
    const { identifier, listing, name, pageInFile: page, statCache } = located;
    const derivedState = derived.state();
    const [pages, versions, metadata] = await Promise.all([
      prober.probe(listing, name, statCache),
      page === 1 ? prescaled(located, statCache) : [],
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
}
