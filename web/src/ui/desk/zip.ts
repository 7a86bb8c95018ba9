/** ZIP archives without compression. */
import { zipSync } from 'fflate';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The first date that the format has, so that equal contents are equal files. */
const mtime = new Date(1980, 0, 1);

/** The bytes of an archive with these entries. */
export const zipOf = (entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes])), { level: 0, mtime });
