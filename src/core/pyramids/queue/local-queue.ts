/** Builds pyramids in this process's background, one at a time: what was requested last first, since readers may have left the others. */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
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
  /** By their ids, from the last one that was requested, which is built next. */
  readonly #waiting = new LRUCache<string, BuildRequest>({ max: maxWaiting });
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
    return { waiting: this.#waiting.size + building, building, failed: this.#failed.size };
  }

  add(request: BuildRequest): void {
    const { id } = request;
    if (this.#failed.has(id) || this.#present === id) return;
    if (Date.now() < this.#pausedUntilMs || this.#options.signal.aborted) return;
    this.#waiting.set(id, request);
    this.#running ??= this.#buildAll().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#running;
  }

  #next(): BuildRequest | undefined {
    const [next] = this.#waiting.values();
    if (next !== undefined) this.#waiting.delete(next.id);
    return next;
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
        this.#waiting.clear();
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
    const requests = [request, ...this.#waiting.rvalues()].filter((each) => each !== undefined);
    for (const each of requests) this.#waiting.set(each.id, each);
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
