/** Runs one operation for all simultaneous requests with the same key, none of which gets a result from before it came. */
import { ImageError } from '../image/model/errors.ts';

interface PendingRequest<Result> {
  readonly result: Promise<Result>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

function createRequest<Result>(): PendingRequest<Result> {
  let settle: Pick<PendingRequest<Result>, 'resolve' | 'reject'> | undefined;
  const result = new Promise<Result>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (settle === undefined) throw new Error('a promise did not call its executor');
  return { result, ...settle };
}

/**
 * Requests of one turn of the event loop share a result. Those that come while the operation runs share the next one, so
 * that nobody gets what was true before the request came.
 */
export class RequestCoalescer<Result> {
  readonly #operation: (key: string) => Promise<Result>;
  /** Requests whose operation has not started. */
  readonly #next = new Map<string, PendingRequest<Result>>();
  readonly #running = new Set<string>();
  #scheduled: string[] = [];

  constructor(operation: (key: string) => Promise<Result>) {
    this.#operation = operation;
  }

  run(key: string): Promise<Result> {
    const next = this.#next.get(key);
    if (next !== undefined) return next.result;
    const request = createRequest<Result>();
    this.#next.set(key, request);
    if (!this.#running.has(key)) this.#schedule(key);
    return request.result;
  }

  /** All requests that arrived in this turn of the event loop are parsed before the operation starts. */
  #schedule(key: string): void {
    if (this.#scheduled.length === 0) setImmediate(() => this.#startAll());
    this.#scheduled.push(key);
  }

  #startAll(): void {
    const keys = this.#scheduled;
    this.#scheduled = [];
    for (const key of keys) this.#start(key);
  }

  #start(key: string): void {
    const request = this.#next.get(key);
    if (request === undefined) return;
    this.#next.delete(key);
    this.#running.add(key);
    this.#operation(key).then(
      (result) => {
        this.#end(key);
        request.resolve(result);
      },
      (error: unknown) => {
        // Where a disk hangs, the requests for the next operation would wait just as long again.
        if (error instanceof ImageError) this.#rejectNext(key, error);
        this.#end(key);
        request.reject(error);
      },
    );
  }

  #rejectNext(key: string, error: unknown): void {
    this.#next.get(key)?.reject(error);
    this.#next.delete(key);
  }

  #end(key: string): void {
    this.#running.delete(key);
    if (this.#next.has(key)) this.#schedule(key);
  }
}
