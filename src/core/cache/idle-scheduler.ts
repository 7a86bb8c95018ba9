/** Schedules background work for when no derivative is being made. */

/** Background work begins after this time without a derivative being made. */
const idleAfterMs = 30;

export class IdleScheduler {
  #active = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  /** Foreground work begins; call the returned function when it ends. */
  startWork(): () => void {
    this.#active++;
    clearTimeout(this.#timer);
    return () => {
      this.#active--;
      this.#startTimer();
    };
  }

  /** Resolves when no foreground work has been active for 30 ms, or when `resume` is called. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#startTimer();
    });
  }

  /** Lets all background work that waits continue now. */
  resume(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #startTimer(): void {
    if (this.#active > 0 || this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.resume(), idleAfterMs);
  }
}
