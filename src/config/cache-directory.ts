/** The user's cache directory: for files that can be made again. */
import { homedir } from 'node:os';
import path from 'node:path';

/** `lectern` in the user's cache directory (XDG Base Directory Specification). */
export function userCacheDirectory(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = environment['XDG_CACHE_HOME'];
  // The specification says that relative paths are to be ignored.
  const base = named !== undefined && path.isAbsolute(named) ? named : path.join(homedir(), '.cache');
  return path.join(base, 'lectern');
}
