/** The temporary folders of opj_decompress: their names say whose they are, so that none stays when its process is gone. */
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folderPrefix = 'lectern-opj-';

/** How the folders of a process begin. */
export const folderPrefixOf = (pid: number): string => `${folderPrefix}${pid}-`;

/** Whether a process of this machine runs. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Removes those of the folders whose process is to be forgotten; a folder that can't be removed is tried again at the next start. */
function removeWhere(isForgotten: (pid: number) => boolean, parent: string): void {
  try {
    for (const name of readdirSync(parent)) {
      const pid = name.startsWith(folderPrefix) ? Number.parseInt(name.slice(folderPrefix.length), 10) : Number.NaN;
      if (Number.isInteger(pid) && isForgotten(pid)) rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  } catch {
    // Another one removes them too, or the folder of temporary files can't be read.
  }
}

/** Removes the folders of a process that has ended; one that was killed could not do it. */
export function removeFoldersOf(pid: number, parent = tmpdir()): void {
  removeWhere((owner) => owner === pid, parent);
}

/** Removes the folders of all processes that no longer run, as after a loss of power. */
export function removeAbandonedFolders(parent = tmpdir()): void {
  removeWhere((owner) => !isRunning(owner), parent);
}
