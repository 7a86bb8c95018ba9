/** Reads a picture that is sent unchanged, and finds its media type by its first bytes. */
import { readFileSync, statSync } from 'node:fs';

export interface PictureFile {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

const maxMebibytes = 16;

const signatures: readonly (readonly [mediaType: string, form: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** The picture, or a sentence on why it can't be used. */
export function readPicture(file: string): PictureFile | { readonly problem: string } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return { problem: `there is no file ${file}` };
  if (stats.size > maxMebibytes * 1024 * 1024) return { problem: `${file} is larger than ${maxMebibytes} MiB` };
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return { problem: `the file ${file} can’t be read` };
  }
  const start = bytes.toString('latin1', 0, 16);
  const mediaType = signatures.find(([, form]) => form.test(start))?.[0];
  return mediaType === undefined ? { problem: `${file} is no PNG, JPEG, GIF or WebP picture` } : { bytes, mediaType };
}
