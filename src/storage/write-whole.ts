/** Writes a file beside its path and renames it, so that a reader finds all of it or nothing. */
import path from 'node:path';
import { isNotFound } from './file-errors.ts';
import type { FileSystem, OpenFile } from './file-system.ts';

export interface WholeFile {
  readonly path: string;
  /** Where it is written, in the same file system; nothing has this path. */
  readonly temporary: string;
  readonly write: (file: OpenFile) => Promise<void>;
  /** Creates the missing folder of the temporary file. */
  readonly makeFolder?: () => Promise<void>;
  /** Whether the file is no longer wanted; called before it is renamed. */
  readonly isCanceled?: () => boolean;
}

/** Does work in a folder; where that is missing, creates the folder and tries again. */
async function inFolder(makeFolder: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await makeFolder();
    await work();
  }
}

/** Does work with a file; where its folder is missing, creates the folder and tries again. */
export const inFolderOf = (files: FileSystem, file: string, work: () => Promise<void>): Promise<void> =>
  inFolder(() => files.makeFolder(path.dirname(file)), work);

async function writeNew(files: FileSystem, file: string, write: (file: OpenFile) => Promise<void>): Promise<void> {
  const opened = await files.create(file);
  try {
    await write(opened);
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
  // Some file systems report only now that there was no space.
  await opened.close();
}

/** Resolves to whether it was not canceled. Rejects where the disk fails; then nothing of the new file is left. */
export async function writeWhole(files: FileSystem, file: WholeFile): Promise<boolean> {
  const { temporary, write, isCanceled } = file;
  const makeFolder = file.makeFolder ?? (() => files.makeFolder(path.dirname(temporary)));
  try {
    await inFolder(makeFolder, () => writeNew(files, temporary, write));
    const isWanted = !isCanceled?.();
    if (isWanted) await inFolderOf(files, file.path, () => files.rename(temporary, file.path));
    else await files.unlink(temporary);
    return isWanted;
  } catch (error) {
    await files.unlink(temporary).catch(() => undefined);
    throw error;
  }
}
