/** Reads the facts of single image files outside of the library's folders, such as derived pyramids. */
import path from 'node:path';
import type { Resolution } from '../image/model/image-set.ts';
import { Storages } from '../storage/storages.ts';
import { Prober } from './file-facts.ts';
import { createListing, noEntries } from './listings/listing.ts';

/** Returns a function that reads the facts of each page of a file as stored upright; none for links and unreadable files. */
export function createFileProbe(storages = new Storages()): (file: string) => Promise<readonly Resolution[]> {
  const prober = new Prober({
    storages,
    isContained: () => false,
    orientation: 'apply',
    onUnreadable: () => undefined,
  });
  return (file) => prober.probe(createListing(path.dirname(file), noEntries()), path.basename(file));
}
