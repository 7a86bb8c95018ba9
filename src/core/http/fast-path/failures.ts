/** Hands errors of the fast path to the Fastify route, which reports them without a second attempt. */
import type { IncomingMessage } from 'node:http';
import { ImageError } from '../../image/model/errors.ts';

const failures = new WeakMap<IncomingMessage, { readonly error: unknown }>();

/** Records the error to answer with. `changed` is not recorded, so that the route plans again with the replaced file. */
export function recordFailure(request: IncomingMessage, error: unknown): void {
  if (!(error instanceof ImageError) || error.code !== 'changed') failures.set(request, { error });
}

/** Throws the recorded error. */
export function throwRecordedFailure(request: IncomingMessage): void {
  const failure = failures.get(request);
  if (failure !== undefined) throw failure.error;
}
