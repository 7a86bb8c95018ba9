/** Tells when nothing has been made for a moment: then there is time for what nobody waits for. */

/** So long nothing is made before there is a lull. */
const lullMs = 30;

export class IdleScheduler {
  #making = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  /** Something is being made until the returned function is called. */
  begin(): () => void {
    this.#making++;
    clearTimeout(this.#timer);
    return () => {
      this.#making--;
      this.#arm();
    };
  }

  /** Resolves in the next lull, or when `end` is called. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#arm();
    });
  }

  /** Lets all who wait go on. */
  end(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #arm(): void {
    if (this.#making > 0 || this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), lullMs);
  }
}
