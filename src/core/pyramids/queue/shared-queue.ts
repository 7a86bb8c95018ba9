/**
 * The queue that servers share through Redis. While Redis can't be reached, this process builds by itself, as it does without
 * Redis; the sharing comes back with Redis.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Resolution } from '../../image/model/image-set.ts';
import { FaultReporter } from '../../storage/fault-reporter.ts';
import type { BuildQueue, BuildRequest, QueueLoad } from './build-queue.ts';
import { LocalBuildQueue, type LocalQueueOptions } from './local-queue.ts';
import type { Building } from './processor.ts';
import { maxQueued, type RedisAddress, RedisLink, type SharedLoad } from './redis-link.ts';

interface SharedQueueOptions extends LocalQueueOptions {
  readonly redis: RedisAddress;
  /** Resolves to the name of the queue, which those share that share a folder of pyramids. */
  readonly queueName: () => Promise<string>;
  /** Resolves to the name of the pyramid of a source; undefined where the source is gone. */
  readonly nameOf: (source: Resolution) => Promise<string | undefined>;
  /** Undefined where this process leaves what is in the queue to others. */
  readonly building: Omit<Building, 'onFailed' | 'onPostponed' | 'onDone'> | undefined;
  /** Called when other processes may have built pyramids. */
  readonly onBuiltByOthers?: () => void;
  /** How often Redis is asked whether it answers, in ms. */
  readonly checkIntervalMs?: number;
}

/** After the connection was lost, another one is opened after this time, in ms, doubled up to the second. */
const [firstRetryMs, lastRetryMs] = [500, 10_000];

/** What was requested here is built here if Redis is lost within this time, in ms. */
const rememberedMs = 3600_000;
const maxRemembered = 1000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class SharedBuildQueue implements BuildQueue {
  readonly #options: SharedQueueOptions;
  readonly #local: LocalBuildQueue;
  readonly #faults: FaultReporter<'sharing' | 'building'>;
  /** What this process has put into Redis, by its id there. */
  readonly #sent = new LRUCache<string, BuildRequest>({ max: maxRemembered, ttl: rememberedMs });
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #link: Promise<RedisLink | undefined>;
  #shared: SharedLoad | undefined;
  /** The number of completed builds when it was last known, also while Redis is not reached. */
  #completed: number | undefined;

  constructor(options: SharedQueueOptions) {
    this.#options = options;
    this.#local = new LocalBuildQueue(options);
    this.#faults = new FaultReporter((message) => options.onFault(message));
    this.#link = this.#open();
    this.#running = this.#keepOpen();
  }

  add(request: BuildRequest): void {
    if (this.#options.signal.aborted) return;
    void this.#add(request);
  }

  async #add(request: BuildRequest): Promise<void> {
    const link = await this.#link;
    const id = link && (await this.#options.nameOf(request.source).catch(() => undefined));
    if (!link || id === undefined) return this.#local.add(request);
    if ((this.#shared?.waiting ?? 0) >= maxQueued) return;
    this.#sent.set(id, request);
    // Where that fails, the next check finds the connection lost, and what was sent is built here.
    await link.add(id, request, 'reader').catch(() => this.#buildHere());
  }

  /** Builds in this process what it has put into Redis. */
  #buildHere(): void {
    const requests = [...this.#sent.values()];
    this.#sent.clear();
    for (const request of requests) this.#local.add(request);
  }

  load(): QueueLoad {
    const own = this.#local.load();
    const { waiting, building, failed, shared } = this.#shared ?? { waiting: 0, building: 0, failed: 0 };
    return {
      waiting: own.waiting + waiting,
      building: own.building + building,
      failed: own.failed + failed,
      isShared: this.#shared !== undefined,
      shared,
    };
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await this.#local.close();
  }

  /** A new connection; undefined where there is none, which is reported. */
  async #open(): Promise<RedisLink | undefined> {
    const { redis, building, queueName, signal } = this.#options;
    try {
      const queue = await queueName();
      const link = await RedisLink.open({
        ...redis,
        queue,
        building: building && { ...building, ...this.#reports },
      });
      if (!signal.aborted && !this.#ending.signal.aborted) {
        await this.#check(link);
        this.#faults.recover('sharing');
      }
      return link;
    } catch (error) {
      this.#lost(error);
      return undefined;
    }
  }

  get #reports(): Pick<Building, 'onFailed' | 'onPostponed' | 'onDone'> {
    return {
      onFailed: (reason, file) => this.#options.onFault(`no derived pyramid could be made: ${reason}`, file),
      onPostponed: (reason) => this.#faults.reportEvent('building', `no derived pyramids are made: ${reason}`),
      onDone: (id) => this.#sent.delete(id),
    };
  }

  #lost(error: unknown): void {
    this.#shared = undefined;
    this.#buildHere();
    if (this.#ending.signal.aborted) return;
    this.#faults.report('sharing', `pyramids are built without sharing them through Redis: ${messageOf(error)}`);
  }

  /** Checks the connection at intervals, and opens another one when it is lost, until the queue is closed. */
  async #keepOpen(): Promise<void> {
    let retryMs = firstRetryMs;
    while (!this.#ending.signal.aborted) {
      const link = await this.#link;
      if (link && (await this.#isSound(link))) {
        retryMs = firstRetryMs;
        await this.#pause(this.#options.checkIntervalMs ?? 2000);
        continue;
      }
      this.#link = Promise.resolve(undefined);
      await link?.close(false);
      await this.#pause(retryMs * (0.75 + Math.random() / 2));
      retryMs = Math.min(2 * retryMs, lastRetryMs);
      if (!this.#ending.signal.aborted) this.#link = this.#open();
    }
    await (await this.#link)?.close(true);
  }

  /** Takes over the numbers of the queue. Rejects where Redis does not answer. */
  async #check(link: RedisLink): Promise<void> {
    this.#shared = await link.check();
    const { completed } = this.#shared;
    if (this.#completed !== undefined && completed !== this.#completed) this.#options.onBuiltByOthers?.();
    this.#completed = completed;
  }

  async #isSound(link: RedisLink): Promise<boolean> {
    try {
      await this.#check(link);
      return true;
    } catch (error) {
      this.#lost(error);
      return false;
    }
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#ending.signal, ref: false }).catch(() => undefined);
  }
}
