/** A pool of render processes: a decoder that crashes, hangs or leaks memory ends one of them, and fails no other request. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { DecoderFault, type ImageError } from '../../image/model/errors.ts';
import type { Render } from '../../image/plan/plan-types.ts';
import type { Derivative } from '../execute.ts';
import { decoderFailed, outOfMemory, tooSlow } from './render-fault.ts';
import {
  type ExitReason,
  type Job,
  type ProcessEnd,
  type ProcessLimits,
  SupervisedProcess,
} from './supervised-process.ts';

export interface MemoryBounds {
  /** Bytes that each process may have; undefined for no bound. */
  readonly maxBytes: number | undefined;
  /** Bytes that all together may have; undefined for no bound. */
  readonly totalBytes: number | undefined;
}

/** libvips fills about 1 GB a second: the system's own limit stops what is faster. */
const intervalMs = 50;

export interface MemoryWatch {
  /** Watches until no process has a job. */
  start(): void;
  stop(): void;
}

export function watchMemory(processes: readonly SupervisedProcess[], bounds: MemoryBounds): MemoryWatch {
  const { maxBytes = Number.POSITIVE_INFINITY, totalBytes = Number.POSITIVE_INFINITY } = bounds;
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const used = processes
      .map((each) => ({ process: each, bytes: each.residentBytes }))
      .sort((a, b) => b.bytes - a.bytes);
    let total = used.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { process, bytes } of used) {
      if (process.load === 0 || (bytes <= maxBytes && total <= totalBytes)) continue;
      process.endForMemory();
      total -= bytes;
    }
    if (processes.every(({ load }) => load === 0)) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    start() {
      if (Math.min(maxBytes, totalBytes) === Number.POSITIVE_INFINITY) return;
      timer ??= setInterval(check, intervalMs).unref();
    },
    stop,
  };
}

/** Renders plans, each until soon after its deadline. */
export interface Executor {
  /**
   * `deadlineAtMs` gives the time on the clock of `performance.now()`, which may become later. Throws ImageError as `execute`
   * does, also `too-slow` past the deadline, and `failed` where a process died. What `yields` gets the processor time that all else leaves.
   */
  execute(plan: Render, deadlineAtMs: () => number, yields?: 'yields'): Promise<Derivative>;
  /** Starts the processes, so that plans that will come soon need not wait for that. */
  startAhead(): void;
  stats(): PoolStats;
  /** Ends the processes. */
  close(): Promise<void>;
}

export interface PoolStats {
  /** Number of processes that are alive. */
  readonly running: number;
  /** How often processes ended since the start, by reason. */
  readonly ended: Readonly<Record<ExitReason, number>>;
  /** Bytes of memory that they have to themselves. */
  readonly residentBytes: number;
}

export interface ProcessPoolOptions extends ProcessLimits {
  /** Number of processes, beside the one for what yields, which is started when it is needed. */
  readonly count: number;
  /** The program to run, where it is not the one that renders. */
  readonly program?: string;
  /** Bytes of memory that all processes together may have; absent for no bound. */
  readonly totalBytes?: number;
  /** Processes without a job for this time, in ms, are ended; absent for never. */
  readonly restAfterMs?: number;
}

/** The compiled program, also when the server runs from its sources, as in tests. */
const compiled = import.meta.url.endsWith('.ts')
  ? '../../../../dist/core/render/process/render-process.js'
  : './render-process.js';
const renderProgram = fileURLToPath(new URL(compiled, import.meta.url));

/** Renders in the server's own process, where a rendering can't be aborted; libvips is loaded at the first one. */
export function createInProcessExecutor(): Executor {
  return {
    execute: async (plan) => (await import('../execute.ts')).execute(plan),
    startAhead: () => undefined,
    stats: () => ({ running: 0, ended: { timeout: 0, crash: 0, memory: 0, killed: 0 }, residentBytes: 0 }),
    close: async () => undefined,
  };
}

/** Equal for plans that read the same level of a file. */
const levelKeyOf = ({ file, location }: Render): string => JSON.stringify([file.path, file.fingerprint, location]);

const maxSuspects = 1000;

const leastBusy = (among: readonly SupervisedProcess[]): SupervisedProcess | undefined =>
  among.toSorted((a, b) => a.load - b.load)[0];

/** The error of a job that was alone in its process when that ended. Who kills a process from outside may do so at any job. */
function errorOf(reason: ExitReason): ImageError {
  if (reason === 'memory') return outOfMemory(new DecoderFault('memory'));
  return decoderFailed(reason === 'crash' ? new DecoderFault('crash') : undefined);
}

/**
 * The processes. The first job starts one, and its end the others, so that they do not delay it:
 * a server that nobody asks for pictures has none.
 */
class ProcessPool implements Executor {
  readonly #processes: readonly SupervisedProcess[];
  readonly #yielding: SupervisedProcess;
  /** Those and this one. */
  readonly #all: readonly SupervisedProcess[];
  readonly #memoryWatch: MemoryWatch;
  readonly #restTimer: NodeJS.Timeout | undefined;
  readonly #waiting: Job[] = [];
  /**
   * Jobs that were running when a process crashed or took too much memory. One of them is to blame and may do so again, so
   * each is retried alone.
   */
  readonly #isolated: Job[] = [];
  /** Levels of files that took long beside others: their next job is run alone, to know whether they are to blame. */
  readonly #suspects = new LRUCache<string, true>({ max: maxSuspects });
  /** Jobs whose process has ended before. */
  readonly #retried = new WeakSet<Job>();
  readonly #ended: Record<ExitReason, number> = { timeout: 0, crash: 0, memory: 0, killed: 0 };
  #hasStartedAll = false;

  constructor({ count, program = renderProgram, totalBytes, restAfterMs, ...limits }: ProcessPoolOptions) {
    if (!existsSync(program))
      throw new Error('The render processes run the compiled program; it has to be built first.');
    const callbacks = {
      onFree: () => {
        this.#dispatch();
        this.#startAll();
      },
      onExit: (end: ProcessEnd) => this.#requeue(end),
      onStarved: (job: Job) => void this.#isolated.push(job),
      onSuspect: ({ plan }: Job) => void this.#suspects.set(levelKeyOf(plan), true),
    };
    this.#processes = Array.from({ length: count }, () => new SupervisedProcess({ ...limits, program, ...callbacks }));
    this.#yielding = new SupervisedProcess({ ...limits, program, ...callbacks, yields: true });
    this.#all = [...this.#processes, this.#yielding];
    this.#memoryWatch = watchMemory(this.#all, { maxBytes: limits.maxBytes, totalBytes });
    this.#restTimer = restAfterMs === undefined ? undefined : setTimeout(() => this.#rest(), restAfterMs).unref();
  }

  execute(plan: Render, deadlineAtMs: () => number, yields?: 'yields'): Promise<Derivative> {
    return new Promise((resolve, reject) => {
      const isSuspect = this.#suspects.size > 0 && this.#suspects.delete(levelKeyOf(plan));
      (isSuspect ? this.#isolated : this.#waiting).push({
        ...{ plan, deadlineAtMs, resolve, reject },
        yields: yields !== undefined,
      });
      this.#memoryWatch.start();
      this.#restTimer?.refresh();
      this.#dispatch();
    });
  }

  startAhead(): void {
    this.#restTimer?.refresh();
    this.#startAll();
  }

  #startAll(): void {
    if (this.#hasStartedAll) return;
    this.#hasStartedAll = true;
    for (const each of this.#processes) each.startAhead();
  }

  stats(): PoolStats {
    return {
      running: this.#all.filter(({ isAlive }) => isAlive).length,
      ended: { ...this.#ended },
      residentBytes: this.#all.reduce((sum, process) => sum + process.residentBytes, 0),
    };
  }

  async close(): Promise<void> {
    this.#memoryWatch.stop();
    clearTimeout(this.#restTimer);
    await Promise.all(this.#all.map((each) => each.close()));
  }

  #rest(): void {
    this.#restTimer?.refresh();
    if (this.#all.some(({ load }) => load > 0)) return;
    this.#hasStartedAll = false;
    for (const each of this.#all) each.rest();
  }

  #requeue({ jobs: all, reason, wasAlone }: ProcessEnd): void {
    this.#ended[reason]++;
    const nowMs = performance.now();
    const jobs = all.filter((job) => job.deadlineAtMs() > nowMs);
    for (const job of all) if (!jobs.includes(job)) job.reject(tooSlow());
    const [only] = jobs;
    if (reason === 'timeout') this.#waiting.unshift(...jobs);
    else if (only !== undefined && wasAlone && !(reason === 'killed' && !this.#retried.has(only)))
      only.reject(errorOf(reason));
    else this.#isolated.push(...jobs);
    for (const job of jobs) this.#retried.add(job);
    this.#dispatch();
  }

  /** Runs an isolated job in a process without others; the process that is drained or taken for it, if any. */
  #dispatchIsolated(): SupervisedProcess | undefined {
    const [job] = this.#isolated;
    const drained = job && leastBusy(this.#processes.filter(({ isAlone }) => !isAlone));
    if (job === undefined || drained === undefined || drained.load > 0) return drained;
    this.#isolated.shift();
    drained.run(job, 'alone');
    return drained;
  }

  #dispatch(): void {
    const drained = this.#dispatchIsolated();
    for (const job of [...this.#waiting]) {
      const usable = job.yields ? [this.#yielding] : this.#processes;
      const free = usable.filter((each) => each !== drained && each.hasFreeSlot);
      const chosen = leastBusy(free);
      if (chosen === undefined) continue;
      this.#waiting.splice(this.#waiting.indexOf(job), 1);
      chosen.run(job, 'beside-others');
    }
  }
}

export const createProcessPool = (options: ProcessPoolOptions): Executor => new ProcessPool(options);
