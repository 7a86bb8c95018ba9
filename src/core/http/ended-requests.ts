/** Tells of each request, once its answer has ended, what was sent and what it took: also of those that are answered before Fastify. */
import type { IncomingMessage } from 'node:http';
import type { ImageErrorCode } from '../image/model/errors.ts';
import type { Handler } from './fast-path/fast-path.ts';
import { arrivalMsOf } from './request-context.ts';
import { abandonedStatus, kinds, type RequestKind } from './request-metrics.ts';

declare module 'net' {
  interface Socket {
    /** Of the bytes that were written, those of answers that have ended. */
    answeredBytes?: number;
  }
}

declare module 'http' {
  interface IncomingMessage {
    /** The time in ms that pages of a document were rendered for the request. */
    pagesMs?: number;
    /** Set once the answer to a request for a document has ended: called for each page that is made for it then. */
    onPageBehind?: (ms: number) => void;
  }
}

/** A request whose answer has ended. */
export interface EndedRequest {
  readonly request: IncomingMessage;
  readonly kind: RequestKind;
  /** 499 where the client went away before the end. */
  readonly status: number;
  /** Why the answer is an error; undefined where it is none. */
  readonly error: ImageErrorCode | undefined;
  /** All that was sent, headers included. */
  readonly bytes: number;
  /**
   * The time in ms that it took of this machine: that of its rendering; for other answers until their first byte, without the wait in
   * the render queue. Of refusals and of those that nobody waited for, what this process did at once.
   */
  readonly ms: number;
  /** Whether this is what was made for it after its answer had ended, and no further request. */
  readonly isBehind: boolean;
  /** The path of the image that its address names; undefined where it is none. */
  image(): string | undefined;
}

export type OnEnd = (ended: EndedRequest) => void;

type ImageOf = (request: IncomingMessage) => string | undefined;

/** Whether a request was refused since there is more to do than can be done, or its sender took too much. */
export const isRefusal = (error: ImageErrorCode | undefined): boolean =>
  error === 'overloaded' || error === 'over-budget';

function costOf(request: IncomingMessage, atOnceMs: number): number {
  const { stageMs, pagesMs, writtenMs, arrivalMs = 0, errorCode } = request;
  if (stageMs?.render !== undefined) return stageMs.render + atOnceMs;
  if (pagesMs !== undefined) return pagesMs + atOnceMs;
  // It may have waited long before, which costs nothing.
  if (writtenMs === undefined || isRefusal(errorCode)) return atOnceMs;
  return Math.max(atOnceMs, writtenMs - arrivalMs - (stageMs?.queue ?? 0));
}

/** Adds the time in ms that a page of a document was rendered for a request, also after its answer has ended. */
export function addPage(request: IncomingMessage, ms: number): void {
  if (request.onPageBehind !== undefined) request.onPageBehind(ms);
  else request.pagesMs = (request.pagesMs ?? 0) + ms;
}

class Ended implements EndedRequest {
  readonly request: IncomingMessage;
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  readonly isBehind = false;
  readonly #imageOf: ImageOf;

  // Most answers come from memory: members that take time are computed for those who read them.
  constructor(request: IncomingMessage, answer: { status: number; bytes: number; ms: number }, imageOf: ImageOf) {
    this.request = request;
    this.status = answer.status;
    this.bytes = answer.bytes;
    this.ms = answer.ms;
    this.#imageOf = imageOf;
  }

  get kind(): RequestKind {
    return this.request.kindOf?.() ?? 'other';
  }

  get error(): ImageErrorCode | undefined {
    return this.request.errorCode;
  }

  image(): string | undefined {
    return this.#imageOf(this.request);
  }
}

/** What was made for a request after its answer had ended, and took this time in ms. */
const behind = (ended: EndedRequest, ms: number): EndedRequest => ({
  request: ended.request,
  kind: ended.kind,
  status: ended.status,
  error: undefined,
  bytes: 0,
  ms,
  isBehind: true,
  image: () => ended.image(),
});

/** Calls `onEnd` for each request that the handler answers. */
export function withEnds(onEnd: OnEnd, imageOf: ImageOf, handler: Handler): Handler {
  function end(request: IncomingMessage, status: number, ms: number): void {
    const { socket } = request;
    const { bytesWritten } = socket;
    const bytes = bytesWritten - (socket.answeredBytes ?? 0);
    socket.answeredBytes = bytesWritten;
    const ended = new Ended(request, { status, bytes, ms }, imageOf);
    onEnd(ended);
    if (ended.kind === 'document') request.onPageBehind = (ms) => onEnd(behind(ended, ms));
  }

  return (request, response) => {
    const startMs = arrivalMsOf(request);
    request.kindOf = kinds.other;
    handler(request, response);
    const atOnceMs = performance.now() - startMs;
    // Most answers come from memory and are written at once, so that nothing was rendered for them: to wait for their end, and to look
    // for what else they took, would double what this costs.
    if (response.writableEnded || response.closed) {
      end(request, response.statusCode, atOnceMs);
      return;
    }
    // Node knows it no longer once the connection is closed, but for those who have asked.
    void request.socket.remoteAddress;
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : abandonedStatus;
      end(request, status, costOf(request, atOnceMs));
    });
  };
}
