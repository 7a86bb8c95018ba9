/** Tells versions of a kept document apart, in the same way on all servers. */
import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { LRUCache } from 'lru-cache';

/** The end of a PDF has the places of all its parts, that of a ZIP file their checksums. */
const endBytes = 16 * 1024;

/** Returns what is the same for documents of equal bytes. It rejects where the file can't be read. */
export function createDocumentVersions(): (file: string, stats: Pick<Stats, 'ino' | 'size'>) => Promise<string> {
  const versions = new LRUCache<string, string>({ max: 1000 });
  return async (file, { ino, size }) => {
    const name = `${file} ${ino} ${size}`;
    const known = versions.get(name);
    if (known !== undefined) return known;
    const digest = createHash('sha256');
    for await (const piece of createReadStream(file, { start: Math.max(0, size - endBytes) }))
      digest.update(piece as Buffer);
    const version = `${size.toString(36)}-${digest.digest('base64url').slice(0, 12)}`;
    versions.set(name, version);
    return version;
  };
}
