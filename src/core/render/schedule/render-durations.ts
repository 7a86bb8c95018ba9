/** Learns how long tasks take on this machine: the ratio of their real and their estimated processor time, by size. */
import { speedOf } from './forecast.ts';
import type { Task, TaskSize } from './task.ts';

/** What was observed counts this much less after each further task. */
const decay = 0.97;

/** The weight of the assumption that estimates are right, before anything was observed: estimated time in ms. */
const priorMs: Readonly<Record<TaskSize, number>> = { small: 200, large: 2000 };

const minFactor = 0.1;
const maxFactor = 10;

interface Sums {
  estimatedMs: number;
  observedMs: number;
}

const initial = (size: TaskSize): Sums => ({ estimatedMs: priorMs[size], observedMs: priorMs[size] });

export class Experience {
  readonly #sums: Readonly<Record<TaskSize, Sums>> = { small: initial('small'), large: initial('large') };

  /** The factor by which estimated times are multiplied. */
  factorOf(size: TaskSize): number {
    const { observedMs, estimatedMs } = this.#sums[size];
    return Math.min(maxFactor, Math.max(minFactor, observedMs / estimatedMs));
  }

  msOf(task: Task): number {
    return task.ms * this.factorOf(task.size);
  }

  /** Records the processor time in ms that a task took. */
  observe({ size, ms }: Task, observedMs: number): void {
    const sums = this.#sums[size];
    sums.estimatedMs = sums.estimatedMs * decay + ms;
    sums.observedMs = sums.observedMs * decay + observedMs;
  }
}

/**
 * Counts the processor time that each running task gets: tasks share the cores, so that it advances more slowly than the clock
 * while more tasks run than there are cores.
 */
export class SharedClock {
  readonly #cores: number;
  #sharedMs = 0;
  #readAtMs = 0;

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** The processor time in ms up to now; `running` tasks ran since the last call. */
  read(nowMs: number, running: number): number {
    this.#sharedMs += (nowMs - this.#readAtMs) * speedOf(running, this.#cores);
    this.#readAtMs = nowMs;
    return this.#sharedMs;
  }
}
