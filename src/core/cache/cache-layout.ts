/** The names and paths of derivatives in the cache directory. */
import path from 'node:path';
import { cacheTag, type FolderLayout, hexDigest, type PathKind, uniqueToken } from '../storage/layout.ts';

/** Changes with the format of the files; files of another format are never read, so they are evicted as the least used. */
export const formatVersion = 1;

/** How a key is stored on disk. */
export interface Address {
  /** 32 hexadecimal digits: half of a SHA-256. The file holds the whole key, so two keys with one name do no harm. */
  readonly name: string;
  /** The key as text that represents every string exactly, also one with half of a surrogate pair. */
  readonly keyBytes: Buffer;
}

export function addressOf(key: string): Address {
  const text = JSON.stringify(key);
  return { name: hexDigest(`${formatVersion}\n${text}`, 32), keyBytes: Buffer.from(text) };
}

const temporary = 'temporary';
const shardPattern = /^[0-9a-f]{2}$/;
const entryPattern = /^([0-9a-f]{2})\/(\1[0-9a-f]{30})\.derivative$/;
const temporaryPattern = /^temporary\/[0-9a-f]{32}-[0-9a-f]{16}\.temporary$/;

function classify(relativePath: string): PathKind | undefined {
  const portable = relativePath.split(path.sep).join('/');
  if (portable === temporary || shardPattern.test(portable)) return { kind: 'folder' };
  if (temporaryPattern.test(portable)) return { kind: 'temporary' };
  const name = entryPattern.exec(portable)?.[2];
  return name === undefined ? undefined : { kind: 'entry', name };
}

/**
 * The layout below a cache directory: a folder of its own, since the directory may hold other things, which the tag must not
 * keep out of backups; in it a folder for each first byte of a name.
 */
export function layoutIn(directory: string): FolderLayout {
  const root = path.join(directory, 'lectern-derivatives');
  return {
    root,
    classify,
    pathOf: (name) => path.join(root, name.slice(0, 2), `${name}.derivative`),
    temporaryFor: (name) => path.join(root, temporary, `${name}-${uniqueToken()}.temporary`),
    tag: path.join(root, cacheTag.name),
  };
}
