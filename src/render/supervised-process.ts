/** A render process that is restarted when it is needed after it was killed or crashed. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { ImageError } from '../image/model/errors.ts';
import type { Render } from '../image/plan/plan-types.ts';
import type { Derivative } from './execute.ts';
import { decodedBytesVariable, type JobMessage, type JobResult, type ResultMessage } from './process-messages.ts';

/** A plan, and the callbacks for its outcome. */
export interface Job {
  readonly plan: Render;
  readonly resolve: (derivative: Derivative) => void;
  readonly reject: (error: ImageError) => void;
  /** Its deadline on the clock of `performance.now()`, in ms; it may become later. */
  readonly deadlineAtMs: () => number;
}

export type ExitReason = 'timeout' | 'crash';

/** The limits of one process. */
export interface ProcessLimits {
  /** Maximum number of concurrent jobs: a decoder leaves its core idle at times. */
  readonly jobsEach: number;
  /** Maximum size of the cache of decoded tiles, in bytes. */
  readonly decodedBytes: number;
}

interface SupervisedProcessOptions extends ProcessLimits {
  /** Path of the program. */
  readonly program: string;
  /** Called when a job is done. */
  readonly onFree: () => void;
  /** Called with the jobs that were running when the process ended; after a timeout none of them caused it. */
  readonly onExit: (jobs: readonly Job[], reason: ExitReason) => void;
}

interface Running {
  readonly job: Job;
  timer: NodeJS.Timeout;
}

/** A process that is killed exits within this time in ms, unless it waits in the kernel for a disk that hangs. */
const exitWithinMs = 1000;

/** Threads beside those of the jobs, for files that are read whole. */
const spareThreads = 2;

function start({ program, decodedBytes, jobsEach }: SupervisedProcessOptions): ChildProcess {
  return fork(program, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      UV_THREADPOOL_SIZE: String(jobsEach + spareThreads),
      // glibc's arenas would keep memory for each of many threads.
      MALLOC_ARENA_MAX: '2',
      // A fixed threshold: a dynamic one would keep the memory of large pictures and use half as much again.
      MALLOC_MMAP_THRESHOLD_: '131072',
      [decodedBytesVariable]: String(decodedBytes),
    },
  });
}

/** The error of a job whose process crashed. */
export const decoderFailed = (): ImageError =>
  new ImageError('failed', 'The picture could not be made: its decoder failed.');

const tooSlow = (): ImageError =>
  new ImageError('too-slow', 'The picture was not ready in time; try again, or ask for a smaller one.');

/** The longest delay of a timer, in ms: about 25 days. */
const maxTimerMs = 2 ** 31 - 1;

function settle({ resolve, reject }: Job, result: JobResult): void {
  if (result.kind === 'failed') {
    const { code, message, cause } = result;
    reject(new ImageError(code, message, cause ? { cause } : {}));
    return;
  }
  const { bytes, width, height } = result;
  // A Buffer arrives from another process as a Uint8Array.
  resolve({ bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), width, height });
}

export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  readonly #running = new Map<number, Running>();
  #child: ChildProcess | undefined;
  #isAlone = false;
  #isClosed = false;
  #lastId = 0;

  /** Starts the first process at once. */
  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
    this.#start();
  }

  get isAlive(): boolean {
    return this.#child !== undefined;
  }

  /** Number of running jobs. */
  get load(): number {
    return this.#running.size;
  }

  /** Whether the running job must have no others beside it. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  get hasFreeSlot(): boolean {
    return !this.#isAlone && this.#running.size < this.#options.jobsEach;
  }

  /** Starts a job; there has to be a free slot. */
  run(job: Job, how: 'alone' | 'beside-others'): void {
    const id = ++this.#lastId;
    this.#isAlone = how === 'alone';
    this.#running.set(id, { job, timer: this.#startTimer(id, job) });
    // Sending fails only where the process has ended, which the exit event reports.
    (this.#child ?? this.#start()).send({ id, plan: job.plan } satisfies JobMessage, () => undefined);
  }

  /** Kills the process and rejects its jobs; resolves when it has exited, or after 1 s where it waits for a disk that hangs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    this.#child = undefined;
    for (const job of this.#takeAll()) job.reject(decoderFailed());
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await Promise.race([once(child, 'exit'), pause(exitWithinMs, undefined, { ref: false })]);
    child.unref();
  }

  #start(): ChildProcess {
    const child = start(this.#options);
    this.#child = child;
    child.on('message', (message) => this.#finish(message as ResultMessage));
    child.once('exit', () => this.#handleExit(child, 'crash'));
    child.once('error', () => this.#handleExit(child, 'crash'));
    return child;
  }

  #finish({ id, result }: ResultMessage): void {
    const job = this.#take(id);
    if (job === undefined) return;
    settle(job, result);
    this.#options.onFree();
  }

  #startTimer(id: number, { deadlineAtMs }: Job): NodeJS.Timeout {
    const delayMs = Math.max(0, deadlineAtMs() - performance.now());
    return setTimeout(() => this.#timeOut(id), Math.min(delayMs, maxTimerMs));
  }

  #timeOut(id: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    if (running.job.deadlineAtMs() > performance.now()) {
      running.timer = this.#startTimer(id, running.job);
      return;
    }
    this.#take(id)?.reject(tooSlow());
    this.#child?.kill('SIGKILL');
    if (this.#child !== undefined) this.#handleExit(this.#child, 'timeout');
  }

  /** Runs as soon as a process is killed, since it may take a while to exit. */
  #handleExit(child: ChildProcess, reason: ExitReason): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const jobs = this.#takeAll();
    if (!this.#isClosed) this.#options.onExit(jobs, reason);
  }

  #takeAll(): readonly Job[] {
    return [...this.#running.keys()].flatMap((id) => this.#take(id) ?? []);
  }

  /** Removes a job from those that are running; undefined where it is none of them any more. */
  #take(id: number): Job | undefined {
    const running = this.#running.get(id);
    clearTimeout(running?.timer);
    this.#running.delete(id);
    if (this.#running.size === 0) this.#isAlone = false;
    return running?.job;
  }
}
