/** A temporary cache directory for tests, what lies in it, and derivatives that are known by their keys. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import { createDerivatives, type Derivatives, type DerivativesOptions } from '../../../src/cache/derivatives.ts';
import { addressOf, layoutIn } from '../../../src/cache/layout.ts';

const folders: string[] = [];
const opened: Derivatives[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((derivatives) => derivatives.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-cache-'));
  folders.push(folder);
  return folder;
}

export interface Told {
  readonly message: string;
  readonly cause: unknown;
}

/** Derivatives that are closed after the test, and what they tell. */
export function open(options: Partial<DerivativesOptions>): { readonly cache: Derivatives; readonly told: Told[] } {
  const told: Told[] = [];
  const cache = createDerivatives({
    memoryBytes: 0,
    onFault: (message, cause) => told.push({ message, cause }),
    ...options,
  });
  opened.push(cache);
  return { cache, told };
}

/** Bytes that follow from the key alone. */
export function bytesOf(key: string, length = 1000): Buffer {
  const digest = createHash('sha256').update(key).digest();
  return Buffer.alloc(length, digest);
}

/** Where the entry of a key lies. */
export const fileOf = (directory: string, key: string): string => layoutIn(directory).entry(addressOf(key).name);

/** The paths of all files below a folder, relative to it, in order. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .sort();

/** The lengths of all files below a folder together, but for the tag. */
export const bytesIn = (folder: string): number =>
  filesIn(folder)
    .filter((name) => !name.endsWith('CACHEDIR.TAG'))
    .reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);

/** Asks for a key; tells whether it had to be made. */
export async function ask(cache: Derivatives, key: string, length?: number): Promise<'made' | 'kept'> {
  let answer: 'made' | 'kept' = 'kept';
  const bytes = await cache.getOrCreate(key, async () => {
    answer = 'made';
    return bytesOf(key, length);
  });
  if (!bytes.equals(bytesOf(key, length))) throw new Error(`${key} got other bytes`);
  return answer;
}

/** Fills a directory, and waits until all is written. */
export async function fill(directory: string, keys: readonly string[], length?: number): Promise<void> {
  const { cache } = open({ disk: { directory, maxBytes: 1e9 } });
  for (const key of keys) await ask(cache, key, length);
  await cache.close();
}

/** Waits until a condition holds; not by a timer, which the test may have stopped. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
