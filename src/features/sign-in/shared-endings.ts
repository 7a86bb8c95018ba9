/** Tells the other servers, through Redis, which sessions have ended; without it, each server learns it from the provider. */
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { CoreSettings } from '../../config/core-settings.ts';
import { parseJson } from '../../core/parsing/parse.ts';
import { redisConnections } from '../../core/redis-connection.ts';

interface SharedEndingsParts {
  readonly redis: NonNullable<CoreSettings['redis']>;
  /** An ending lasts as long as a session can, in ms. */
  readonly maxMs: number;
  readonly onEnded: (key: string, atMs: number) => void;
  readonly onFault: (message: string, error: unknown) => void;
}

/** A connection that was lost is opened again after this time, in ms. */
const pauseMs = 2000;

const fault = 'sign-outs can’t be shared with other servers: Redis does not answer';

/** Endings that wait for Redis. */
const maxUntold = 20_000;

export class SharedEndings {
  readonly #parts: SharedEndingsParts;
  readonly #key: string;
  #connections: readonly Redis[] = [];
  /** Endings that Redis did not take: they are told once it is back. */
  readonly #untold = new LRUCache<string, number>({ max: maxUntold });
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: SharedEndingsParts) {
    this.#parts = parts;
    this.#key = `${parts.redis.prefix}:sign-in:ended`;
  }

  /** Follows what other servers tell, also after a lost connection. Never rejects. */
  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      this.#parts.onFault(fault, error);
      this.#again();
    }
  }

  /** Never rejects: where Redis does not answer, this server alone knows it until it does. */
  async tell(key: string, atMs: number): Promise<void> {
    try {
      const [commands] = this.#connections;
      if (commands === undefined) throw new Error('there is no connection');
      await this.#send(commands, key, atMs);
    } catch (error) {
      this.#untold.set(key, atMs);
      this.#parts.onFault(fault, error);
    }
  }

  async #send(commands: Redis, key: string, atMs: number): Promise<void> {
    const member = JSON.stringify([key, atMs]);
    await commands.multi().zadd(this.#key, atMs, member).publish(this.#key, member).exec();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  #drop(): void {
    for (const connection of this.#connections) connection.disconnect();
    this.#connections = [];
  }

  #again(): void {
    this.#drop();
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.start();
    }, pauseMs).unref();
  }

  async #connect(): Promise<void> {
    const open = await redisConnections(this.#parts.redis);
    const [commands, subscriber] = [open(), open()];
    this.#connections = [commands, subscriber];
    for (const connection of this.#connections) connection.on('end', () => this.#again());
    await Promise.all([commands.connect(), subscriber.connect()]);
    subscriber.on('message', (_channel, member) => this.#take(member));
    await subscriber.subscribe(this.#key);
    // What was told while nobody listened; endings that are older than any session go.
    await commands.zremrangebyscore(this.#key, '-inf', Date.now() - this.#parts.maxMs);
    for (const member of await commands.zrangebyscore(this.#key, '-inf', '+inf')) this.#take(member);
    for (const [key, atMs] of [...this.#untold.entries()]) {
      await this.#send(commands, key, atMs);
      this.#untold.delete(key);
    }
  }

  #take(member: string): void {
    const ending: unknown = parseJson(member);
    if (!Array.isArray(ending)) return;
    const [key, atMs] = ending as readonly unknown[];
    if (typeof key === 'string' && typeof atMs === 'number') this.#parts.onEnded(key, atMs);
  }
}
