/** Reads a typeface of a site: WOFF2, which all browsers load. */
import { readFileSync, statSync } from 'node:fs';

const maxKibibytes = 512;

/** The signature of WOFF File Format 2.0, section 4.1. */
const signature = 'wOF2';

/** The bytes of the typeface, or a sentence on why it can't be used. */
export function readTypeface(file: string): { readonly bytes: Buffer } | { readonly problem: string } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return { problem: `there is no file ${file}` };
  if (stats.size > maxKibibytes * 1024) return { problem: `${file} is larger than ${maxKibibytes} KiB` };
  try {
    const bytes = readFileSync(file);
    return bytes.toString('latin1', 0, 4) === signature ? { bytes } : { problem: `${file} is no WOFF2 font` };
  } catch {
    return { problem: `the file ${file} can’t be read` };
  }
}
