/** Reads the entries of one folder from the disk. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ifFound, ifReadable } from '../../storage/file-errors.ts';
import { isSamePath, type PinnedPath, pinPath, withPinnedPath } from '../../storage/pinned-path.ts';
import type { Containment } from '../roots/containment.ts';
import { addEntry, type Entries, type EntryKind, noEntries } from './listing.ts';

async function kindOfTarget(link: string, isContained: Containment): Promise<EntryKind> {
  const target = await ifReadable(withPinnedPath(link, async (pinned) => pinned));
  return target !== undefined && isContained(target.real) ? kindOf(target.stats) : undefined;
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory'>): EntryKind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : undefined;
}

/**
 * The names in a folder, by its path without links; undefined where there is none, or where the path leads elsewhere by now.
 * Rejects where the disk fails or the server may not read it.
 */
export async function readEntries(directory: string, isContained: Containment): Promise<Entries | undefined> {
  const pinned = await ifFound(pinPath(directory));
  if (pinned === undefined) return undefined;
  try {
    return isSamePath(pinned.real, directory) ? await ifFound(entriesIn(pinned, isContained)) : undefined;
  } finally {
    await pinned.close();
  }
}

async function entriesIn({ readPath, stats }: PinnedPath, isContained: Containment): Promise<Entries | undefined> {
  if (!stats.isDirectory()) return undefined;
  const found = await readdir(readPath, { withFileTypes: true });
  const entries = noEntries();
  for (const entry of found) {
    const { name } = entry;
    if (name.startsWith('.')) continue;
    const isLink = entry.isSymbolicLink();
    const kind = isLink ? await kindOfTarget(path.join(readPath, name), isContained) : kindOf(entry);
    addEntry(entries, name, isLink, kind);
  }
  return entries;
}
