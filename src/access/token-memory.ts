/** Remembers what came of tokens, so that a page of a thousand tiles does not verify its token a thousand times. */
import { createHash } from 'node:crypto';
import type { Verdict } from './tokens.ts';

/** Verdicts that count until a time, of which the most recently used are kept. */
class Verdicts {
  readonly #entries = new Map<string, { readonly verdict: Verdict; readonly untilMs: number }>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, nowMs: number): Verdict | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.untilMs <= nowMs) return undefined;
    this.#entries.set(key, entry);
    return entry.verdict;
  }

  set(key: string, verdict: Verdict, untilMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { verdict, untilMs });
    if (this.#entries.size <= this.#capacity) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}

const validForMs = 5 * 60_000;
const refusedForMs = 10_000;

/**
 * The same check with a memory. Valid tokens are kept by their hash until they expire, for 5 minutes at most; refused ones for
 * 10 seconds and apart, so that a flood of these does not push out the valid. Equal tokens at once are verified once.
 */
export function rememberVerdicts(
  check: (token: string) => Promise<Verdict>,
  now: () => number,
): (token: string) => Promise<Verdict> {
  const valid = new Verdicts(5000);
  const refused = new Verdicts(1000);
  const pending = new Map<string, Promise<Verdict>>();

  function remember(key: string, verdict: Verdict): void {
    if (verdict.kind === 'valid') valid.set(key, verdict, Math.min(verdict.expiresMs, now() + validForMs));
    if (verdict.kind === 'refused') refused.set(key, verdict, now() + refusedForMs);
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
    const known = valid.get(key, now()) ?? refused.get(key, now()) ?? pending.get(key);
    if (known !== undefined) return known;
    const verdict = verify(key, token);
    pending.set(key, verdict);
    return verdict;
  };
}
