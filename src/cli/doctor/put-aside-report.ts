/** Names the files that a server has put aside, since their decoder failed, as its index of facts has them. */
import path from 'node:path';
import { userCacheDirectory } from '../../config/cache-directory.ts';
import { sentenceOf } from '../../core/image/model/decoder-fault.ts';
import { MetadataIndex } from '../../core/library/index/metadata-index.ts';
import type { FaultyFile } from '../../core/library/put-aside.ts';
import { fingerprintOf } from '../../core/storage/fingerprint.ts';
import { storageOf } from '../../core/storage/local-storage.ts';
import { folderPathOf } from '../common/folder-walk.ts';

const isInside = (root: string, file: string): boolean => {
  const relative = path.relative(root, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
};

async function isUnchanged({ path: file, fingerprint }: FaultyFile): Promise<boolean> {
  try {
    return fingerprintOf(await storageOf(file).lstat(file)) === fingerprint;
  } catch {
    return false;
  }
}

/** Where servers keep the index, unless a settings file names another place. */
const indexDirectory = (): string =>
  process.env['LECTERN_INDEX__DIRECTORY'] ?? path.join(userCacheDirectory(), 'index');

/** A line for each file below the folders that is put aside and has not changed since. */
export async function putAsideReport(folders: readonly string[]): Promise<readonly string[]> {
  const index = new MetadataIndex({ directory: indexDirectory(), maxBytes: 2 ** 24, onFault: () => undefined });
  const locations = folders.map(folderPathOf);
  const roots = [...locations, ...(await Promise.all(locations.map((folder) => storageOf(folder).realPath(folder))))];
  const lines: string[] = [];
  for (const file of await index.faultyFiles()) {
    const [fault] = file.faults;
    const isBelow = roots.some((root) => isInside(root, file.path));
    if (fault === undefined || !isBelow || !(await isUnchanged(file))) continue;
    lines.push(`${file.path}: put aside until it changes: ${sentenceOf(fault.kind)}.`);
  }
  await index.close();
  return lines;
}
