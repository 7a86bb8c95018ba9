/** A render process that is started when it is needed, also after it was killed or crashed. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DecoderFault, ImageError } from '../../image/model/errors.ts';
import type { Render } from '../../image/plan/plan-types.ts';
import type { Derivative } from '../execute.ts';
import type { JobMessage, JobResult, ResultMessage } from './process-messages.ts';
import { decoderFailed, outOfMemory, tooSlow } from './render-fault.ts';
import { type ProcessStart, startProcess } from './start-process.ts';

function readProcess<T>(pid: number, file: 'status' | 'stat', parse: (text: string) => T): T | undefined {
  try {
    return parse(readFileSync(`/proc/${pid}/${file}`, 'latin1'));
  } catch {
    // The process has ended, or the system has no such file.
    return undefined;
  }
}

/** Bytes in memory that belong to the process alone; undefined where that can't be told. */
export const residentBytes = (pid: number): number | undefined =>
  readProcess(pid, 'status', (text) => {
    const kibibytes = /^RssAnon:\s+(\d+) kB/m.exec(text)?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  });

/** Linux counts processor time in these units for all programs. */
const msPerTick = 10;

/** ms of processor time since the process started; undefined where that can't be told. */
export const processorMs = (pid: number): number | undefined =>
  readProcess(pid, 'stat', (text) => {
    // The name of the program, in brackets, may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  });

/** A plan, and the callbacks for its outcome. */
export interface Job {
  readonly plan: Render;
  readonly resolve: (derivative: Derivative) => void;
  readonly reject: (error: ImageError) => void;
  /** Its deadline on the clock of `performance.now()`, in ms; it may become later. */
  readonly deadlineAtMs: () => number;
  /** Whether it gets only the processor time that all else leaves. */
  readonly yields: boolean;
}

/**
 * Why a process ended: a deadline, a crash, the bound of its memory, or something outside of the server that killed it or kept
 * it from being started.
 */
export type ExitReason = 'timeout' | 'crash' | 'memory' | 'killed';

/** The limits of one process. */
export interface ProcessLimits extends Omit<ProcessStart, 'program'> {
  /** A job of which its process has spent this processor time, in ms, is to blame for missing its deadline. */
  readonly blameMs?: number;
}

/** The jobs that were running when their process ended. */
export interface ProcessEnd {
  readonly jobs: readonly Job[];
  /** After a timeout none of the jobs caused it. */
  readonly reason: ExitReason;
  /** Whether the job had the process for itself from its start on. */
  readonly wasAlone: boolean;
}

interface SupervisedProcessOptions extends ProcessLimits, ProcessStart {
  /** Called when a job is done. */
  readonly onFree: () => void;
  readonly onExit: (end: ProcessEnd) => void;
  /** Called with a job that found no memory beside others. */
  readonly onStarved: (job: Job) => void;
  /** Called with a job that missed its deadline beside others, so that it is not known whether it is to blame. */
  readonly onSuspect: (job: Job) => void;
}

interface Running {
  readonly job: Job;
  timer: NodeJS.Timeout;
  /** Whether no other job has run beside it so far. */
  isOnly: boolean;
  /** Processor time of the process when the job started, as last reported, in ms. */
  readonly startedMs: number;
  /** Whether its deadline has passed. */
  isOverdue: boolean;
}

/** A process that is killed exits within this time in ms, unless it waits in the kernel for a disk that hangs. */
const exitWithinMs = 1000;

/**
 * A job past its deadline may still end within this time, in ms, and so may the others in its process, which takes no further
 * ones: then no process has to be killed, and what was nearly done is not lost.
 */
const graceMs = 1000;

/** The longest delay of a timer, in ms: about 25 days. */
const maxTimerMs = 2 ** 31 - 1;

function settle({ resolve, reject }: Job, result: JobResult): void {
  if (result.kind === 'failed') {
    const { code, message, cause } = result;
    const isStarved = code === 'too-large';
    reject(isStarved ? outOfMemory(new DecoderFault('memory')) : new ImageError(code, message, cause ? { cause } : {}));
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
  /** Processor time of the process when it last finished a job, in ms: it spends none between jobs. */
  #reportedMs = 0;
  #isAlone = false;
  #isClosed = false;
  #lastId = 0;

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
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

  /** The running jobs. */
  get jobs(): readonly Job[] {
    return [...this.#running.values()].map(({ job }) => job);
  }

  /** Bytes of memory that the process has to itself; 0 where there is none, or the system does not say it. */
  get residentBytes(): number {
    const pid = this.#child?.pid;
    return pid === undefined ? 0 : (residentBytes(pid) ?? 0);
  }

  get hasFreeSlot(): boolean {
    const isKilledSoon = [...this.#running.values()].some(({ isOverdue }) => isOverdue);
    return !this.#isAlone && !isKilledSoon && this.#running.size < this.#options.jobsEach;
  }

  /** Starts the process, unless it is alive, so that the next job need not wait for that. */
  startAhead(): void {
    if (!this.#isClosed && this.#child === undefined) this.#start();
  }

  /** Ends the process, which has no job; the next one starts another. */
  rest(): void {
    const child = this.#child;
    if (child === undefined || this.load > 0) return;
    this.#child = undefined;
    child.kill('SIGKILL');
  }

  /** Starts a job; there has to be a free slot. */
  run(job: Job, how: 'alone' | 'beside-others'): void {
    const id = ++this.#lastId;
    this.#isAlone = how === 'alone';
    const child = this.#child ?? this.#start();
    for (const running of this.#running.values()) running.isOnly = false;
    const isOnly = this.#running.size === 0;
    this.#running.set(id, {
      job,
      timer: this.#startTimer(id, job.deadlineAtMs()),
      isOverdue: false,
      isOnly,
      startedMs: this.#reportedMs,
    });
    // Sending fails only where the process has ended or was not started, which its events report.
    if (child.pid !== undefined) child.send({ id, plan: job.plan } satisfies JobMessage, () => undefined);
  }

  /** Kills the process because of the memory that it takes. */
  endForMemory(): void {
    this.#child?.kill('SIGKILL');
    if (this.#child !== undefined) this.#handleExit(this.#child, 'memory');
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
    const child = startProcess(this.#options);
    this.#child = child;
    this.#reportedMs = 0;
    child.on('message', (message) => this.#finish(message as ResultMessage));
    child.once('exit', (_code, signal) => this.#handleExit(child, signal === 'SIGKILL' ? 'killed' : 'crash'));
    child.once('error', () => this.#handleExit(child, 'killed'));
    return child;
  }

  #finish({ id, result, processorMs: ms }: ResultMessage): void {
    const isStarved = result.kind === 'failed' && result.code === 'too-large' && !this.#isOnly(id);
    const job = this.#take(id);
    // A process that was killed may still have sent a result.
    if (job === undefined) return;
    this.#reportedMs = ms;
    if (isStarved) this.#options.onStarved(job);
    else settle(job, result);
    this.#options.onFree();
  }

  #startTimer(id: number, atMs: number): NodeJS.Timeout {
    const delayMs = Math.max(0, atMs - performance.now());
    return setTimeout(() => this.#timeOut(id), Math.min(delayMs, maxTimerMs));
  }

  #timeOut(id: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    const deadlineAtMs = running.job.deadlineAtMs();
    const nowMs = performance.now();
    running.isOverdue = deadlineAtMs <= nowMs;
    const endsAtMs = deadlineAtMs + graceMs;
    if (endsAtMs > nowMs) {
      running.timer = this.#startTimer(id, running.isOverdue ? endsAtMs : deadlineAtMs);
      return;
    }
    this.#blameForDeadline(running);
    this.#take(id);
    this.#child?.kill('SIGKILL');
    if (this.#child !== undefined) this.#handleExit(this.#child, 'timeout');
  }

  /** Runs as soon as a process is killed, since it may take a while to exit. */
  #handleExit(child: ChildProcess, reason: ExitReason): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const wasAlone = [...this.#running.values()].every(({ isOnly }) => isOnly);
    const jobs = this.#takeAll();
    if (!this.#isClosed) this.#options.onExit({ jobs, reason, wasAlone });
  }

  #isOnly(id: number): boolean {
    return this.#running.get(id)?.isOnly ?? true;
  }

  #processorMs(): number {
    const pid = this.#child?.pid;
    return pid === undefined ? 0 : (processorMs(pid) ?? 0);
  }

  /** A busy machine or a hanging disk is no fault of the file: only the time that its own decoder computed counts. */
  #blameForDeadline({ job, isOnly, startedMs }: Running): void {
    const { blameMs = Number.POSITIVE_INFINITY, onSuspect } = this.#options;
    const isLong = this.#processorMs() - startedMs >= blameMs;
    if (isLong && !isOnly) onSuspect(job);
    job.reject(tooSlow(isLong && isOnly ? new DecoderFault('deadline') : undefined));
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
