/** Reads the files of the index. */
import { type FileSystem, readFile, readFully } from '../../storage/file-system.ts';

/** The last use of a file is recorded, as its modification time, at most this often. */
const touchIntervalMs = 24 * 3_600_000;

/**
 * The content of a file; empty where there is none, `invalid` where the path has something that is not a file of the index and
 * has to be replaced. Rejects where the disk fails.
 */
export async function readIndexFile(files: FileSystem, path: string, maxBytes: number): Promise<Buffer | 'invalid'> {
  const content = await readFile(files, path, async (file) => {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > maxBytes) return 'invalid';
    // A time that can't be set does no harm.
    const nowMs = Date.now();
    if (nowMs - stats.mtimeMs > touchIntervalMs) await files.setModified(path, nowMs).catch(() => undefined);
    const bytes = Buffer.alloc(stats.size);
    // A file that another process cuts meanwhile ends in zeros, which no checksum admits.
    await readFully(file, bytes);
    return bytes;
  });
  return content === 'absent' ? Buffer.alloc(0) : content;
}
