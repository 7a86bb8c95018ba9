/** The codes of file system errors, and what they mean for the caller. */

/** The code of a system error, such as `ENOENT`; undefined for every other error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

/** An error of the operating system, as opposed to one of Node or of the program. */
export const isSystemError = (error: unknown): boolean => /^E[A-Z0-9]+$/.test(codeOf(error) ?? '');

type ErrorTest = (error: unknown) => boolean;

function hasCode(...codes: readonly string[]): ErrorTest {
  const set: ReadonlySet<string | undefined> = new Set(codes);
  return (error) => set.has(codeOf(error));
}

/** Nothing has this path. */
export const isNotFound: ErrorTest = hasCode('ENOENT', 'ENOTDIR');

export const isAccessDenied: ErrorTest = hasCode('EACCES', 'EPERM');

export const isNoSpace: ErrorTest = hasCode('ENOSPC', 'EDQUOT');

export const alreadyExists: ErrorTest = hasCode('EEXIST');

/** A file that is opened without following links is a symbolic link. */
export const isLinkRefused: ErrorTest = hasCode('ELOOP');

const isInvalidPath = hasCode('ELOOP', 'ENAMETOOLONG', 'EINVAL');

async function undefinedIf<T>(isExpected: ErrorTest, operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** The result of a file operation; undefined where nothing has the path. Rejects with every other error. */
export const ifFound = <T>(operation: Promise<T>): Promise<T | undefined> => undefinedIf(isNotFound, operation);

/** The same; undefined also where the path is invalid or the server may not read it. Rejects where the disk fails. */
export const ifReadable = <T>(operation: Promise<T>): Promise<T | undefined> =>
  undefinedIf((error) => isNotFound(error) || isAccessDenied(error) || isInvalidPath(error), operation);
