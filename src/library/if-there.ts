/** Tells names that lead nowhere from disks that fail. */

const nowhere = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EINVAL']);

/** The code of a file operation’s error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

/** The result of a file operation, or undefined where the name leads nowhere. */
export async function ifThere<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (nowhere.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
