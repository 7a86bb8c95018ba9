/** Connections to the Redis that servers share. */
import { readFile } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import type { CoreSettings } from '../config/core-settings.ts';

const connectMs = 5000;

/**
 * Makes connections to a Redis, which are not open yet; each is for its lifetime, and whoever opened it opens another one after its end. A command
 * fails after `commandTimeout` ms; without it, it waits. Rejects where the file of the password can't be read. The package is loaded here,
 * and not before.
 */
export async function redisConnections(
  { address, passwordFile }: NonNullable<CoreSettings['redis']>,
  commandTimeout?: number,
): Promise<() => Redis> {
  const { Redis } = await import('ioredis');
  const password = passwordFile === undefined ? undefined : (await readFile(passwordFile, 'utf8')).trim();
  const times = { connectTimeout: connectMs, ...(commandTimeout !== undefined && { commandTimeout }) };
  const once = { retryStrategy: () => null, lazyConnect: true, maxRetriesPerRequest: 1 };
  return () => {
    const connection = new Redis(address, { ...(password && { password }), ...times, ...once });
    // Its end and the commands that fail tell of it.
    connection.on('error', () => undefined);
    return connection;
  };
}
