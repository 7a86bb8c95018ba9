/** Finds images and folders that no list of the server shows, since no address can name them. */
import { isImageName } from '../../core/image/model/formats.ts';
import { isSegment } from '../../core/image/model/identifier.ts';
import { ifFound } from '../../core/storage/file-errors.ts';
import { storageOf } from '../../core/storage/local-storage.ts';

export interface NameFault {
  readonly name: string;
  readonly message: string;
}

/** Why no address can have this name, as a part of a sentence. */
function reasonOf(name: string): string {
  if (name.includes('\\')) return 'a backslash, which some programs take for a slash';
  if (name.includes('\uFFFD')) return 'bytes that are not UTF-8';
  return 'an encoded “..”, which could lead out of the library';
}

const messageOf = (name: string): string =>
  `The name has ${reasonOf(name)}: no address can name it, and no list shows it; rename it.`;

async function read(directory: string): Promise<readonly NameFault[]> {
  const names: string[] = [];
  for await (const entries of storageOf(directory).list(directory)) {
    for (const { name, kind } of entries) {
      // Names that begin with a dot are hidden on purpose.
      if (name.startsWith('.') || isSegment(name)) continue;
      if (kind === 'folder' || isImageName(name)) names.push(name);
    }
  }
  return names.sort().map((name) => ({ name, message: messageOf(name) }));
}

/** The faults of the names in a folder, by its path without links. Rejects where the storage fails. */
export const nameFaults = async (directory: string): Promise<readonly NameFault[]> =>
  (await ifFound(read(directory))) ?? [];
