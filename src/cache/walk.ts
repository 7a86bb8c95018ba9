/** Walks the cache directory, so that an index of it can be built, and clears away what was never finished there. */
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../storage/file-errors.ts';
import { maxFileBytes } from './entry-file.ts';
import type { FileSystem } from './file-system.ts';
import { entryNameIn, isShard, isTemporary, type Layout } from './layout.ts';

export interface Walk {
  readonly files: FileSystem;
  readonly layout: Layout;
  /** Runs one step of the walk when the disk has time for it. */
  step<T>(work: () => Promise<T>): Promise<T>;
  /** Told of each file that is an entry by its name and length. */
  onEntry(name: string, fileBytes: number, modifiedMs: number): void;
  /** Told of each file that has an entry’s name and can’t be one. */
  onDamaged(name: string): Promise<void>;
  /** Whether nobody needs the walk any more. */
  isGivenUp(): boolean;
}

/** A file that is being written changes every moment; one that did not for this long has lost its process. */
const abandonedMs = 60_000;

/** Also what we may not look into: nothing in there can be read or removed by us either. */
const notThere = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/** The result of an operation on something that may have gone meanwhile. */
async function ifThere<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (notThere.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

const list = async (walk: Walk, directory: string): Promise<readonly Dirent[]> =>
  (await ifThere(walk.files.list(directory))) ?? [];

/** Links are not followed: what they lead to is not ours. */
async function shardsIn(walk: Walk): Promise<readonly string[]> {
  const entries = await walk.step(() => list(walk, walk.layout.root));
  return entries.filter((entry) => entry.isDirectory() && isShard(entry.name)).map((entry) => entry.name);
}

async function clearTemporary(walk: Walk): Promise<void> {
  const { files, layout } = walk;
  for (const { name } of await list(walk, layout.temporary)) {
    if (!isTemporary(name)) continue;
    const file = path.join(layout.temporary, name);
    const stats = await ifThere(files.lstat(file));
    if (stats !== undefined && Date.now() - stats.mtimeMs > abandonedMs) await ifThere(files.unlink(file));
  }
}

async function visitShard(walk: Walk, shard: string): Promise<void> {
  for (const { name: file } of await list(walk, path.join(walk.layout.root, shard))) {
    const name = entryNameIn(shard, file);
    const stats = name && (await ifThere(walk.files.lstat(walk.layout.entry(name))));
    if (!name || !stats) continue;
    if (stats.isFile() && stats.size <= maxFileBytes) walk.onEntry(name, stats.size, stats.mtimeMs);
    else if (!stats.isDirectory()) await walk.onDamaged(name);
  }
}

/** Resolves to whether it came to its end. Rejects where a folder can’t be listed. */
export async function walkThrough(walk: Walk): Promise<boolean> {
  await walk.step(() => clearTemporary(walk));
  for (const shard of await shardsIn(walk)) {
    if (walk.isGivenUp()) return false;
    await walk.step(() => visitShard(walk, shard));
  }
  return true;
}
