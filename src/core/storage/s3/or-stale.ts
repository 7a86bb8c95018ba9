/** Waits for a new answer of a store, where there is an old one. */
import { setTimeout as pause } from 'node:timers/promises';

/** The new answer; the old one where that fails, or takes longer than this time in ms, if there is one. */
export async function orStale<T>(answer: Promise<T>, stale: T, waitMs: number | undefined): Promise<T> {
  const certain = answer.catch(() => stale);
  if (waitMs === undefined) return certain;
  const late = new AbortController();
  const old = pause(waitMs, stale, { ref: false, signal: late.signal });
  try {
    return await Promise.race([certain, old]);
  } finally {
    old.catch(() => undefined);
    late.abort();
  }
}
