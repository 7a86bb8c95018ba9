/** Builds pyramids in the background, one at a time, in the order in which they are requested. */
import type { Resolution } from '../image/model/image-set.ts';
import { FaultReporter } from '../storage/fault-reporter.ts';
import { type BuildOptions, buildPyramid } from './build.ts';

export interface BuildQueueOptions extends BuildOptions {
  /** Called when a pyramid can't be built; `path` is that of its source. */
  readonly onFault: (message: string, path?: string) => void;
}

/** Bounds the sources that wait for their pyramids, and those that failed. */
const maxWaiting = 1000;
const maxFailed = 10_000;

/** Where there was no space, nothing is built for this time. */
const noSpacePauseMs = 5 * 60_000;

export class PyramidBuildQueue {
  readonly #options: BuildQueueOptions;
  readonly #faults: FaultReporter<'building'>;
  readonly #waiting = new Map<string, Resolution>();
  /** Sources whose pyramid could not be built; until they change, none of them is tried again. */
  readonly #failed = new Set<string>();
  #building: Promise<void> | undefined;
  #pausedUntilMs = 0;

  constructor(options: BuildQueueOptions) {
    this.#options = options;
    this.#faults = new FaultReporter((message) => options.onFault(message));
  }

  /** Number of sources that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when nothing is being built. */
  get idle(): Promise<void> {
    return this.#building ?? Promise.resolve();
  }

  /** Requests the pyramid of a source; `key` is its content key. */
  add(key: string, source: Resolution): void {
    const isFutile = this.#failed.has(key) || Date.now() < this.#pausedUntilMs;
    if (isFutile || this.#waiting.size >= maxWaiting || this.#options.signal.aborted) return;
    this.#waiting.set(key, source);
    this.#building ??= this.#buildAll().finally(() => {
      this.#building = undefined;
    });
  }

  async #buildAll(): Promise<void> {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#options.signal.aborted) break;
      await this.#build(...next);
      this.#waiting.delete(next[0]);
    }
  }

  async #build(key: string, source: Resolution): Promise<void> {
    try {
      const outcome = await buildPyramid(source, this.#options);
      if (outcome.kind === 'made') this.#faults.recover('building');
      if (outcome.kind === 'no-space') {
        this.#pausedUntilMs = Date.now() + noSpacePauseMs;
        this.#waiting.clear();
        this.#faults.report('building', `no derived pyramids are made: ${outcome.reason}`);
      }
      if (outcome.kind === 'failed') this.#fail(key, source, outcome.reason);
    } catch (error) {
      this.#fail(key, source, error instanceof Error ? error.message : String(error));
    }
  }

  #fail(key: string, source: Resolution, reason: string): void {
    if (this.#failed.size >= maxFailed) this.#failed.clear();
    this.#failed.add(key);
    this.#options.onFault(`no derived pyramid could be made: ${reason}`, source.file.path);
  }
}
