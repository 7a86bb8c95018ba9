/** Attempts of requests to one endpoint of a store: within a budget of retries, behind a circuit for each kind of request. */
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  type IBackoff,
  type IBackoffFactory,
  type RetryPolicy,
  retry,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { CircuitState as ObservedState } from '../store-observer.ts';
import { isTransient, isUnreachable } from './request-errors.ts';

/** Lists, reads and writes fail apart: a store that refuses to write is still read. */
export type RequestKind = 'list' | 'read' | 'write';

/** One that is isolated was opened by hand. */
const states: Readonly<Record<CircuitState, ObservedState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
};

/** Further attempts after the first one. */
const maxRetries = 2;

/** Retries are at most this part of the requests, and as many as the reserve after a quiet time. */
const retryPart = 0.1;
const retryReserve = 10;

/** The number of keys that fail, none of which is answered between, that opens a circuit, and for how long, in ms. */
const failuresToOpen = 6;
/** The same where another endpoint is asked in the meantime. */
export const failuresToFallBack = 2;
const openMs = 2000;
/** From the end of a trial to the next one, in ms: who waited for it gets an error meanwhile. */
const shortestPauseMs = 100;

/** Keys that fail while others are answered. */
const maxFaultyKeys = 1000;

/** A store that is saturated is not asked three times as much: each request adds a part of a retry, up to a reserve. */
export class RetryBudget {
  #left = retryReserve;
  readonly #policy: RetryPolicy;

  /** `mayRetry` tells of an error that may pass whether the same endpoint is asked again. */
  constructor(mayRetry: (error: Error) => boolean = () => true) {
    this.#policy = retry(
      handleWhen((error) => isTransient(error) && this.#left >= 1 && mayRetry(error)),
      { maxAttempts: maxRetries, backoff: new ExponentialBackoff({ initialDelay: 80, maxDelay: 400 }) },
    );
    this.#policy.onRetry(() => this.#left--);
  }

  /** Rejects as the last attempt does. No further one begins when the signal is aborted. */
  run<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#left = Math.min(retryReserve, this.#left + retryPart);
    return this.#policy.execute(attempt, signal);
  }
}

/**
 * Opens when several keys in a row have failed, for a while in which nothing is asked. A key that fails while others are answered
 * does not count until it is answered itself, so that it neither opens the circuit nor keeps it open.
 */
export class Circuit {
  /** Keys that have failed since the last answer; a store that can’t be reached counts each time. */
  readonly #failed = new Set<unknown>();
  readonly #faulty = new LRUCache<string, true>({ max: maxFaultyKeys });
  readonly #counted = new WeakSet<object>();
  readonly #policy: CircuitBreakerPolicy;

  /** `onState` is called when it opens, closes, or is tried. */
  constructor(onState: (state: ObservedState) => void = () => undefined, maxFailures = failuresToOpen) {
    let trialMs: number | undefined;
    let pauseMs = openMs;
    // Time in which a trial had no answer is such a pause too, so that the next one soon follows it.
    const trialPause: IBackoff<unknown> & IBackoffFactory<unknown> = {
      get duration() {
        return pauseMs;
      },
      next: () => trialPause,
    };
    this.#policy = circuitBreaker(
      handleWhen((error) => this.#counted.has(error)),
      {
        halfOpenAfter: trialPause,
        breaker: { state: undefined, success: () => undefined, failure: () => this.#failed.size >= maxFailures },
      },
    );
    this.#policy.onStateChange((state) => {
      if (state === CircuitState.Open)
        pauseMs = trialMs === undefined ? openMs : Math.max(shortestPauseMs, openMs - (Date.now() - trialMs));
      trialMs = state === CircuitState.HalfOpen ? Date.now() : undefined;
      onState(states[state]);
    });
  }

  get isClosed(): boolean {
    return this.#policy.state === CircuitState.Closed;
  }

  /** Whether nothing is asked, or it is time to try. */
  get isOpen(): boolean {
    return this.#policy.state === CircuitState.Open;
  }

  /** Undefined where nothing has failed. */
  get lastError(): unknown {
    const last = this.#policy.lastFailure;
    return last && 'error' in last ? last.error : undefined;
  }

  /** Rejects as the attempt does; where the circuit is open, with the BrokenCircuitError whose cause is why. */
  async run<T>(key: string, attempt: () => Promise<T>): Promise<T> {
    try {
      return await this.#policy.execute(() => this.#observed(key, attempt));
    } catch (error) {
      throw error instanceof BrokenCircuitError ? Object.assign(error, { cause: this.lastError }) : error;
    }
  }

  async #observed<T>(key: string, attempt: () => Promise<T>): Promise<T> {
    try {
      const answer = await attempt();
      this.#answered(key);
      return answer;
    } catch (error) {
      if (!isTransient(error)) this.#answered(key);
      else if (!this.#faulty.has(key)) {
        this.#failed.add(isUnreachable(error) ? error : key);
        this.#counted.add(error as object);
      }
      throw error;
    }
  }

  #answered(key: string): void {
    this.#faulty.delete(key);
    this.#failed.delete(key);
    for (const failed of this.#failed) if (typeof failed === 'string') this.#faulty.set(failed, true);
    this.#failed.clear();
  }
}
