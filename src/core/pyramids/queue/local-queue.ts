/** Builds pyramids in this process's background, one at a time: what readers wait for first, each in the order of requests. */
import { setTimeout as pause } from 'node:timers/promises';
import { FaultReporter } from '../../storage/fault-reporter.ts';
import { traced } from '../../tracing/tracing.ts';
import {
  type Build,
  type BuildQueue,
  type BuildRequest,
  buildSpan,
  noAnswerPauseMs,
  noSpacePauseMs,
  type QueueLoad,
  type Urgency,
} from './build-queue.ts';

export interface LocalQueueOptions {
  readonly build: Build;
  /** Once it is aborted, nothing is added or begun. */
  readonly signal: AbortSignal;
  /** Called when a pyramid can't be built; `path` is that of its source. */
  readonly onFault: (message: string, path?: string) => void;
}

/** Bounds the sources that wait for their pyramids, and those that failed. */
const maxWaiting = 1000;
const maxFailed = 10_000;

export class LocalBuildQueue implements BuildQueue {
  readonly #options: LocalQueueOptions;
  readonly #faults: FaultReporter<'building'>;
  readonly #waiting: Readonly<Record<Urgency, Map<string, BuildRequest>>> = { reader: new Map(), ahead: new Map() };
  /** The builds that failed; until its source changes, none of them is tried again. */
  readonly #failed = new Set<string>();
  #present: string | undefined;
  #running: Promise<void> | undefined;
  #pausedUntilMs = 0;
  /** Builds in a row for which the store did not answer. */
  #failures = 0;

  constructor(options: LocalQueueOptions) {
    this.#options = options;
    this.#faults = new FaultReporter((message) => options.onFault(message));
  }

  load(): QueueLoad {
    const building = this.#present === undefined ? 0 : 1;
    return { waiting: this.#waitingCount + building, building, failed: this.#failed.size };
  }

  get #waitingCount(): number {
    return this.#waiting.reader.size + this.#waiting.ahead.size;
  }

  add(request: BuildRequest): void {
    const { id, urgency } = request;
    if (this.#failed.has(id) || this.#present === id || this.#waiting.reader.has(id)) return;
    const isFutile = Date.now() < this.#pausedUntilMs || this.#options.signal.aborted;
    if (isFutile || this.#waitingCount >= maxWaiting) return;
    if (urgency === 'reader') this.#waiting.ahead.delete(id);
    this.#waiting[urgency].set(id, request);
    this.#running ??= this.#buildAll().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#running;
  }

  #next(): BuildRequest | undefined {
    for (const waiting of [this.#waiting.reader, this.#waiting.ahead]) {
      const [first] = waiting.values();
      if (first === undefined) continue;
      waiting.delete(first.id);
      return first;
    }
    return undefined;
  }

  async #buildAll(): Promise<void> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.#options.signal.aborted) break;
      this.#present = next.id;
      await this.#build(next);
      this.#present = undefined;
    }
  }

  async #build(request: BuildRequest): Promise<void> {
    try {
      const outcome = await traced(
        () => buildSpan(request.traceparent),
        () => this.#options.build(request.source),
      );
      this.#failures = outcome.kind === 'no-answer' ? this.#failures + 1 : 0;
      if (outcome.kind === 'made') this.#faults.recover('building');
      if (outcome.kind === 'no-space') {
        this.#pausedUntilMs = Date.now() + noSpacePauseMs;
        for (const waiting of Object.values(this.#waiting)) waiting.clear();
        this.#faults.report('building', `no derived pyramids are made: ${outcome.reason}`);
      }
      if (outcome.kind === 'no-answer') {
        this.#faults.report('building', `no derived pyramids are made: ${outcome.reason}`);
        await this.#buildLater(request);
      }
      if (outcome.kind === 'failed') this.#fail(request, outcome.reason);
    } catch (error) {
      this.#fail(request, error instanceof Error ? error.message : String(error));
    }
  }

  /** Puts a build behind those that wait, which all wait for the store to answer. */
  async #buildLater(request: BuildRequest): Promise<void> {
    this.#waiting[request.urgency].set(request.id, request);
    this.#present = undefined;
    const { signal } = this.#options;
    await pause(noAnswerPauseMs(this.#failures), undefined, { signal, ref: false }).catch(() => undefined);
  }

  #fail({ id, source }: BuildRequest, reason: string): void {
    if (this.#failed.size >= maxFailed) this.#failed.clear();
    this.#failed.add(id);
    this.#options.onFault(`no derived pyramid could be made: ${reason}`, source.file.path);
  }
}
