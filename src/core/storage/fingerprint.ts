/** Recognizes changes of files and folders by their stats. */
import type { FileStats } from './storage.ts';

/** Changes with every write. The status change time shows writes that keep the length and restore the modification time. */
export const fingerprintOf = (stats: Pick<FileStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>): string =>
  `${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}-${stats.ino}`;

/** File times are coarse: a second change within this time after a first one may leave the same fingerprint. */
const settledAfterMs = 2000;

/**
 * Whether what is read of a file or folder at this time (ms since 1970) or later may be cached under its fingerprint,
 * because every later change will give it another one. Modification times can be set to any time, even in the future.
 */
export function isSettled({ mtimeMs, ctimeMs }: Pick<FileStats, 'mtimeMs' | 'ctimeMs'>, atMs: number): boolean {
  const changedMs = mtimeMs > ctimeMs && Number(mtimeMs) <= atMs ? mtimeMs : ctimeMs;
  return atMs - Number(changedMs) > settledAfterMs;
}
