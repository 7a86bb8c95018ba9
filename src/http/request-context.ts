/** What is recorded of a request in the outermost handler, before the fast path and Fastify, and what follows from it for its work. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyOptions } from '../service/images.ts';
import { whenAbandoned } from './abandoned-responses.ts';
import { clientKeyOf } from './client-key.ts';
import type { TrustedProxies } from './origin.ts';

declare module 'http' {
  interface IncomingMessage {
    /** When the request arrived, in ms on the clock of `performance.now()`. */
    arrivalMs?: number;
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

/** What decides about the work for a request. */
export interface WorkRules {
  /** Every request is answered within this time, in ms from its arrival. */
  readonly deadlineMs: number;
  readonly trusted: TrustedProxies;
}

/** For whom and until when the body of a response is made. */
export const bodyOptionsOf = (
  request: IncomingMessage,
  response: ServerResponse,
  { deadlineMs, trusted }: WorkRules,
): BodyOptions => ({
  signal: whenAbandoned(request, response),
  deadlineAtMs: arrivalMsOf(request) + deadlineMs,
  client: clientKeyOf(request, trusted),
});
