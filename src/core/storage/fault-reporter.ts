/** Reports failures of a disk or of a program that goes on without it, and bounds how often it is tried again. */

export type OnFault = (message: string, cause?: unknown) => void;

/** Failures of one kind are reported at most once within this time. */
const reportIntervalMs = 60_000;

export class FaultReporter<Kind extends string> {
  readonly #onFault: OnFault;
  readonly #reportedMs = new Map<Kind, number>();
  readonly #ongoing = new Set<Kind>();
  #count = 0;

  constructor(onFault: OnFault) {
    this.#onFault = onFault;
  }

  /** Number of failures, including those that were not reported. */
  get count(): number {
    return this.#count;
  }

  /** Counts a failure that lasts, and reports it unless one of its kind is ongoing. */
  report(kind: Kind, message: string, cause?: unknown): void {
    if (this.#ongoing.has(kind)) this.#count++;
    else if (this.reportEvent(kind, message, cause)) this.#ongoing.add(kind);
  }

  /** Counts a failure that is over at once. Returns whether it was reported. */
  reportEvent(kind: Kind, message: string, cause?: unknown): boolean {
    this.#count++;
    const nowMs = performance.now();
    const reportedMs = this.#reportedMs.get(kind);
    if (reportedMs !== undefined && nowMs - reportedMs < reportIntervalMs) return false;
    this.#reportedMs.set(kind, nowMs);
    this.#onFault(message, cause);
    return true;
  }

  /** Whether a failure of this kind was reported, and nothing of its kind has succeeded since. */
  isOngoing(kind: Kind): boolean {
    return this.#ongoing.has(kind);
  }

  /** An operation of this kind succeeded, so the next failure is reported again. Returns whether one was ongoing. */
  recover(kind: Kind): boolean {
    return this.#ongoing.delete(kind);
  }
}

const firstPauseMs = 1000;
const longestPauseMs = 60_000;

export class Backoff {
  #nextMs = firstPauseMs;
  #untilMs = 0;

  get isPaused(): boolean {
    return performance.now() < this.#untilMs;
  }

  fail(): void {
    this.#untilMs = performance.now() + this.#nextMs;
    this.#nextMs = Math.min(2 * this.#nextMs, longestPauseMs);
  }

  succeed(): void {
    this.#nextMs = firstPauseMs;
  }
}
