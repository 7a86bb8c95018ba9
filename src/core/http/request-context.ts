/** What is recorded of a request in the outermost handler, before the fast path and Fastify, and what follows from it for its work. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyOptions } from '../answers/images.ts';
import type { ImageErrorCode } from '../image/model/errors.ts';
import { whenAbandoned } from './abandoned-responses.ts';
import { clientKeyOf, type TrustedProxies } from './origin.ts';
import { type Measures, type RequestKind, type Stage, stages } from './request-metrics.ts';

declare module 'http' {
  interface IncomingMessage {
    /** When the request arrived, in ms on the clock of `performance.now()`. */
    arrivalMs?: number;
    /** How long the stages of the request took, in ms; undefined for answers that needed no waiting. */
    stageMs?: Partial<Record<Stage, number>>;
    /** When the headers of an answer that had to be waited for were written, on the same clock. */
    writtenMs?: number;
    /** Why the answer is an error. */
    errorCode?: ImageErrorCode;
    /** Set where there is an access log, or another who is told of ended requests: how they get to know what the request is counted as. */
    kindOf?: () => RequestKind;
  }
}

/** When the request arrived, in ms on the clock of `performance.now()`: the outermost handler asks first. */
export function arrivalMsOf(request: IncomingMessage): number {
  request.arrivalMs ??= performance.now();
  return request.arrivalMs;
}

/** Records how long a stage of a request took, in ms; the last attempt counts. */
export function recordStage(request: IncomingMessage, stage: Stage, ms: number): void {
  request.stageMs ??= {};
  request.stageMs[stage] = ms;
}

/** With whom a client shares the render queue, and why it may not: as in BodyOptions. */
export type Shares = Pick<BodyOptions, 'groups' | 'weight' | 'refusal' | 'paysPyramid' | 'onRendered'>;

/** A picture, or the pages of a document, which are rendered one after the other and without a deadline. */
export type WorkKind = 'picture' | 'document';

/** What costs and does not go through the render queue, estimated before it is made: processor time in ms, or bytes of originals. */
export type Cost = { readonly ms: number } | { readonly bytes: number };

/** Takes a cost from the budgets of a caller. Rejects with ImageError `over-budget` where one of them has not enough. */
export type Pay = (request: IncomingMessage, cost: Cost) => Promise<void>;

/** What decides about the work for a request. */
export interface WorkRules {
  /** Every request is answered within this time, in ms from its arrival. */
  readonly deadlineMs: number;
  readonly trusted: TrustedProxies;
  /** Whether answers that were rendered say how long their stages took. */
  readonly serverTiming: boolean;
  /** Without it, each client has a share of its own. */
  readonly sharesOf?: ((request: IncomingMessage, work?: WorkKind) => Shares) | undefined;
  /** Without it, there are no budgets. */
  readonly pay?: Pay | undefined;
}

/** For whom and until when the body of a response is made. */
export const bodyOptionsOf = (
  request: IncomingMessage,
  response: ServerResponse,
  { deadlineMs, trusted, sharesOf }: Pick<WorkRules, 'deadlineMs' | 'trusted' | 'sharesOf'>,
): BodyOptions => {
  const shares = sharesOf?.(request);
  return {
    signal: whenAbandoned(request, response),
    deadlineAtMs: arrivalMsOf(request) + deadlineMs,
    client: clientKeyOf(request, trusted),
    ...shares,
    onRendered: (times) => {
      recordStage(request, 'queue', times.queueMs);
      recordStage(request, 'render', times.renderMs);
      shares?.onRendered?.(times);
    },
  };
};

/** Records the stages of a request when its response, whose headers are written or about to be, has ended. */
export function recordStages(
  request: IncomingMessage,
  response: ServerResponse,
  { observe }: Pick<Measures, 'observe'>,
): void {
  const writtenMs = performance.now();
  request.writtenMs = writtenMs;
  response.once('close', () => {
    const endMs = performance.now();
    recordStage(request, 'send', endMs - writtenMs);
    recordStage(request, 'total', endMs - arrivalMsOf(request));
    for (const stage of stages) {
      const ms = request.stageMs?.[stage];
      if (ms !== undefined) observe(stage, ms);
    }
  });
}

const shownStages = ['admission', 'queue', 'render'] as const;

/** The `Server-Timing` of a rendered picture (https://www.w3.org/TR/server-timing/); undefined for all other answers. */
export function serverTimingOf({ stageMs }: IncomingMessage): string | undefined {
  if (stageMs?.render === undefined) return undefined;
  return shownStages
    .flatMap((stage) => (stageMs[stage] === undefined ? [] : [`${stage};dur=${stageMs[stage].toFixed(1)}`]))
    .join(', ');
}

const requestId = Symbol('request id');

interface Identified extends IncomingMessage {
  [requestId]?: string;
}

/** What a proxy may send: neither a quote nor a space, and not long, since logs repeat it. */
const wellFormed = /^[\w.:/+=@-]{1,128}$/;

/** Different for each start of the server. */
const start = randomBytes(6).toString('base64url');
let count = 0;

/** The id that a trusted proxy sent as `X-Request-Id`, or else one of our own; always the same for the same request. */
export function requestIdOf(request: Identified, trusted: TrustedProxies): string {
  const known = request[requestId];
  if (known !== undefined) return known;
  const sent = request.headers['x-request-id'];
  const isUsable = typeof sent === 'string' && wellFormed.test(sent) && trusted(request.socket.remoteAddress);
  const id = isUsable ? sent : `${start}-${(++count).toString(36)}`;
  request[requestId] = id;
  return id;
}
