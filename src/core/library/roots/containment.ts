/** Decides which paths of the disk belong to the library. */
import path from 'node:path';

/** Whether an absolute path without links lies in one of the roots. */
export type Containment = (realPath: string) => boolean;

/** A directory with a separator at its end, for tests whether paths lie in it. */
export const prefixOf = (directory: string): string =>
  directory.endsWith(path.sep) ? directory : directory + path.sep;

/** Tests whether a path lies in one of the directories, which are absolute and without links; with `anywhere`, every path does. */
export function containmentIn(directories: readonly string[], anywhere: boolean): Containment {
  if (anywhere) return () => true;
  const prefixes = directories.map(prefixOf);
  return (realPath) => directories.includes(realPath) || prefixes.some((prefix) => realPath.startsWith(prefix));
}
