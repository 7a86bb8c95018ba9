/** How paths, names and ETags stand in the tables. */

import { foldedText } from '../../../core/image/folder/page-labels.ts';
import { isImageName } from '../../../core/image/model/formats.ts';

/** The path of a folder: its bucket, and its key without a slash at the end. */
export const folderPath = (bucket: string, prefix: string): string => `${bucket}/${prefix}`.replace(/\/$/, '');

/** A key as the folder around it and its name in it. */
export function splitKey(key: string): { readonly prefix: string; readonly name: string } {
  const slash = key.lastIndexOf('/');
  return { prefix: key.slice(0, slash + 1), name: key.slice(slash + 1) };
}

/** The paths of a folder and of all around it, the bucket first. */
export function pathsDownTo(path: string): readonly string[] {
  const paths: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    paths.push(path.slice(0, slash));
  return [...paths, path];
}

export const nameOfPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Hidden files and folders begin with a dot. */
export const kindOf = (name: string): 0 | 1 => (isImageName(name) && !name.startsWith('.') ? 1 : 0);

/** The folded name, where it is another one. */
export function foldedName(name: string): string | null {
  const folded = foldedText(name);
  return folded === name ? null : folded;
}

/** A digest, and in parts of how many it was uploaded. */
const digestForm = /^"([0-9a-f]{32})(?:-(\d{1,4}))?"$/;

/** The length of a digest alone, and with a number of parts. */
const [digestBytes, digestWithParts] = [16, 18];

const hasDigest = ({ length }: Buffer): boolean => length === digestBytes || length === digestWithParts;

/** ETags are mostly digests, whose bytes take half of the space. No other tag is stored as long as these. */
export function packedTag(etag: string): Buffer {
  const [, digest, parts] = digestForm.exec(etag) ?? [];
  if (digest === undefined) {
    const text = Buffer.from(etag, 'utf8');
    return hasDigest(text) ? Buffer.concat([text, Buffer.from([0])]) : text;
  }
  const bytes = Buffer.from(digest, 'hex');
  if (parts === undefined) return bytes;
  const count = Buffer.alloc(digestWithParts - digestBytes);
  count.writeUInt16BE(Number(parts));
  return Buffer.concat([bytes, count]);
}

export function unpackedTag(bytes: Buffer): string {
  if (!hasDigest(bytes)) return bytes.toString('utf8').replace(/\0$/, '');
  const digest = bytes.toString('hex', 0, digestBytes);
  return bytes.length === digestBytes ? `"${digest}"` : `"${digest}-${bytes.readUInt16BE(digestBytes)}"`;
}
