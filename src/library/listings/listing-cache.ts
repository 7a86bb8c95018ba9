/** The listings that are remembered by the paths of their folders; bounded by bytes. */
import { LRUCache } from 'lru-cache';
import { bytesOf, type Listing } from './listing.ts';

/** A listing, and the fingerprint that its folder had before it was read. */
interface Known {
  readonly fingerprint: string;
  readonly listing: Listing;
}

export class ListingCache {
  readonly #known: LRUCache<string, Known>;

  constructor(maxBytes: number) {
    this.#known = new LRUCache<string, Known>({
      maxSize: maxBytes,
      // What is larger than the bound would never be kept, and be read for each request.
      sizeCalculation: ({ listing }) => Math.floor(Math.min(bytesOf(listing), maxBytes / 2)),
    });
  }

  /** What the folder held when it was last read, whether that is so still or not. */
  last(directory: string): Listing | undefined {
    return this.#known.get(directory)?.listing;
  }

  /** What a folder with this fingerprint holds. */
  get(directory: string, fingerprint: string): Listing | undefined {
    const known = this.#known.get(directory);
    return known?.fingerprint === fingerprint ? known.listing : undefined;
  }

  set(directory: string, fingerprint: string, listing: Listing): void {
    this.#known.set(directory, { fingerprint, listing });
  }

  /** How many folders are known, and about how many bytes of memory they take. */
  size(): { readonly folders: number; readonly bytes: number } {
    return { folders: this.#known.size, bytes: this.#known.calculatedSize };
  }
}
