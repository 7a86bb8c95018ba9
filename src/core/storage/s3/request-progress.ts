/** How long a request to a store may take: it is ended when nothing arrives, and not while its bytes do. */

/** How long requests may take, in ms. */
export interface RequestTimes {
  /** All attempts together, until bytes of the last one arrive. */
  readonly deadlineMs: number;
  /** Until the first bytes of an answer, and from some bytes to the next. */
  readonly pauseMs: number;
  /** All attempts together, also while bytes arrive. */
  readonly totalMs?: number;
}

/** Fewer bytes in a pause, of which more follow, are as good as none. */
const minProgressBytes = 32 * 1024;

const running = new WeakMap<object, RequestProgress>();

/** The progress of an attempt, by the signal that ends it. */
export const progressOf = (signal: object | undefined): RequestProgress | undefined => signal && running.get(signal);

const lateError = (): Error => Object.assign(new Error('The store was too slow.'), { name: 'TimeoutError' });

export class RequestProgress {
  readonly #controller = new AbortController();
  readonly #pauseMs: number;
  readonly #onProgress: () => void;
  #timer: NodeJS.Timeout;
  readonly #totalTimer: NodeJS.Timeout | undefined;
  #bytes = 0;
  #received = 0;

  /** For an attempt that begins now, of a request that began at this time on the clock of `performance.now()`. */
  constructor({ deadlineMs, pauseMs, totalMs }: RequestTimes, beganMs: number, onProgress: () => void) {
    const spentMs = performance.now() - beganMs;
    this.#pauseMs = pauseMs;
    this.#onProgress = onProgress;
    this.#timer = this.#abortAfter(Math.min(pauseMs, deadlineMs - spentMs));
    this.#totalTimer = totalMs === undefined ? undefined : this.#abortAfter(totalMs - spentMs);
    running.set(this.signal, this);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Bytes of answers that have arrived. */
  get received(): number {
    return this.#received;
  }

  /** Bytes of the answer have arrived. */
  add(bytes: number): void {
    this.#received += bytes;
    this.#bytes += bytes;
    if (this.#bytes < minProgressBytes || this.signal.aborted) return;
    this.#bytes = 0;
    clearTimeout(this.#timer);
    this.#timer = this.#abortAfter(this.#pauseMs);
    this.#onProgress();
  }

  end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#totalTimer);
  }

  #abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(lateError()), Math.max(0, ms));
  }
}
