/** Caches listings in memory by the paths of their folders, bounded by bytes. */
import { LRUCache } from 'lru-cache';
import { bytesOf, type Listing } from './listing.ts';

/** A listing, and the fingerprint of its folder before it was read. */
interface CachedListing {
  readonly fingerprint: string;
  readonly listing: Listing;
}

export type ListingCache = LRUCache<string, CachedListing>;

export const createListingCache = (maxBytes: number): ListingCache =>
  new LRUCache<string, CachedListing>({
    maxSize: maxBytes,
    // An entry larger than the bound would never be cached, and be read again for each request.
    sizeCalculation: ({ listing }) => Math.floor(Math.min(bytesOf(listing), maxBytes / 2)),
  });
