/** Sums over the last minute, ten minutes and hour: each window is six slots that have ended and the one that has not. */

/** What can be summed up: of a slot, and of several together. */
export interface Summable<T> {
  addAll(other: T): void;
}

/** The windows, in seconds. */
export const windowSeconds = [60, 600, 3600] as const;

export type WindowSeconds = (typeof windowSeconds)[number];

const slotsEach = 6;

interface Level<T> {
  readonly slotMs: number;
  /** The latest is the last. */
  readonly ended: T[];
  open: T;
  /** When the open slot ends. */
  untilMs: number;
}

/** A window as it is now. */
export interface Sum<T> {
  readonly sum: T;
  /** The time that it is of: at most one slot longer than the window, and less right after the start. */
  readonly seconds: number;
}

export class Windows<T extends Summable<T>> {
  readonly #make: () => T;
  readonly #now: () => number;
  readonly #startMs: number;
  readonly #shortest: Level<T>;
  readonly #levels: readonly Level<T>[];

  /** `now` is a clock that never goes back, in ms. */
  constructor(make: () => T, now: () => number = () => performance.now()) {
    this.#make = make;
    this.#now = now;
    this.#startMs = now();
    const levelOf = (seconds: number): Level<T> => {
      const slotMs = (seconds * 1000) / slotsEach;
      return { slotMs, ended: [], open: make(), untilMs: this.#startMs + slotMs };
    };
    this.#levels = windowSeconds.map(levelOf);
    this.#shortest = this.#levels[0] ?? levelOf(windowSeconds[0]);
  }

  /** The slot to which is added what happens now. */
  current(): T {
    const nowMs = this.#now();
    if (nowMs >= this.#shortest.untilMs) this.#endSlots(nowMs);
    return this.#shortest.open;
  }

  sumOver(seconds: WindowSeconds): Sum<T> {
    const latest = this.current();
    const level = this.#levels.find(({ slotMs }) => slotMs * slotsEach === seconds * 1000) ?? this.#shortest;
    const sum = this.#make();
    for (const slot of level.ended) sum.addAll(slot);
    sum.addAll(level.open);
    if (level !== this.#shortest) sum.addAll(latest);
    const sinceMs = Math.max(this.#startMs, level.untilMs - (slotsEach + 1) * level.slotMs);
    return { sum, seconds: (this.#now() - sinceMs) / 1000 };
  }

  #endSlots(nowMs: number): void {
    const { open } = this.#shortest;
    for (const level of this.#levels) if (level !== this.#shortest) level.open.addAll(open);
    for (const level of this.#levels) this.#endSlotsOf(level, nowMs);
  }

  #endSlotsOf(level: Level<T>, nowMs: number): void {
    // After a long rest, all slots are empty ones.
    for (let count = 0; nowMs >= level.untilMs && count <= slotsEach; count++) {
      level.ended.push(level.open);
      if (level.ended.length > slotsEach) level.ended.shift();
      level.open = this.#make();
      level.untilMs += level.slotMs;
    }
    if (nowMs >= level.untilMs)
      level.untilMs += level.slotMs * (Math.floor((nowMs - level.untilMs) / level.slotMs) + 1);
  }
}
