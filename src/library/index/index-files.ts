/** Reads and appends to the files of the index. */
import { codeOf, isLinkRefused } from '../../storage/file-errors.ts';
import { type FileSystem, type OpenFile, readFully } from '../../storage/file-system.ts';
import { inFolderOf } from '../../storage/write-whole.ts';

/** The last use of a file is recorded, as its modification time, at most this often. */
const touchIntervalMs = 24 * 3_600_000;

/** The content of a file; `unusable`: the path has something that is not a file of the index and has to be replaced. */
export type IndexFileContent =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable' };

/** Links are not followed. Rejects where the disk fails. */
export async function readIndexFile(files: FileSystem, path: string, maxBytes: number): Promise<IndexFileContent> {
  try {
    const file = await files.openToRead(path);
    try {
      return await readOpened(files, path, file, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
    if (isLinkRefused(error)) return { kind: 'unusable' };
    throw error;
  }
}

async function readOpened(
  files: FileSystem,
  path: string,
  file: OpenFile,
  maxBytes: number,
): Promise<IndexFileContent> {
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > maxBytes) return { kind: 'unusable' };
  // A time that can't be set does no harm.
  const nowMs = Date.now();
  if (nowMs - stats.mtimeMs > touchIntervalMs) await files.setModified(path, nowMs).catch(() => undefined);
  const bytes = Buffer.alloc(stats.size);
  // A file that another process cuts meanwhile ends in zeros, which no checksum admits.
  await readFully(file, [bytes]);
  return { kind: 'bytes', bytes };
}

/** Appends lines. They begin with a line end, so that an incomplete line before them does not spoil them. */
export function appendLines(files: FileSystem, path: string, lines: readonly string[]): Promise<void> {
  const bytes = Buffer.from(`\n${lines.join('\n')}\n`, 'utf8');
  return inFolderOf(files, path, () => files.append(path, bytes));
}
