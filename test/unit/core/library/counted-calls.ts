/** Mocks of node:fs/promises, and of lstatSync and openSync, that record their calls. */
import { createRequire } from 'node:module';

// Not by an import, which would wait for the mock of node:fs, which waits for this module.
const { readlinkSync } = createRequire(import.meta.url)('node:fs') as typeof import('node:fs');

/** The calls in order: the operation and its path. */
export const calls: string[] = [];

/** On Linux, files and folders are opened without being read, to have a path that stays theirs. */
const isPinning = (name: string, [path, flags]: readonly unknown[]): boolean =>
  (name === 'open' && typeof flags === 'number' && (flags & 0x20_00_00) !== 0) ||
  (name === 'readlink' && String(path).startsWith('/proc/self/fd/'));

const realPathOf = (path: string): string => (path.startsWith('/proc/self/fd/') ? readlinkSync(path) : path);

/** The module with every function recorded, with the real paths of open files. */
export async function countedCalls(importOriginal: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const original = (await importOriginal()) as Record<string, unknown>;
  const counted =
    (name: string, operation: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      if (!isPinning(name, args)) calls.push(`${name} ${realPathOf(String(args[0]))}`);
      return operation(...args);
    };
  return Object.fromEntries(
    Object.entries(original).map(([name, value]) => [
      name,
      typeof value === 'function' ? counted(name, value as (...args: unknown[]) => unknown) : value,
    ]),
  );
}

/** The module with `lstatSync` and `openSync` recorded, under the names of the asynchronous functions. */
export async function countedSyncCalls(importOriginal: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const original = (await importOriginal()) as Record<'lstatSync' | 'openSync', (...args: unknown[]) => unknown>;
  const lstatSync = (...args: unknown[]) => {
    calls.push(`lstat ${String(args[0])}`);
    return original.lstatSync(...args);
  };
  const openSync = (...args: unknown[]) => {
    calls.push(`open ${String(args[0])}`);
    return original.openSync(...args);
  };
  return { ...original, lstatSync, openSync };
}

/** The calls of some work, sorted, with paths relative to a folder. */
export async function callsOf(folder: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  calls.length = 0;
  await work();
  return calls.map((call) => call.replace(`${folder}/`, '')).sort();
}
