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
   * does, also `too-slow` past the deadline, and `failed` where a process died.
   */
  execute(plan: Render, deadlineAtMs: () => number): Promise<Derivative>;
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
}

export interface ProcessPoolOptions extends ProcessLimits {
  /** Number of processes. */
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
export function createInProcessExecutor({ decodedBytes }: Pick<ProcessLimits, 'decodedBytes'>): Executor {
  const load = async () => {
    const [{ execute }, { DecodedTiles }] = await Promise.all([
      import('../execute.ts'),
      import('../tiles/decoded-tiles.ts'),
    ]);
    const tiles = new DecodedTiles(decodedBytes);
    return (plan: Render) => execute(plan, tiles);
  };
  let loading: ReturnType<typeof load> | undefined;
  return {
    async execute(plan) {
      loading ??= load();
      return (await loading)(plan);
    },
    startAhead: () => undefined,
    stats: () => ({ running: 0, ended: { timeout: 0, crash: 0, memory: 0, killed: 0 } }),
    close: async () => undefined,
  };
}

/** Renderings of neighboring parts of a scan share decoded tiles: side of the square that goes to one process, in pixels of the level. */
const affinitySide = 2048;

/** Equal for plans that may read the same tiles. */
function affinityKeyOf({ file, location, read }: Render): string {
  const { x, y, width, height } = read ?? { x: 0, y: 0, width: 0, height: 0 };
  const [column, row] = [Math.floor((x + width / 2) / affinitySide), Math.floor((y + height / 2) / affinitySide)];
  return `${file.path} ${JSON.stringify(location)} ${column} ${row}`;
}

/** The preferred process may have this many more jobs than another one. */
const affinityLead = 1;

/** A hash of a text from 0 to 2^32 (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
}

/** Equal for plans that read the same level of a file. */
const levelKeyOf = ({ file, location }: Render): string => JSON.stringify([file.path, file.fingerprint, location]);

const maxSuspects = 1000;

/** The error of a job that was alone in its process when that ended. Who kills a process from outside may do so at any job. */
function errorOf(reason: ExitReason): ImageError {
  if (reason === 'memory') return outOfMemory(new DecoderFault('memory'));
  return decoderFailed(reason === 'crash' ? new DecoderFault('crash') : undefined);
}

/**
 * The processes. The first job starts one, and its end the others, so that they do not delay it:
 * a server that nobody asks for pictures has none.
 */
export function createProcessPool(options: ProcessPoolOptions): Executor {
  const { count, program = renderProgram, totalBytes, restAfterMs, ...limits } = options;
  if (!existsSync(program)) throw new Error('The render processes run the compiled program; it has to be built first.');
  const processes = Array.from(
    { length: count },
    () =>
      new SupervisedProcess({
        ...limits,
        program,
        onFree: handleFree,
        onExit: requeue,
        onStarved: isolate,
        onSuspect: suspect,
      }),
  );
  const memoryWatch = watchMemory(processes, { maxBytes: limits.maxBytes, totalBytes });
  const waiting: Job[] = [];
  /**
   * Jobs that were running when a process crashed or took too much memory. One of them is to blame and may do so again, so
   * each is retried alone.
   */
  const isolated: Job[] = [];
  /** Levels of files that took long beside others: their next job is run alone, to know whether they are to blame. */
  const suspects = new LRUCache<string, true>({ max: maxSuspects });
  /** Jobs whose process has ended before. */
  const retried = new WeakSet<Job>();
  const ended: Record<ExitReason, number> = { timeout: 0, crash: 0, memory: 0, killed: 0 };

  let hasStartedAll = false;
  const restTimer = restAfterMs === undefined ? undefined : setTimeout(rest, restAfterMs).unref();

  function startAll(): void {
    hasStartedAll = true;
    for (const each of processes) each.startAhead();
  }

  function rest(): void {
    restTimer?.refresh();
    if (processes.some(({ load }) => load > 0)) return;
    hasStartedAll = false;
    for (const each of processes) each.rest();
  }

  function handleFree(): void {
    dispatch();
    if (!hasStartedAll) startAll();
  }

  function isolate(job: Job): void {
    isolated.push(job);
  }

  function suspect({ plan }: Job): void {
    suspects.set(levelKeyOf(plan), true);
  }

  function requeue({ jobs: all, reason, wasAlone }: ProcessEnd): void {
    ended[reason]++;
    const nowMs = performance.now();
    const jobs = all.filter((job) => job.deadlineAtMs() > nowMs);
    for (const job of all) if (!jobs.includes(job)) job.reject(tooSlow());
    const [only] = jobs;
    if (reason === 'timeout') waiting.unshift(...jobs);
    else if (only !== undefined && wasAlone && !(reason === 'killed' && !retried.has(only)))
      only.reject(errorOf(reason));
    else isolated.push(...jobs);
    for (const job of jobs) retried.add(job);
    dispatch();
  }

  const leastBusy = (among: readonly SupervisedProcess[]): SupervisedProcess | undefined =>
    among.toSorted((a, b) => a.load - b.load)[0];

  /** The process that may have decoded what the job reads, unless another has much less to do. */
  function processFor(job: Job, free: readonly SupervisedProcess[]): SupervisedProcess | undefined {
    const least = leastBusy(free);
    const preferred = processes[hashOf(affinityKeyOf(job.plan)) % processes.length];
    const isUsable = preferred && least && free.includes(preferred) && preferred.load <= least.load + affinityLead;
    return isUsable ? preferred : least;
  }

  /** Runs an isolated job in a process without others; the process that is drained or taken for it, if any. */
  function dispatchIsolated(): SupervisedProcess | undefined {
    const [job] = isolated;
    const drained = job && leastBusy(processes.filter(({ isAlone }) => !isAlone));
    if (job === undefined || drained === undefined || drained.load > 0) return drained;
    isolated.shift();
    drained.run(job, 'alone');
    return drained;
  }

  function dispatch(): void {
    const drained = dispatchIsolated();
    for (let [job] = waiting; job !== undefined; [job] = waiting) {
      const free = processes.filter((each) => each !== drained && each.hasFreeSlot);
      const chosen = processFor(job, free);
      if (chosen === undefined) return;
      waiting.shift();
      chosen.run(job, 'beside-others');
    }
  }

  return {
    execute: (plan, deadlineAtMs) =>
      new Promise<Derivative>((resolve, reject) => {
        const isSuspect = suspects.size > 0 && suspects.delete(levelKeyOf(plan));
        (isSuspect ? isolated : waiting).push({ plan, deadlineAtMs, resolve, reject });
        memoryWatch.start();
        restTimer?.refresh();
        dispatch();
      }),
    startAhead: () => {
      restTimer?.refresh();
      if (!hasStartedAll) startAll();
    },
    stats: () => ({ running: processes.filter(({ isAlive }) => isAlive).length, ended: { ...ended } }),
    close: async () => {
      memoryWatch.stop();
      clearTimeout(restTimer);
      await Promise.all(processes.map((each) => each.close()));
    },
  };
}
