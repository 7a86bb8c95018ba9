/** Opens the queue in Redis for a command. */
import { setTimeout as pause } from 'node:timers/promises';
import { queueNameOf, type RedisSettings, redisAddressOf } from '../../app/open-build-queue.ts';
import { pyramidsIdentity } from '../../app/open-pyramids.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { maxQueued, RedisLink } from '../../core/pyramids/queue/redis-link.ts';
import { messageOf, printable } from '../common/text.ts';
import { UsageError } from '../common/usage-error.ts';

/** The settings of Redis. Throws UsageError where there are none. */
export function requireRedis({ redis }: Settings): RedisSettings {
  if (redis === undefined)
    throw new UsageError('the setting redis.address names no Redis, so there is no shared queue');
  return redis;
}

async function openLink(settings: Settings): Promise<RedisLink> {
  const redis = requireRedis(settings);
  try {
    const queue = queueNameOf(await pyramidsIdentity(settings));
    return await RedisLink.open({ ...redisAddressOf(redis), queue, building: undefined });
  } catch (error) {
    throw new UsageError(`the queue in ${printable(redis.address)} can’t be used: ${messageOf(error)}`);
  }
}

/** Uses the queue, and closes it. Throws UsageError where Redis can't be reached. */
export async function withLink<T>(settings: Settings, use: (link: RedisLink) => Promise<T>): Promise<T> {
  const link = await openLink(settings);
  try {
    return await use(link);
  } finally {
    await link.close(true);
  }
}

/** How many jobs are added before the queue is asked for its length again. */
const checkEach = 100;

/** Waits while the queue is full; resolves to false where the signal ended that. `added` is the number of jobs added so far. */
export async function waitForRoom(link: RedisLink, added: number, signal: AbortSignal): Promise<boolean> {
  if (added % checkEach !== 0) return !signal.aborted;
  while (!signal.aborted && (await link.check()).waiting > maxQueued - checkEach) {
    await pause(1000, undefined, { signal }).catch(() => undefined);
  }
  return !signal.aborted;
}
