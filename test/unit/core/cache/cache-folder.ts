/** A temporary cache directory for tests, the files in it, and derivatives whose bytes follow from their keys. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  createDerivatives,
  type Derivatives,
  type DerivativesOptions,
} from '../../../../src/core/cache/derivatives.ts';
import { addressOf, layoutIn } from '../../../../src/core/cache/entry-file.ts';

// No `afterEach` of this module: files that share its process load it once, and only the first would have it.

/** An empty folder that is removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Fault {
  readonly message: string;
  readonly cause: unknown;
}

/** Derivatives that are closed after the test, and the faults that they report. */
export function open(options: Partial<DerivativesOptions>): {
  readonly cache: Derivatives;
  readonly reported: Fault[];
} {
  const reported: Fault[] = [];
  const cache = createDerivatives({
    memoryBytes: 0,
    onFault: (message, cause) => reported.push({ message, cause }),
    ...options,
  });
  onTestFinished(() => cache.close());
  return { cache, reported };
}

/** Bytes that follow from the key alone. */
export function bytesOf(key: string, length = 1000): Buffer {
  const digest = createHash('sha256').update(key).digest();
  return Buffer.alloc(length, digest);
}

/** The path of the entry of a key. */
export const fileOf = (directory: string, key: string): string => layoutIn(directory).pathOf(addressOf(key).name);

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

/** Requests a key; resolves to whether it had to be made. */
export async function request(cache: Derivatives, key: string, length?: number): Promise<'made' | 'cached'> {
  let origin: 'made' | 'cached' = 'cached';
  const bytes = await cache.getOrCreate(key, async () => {
    origin = 'made';
    return bytesOf(key, length);
  });
  if (!bytes.equals(bytesOf(key, length))) throw new Error(`${key} got other bytes`);
  return origin;
}

/** Fills a directory, and waits until all is written. */
export async function fill(directory: string, keys: readonly string[], length?: number): Promise<void> {
  const { cache } = open({ disk: { directory, maxBytes: 1e9 } });
  for (const key of keys) await request(cache, key, length);
  await cache.close();
}

/** Waits until a condition is true; without a timer, which the test may have replaced. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
