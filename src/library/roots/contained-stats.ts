/** Reads the stats of files in listed folders without leaving the roots. */
import type { LibraryFileSystem, PathStats } from '../stats/library-file-system.ts';
import type { RequestStatCache } from '../stats/request-stat-cache.ts';
import type { Containment } from './containment.ts';

/**
 * The stats of a file, or of the file that a link leads to; undefined where the link leads out of the roots or nowhere. Only
 * a link can lead out, since the folder around the file is contained.
 */
export async function containedStats(
  path: string,
  isContained: Containment,
  fileSystem: LibraryFileSystem,
  statCache: RequestStatCache,
): Promise<PathStats | undefined> {
  const found = await statCache.lstat(path);
  if (!found?.stats.isSymbolicLink()) return found;
  const target = await fileSystem.resolve(path);
  if (target === undefined || !isContained(target)) return undefined;
  return statCache.stat(target);
}
