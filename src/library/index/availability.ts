/** Whether the index can be used: after a failure it is left out for a while, and that is told once. */

const pauseMs = 60_000;

export class Availability {
  readonly #onFault: (message: string, cause: unknown) => void;
  #closedUntilMs = 0;
  #isTold = false;

  /** `onFault` is told of a failure, and of another one only when it worked in between. */
  constructor(onFault: (message: string, cause: unknown) => void) {
    this.#onFault = onFault;
  }

  get isOpen(): boolean {
    return performance.now() >= this.#closedUntilMs;
  }

  fail(message: string, cause: unknown): void {
    this.#closedUntilMs = performance.now() + pauseMs;
    if (!this.#isTold) this.#onFault(message, cause);
    this.#isTold = true;
  }

  /** Something was written. */
  work(): void {
    this.#isTold = false;
  }
}
