/** Walks a stored folder: finds its entries, and removes temporary files that dead processes left. */
import type { Dirent, Stats } from 'node:fs';
import path from 'node:path';
import { ifFound, isAccessDenied } from './file-errors.ts';
import type { FileSystem } from './file-system.ts';
import type { FolderLayout } from './layout.ts';

export interface Walk {
  readonly files: FileSystem;
  readonly layout: Pick<FolderLayout, 'root' | 'classify'>;
  /** Runs the work for one folder, for instance when the disk is idle. */
  step?<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the stats of an entry are needed; all are by default. */
  needsStats?(name: string): boolean;
  /** Called for each entry whose stats are needed, whatever its name leads to. */
  onEntry?(name: string, stats: Stats): void | Promise<void>;
  /** Whether the process that wrote a temporary file has died; by default, whether it has not changed for a minute. */
  isAbandoned?(relativePath: string, stats: Stats): boolean | Promise<boolean>;
  /** Called on folders and files below the root that the server may not read; the walk goes on without them. */
  onDenied?(error: unknown): void;
  isCanceled?(): boolean;
}

/** A file that is being written changes all the time. */
const abandonedMs = 60_000;

const isOld = (_relativePath: string, { mtimeMs }: Stats): boolean => Date.now() - mtimeMs > abandonedMs;

/** The result of an operation; undefined where the path is gone meanwhile, or may not be read. */
async function ifAllowed<T>(walk: Walk, operation: Promise<T>): Promise<T | undefined> {
  try {
    return await ifFound(operation);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    walk.onDenied?.(error);
    return undefined;
  }
}

async function visit(walk: Walk, folder: string, entry: Dirent, folders: string[]): Promise<void> {
  const { files, layout, needsStats, onEntry, isAbandoned = isOld } = walk;
  const relativePath = path.join(folder, entry.name);
  const found = layout.classify(relativePath);
  // Links to folders are not followed: what they lead to is not ours.
  if (found?.kind === 'folder' && entry.isDirectory()) folders.push(relativePath);
  if (found === undefined || found.kind === 'folder') return;
  if (found.kind === 'entry' && needsStats?.(found.name) === false) return;
  const file = path.join(layout.root, relativePath);
  const stats = await ifAllowed(walk, files.lstat(file));
  if (stats === undefined) return;
  if (found.kind === 'entry') await onEntry?.(found.name, stats);
  else if (!stats.isDirectory() && (await isAbandoned(relativePath, stats))) await ifAllowed(walk, files.unlink(file));
}

async function visitFolder(walk: Walk, folder: string): Promise<readonly string[]> {
  const folders: string[] = [];
  const listing = walk.files.list(path.join(walk.layout.root, folder));
  const entries = await (folder === '' ? ifFound(listing) : ifAllowed(walk, listing));
  for (const entry of entries ?? []) await visit(walk, folder, entry, folders);
  return folders;
}

/** Resolves to whether the walk was completed. Rejects where the disk fails or the root may not be read. */
export async function walkFolder(walk: Walk): Promise<boolean> {
  const { step = (work) => work(), isCanceled = () => false } = walk;
  const folders = [''];
  for (const folder of folders) {
    if (folder !== '' && isCanceled()) return false;
    folders.push(...(await step(() => visitFolder(walk, folder))));
  }
  return true;
}
