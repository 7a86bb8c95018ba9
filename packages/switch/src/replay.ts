/** Replays requests against both servers, several at a time, and compares each pair of answers. */

import { type FetchOptions, fetchAnswer, type Outcome } from './answer.ts';
import type { Verdict } from './causes.ts';
import type { LoggedRequest } from './log.ts';
import { type Side, verdictOf } from './verdict.ts';

export interface ReplayOptions {
  /** The base addresses, without a slash at their ends. */
  readonly bases: Readonly<Record<Side, string>>;
  readonly tolerance: number;
  readonly timeoutMs: number;
  /** Maximum number of requests in flight at each server. */
  readonly concurrency: number;
  /** Aborts the replay; requests in flight are dropped. */
  readonly signal: AbortSignal;
  /** Called after each comparison. */
  readonly onCompared: (comparison: Comparison) => void;
}

/** The facts of an outcome for the report. */
export type Summary =
  | { readonly failure: string }
  | { readonly status: number; readonly type: string; readonly bytes: number; readonly timeMs: number };

/** One request and its result. */
export interface Comparison extends Verdict {
  readonly request: LoggedRequest;
  readonly old: Summary;
  readonly new: Summary;
}

const summaryOf = (outcome: Outcome): Summary =>
  outcome.kind === 'failure'
    ? { failure: outcome.reason }
    : {
        status: outcome.status,
        type: outcome.type,
        bytes: outcome.body.length,
        timeMs: Math.round(outcome.timeMs * 10) / 10,
      };

async function compareOne(request: LoggedRequest, options: ReplayOptions): Promise<Comparison> {
  const { bases, tolerance, timeoutMs, signal } = options;
  const fetchOptions: FetchOptions = { timeoutMs, signal };
  const { method, target } = request;
  // One after the other, so that two servers on one machine do not slow each other down.
  const old = await fetchAnswer(method, bases.old + target, fetchOptions);
  const now = await fetchAnswer(method, bases.new + target, fetchOptions);
  const verdict = await verdictOf(
    { request, old, now },
    { tolerance, fetch: (side, other) => fetchAnswer('GET', bases[side] + other, fetchOptions) },
  );
  return { request, ...verdict, old: summaryOf(old), new: summaryOf(now) };
}

/** Compares all requests in no particular order, until the signal is aborted. */
export async function replay(requests: readonly LoggedRequest[], options: ReplayOptions): Promise<void> {
  const { signal, concurrency, onCompared } = options;
  const waiting = requests.values();
  const work = async (): Promise<void> => {
    for (const request of waiting) {
      if (signal.aborted) return;
      const comparison = await compareOne(request, options);
      // A request that the abort cut off says nothing about the servers.
      if (!signal.aborted) onCompared(comparison);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
