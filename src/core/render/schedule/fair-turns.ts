/** Whose turn it is among clients: each gets the same processor time (start-time fair queuing, Goyal et al. 1996). */

/** Turns of clients that are over are forgotten when there are more than these. */
const maxRemembered = 1000;

export class FairTurns {
  /** The turn of the task that was started last, in ms of work of one client. */
  #now = 0;
  /** By client, when its last task's share ends. */
  #ends = new Map<string, number>();

  copy(): FairTurns {
    const copy = new FairTurns();
    copy.#now = this.#now;
    copy.#ends = new Map(this.#ends);
    return copy;
  }

  /** The client with the lowest turn is next; a client that had nothing to do is not ahead of those that had. */
  turnOf(client: string): number {
    return Math.max(this.#now, this.#ends.get(client) ?? 0);
  }

  /** Counts a task of a client that starts, and its estimated time in ms. */
  start(client: string, ms: number): void {
    this.#now = this.turnOf(client);
    this.#ends.set(client, this.#now + ms);
    if (this.#ends.size > maxRemembered) this.#forget();
  }

  /** Begins again when nothing waits and nothing runs. */
  reset(): void {
    this.#now = 0;
    this.#ends.clear();
  }

  #forget(): void {
    for (const [client, end] of this.#ends) if (end <= this.#now) this.#ends.delete(client);
  }
}
