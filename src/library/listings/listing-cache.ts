/** Caches listings in memory by the paths of their folders, bounded by bytes. */
import { LRUCache } from 'lru-cache';
import { bytesOf, type Listing } from './listing.ts';

/** A listing, and the fingerprint of its folder before it was read. */
interface CachedListing {
  readonly fingerprint: string;
  readonly listing: Listing;
}

export class ListingCache {
  readonly #listings: LRUCache<string, CachedListing>;

  constructor(maxBytes: number) {
    this.#listings = new LRUCache<string, CachedListing>({
      maxSize: maxBytes,
      // An entry larger than the bound would never be cached, and be read again for each request.
      sizeCalculation: ({ listing }) => Math.floor(Math.min(bytesOf(listing), maxBytes / 2)),
    });
  }

  /** The last listing of a folder, which may be stale. */
  last(directory: string): Listing | undefined {
    return this.#listings.get(directory)?.listing;
  }

  /** The listing of a folder with this fingerprint. */
  get(directory: string, fingerprint: string): Listing | undefined {
    const cached = this.#listings.get(directory);
    return cached?.fingerprint === fingerprint ? cached.listing : undefined;
  }

  set(directory: string, fingerprint: string, listing: Listing): void {
    this.#listings.set(directory, { fingerprint, listing });
  }

  /** The number of cached folders, and about how many bytes of memory they take. */
  size(): { readonly folders: number; readonly bytes: number } {
    return { folders: this.#listings.size, bytes: this.#listings.calculatedSize };
  }
}
