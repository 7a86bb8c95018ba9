/** What goes wrong with the disk: counted always, told seldom. */

/** `damaged` is an event; the others last until something of their kind works again. */
export type FaultKind = 'damaged' | 'reading' | 'writing' | 'hanging';

export type OnFault = (message: string, cause?: unknown) => void;

/** The same kind of fault is not told again within this time. */
const silentMs = 60_000;

export class Faults {
  readonly #onFault: OnFault;
  readonly #toldMs = new Map<FaultKind, number>();
  readonly #lasting = new Set<FaultKind>();
  #count = 0;

  constructor(onFault: OnFault) {
    this.#onFault = onFault;
  }

  get count(): number {
    return this.#count;
  }

  /** Counts a fault, and tells of it where it is news. */
  report(kind: FaultKind, message: string, cause?: unknown): void {
    this.#count++;
    if (this.#lasting.has(kind)) return;
    const nowMs = performance.now();
    const toldMs = this.#toldMs.get(kind);
    if (toldMs !== undefined && nowMs - toldMs < silentMs) return;
    this.#toldMs.set(kind, nowMs);
    if (kind !== 'damaged') this.#lasting.add(kind);
    this.#onFault(message, cause);
  }

  /** Whether a fault of this kind was told and has not healed. */
  lasts(kind: FaultKind): boolean {
    return this.#lasting.has(kind);
  }

  /** What failed works again, so that the next fault of its kind is news. */
  heal(kind: FaultKind): void {
    this.#lasting.delete(kind);
  }
}

const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** The time without attempts after one has failed; it doubles from 1 s to 60 s until one succeeds. */
export class Pause {
  #nextMs = firstPauseMs;
  #untilMs = 0;

  get isOver(): boolean {
    return performance.now() >= this.#untilMs;
  }

  begin(): void {
    this.#untilMs = performance.now() + this.#nextMs;
    this.#nextMs = Math.min(2 * this.#nextMs, longestPauseMs);
  }

  end(): void {
    this.#nextMs = firstPauseMs;
  }
}
