/** How much of the machine others than strangers need: the time in which pictures were made for them, in the last minutes. */

/** What was needed counts half after this time, in ms. */
const halfLifeMs = 60_000;

const windowMs = halfLifeMs / Math.LN2;

export class OthersNeed {
  readonly #cores: number;
  readonly #now: () => number;
  #ms = 0;
  #atMs = 0;

  constructor(cores: number, now: () => number = () => performance.now()) {
    this.#cores = cores;
    this.#now = now;
  }

  /** Notes that a picture was made for one of them. */
  note(ms: number): void {
    this.#decay();
    this.#ms += ms;
  }

  /** From 0 to 1, where nothing is left for strangers. */
  share(): number {
    this.#decay();
    return Math.min(1, this.#ms / (windowMs * this.#cores));
  }

  #decay(): void {
    const nowMs = this.#now();
    this.#ms *= 0.5 ** ((nowMs - this.#atMs) / halfLifeMs);
    this.#atMs = nowMs;
  }
}
