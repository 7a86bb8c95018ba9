/** Answers GET requests for the info object, pictures and info.json before Fastify, in half of the time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../../image/model/errors.ts';
import { type OriginRules, originIfValid } from '../origin.ts';
import { arrivalMsOf, recordStages } from '../request-context.ts';
import { abandonedStatus, kinds, type Measures, type RequestKind } from '../request-metrics.ts';
import { isMarkedOpen } from '../restricted-readers.ts';
import { excessOf } from '../target.ts';

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

/** Tells requests that Fastify has to answer. */
export type SeesRequest = (request: IncomingMessage) => boolean;

type FastPathParts = OriginRules & {
  readonly measures: Measures;
  /** What hooks of Fastify have to see. */
  readonly hooksSee: readonly SeesRequest[];
};

/** Puts the fast path before the handler of Fastify, which answers all other requests, errors included. */
export function withFastPath(makers: readonly ResponseMaker[], parts: FastPathParts, next: Handler): Handler {
  const cache = new ResponseCache();
  const { hooksSee } = parts;
  const { counts } = parts.measures;

  function count({ kind }: CachedResponse, request: IncomingMessage, { statusCode }: ServerResponse): void {
    counts.add(kind, statusCode);
    if (request.kindOf !== undefined) request.kindOf = kinds[kind];
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
    if (request.kindOf !== undefined) request.kindOf = kinds.picture;
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

  function mayAnswer(request: IncomingMessage, address: string): boolean {
    if (request.method !== 'GET' || !address.startsWith('/') || excessOf(address) !== undefined) return false;
    return !hooksSee.some((sees) => sees(request));
  }

  return (request, response) => {
    arrivalMsOf(request);
    const { url: address = '' } = request;
    if (!mayAnswer(request, address)) return next(request, response);
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
class ResponseCache {
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

interface RecordedFailure {
  readonly error: unknown;
  /** Whether it was the failure of an image that everyone may see. */
  readonly isOfOpenImage: boolean;
}

const failures = new WeakMap<IncomingMessage, RecordedFailure>();

/** Records the error to answer with. `changed` is not recorded, so that the route plans again with the replaced file. */
function recordFailure(request: IncomingMessage, error: unknown): void {
  if (!(error instanceof ImageError) || error.code !== 'changed')
    failures.set(request, { error, isOfOpenImage: isMarkedOpen(request) });
}

/** Whether the error that is recorded for a request is about an image that everyone may see. */
export const isFailureOfOpenImage = (request: IncomingMessage): boolean =>
  failures.get(request)?.isOfOpenImage === true;

/** Throws the recorded error. */
export function throwRecordedFailure(request: IncomingMessage): void {
  const failure = failures.get(request);
  if (failure !== undefined) throw failure.error;
}
