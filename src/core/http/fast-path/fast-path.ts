/** Answers GET requests for the info object, pictures and info.json before Fastify, in half of the time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { abandonedStatus } from '../answer-counts.ts';
import type { Measures } from '../measures.ts';
import { type OriginRules, originIfValid } from '../origin.ts';
import { recordArrival } from '../request-context.ts';
import { recordStages } from '../stage-times.ts';
import { maxAddressBytes } from '../target.ts';
import { recordFailure } from './failures.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

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

export type FastPathParts = OriginRules & { readonly measures: Measures };

/** Puts the fast path before the handler of Fastify, which answers all other requests, errors included. */
export function withFastPath(makers: readonly ResponseMaker[], parts: FastPathParts, next: Handler): Handler {
  const cache = new ResponseCache();
  const { counts } = parts.measures;

  function count({ kind }: CachedResponse, request: IncomingMessage, { statusCode }: ServerResponse): void {
    counts.add(kind, statusCode);
    if (request.kindOf !== undefined) request.kindOf = () => kind;
  }

  /** Counts a response that had to be waited for, and measures it; returns that it was written. */
  function countLate(written: CachedResponse, request: IncomingMessage, response: ServerResponse): true {
    count(written, request, response);
    recordStages(request, response, parts.measures);
    return true;
  }

  /** Writes the response once it is found, and passes it to the cache; passes the request on where there is none. */
  function writeLater(
    pending: Promise<CachedResponse | undefined>,
    origin: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const address = request.url ?? '';
    // Nothing else takes so long that its client goes away.
    if (request.kindOf !== undefined) request.kindOf = () => 'picture';
    const written = pending.then(async (current) => {
      if (!current?.fits(request)) return false;
      await current.write(request, response, origin);
      cache.store(address, current);
      return countLate(current, request, response);
    });
    passOnUnless(written, address, request, response);
  }

  function passOnUnless(
    written: Promise<boolean>,
    address: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    written.then(
      (isWritten) => {
        if (isWritten) return;
        cache.delete(address);
        next(request, response);
      },
      (error: unknown) => {
        recordFailure(request, error);
        if (request.socket.destroyed) counts.add('picture', abandonedStatus);
        else next(request, response);
      },
    );
  }

  return (request, response) => {
    recordArrival(request);
    const { method, url: address = '' } = request;
    if (method !== 'GET' || !address.startsWith('/') || address.length > maxAddressBytes) {
      return next(request, response);
    }
    const origin = originIfValid(request, parts);
    if (origin === undefined) return next(request, response);
    const cached = cache.get(address);
    const found = cached ?? firstResponse(makers, request, address);
    if (found === undefined) return next(request, response);
    if (found instanceof Promise) return writeLater(found, origin, request, response);
    if (!found.fits(request)) return next(request, response);
    if (!found.isFresh()) return writeLater(found.refresh(request), origin, request, response);
    const made = found.write(request, response, origin);
    if (cached === undefined) cache.store(address, found);
    if (made === undefined) count(found, request, response);
    else
      passOnUnless(
        made.then(() => countLate(found, request, response)),
        address,
        request,
        response,
      );
  };
}
