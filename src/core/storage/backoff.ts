/** The pause after a failed operation, which doubles from 1 s to 60 s until one succeeds. */

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
