/** Reads the entries of one folder from the disk. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ifFound, ifReadable } from '../../storage/file-errors.ts';
import type { Containment } from '../roots/containment.ts';
import { addEntry, type Entries, type EntryKind, noEntries } from './listing.ts';

async function kindOfTarget(link: string, isContained: Containment): Promise<EntryKind> {
  const target = await ifReadable(realpath(link));
  if (target === undefined || !isContained(target)) return undefined;
  return kindOf(await ifReadable(stat(target)));
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory'> | undefined): EntryKind {
  if (entry?.isFile()) return 'file';
  return entry?.isDirectory() ? 'folder' : undefined;
}

/** The names in a folder; undefined where there is none. Rejects where the disk fails or the server may not read it. */
export async function readEntries(directory: string, isContained: Containment): Promise<Entries | undefined> {
  const found = await ifFound(readdir(directory, { withFileTypes: true }));
  if (found === undefined) return undefined;
  const entries = noEntries();
  for (const entry of found) {
    const { name } = entry;
    if (name.startsWith('.')) continue;
    const isLink = entry.isSymbolicLink();
    const kind = isLink ? await kindOfTarget(path.join(directory, name), isContained) : kindOf(entry);
    addEntry(entries, name, isLink, kind);
  }
  return entries;
}
