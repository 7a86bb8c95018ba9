/** Mocks of node:fs/promises and of lstatSync that record their calls. */

/** The calls in order: the operation and its path. */
export const calls: string[] = [];

/** The module with every function recorded. */
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

/** The module with `lstatSync` recorded, under the name of the asynchronous function. */
export async function countedLstatSync(importOriginal: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const original = (await importOriginal()) as { readonly lstatSync: (...args: unknown[]) => unknown };
  const lstatSync = (...args: unknown[]) => {
    calls.push(`lstat ${String(args[0])}`);
    return original.lstatSync(...args);
  };
  return { ...original, lstatSync };
}

/** The calls of some work, sorted, with paths relative to a folder. */
export async function callsOf(folder: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  calls.length = 0;
  await work();
  return calls.map((call) => call.replace(`${folder}/`, '')).sort();
}
