/** Counts the calls of node:fs/promises, and looks of node:fs, for tests that mock them with these. */

/** The calls as they come: the operation and its path. */
export const calls: string[] = [];

/** The operations, each of which is written down. */
export async function countedCalls(importOriginal: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const original = (await importOriginal()) as Record<string, unknown>;
  const counted =
    (name: string, operation: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      calls.push(`${name} ${String(args[0])}`);
      return operation(...args);
    };
  return Object.fromEntries(
    Object.entries(original).map(([name, value]) => [
      name,
      typeof value === 'function' ? counted(name, value as (...args: unknown[]) => unknown) : value,
    ]),
  );
}

/** The same for the synchronous looks, which are written down by the names of the others. */
export async function countedLooks(importOriginal: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const original = (await importOriginal()) as { readonly lstatSync: (...args: unknown[]) => unknown };
  const lstatSync = (...args: unknown[]) => {
    calls.push(`lstat ${String(args[0])}`);
    return original.lstatSync(...args);
  };
  return { ...original, lstatSync };
}

/** What is asked of the disk while something is done, sorted, without the path of a folder around all. */
export async function callsOf(around: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  calls.length = 0;
  await work();
  return calls.map((call) => call.replace(`${around}/`, '')).sort();
}
