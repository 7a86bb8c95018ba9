/** Bounds how many file operations run at once in each place, so that a disk that hangs leaves threads to the others. */
import path from 'node:path';
import { ImageError } from '../../image/model/errors.ts';

/** How long an operation may wait for its turn. */
const waitMs = 5000;

/** More at once than this makes no disk faster. */
const most = 64;

const noAnswer = (): ImageError =>
  new ImageError('overloaded', 'The disk that holds this does not answer at the moment; ask again later.');

interface Waiting {
  readonly begin: () => void;
}

/** What runs and what waits in one place of the disk. */
interface Gate {
  /** Start times in ms by operation; a map keeps its order, so the first is the oldest. */
  readonly startedMs: Map<object, number>;
  readonly waiting: Set<Waiting>;
}

const newGate = (): Gate => ({ startedMs: new Map(), waiting: new Set() });

/** What runs and what waits in one place, and whether it hangs. */
export interface IoLoad {
  /** Absent for all that lies in none of the places. */
  readonly place?: string;
  readonly running: number;
  readonly waiting: number;
  readonly isHanging: boolean;
}

export class IoLimiter {
  readonly #threads: number;
  readonly #places: readonly (readonly [place: string, prefix: string, gate: Gate])[];
  readonly #elsewhere = newGate();
  #running = 0;

  /** `places` are absolute paths without links. `threads` is the size of libuv’s pool, that all file operations share. */
  constructor(places: readonly string[], threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)) {
    this.#threads = threads;
    const longestFirst = [...new Set(places)].sort((a, b) => b.length - a.length);
    this.#places = longestFirst.map((place) => [place, place.endsWith(path.sep) ? place : place + path.sep, newGate()]);
  }

  /**
   * Does something with what lies at a path as soon as there is room. Throws ImageError `overloaded` where there is none
   * within 5 s, or where the disk has not answered `deadlineMs` after the work began; the work itself goes on then, and
   * keeps its room until it ends.
   */
  async run<T>(file: string, work: () => Promise<T>, deadlineMs: number): Promise<T> {
    const gate = this.#gateOf(file);
    const isFree = gate.waiting.size === 0 && this.#hasRoom(gate);
    const token = isFree ? this.#enter(gate) : await this.#turn(gate);
    return endingWithin(deadlineMs, work, () => this.#leave(gate, token));
  }

  load(): readonly IoLoad[] {
    const loadOf = (gate: Gate) => ({
      running: gate.startedMs.size,
      waiting: gate.waiting.size,
      isHanging: this.#isHanging(gate),
    });
    return [...this.#places.map(([place, , gate]) => ({ place, ...loadOf(gate) })), loadOf(this.#elsewhere)];
  }

  #gateOf(file: string): Gate {
    for (const [place, prefix, gate] of this.#places) if (file.startsWith(prefix) || file === place) return gate;
    return this.#elsewhere;
  }

  /** Half of the threads that other places leave: however many places hang, a thread is left as long as can be. */
  #hasRoom(gate: Gate): boolean {
    const running = gate.startedMs.size;
    const left = this.#threads - (this.#running - running);
    return running < Math.max(1, Math.min(most, Math.floor(left / 2)));
  }

  #isHanging(gate: Gate): boolean {
    const oldest = gate.startedMs.values().next();
    return !oldest.done && performance.now() - oldest.value >= waitMs && !this.#hasRoom(gate);
  }

  #enter(gate: Gate): object {
    const token = {};
    gate.startedMs.set(token, performance.now());
    this.#running++;
    return token;
  }

  #leave(gate: Gate, token: object): void {
    gate.startedMs.delete(token);
    this.#running--;
    this.#beginWaiting(this.#elsewhere);
    for (const [, , one] of this.#places) this.#beginWaiting(one);
  }

  #beginWaiting(gate: Gate): void {
    for (const { begin } of gate.waiting) {
      if (!this.#hasRoom(gate)) return;
      begin();
    }
  }

  #turn(gate: Gate): Promise<object> {
    if (this.#isHanging(gate)) return Promise.reject(noAnswer());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        gate.waiting.delete(waiting);
        reject(noAnswer());
      }, waitMs);
      const waiting = {
        begin: () => {
          clearTimeout(timer);
          gate.waiting.delete(waiting);
          resolve(this.#enter(gate));
        },
      };
      gate.waiting.add(waiting);
    });
  }
}

/** The result of the work, or an error where it takes too long; `onEnd` is told when the work itself ends. */
function endingWithin<T>(deadlineMs: number, work: () => Promise<T>, onEnd: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(noAnswer()), deadlineMs);
    const end = (): void => {
      clearTimeout(timer);
      onEnd();
    };
    work().then(
      (result) => {
        end();
        resolve(result);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}
