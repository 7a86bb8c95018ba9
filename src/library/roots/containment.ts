/** Which places of the disk belong to the library. */
import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Whether an absolute path without links lies in one of the roots. */
export type Containment = (realPath: string) => boolean;

/** Tells whether a place lies in one of the roots; every place does where `anywhere` is set. */
export function containmentIn(roots: readonly string[], anywhere: boolean): Containment {
  if (anywhere) return () => true;
  const reals = roots.map((root) => realpathSync(root));
  const prefixes = reals.map((real) => (real.endsWith(path.sep) ? real : real + path.sep));
  return (place) => reals.includes(place) || prefixes.some((prefix) => place.startsWith(prefix));
}
