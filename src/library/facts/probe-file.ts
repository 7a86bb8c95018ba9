/** Reads the facts of single image files that lie outside of the library's folders, such as derived pyramids. */
import path from 'node:path';
import type { Resolution } from '../../image/model/image-set.ts';
import { makeListing, noEntries } from '../listings/listing.ts';
import { Prober } from './probe.ts';

/** The facts of each page of a file as stored upright; none where it is no readable image, or a link. */
export function createFileProbe(): (file: string) => Promise<readonly Resolution[]> {
  const prober = new Prober({ isContained: () => false, orientation: 'apply', onUnreadable: () => undefined });
  return (file) => prober.probe(makeListing(path.dirname(file), noEntries()), path.basename(file));
}
