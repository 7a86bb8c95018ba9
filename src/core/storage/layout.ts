/** How a stored folder is laid out: the paths of its entries, and which paths below it are ours. */
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';

/** What a path below the root is. */
export type PathKind =
  | { readonly kind: 'folder' }
  | { readonly kind: 'entry'; readonly name: string }
  /** What is being written, or was when a process died. */
  | { readonly kind: 'temporary' };

export interface FolderLayout {
  /** Absolute. */
  readonly root: string;
  /** What a path relative to the root is by its name; undefined for one that is not ours, which is never read or removed. */
  classify(relativePath: string): PathKind | undefined;
  /** The absolute path of an entry. */
  pathOf(name: string): string;
  /** A new path in the same file system, where an entry is written before it is renamed to its own path. */
  temporaryFor(name: string): string;
  /** The file whose modification time is the last use of an entry, where that is not the entry itself. */
  usePathOf?(name: string): string;
  /** The folder gets a tag for backup programs; only where all that lies in it is ours. */
  readonly tag?: string;
}

/** The first hexadecimal digits of a SHA-256, for names that follow from content. */
export const hexDigest = (content: string, digits: number): string =>
  createHash('sha256').update(content).digest('hex').slice(0, digits);

/** 16 hexadecimal digits that no other file name has, for temporary files. */
export const uniqueToken = (): string => randomBytes(8).toString('hex');

/** Tells backup programs that a folder can be left out (https://bford.info/cachedir/). */
export const cacheTag = {
  name: 'CACHEDIR.TAG',
  text: `Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by Lectern.
# For information about cache directory tags, see:
#	https://bford.info/cachedir/
`,
} as const;

/** The digits of the names of entries in a flat folder. */
export const flatNameDigits = 32;

const flatTemporary = /^[0-9a-f]{32}-[0-9a-f]{16}\.temporary$/;

/** A folder of its own, tagged, whose entries lie beside each other: 32 hexadecimal digits and an extension (`.pdf`). */
export function flatLayout(root: string, extension: string): FolderLayout {
  const isEntry = (name: string): boolean =>
    name.length === flatNameDigits + extension.length && name.endsWith(extension) && /^[0-9a-f]{32}\./.test(name);
  return {
    root,
    classify(relativePath) {
      if (isEntry(relativePath)) return { kind: 'entry', name: relativePath.slice(0, flatNameDigits) };
      return flatTemporary.test(relativePath) ? { kind: 'temporary' } : undefined;
    },
    pathOf: (name) => path.join(root, `${name}${extension}`),
    temporaryFor: (name) => path.join(root, `${name}-${uniqueToken()}.temporary`),
    tag: path.join(root, cacheTag.name),
  };
}
