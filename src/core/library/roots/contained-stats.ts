/** Reads the stats of files in listed folders without leaving the roots. */
import type { LinkTarget } from '../stats/library-file-system.ts';
import type { RequestStatCache } from '../stats/request-stat-cache.ts';
import type { Containment } from './containment.ts';

/**
 * The stats and the real path of a file, or of the file that a link leads to; undefined where the link leads out of the roots
 * or nowhere. Only a link can lead out, since the folder around the file is contained.
 */
export async function containedStats(
  path: string,
  isContained: Containment,
  statCache: RequestStatCache,
): Promise<LinkTarget | undefined> {
  const found = await statCache.lstat(path);
  if (found === undefined) return undefined;
  if (!found.stats.isSymbolicLink()) return { ...found, real: path };
  const target = await statCache.follow(path);
  return target !== undefined && isContained(target.real) ? target : undefined;
}
