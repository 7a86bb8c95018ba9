/** Runs one operation for all simultaneous requests with the same key, none of which gets a result from before it came. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ImageError } from '../image/model/errors.ts';

/**
 * Requests of one turn of the event loop share a result. Those that come while the operation runs share the next one, so
 * that nobody gets what was true before the request came.
 */
export class RequestCoalescer<Result> {
  readonly #operation: (key: string) => Promise<Result>;
  /** Results of operations that have not started. */
  readonly #next = new Map<string, Promise<Result>>();
  readonly #running = new Map<string, Promise<Result>>();

  constructor(operation: (key: string) => Promise<Result>) {
    this.#operation = operation;
  }

  run(key: string): Promise<Result> {
    const next = this.#next.get(key) ?? this.#runNext(key);
    this.#next.set(key, next);
    return next;
  }

  async #runNext(key: string): Promise<Result> {
    try {
      await this.#running.get(key);
    } catch (error) {
      // Where a disk hangs, the requests for the next operation would wait just as long again.
      if (error instanceof ImageError) {
        this.#next.delete(key);
        throw error;
      }
    }
    // All requests that arrived in this turn of the event loop are parsed before the operation starts.
    await nextTurn();
    this.#next.delete(key);
    const running = this.#operation(key);
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key);
    }
  }
}
