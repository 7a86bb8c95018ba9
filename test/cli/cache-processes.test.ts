/** Processes that share a cache directory, or are killed while they write to it, never return wrong bytes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { bytesIn, makeFolder, open, request, until } from '../unit/cache/cache-folder.ts';

const built = (name: string): string => JSON.stringify(new URL(`../../dist/${name}.js`, import.meta.url).href);

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/**
 * Requests keys in random order, checks the returned bytes, prints a line when it first writes, and prints its statistics;
 * endlessly if `rounds` is 0. It writes in small chunks, so that it is in the middle of a file most of the time.
 */
const program = `
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createDerivatives } from ${built('cache/derivatives')};
import { nodeFileSystem } from ${built('storage/file-system')};
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

interface Work {
  readonly directory: string;
  readonly maxBytes: number;
  readonly keys: number;
  readonly length: number;
  readonly rounds: number;
}

function start({ directory, maxBytes, keys, length, rounds }: Work) {
  const values = [directory, maxBytes, keys, length, rounds].map(String);
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...values]);
  running.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const begun = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  return { child, begun, ended, output };
}

it('after kill -9 while files are written no bytes are wrong, and partial files are removed', async () => {
  const directory = makeFolder();
  const length = 1_000_000;
  const maxBytes = 30 * length;
  let halfWritten = 0;
  for (let round = 0; round < 20; round++) {
    const { child, begun, ended, output } = start({ directory, maxBytes, keys: 100, length, rounds: 0 });
    await Promise.race([begun, ended]);
    await new Promise((resolve) => setTimeout(resolve, 5 + 3 * round));
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
});

it('two processes share one directory, read each other’s files, and evict from it without errors', async () => {
  const directory = makeFolder();
  const work = { directory, maxBytes: 400_000, keys: 60, length: 10_000, rounds: 1000 };
  const processes = [start(work), start(work)];
  expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0]);
  const stats = processes.map(({ output }) => JSON.parse(output.stdout.split('\n').at(-2) ?? ''));
  expect(processes.map(({ output }) => output.stderr)).toEqual(['', '']);
  for (const { hits, disk, faults } of stats) {
    expect(hits.disk).toBeGreaterThan(100);
    expect(disk.evictions).toBeGreaterThan(10);
    expect(faults).toBe(0);
  }
  expect(bytesIn(directory)).toBeLessThanOrEqual(2 * work.maxBytes);
});
