/** Budgets and holds that servers share through Redis; while it does not answer, each server has its own. */
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { CoreSettings } from '../../config/core-settings.ts';
import { redisConnections } from '../../core/redis-connection.ts';
import type { Charge, Refused } from './budgets.ts';
import { type Holds, maxHolds } from './holds.ts';

interface SharedShieldParts {
  readonly redis: NonNullable<CoreSettings['redis']>;
  readonly holds: Pick<Holds, 'list' | 'replace'>;
  readonly onFault: (message: string, error: unknown) => void;
  /** Whoever waits for a budget waits no longer than this for Redis, in ms. */
  readonly answerWithinMs?: number;
}

/** Holds of other servers are known after this time, and a lost connection is opened again, in ms. */
const syncMs = 2000;

const fault = 'budgets and held networks can’t be shared with other servers: Redis does not answer';

/**
 * Takes amounts from some buckets, or nothing where one has not enough: then the first of the returned numbers is its position, and
 * the second the wait in ms. A bucket that is full again is gone, so that keys are there only for those who took something lately.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local worst, wait, owed, rate = 0, 0, {}, {}
for i, key in ipairs(KEYS) do
  local amount, size = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  rate[i] = tonumber(ARGV[3 * i])
  local kept = redis.call('HMGET', key, 'owed', 'at')
  local left = 0
  if kept[1] and kept[2] then
    left = math.max(0, tonumber(kept[1]) - math.max(0, now - tonumber(kept[2])) * rate[i])
  end
  owed[i] = left + amount
  local lacks = (left + math.min(amount, size) - size) / rate[i]
  if lacks > wait then worst, wait = i, lacks end
end
if worst > 0 then return {worst, math.ceil(wait)} end
for i, key in ipairs(KEYS) do
  redis.call('HSET', key, 'owed', owed[i], 'at', now)
  redis.call('PEXPIRE', key, math.ceil(owed[i] / rate[i]) + 1000)
end
return {0, 0}`;

export class SharedShield {
  readonly #parts: SharedShieldParts;
  readonly #prefix: string;
  #connection: Redis | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Changes of holds that Redis has not taken: until when each network is held, and 0 where it is released. */
  readonly #untold = new LRUCache<string, number>({ max: maxHolds });

  constructor(parts: SharedShieldParts) {
    this.#parts = parts;
    this.#prefix = `${parts.redis.prefix}:shield`;
  }

  /**
   * Takes from what servers share; resolves to nothing where there is enough, or where Redis does not answer in time. What all
   * strangers together have is of one machine, and not shared.
   */
  async take(charges: readonly Charge[]): Promise<Refused | undefined> {
    const connection = this.#connection;
    const shared = charges.filter(({ scope }) => scope !== 'strangers');
    if (connection === undefined || shared.length === 0) return undefined;
    const keys = shared.map(({ resource, scope, key }) => `${this.#prefix}:${resource}:${scope}:${key}`);
    const amounts = shared.flatMap(({ amount, rule: { size, perMs } }) => [amount, size, perMs]);
    try {
      const [at, waitMs] = (await connection.eval(takeScript, keys.length, ...keys, ...amounts)) as [number, number];
      const refused = shared[at - 1];
      return refused && { scope: refused.scope, waitMs };
    } catch (error) {
      this.#drop(connection, error);
      return undefined;
    }
  }

  /** Tells the other servers, once Redis answers, that a network is held or, with 0, that it is not any more. Never rejects. */
  async tell(network: string, untilMs: number): Promise<void> {
    this.#untold.set(network, untilMs);
    await this.#sync();
  }

  /** Connects, and follows what other servers hold. Never rejects. */
  async start(): Promise<void> {
    await this.#sync();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.start(), syncMs).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#connection?.disconnect();
    this.#connection = undefined;
  }

  async #sync(): Promise<void> {
    if (this.#isClosed) return;
    let connection = this.#connection;
    try {
      connection ??= await this.#connect();
      await this.#exchange(connection);
    } catch (error) {
      this.#drop(connection, error);
    }
  }

  async #exchange(connection: Redis): Promise<void> {
    const key = `${this.#prefix}:holds`;
    for (const [network, untilMs] of [...this.#untold.entries()]) {
      await (untilMs === 0 ? connection.zrem(key, network) : connection.zadd(key, untilMs, network));
      if (this.#untold.get(network) === untilMs) this.#untold.delete(network);
    }
    await connection.zremrangebyscore(key, '-inf', Date.now());
    await connection.zremrangebyrank(key, 0, -maxHolds - 1);
    const found = await connection.zrange(key, '0', '-1', 'WITHSCORES');
    const ends = found.flatMap((network, at) => (at % 2 === 0 ? [[network, Number(found[at + 1])] as const] : []));
    const last = ends.at(-1);
    if (last !== undefined) await connection.pexpireat(key, last[1]);
    // What was changed here meanwhile is newer.
    if (this.#untold.size === 0) this.#parts.holds.replace(ends);
  }

  async #connect(): Promise<Redis> {
    const { redis, answerWithinMs = 500 } = this.#parts;
    const connection = (await redisConnections(redis, answerWithinMs))();
    connection.on('end', () => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    try {
      await connection.connect();
      // A Redis that was started again has none of the holds that it had.
      if ((await connection.exists(`${this.#prefix}:holds`)) === 0)
        for (const { network, untilMs } of this.#parts.holds.list()) this.#untold.set(network, untilMs);
    } catch (error) {
      connection.disconnect();
      throw error;
    }
    if (this.#isClosed) connection.disconnect();
    else this.#connection = connection;
    return connection;
  }

  /** One that does not answer is opened again with the next exchange, so that nobody waits for it twice. */
  #drop(connection: Redis | undefined, error: unknown): void {
    connection?.disconnect();
    if (this.#connection === connection) this.#connection = undefined;
    if (!this.#isClosed) this.#parts.onFault(fault, error);
  }
}
