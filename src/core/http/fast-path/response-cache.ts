/** The responses that are written before Fastify, by address: one cache for the info object, pictures and info.json. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { RequestKind } from '../answer-counts.ts';

/** The response to all requests for one address, and the check whether it is still right. */
export interface CachedResponse {
  /** What requests for it are counted as. */
  readonly kind: RequestKind;
  /** Whether the response is the same for everyone, so that it may be stored. */
  readonly isShared: boolean;
  /** Whether the request's headers allow this response; Fastify answers where they don't. */
  fits(request: IncomingMessage): boolean;
  /** Whether the files that it speaks of are unchanged, by synchronous stats; false also where these are not possible. */
  isFresh(): boolean;
  /** The response as it is now; undefined where Fastify has to answer. Throws as admission does. */
  refresh(request: IncomingMessage): Promise<CachedResponse | undefined>;
  /** Writes the response; a promise where its body has to be made first, which rejects before anything is written. */
  write(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> | undefined;
}

/** Maximum number of cached addresses; each entry takes about 5 KB. */
const maxEntries = 5000;

/** Maximum length of a cached address, so that junk in queries can't fill the memory. */
const maxCachedAddressLength = 2000;

/**
 * Stores a response when its address is requested again: most tiles are requested once, and responses that live on cost V8's
 * garbage collector more than making them again.
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse>({ max: maxEntries });
  /** Addresses that were requested once. */
  readonly #once = new LRUCache<string, true>({ max: maxEntries });

  get(address: string): CachedResponse | undefined {
    return this.#responses.get(address);
  }

  store(address: string, response: CachedResponse): void {
    if (!response.isShared || address.length > maxCachedAddressLength) return;
    if (this.#responses.has(address) || this.#once.delete(address)) this.#responses.set(address, response);
    else this.#once.set(address, true);
  }

  delete(address: string): void {
    this.#responses.delete(address);
  }
}
