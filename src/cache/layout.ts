/** Where derivatives lie in the cache directory, and which names there are ours. */
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';

/** Changes with the form of the files; a file of another form is never looked for, so it goes as the least used. */
export const formatVersion = 1;

/** What a key is called on disk. */
export interface Address {
  /** 32 hexadecimal digits: half of a SHA-256. The file says its whole key, so equal names do no harm. */
  readonly name: string;
  /** The key as text that holds every string exactly, also one with half of a surrogate pair. */
  readonly keyBytes: Buffer;
}

export function addressOf(key: string): Address {
  const keyBytes = Buffer.from(JSON.stringify(key));
  const digest = createHash('sha256').update(`${formatVersion}\n`).update(keyBytes).digest('hex');
  return { name: digest.slice(0, 32), keyBytes };
}

const suffix = '.derivative';
const entryFile = /^([0-9a-f]{32})\.derivative$/;
const temporaryFile = /^[0-9a-f]{32}-[0-9a-f]{16}\.temporary$/;
const shardFolder = /^[0-9a-f]{2}$/;

export const isShard = (name: string): boolean => shardFolder.test(name);

export const isTemporary = (name: string): boolean => temporaryFile.test(name);

/** The entry’s name where a file in this folder is one of ours. */
export function entryNameIn(shard: string, file: string): string | undefined {
  const name = entryFile.exec(file)?.[1];
  return name?.startsWith(shard) ? name : undefined;
}

/** Tells backup programs that this folder can be left out (https://bford.info/cachedir/). */
export const cacheTag = {
  name: 'CACHEDIR.TAG',
  text: `Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by Lectern.
# For information about cache directory tags, see:
#	https://bford.info/cachedir/
`,
} as const;

/** The absolute paths below a cache directory. */
export interface Layout {
  /**
   * A folder of our own: where the directory holds other things too, the tag must not keep these out of backups.
   */
  readonly root: string;
  readonly tag: string;
  /** Holds what is being written; in the same file system as the entries, so that a rename moves it. */
  readonly temporary: string;
  entry(name: string): string;
  /** Another one each time. */
  temporaryFor(name: string): string;
}

export function layoutIn(directory: string): Layout {
  const root = path.join(directory, 'lectern-derivatives');
  const temporary = path.join(root, 'temporary');
  return {
    root,
    tag: path.join(root, cacheTag.name),
    temporary,
    entry: (name) => path.join(root, name.slice(0, 2), name + suffix),
    temporaryFor: (name) => path.join(temporary, `${name}-${randomBytes(8).toString('hex')}.temporary`),
  };
}
