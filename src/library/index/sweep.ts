/** Keeps the index within its bound: what was not used for longest goes first. */
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isInnerFolder, isKeptFile, isTemporaryFile, isVersionFolder } from './layout.ts';

const hourMs = 3_600_000;

/** What another version of Lectern has kept goes when it was not used for so long. */
const otherVersionMs = 7 * 24 * hourMs;

/** A sweep goes on until this part of the bound is in use, so that not every write needs one. */
const goal = 0.9;

/** File systems give space in blocks. */
const blockBytes = 4096;

interface Found {
  readonly file: string;
  readonly bytes: number;
  readonly usedMs: number;
}

export interface SweepOptions {
  readonly root: string;
  readonly version: string;
  readonly maxBytes: number;
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

async function look(file: string): Promise<Found | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  return { file, bytes: Math.ceil(stats.size / blockBytes) * blockBytes, usedMs: stats.mtimeMs };
}

/** All files of the index, one folder after the other; those that are of no use are removed on the way. */
async function filesToKeep({ root, version }: SweepOptions): Promise<Found[]> {
  const kept: Found[] = [];
  const nowMs = Date.now();
  const isStale = (name: string, { usedMs }: Found, isOwn: boolean): boolean =>
    isTemporaryFile(name) ? nowMs - usedMs > hourMs : !isOwn && nowMs - usedMs > otherVersionMs;
  const visit = async (folder: string, name: string, isOwn: boolean): Promise<void> => {
    const found = isKeptFile(name) || isTemporaryFile(name) ? await look(path.join(folder, name)) : undefined;
    if (found === undefined) return;
    if (isStale(name, found, isOwn)) await rm(found.file, { force: true });
    else kept.push(found);
  };
  for (const outer of (await namesIn(root)).filter(isVersionFolder)) {
    for (const inner of (await namesIn(path.join(root, outer))).filter(isInnerFolder)) {
      const folder = path.join(root, outer, inner);
      for (const name of await namesIn(folder)) await visit(folder, name, outer === `v${version}`);
    }
  }
  return kept;
}

/** Removes files until those that are left keep the bound; resolves to the bytes that these take. */
export async function sweep(options: SweepOptions): Promise<number> {
  const files = await filesToKeep(options);
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= options.maxBytes) return total;
  files.sort((a, b) => a.usedMs - b.usedMs);
  for (const { file, bytes } of files) {
    if (total <= options.maxBytes * goal) break;
    await rm(file, { force: true });
    total -= bytes;
  }
  return total;
}
