/** What is known of folders by their paths, as long as their fingerprints stay the same; bounded by bytes. */
import { LRUCache } from 'lru-cache';
import type { Listing } from './listing.ts';

/** A listing, and the fingerprint that its folder had before it was read. */
export interface HeldListing {
  readonly fingerprint: string;
  readonly listing: Listing;
  /** About how many bytes of memory it takes. */
  readonly bytes: number;
}

interface Known {
  /** With this fingerprint, the folder around held a folder of this name that is no link. */
  readonly around?: string;
  readonly held?: HeldListing;
}

const bytesOfPath = (directory: string): number => 200 + directory.length;

export class KnownFolders {
  readonly #known: LRUCache<string, Known>;

  constructor(maxBytes: number) {
    this.#known = new LRUCache<string, Known>({
      maxSize: maxBytes,
      // What is larger than the bound would never be kept, and be read for each request.
      sizeCalculation: ({ held }, directory) =>
        Math.ceil(Math.min(bytesOfPath(directory) + (held?.bytes ?? 0), maxBytes / 2)),
    });
  }

  /** The fingerprint of the folder around, with which the folder of this path is known to be no link. */
  around(directory: string): string | undefined {
    return this.#known.peek(directory)?.around;
  }

  held(directory: string): HeldListing | undefined {
    return this.#known.get(directory)?.held;
  }

  keepAround(directory: string, around: string): void {
    const known = this.#known.peek(directory);
    if (known?.around !== around) this.#known.set(directory, { ...known, around });
  }

  keepListing(directory: string, held: HeldListing): void {
    this.#known.set(directory, { ...this.#known.peek(directory), held });
  }

  /** How many folders are known, and about how many bytes of memory they take. */
  size(): { readonly folders: number; readonly bytes: number } {
    return { folders: this.#known.size, bytes: this.#known.calculatedSize };
  }
}
