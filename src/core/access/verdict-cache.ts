/** Caches the verdicts on tokens, so that a page of a thousand tiles does not verify its token a thousand times. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Verdict, VerifyToken } from './verdict.ts';

const maxValid = 5000;
const maxRefused = 1000;
const validForMs = 5 * 60_000;
const refusedForMs = 10_000;

interface CachedVerdict {
  readonly verdict: Verdict;
  readonly untilMs: number;
}

/**
 * The same check with a cache. Valid tokens are cached by their hash until they expire, at most 5 minutes. Refused ones are
 * cached for 10 seconds and separately, so that many of them do not evict the valid. Simultaneous checks of a token share one.
 */
export function cacheVerdicts(check: VerifyToken, now: () => number): VerifyToken {
  const valid = new LRUCache<string, CachedVerdict>({ max: maxValid });
  const refused = new LRUCache<string, CachedVerdict>({ max: maxRefused });
  const pending = new Map<string, Promise<Verdict>>();

  const cachedVerdict = (key: string): Verdict | undefined =>
    [valid, refused].map((cache) => cache.get(key)).find((cached) => cached && cached.untilMs > now())?.verdict;

  function remember(key: string, verdict: Verdict): void {
    if (verdict.kind === 'valid') {
      valid.set(key, { verdict, untilMs: Math.min(verdict.expiresMs, now() + validForMs) });
    }
    if (verdict.kind === 'refused') refused.set(key, { verdict, untilMs: now() + refusedForMs });
  }

  async function verify(key: string, token: string): Promise<Verdict> {
    try {
      const verdict = await check(token);
      remember(key, verdict);
      return verdict;
    } finally {
      pending.delete(key);
    }
  }

  return async (token) => {
    const key = createHash('sha256').update(token).digest('base64');
    const shared = cachedVerdict(key) ?? pending.get(key);
    if (shared !== undefined) return shared;
    const verdict = verify(key, token);
    pending.set(key, verdict);
    return verdict;
  };
}
