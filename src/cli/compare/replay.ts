/** Replays requests against both servers, some at once, and judges each pair as it comes. */
import { type AskOptions, ask, type Outcome } from './ask.ts';
import type { Verdict } from './causes.ts';
import { judge, type Side } from './judge.ts';
import type { LoggedRequest } from './requests.ts';

export interface ReplayOptions {
  /** The base addresses, without a slash at their ends. */
  readonly bases: Readonly<Record<Side, string>>;
  readonly tolerance: number;
  readonly timeoutMs: number;
  /** How many requests are under way at each server at once. */
  readonly concurrency: number;
  /** Given when the person stops it: what is under way is dropped. */
  readonly signal: AbortSignal;
  /** Called after each comparison. */
  readonly onCompared: (comparison: Comparison) => void;
}

/** What is kept of an outcome. */
export type Summary =
  | { readonly failure: string }
  | { readonly status: number; readonly type: string; readonly bytes: number; readonly timeMs: number };

/** One request and what came of it. */
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
  const asking: AskOptions = { timeoutMs, signal };
  const { method, target } = request;
  // One after the other, so that two servers on one machine don't take each other's time.
  const old = await ask(method, bases.old + target, asking);
  const now = await ask(method, bases.new + target, asking);
  const verdict = await judge(
    { request, old, now },
    { tolerance, ask: (side, other) => ask('GET', bases[side] + other, asking) },
  );
  return { request, ...verdict, old: summaryOf(old), new: summaryOf(now) };
}

/** Compares them all, in no particular order, until the signal is given. */
export async function replay(requests: readonly LoggedRequest[], options: ReplayOptions): Promise<void> {
  const { signal, concurrency, onCompared } = options;
  const waiting = requests.values();
  const work = async (): Promise<void> => {
    for (const request of waiting) {
      if (signal.aborted) return;
      const comparison = await compareOne(request, options);
      // What the stop itself broke off says nothing of the servers.
      if (!signal.aborted) onCompared(comparison);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
