/** The titles of the folders on the way to something that was found. */

import type { Admission } from '../access/admit.ts';
import { formatIdentifier, type Identifier, parseIdentifier } from '../image/model/identifier.ts';
import { createLinkTo, type Reader } from './listed-folders.ts';
import type { FolderMetadataSource } from './metadata-source.ts';

/** The titles from the first folder below the root to a folder, itself included; of those that are closed, the names. */
export type WayTo = (folder: Identifier, reader: Reader) => Promise<readonly string[]>;

/** Remembers the titles that it has read for a reader, since many finds lie in one folder. */
export function createWayTo(admission: Admission, source: FolderMetadataSource): WayTo {
  const linkTo = createLinkTo(admission, source);
  const known = new WeakMap<Reader, Map<string, Promise<string>>>();

  return async ({ segments }, reader) => {
    const titles = known.get(reader) ?? new Map<string, Promise<string>>();
    known.set(reader, titles);
    const way: string[] = [];
    for (const depth of segments.keys()) {
      const identifier = parseIdentifier(segments.slice(0, depth + 1).join('/'));
      if (identifier === undefined) continue;
      const path = formatIdentifier(identifier);
      const title = titles.get(path) ?? linkTo(identifier, reader).then((link) => link.title);
      titles.set(path, title);
      way.push(await title);
    }
    return way;
  };
}
