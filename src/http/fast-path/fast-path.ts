/** Answers GET requests for the info object, pictures and info.json before Fastify, in half of the time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type OriginRules, originIfValid } from '../origin.ts';
import { maxAddressBytes } from '../target.ts';
import { recordFailure } from './failures.ts';
import { type CachedResponse, createResponseCache, storeResponse } from './response-cache.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Makes the response to an address that is not cached; undefined where the address is not of this kind, or where only
 * Fastify answers it. The promise rejects with the error that the response would be.
 */
export type ResponseMaker = (
  request: IncomingMessage,
  address: string,
) => CachedResponse | Promise<CachedResponse | undefined> | undefined;

function firstResponse(
  makers: readonly ResponseMaker[],
  request: IncomingMessage,
  address: string,
): ReturnType<ResponseMaker> {
  for (const make of makers) {
    const made = make(request, address);
    if (made !== undefined) return made;
  }
  return undefined;
}

/** Puts the fast path before the handler of Fastify, which answers all other requests, errors included. */
export function withFastPath(makers: readonly ResponseMaker[], rules: OriginRules, next: Handler): Handler {
  const cache = createResponseCache();

  return (request, response) => {
    const { method, url: address = '' } = request;
    if (method !== 'GET' || !address.startsWith('/') || address.length > maxAddressBytes) {
      return next(request, response);
    }
    const origin = originIfValid(request, rules);
    if (origin === undefined) return next(request, response);
    const cached = cache.get(address);
    const found = cached ?? firstResponse(makers, request, address);
    if (found === undefined) return next(request, response);
    const write = async (current: CachedResponse | undefined): Promise<CachedResponse | undefined> => {
      if (!current?.fits(request)) return undefined;
      await current.write(request, response, origin);
      return current;
    };
    /** Stores the response once it is written; passes the request on where there is none. */
    const settle = (pending: Promise<CachedResponse | undefined>): void =>
      void pending.then(
        (written) => {
          if (written !== undefined) return storeResponse(cache, address, written);
          cache.delete(address);
          next(request, response);
        },
        (error: unknown) => {
          recordFailure(request, error);
          if (!request.socket.destroyed) next(request, response);
        },
      );

    if (found instanceof Promise) return settle(found.then(write));
    if (!found.fits(request)) return next(request, response);
    if (!found.isFresh()) return settle(found.refresh(request).then(write));
    const made = found.write(request, response, origin);
    if (made !== undefined) return settle(made.then(() => found));
    if (cached === undefined) storeResponse(cache, address, found);
  };
}
