/** What is recorded of a request in the outermost handler, before the fast path and Fastify, and what follows from it for its work. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyOptions } from '../answers/images.ts';
import { whenAbandoned } from './abandoned-responses.ts';
import type { RequestKind } from './answer-counts.ts';
import { clientKeyOf } from './client-key.ts';
import type { Stage } from './measures.ts';
import type { TrustedProxies } from './origin.ts';

declare module 'http' {
  interface IncomingMessage {
    /** When the request arrived, in ms on the clock of `performance.now()`. */
    arrivalMs?: number;
    /** How long the stages of the request took, in ms; undefined for answers that needed no waiting. */
    stageMs?: Partial<Record<Stage, number>>;
    /** Set where there is an access log: how it gets to know what the request is counted as. */
    kindOf?: () => RequestKind;
  }
}

/** Records that a request arrives at this moment. */
export function recordArrival(request: IncomingMessage): void {
  request.arrivalMs = performance.now();
}

/** When the request arrived, in ms on the clock of `performance.now()`. */
export function arrivalMsOf(request: IncomingMessage): number {
  request.arrivalMs ??= performance.now();
  return request.arrivalMs;
}

/** Records how long a stage of a request took, in ms; the last attempt counts. */
export function recordStage(request: IncomingMessage, stage: Stage, ms: number): void {
  request.stageMs ??= {};
  request.stageMs[stage] = ms;
}

/** What decides about the work for a request. */
export interface WorkRules {
  /** Every request is answered within this time, in ms from its arrival. */
  readonly deadlineMs: number;
  readonly trusted: TrustedProxies;
  /** Whether answers that were rendered say how long their stages took. */
  readonly serverTiming: boolean;
}

/** For whom and until when the body of a response is made. */
export const bodyOptionsOf = (
  request: IncomingMessage,
  response: ServerResponse,
  { deadlineMs, trusted }: Pick<WorkRules, 'deadlineMs' | 'trusted'>,
): BodyOptions => ({
  signal: whenAbandoned(request, response),
  deadlineAtMs: arrivalMsOf(request) + deadlineMs,
  client: clientKeyOf(request, trusted),
  onRendered: ({ queueMs, renderMs }) => {
    recordStage(request, 'queue', queueMs);
    recordStage(request, 'render', renderMs);
  },
});
