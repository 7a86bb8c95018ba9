/** Reads the entries of one folder from its storage. */
import { isSegment } from '../../image/model/identifier.ts';
import { ifFound } from '../../storage/file-errors.ts';
import type { StoredEntry } from '../../storage/storage.ts';
import type { Storages } from '../../storage/storages.ts';
import type { Containment } from '../roots/containment.ts';
import { addEntry, type Entries, type EntryKind, noEntries } from './listing.ts';

/** A link counts only where it leads to what belongs to the library. */
function kindOf({ kind, link }: StoredEntry, isContained: Containment): EntryKind {
  if (link === undefined) return kind;
  return link.target !== undefined && isContained(link.target) ? kind : undefined;
}

/**
 * The names in a folder, by its path without links; undefined where there is none, or where the path leads elsewhere by now.
 * Rejects where the storage fails or the server may not read it.
 */
export const readEntries = (
  directory: string,
  storages: Storages,
  isContained: Containment,
): Promise<Entries | undefined> => ifFound(readAll(directory, storages, isContained));

async function readAll(directory: string, storages: Storages, isContained: Containment): Promise<Entries> {
  const entries = noEntries();
  for await (const some of storages.of(directory).list(directory)) {
    for (const entry of some) {
      if (entry.name.startsWith('.')) continue;
      const kind = kindOf(entry, isContained);
      // Image files of such names stay: `pn` counts them.
      if (kind === 'folder' && !isSegment(entry.name)) continue;
      addEntry(entries, entry.name, entry.link !== undefined, kind);
    }
  }
  return entries;
}
