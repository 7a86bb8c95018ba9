/** One render process after the other, in which plans are carried out: where one is ended, the next is begun when needed. */
import { type ChildProcess, fork } from 'node:child_process';
import { ImageError } from '../image/model/errors.ts';
import type { Render } from '../image/plan/plan-types.ts';
import type { Derivative } from './execute.ts';
import { type Answer, decodedBytesName, type Order, type Rendered } from './process-messages.ts';

/** A plan, and who waits for what it yields. */
export interface Job {
  readonly plan: Render;
  readonly resolve: (derivative: Derivative) => void;
  readonly reject: (error: ImageError) => void;
  /** When it is given up, in ms of the process's clock: of a job that was begun in another process before. */
  readonly untilMs?: number;
}

/** What was under way in a process that ended, and whether it is known that none of these jobs was to blame. */
export interface Lost {
  readonly jobs: readonly Job[];
  readonly culprit: 'known' | 'unknown';
}

export interface ProcessSlotOptions {
  /** The program that a process runs. */
  readonly file: string;
  /** After so many ms a job is given up, and its process is ended. */
  readonly deadlineMs: number;
  readonly decodedBytes: number;
  /** How many jobs may be under way at once. */
  readonly jobs: number;
  readonly onFree: () => void;
  readonly onLost: (lost: Lost) => void;
}

interface Running {
  readonly job: Job;
  readonly timer: NodeJS.Timeout;
}

/** Threads beside those of the jobs, for files that are read whole. */
const spareThreads = 2;

function start({ file, decodedBytes, jobs }: ProcessSlotOptions): ChildProcess {
  return fork(file, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      UV_THREADPOOL_SIZE: String(jobs + spareThreads),
      // glibc's arenas would keep memory for each of many threads.
      MALLOC_ARENA_MAX: '2',
      // Otherwise glibc learns to keep what pictures took, for the next ones: half as much again.
      MALLOC_MMAP_THRESHOLD_: '131072',
      [decodedBytesName]: String(decodedBytes),
    },
  });
}

/** Of a job whose process died. */
export const decoderFailed = (): ImageError =>
  new ImageError('failed', 'The picture could not be made: its decoder failed.');

const tooSlow = (deadlineMs: number): ImageError =>
  new ImageError('too-slow', `The picture was not ready within ${Math.ceil(deadlineMs / 1000)} s.`);

function settle({ resolve, reject }: Job, rendered: Rendered): void {
  if (rendered.kind === 'failed') {
    const { code, message, cause } = rendered;
    reject(new ImageError(code, message, cause ? { cause } : {}));
    return;
  }
  const { bytes, width, height } = rendered;
  // Between processes a Buffer arrives as what it is made of.
  resolve({ bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), width, height });
}

export class ProcessSlot {
  readonly #options: ProcessSlotOptions;
  readonly #running = new Map<number, Running>();
  #child: ChildProcess | undefined;
  #isAlone = false;
  #isClosed = false;
  #lastId = 0;

  /** Starts the first process at once. */
  constructor(options: ProcessSlotOptions) {
    this.#options = options;
    this.#start();
  }

  /** How many jobs are under way. */
  get load(): number {
    return this.#running.size;
  }

  /** Whether the job that is under way must have no others beside it. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  get hasRoom(): boolean {
    return !this.#isAlone && this.#running.size < this.#options.jobs;
  }

  /** Begins a job for which there is room. */
  run(job: Job, how: 'alone' | 'beside-others'): void {
    const id = ++this.#lastId;
    this.#isAlone = how === 'alone';
    const nowMs = performance.now();
    const untilMs = job.untilMs ?? nowMs + this.#options.deadlineMs;
    const timer = setTimeout(() => this.#giveUp(id), Math.max(0, untilMs - nowMs));
    this.#running.set(id, { job: { ...job, untilMs }, timer });
    // A process to which nothing can be sent has ended, which is told of by itself.
    (this.#child ?? this.#start()).send({ id, plan: job.plan } satisfies Order, () => undefined);
  }

  /** Ends the process, and with it what is under way; resolves when it is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    this.#child = undefined;
    for (const job of this.#takeAll()) job.reject(decoderFailed());
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      if (!child.kill('SIGKILL')) resolve();
    });
  }

  #start(): ChildProcess {
    const child = start(this.#options);
    this.#child = child;
    child.on('message', (answer) => this.#finish(answer as Answer));
    child.once('exit', () => this.#lose(child, 'unknown'));
    child.once('error', () => this.#lose(child, 'unknown'));
    return child;
  }

  #finish({ id, rendered }: Answer): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#remove(id, running);
    settle(running.job, rendered);
    this.#options.onFree();
  }

  #giveUp(id: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#remove(id, running);
    running.job.reject(tooSlow(this.#options.deadlineMs));
    this.#child?.kill('SIGKILL');
    if (this.#child !== undefined) this.#lose(this.#child, 'known');
  }

  /** A process that is ended may take its time to go; nothing more is expected of it. */
  #lose(child: ChildProcess, culprit: Lost['culprit']): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const jobs = this.#takeAll();
    if (!this.#isClosed) this.#options.onLost({ jobs, culprit });
  }

  #takeAll(): readonly Job[] {
    const all = [...this.#running];
    for (const [id, running] of all) this.#remove(id, running);
    return all.map(([, { job }]) => job);
  }

  #remove(id: number, { timer }: Running): void {
    clearTimeout(timer);
    this.#running.delete(id);
    if (this.#running.size === 0) this.#isAlone = false;
  }
}
