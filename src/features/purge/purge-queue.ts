/** What waits to be purged of one proxy or CDN: collected, sent together, and again until it has succeeded. */
import { setTimeout as pause } from 'node:timers/promises';
import { FaultReporter, type OnFault } from '../../core/storage/fault-reporter.ts';

interface PurgeQueueOptions {
  readonly name: string;
  readonly maxWaiting: number;
  /** Purges all of these paths; the empty one is everything. Rejects where one of them may not be purged. */
  readonly purge: (paths: readonly string[], signal: AbortSignal) => Promise<void>;
  readonly onFault: OnFault;
  readonly onRecovery: () => void;
  /** Changes within this time are sent together; after failures it doubles up to the longest one, in ms. */
  readonly collectMs?: number;
  readonly longestPauseMs?: number;
}

/** So many paths are purged before the others: what has succeeded is not sent again. */
const pathsAtOnce = 1000;

const everything = '';

export class PurgeQueue {
  readonly #options: Required<PurgeQueueOptions>;
  readonly #faults: FaultReporter<'purging'>;
  readonly #ending = new AbortController();
  readonly #totals = { purged: 0, failed: 0, overflowed: 0 };
  #waiting = new Set<string>();
  #underWay = 0;
  #sending: Promise<void> | undefined;

  constructor(options: PurgeQueueOptions) {
    this.#options = { collectMs: 1000, longestPauseMs: 300_000, ...options };
    this.#faults = new FaultReporter(options.onFault);
  }

  get name(): string {
    return this.#options.name;
  }

  /** Paths that wait, those of which a purge is under way among them, and paths that were purged, attempts that failed, and how often there were too many paths. */
  stats(): { readonly waiting: number; readonly purged: number; readonly failed: number; readonly overflowed: number } {
    return { waiting: this.#waiting.size + this.#underWay, ...this.#totals };
  }

  add(paths: Iterable<string>): void {
    for (const path of paths) this.#put(path);
    if (this.#waiting.size === 0 || this.#ending.signal.aborted) return;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      // One was added after the last look, and found that there is somebody to send it.
      if (this.#waiting.size > 0) this.add([]);
    });
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#sending;
  }

  #put(path: string): void {
    if (this.#waiting.has(everything)) return;
    if (path === everything) this.#waiting = new Set([everything]);
    else if (this.#waiting.size < this.#options.maxWaiting || this.#waiting.has(path)) this.#waiting.add(path);
    else {
      // Too much is purged, never too little.
      this.#totals.overflowed += 1;
      this.#waiting = new Set([everything]);
    }
  }

  /** Never rejects. */
  async #sendAll(): Promise<void> {
    const { collectMs, longestPauseMs } = this.#options;
    const { signal } = this.#ending;
    let waitMs = collectMs;
    while (this.#waiting.size > 0) {
      await pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      waitMs = (await this.#sendSome()) ? collectMs : Math.min(longestPauseMs, 2 * waitMs);
    }
  }

  /** Whether all were purged; otherwise they wait again. */
  async #sendSome(): Promise<boolean> {
    const { name, purge, onRecovery } = this.#options;
    const { signal } = this.#ending;
    const some = [...this.#waiting].slice(0, pathsAtOnce);
    for (const path of some) this.#waiting.delete(path);
    this.#underWay = some.length;
    try {
      await purge(some, signal);
      this.#totals.purged += some.length;
      if (this.#faults.recover('purging')) onRecovery();
      return true;
    } catch (error) {
      for (const path of some) this.#put(path);
      if (signal.aborted) return false;
      this.#totals.failed += 1;
      this.#faults.report('purging', `What has changed can’t be purged from ${name}; it is tried again.`, error);
      return false;
    } finally {
      this.#underWay = 0;
    }
  }
}
