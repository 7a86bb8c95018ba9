/** Processes that use a cache directory, and what is left of it when they are killed while they write to it. */
import { spawn } from 'node:child_process';
import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { bytesIn, makeFolder, open, request, until } from '../unit/core/cache/cache-folder.ts';

const built = (name: string): string => JSON.stringify(new URL(`../../dist/${name}.js`, import.meta.url).href);

/**
 * Requests keys in random order, checks the returned bytes, prints a line when it first writes, and prints its statistics;
 * endlessly if `rounds` is 0. It writes in small chunks, so that it is in the middle of a file most of the time.
 */
const program = `
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createDerivatives } from ${built('core/cache/derivatives')};
import { nodeFileSystem } from ${built('core/storage/file-system')};
const [directory, maxBytes, keys, length, rounds] = process.argv.slice(1);
const create = async (file) => {
  const opened = await nodeFileSystem.create(file);
  const write = async (bytes) => opened.write(bytes.subarray(0, await wait(1, 64 * 1024)));
  return { ...opened, write };
};
const bytesOf = (key) => Buffer.alloc(Number(length), createHash('sha256').update(key).digest());
const cache = createDerivatives({
  memoryBytes: 0,
  disk: { directory, maxBytes: Number(maxBytes) },
  onFault: (message, cause) => console.error(message, cause),
  fileSystem: { ...nodeFileSystem, create },
});
let hasBegun = false;
for (let round = 0; Number(rounds) === 0 || round < Number(rounds); round++) {
  const key = 'key ' + Math.floor(Math.random() * Number(keys));
  const bytes = await cache.getOrCreate(key, async () => bytesOf(key));
  if (!bytes.equals(bytesOf(key))) throw new Error(key + ' got other bytes');
  const { state, entries, waitingBytes } = cache.stats().disk;
  if (!hasBegun && state === 'ready' && entries > 0 && waitingBytes > 0) {
    hasBegun = true;
    console.log('begun');
  }
  if (round % 8 === 7) await wait(1);
}
await cache.close();
console.log(JSON.stringify(cache.stats()));
`;

export interface CacheWork {
  readonly directory: string;
  readonly maxBytes: number;
  readonly keys: number;
  readonly length: number;
  readonly rounds: number;
}

/** Starts a process that does the work. */
export function startCacheProcess({ directory, maxBytes, keys, length, rounds }: CacheWork) {
  const values = [directory, maxBytes, keys, length, rounds].map(String);
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...values]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const begun = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  return { child, begun, ended, output };
}

/** Kills a process that writes, again and again, each time a bit later, and expects a cache in which no bytes are wrong. */
export async function expectCacheSurvivesKills(rounds: number): Promise<void> {
  const directory = makeFolder();
  const length = 1_000_000;
  const maxBytes = 30 * length;
  let halfWritten = 0;
  for (let round = 0; round < rounds; round++) {
    const { child, begun, ended, output } = startCacheProcess({ directory, maxBytes, keys: 100, length, rounds: 0 });
    await Promise.race([begun, ended]);
    await new Promise((resolve) => setTimeout(resolve, 5 + (60 * round) / rounds));
    child.kill('SIGKILL');
    await ended;
    expect(output.stderr).toBe('');
    const temporary = path.join(directory, 'lectern-derivatives', 'temporary');
    for (const name of readdirSync(temporary)) utimesSync(path.join(temporary, name), 1000, 1000);
    halfWritten += readdirSync(temporary).length;
    const { cache, reported } = open({ disk: { directory, maxBytes } });
    await until(() => cache.stats().disk?.state === 'ready');
    expect(readdirSync(temporary)).toEqual([]);
    for (let key = 0; key < 100; key += 7) await request(cache, `key ${key}`, length);
    await cache.close();
    expect(reported).toEqual([]);
    expect(bytesIn(directory)).toBeLessThanOrEqual(maxBytes);
  }
  // Otherwise no process was killed in the middle of a file.
  expect(halfWritten).toBeGreaterThan(0);
}
