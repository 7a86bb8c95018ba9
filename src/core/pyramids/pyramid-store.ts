/** Where derived pyramids lie: their names and paths, in a folder that has an identity, or a bucket that servers share. */

import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Resolution } from '../image/model/image-set.ts';
import { alreadyExists, ifFound } from '../storage/file-errors.ts';
import { type FolderLayout, hexDigest, uniqueToken } from '../storage/layout.ts';
import type { Storages } from '../storage/storages.ts';

/** Changes when the same source would get a different pyramid. */
const builderVersion = 2;

const digest = (...parts: readonly unknown[]): string => hexDigest(JSON.stringify(parts), 24);

/** The key of a pyramid's content: a version of a file, a page of it, the orientation that the settings apply, a quality. */
export const contentKey = ({ file, levels, orientation }: Resolution, quality: number): string =>
  digest(builderVersion, file.fingerprint, levels[0].location, orientation, quality);

/** The name of the pyramid of the file at a real path: files on two disks can have the same fingerprint. */
export const pyramidName = (content: string, realPath: string): string => `lectern-${content}-${digest(realPath)}.tif`;

/** The identifier of a build, by the path as it is: copies of a file in a bucket have the same content. */
export const buildId = (content: string, { file }: Resolution): string => pyramidName(content, file.path);

/** The name that the pyramid of a source has; undefined where the source is gone. */
export async function nameFor(source: Resolution, quality: number, storages: Storages): Promise<string | undefined> {
  const realPath = await storages.handle(source.file).realPath();
  return realPath === undefined ? undefined : pyramidName(contentKey(source, quality), realPath);
}

const pyramidPattern = /^lectern-([0-9a-f]{24})-[0-9a-f]{24}\.tif$/;

/** The content key in the name of a pyramid; undefined for any other name. */
export const contentOf = (name: string): string | undefined => pyramidPattern.exec(name)?.[1];

/** The name of the lock file of a pyramid. */
export const lockName = (pyramid: string): string => `${pyramid}.lock`;

/** The name of a temporary file while a pyramid is made; `token` is unique for each build. */
export const workName = (pyramid: string, token: string): string => `${pyramid}.${token}.part`;

const workPattern =
  /^(lectern-[0-9a-f]{24}-[0-9a-f]{24}\.tif)(?:\.[0-9a-f]{16}\.part(?:\.[a-z]+)?|\.lock(?:\.[0-9a-f]{16})?)$/;

/** The pyramid that a file of the work folder belongs to; undefined for a name that is not ours. */
export const pyramidOfWork = (name: string): string | undefined => workPattern.exec(name)?.[1];

/** The layout of a folder of pyramids. */
export function layoutIn(directory: string): FolderLayout {
  return {
    root: directory,
    classify: (name) => (contentOf(name) === undefined ? undefined : { kind: 'entry', name }),
    pathOf: (name) => path.join(directory, name),
    temporaryFor: (name) => path.join(directory, 'work', name),
    // A pyramid's own times are part of its fingerprint, so they must not change with its use.
    usePathOf: (name) => path.join(directory, 'used', name),
  };
}

/** Methods reject where the disk or the bucket fails, unless they say otherwise. */
export interface PyramidStore {
  /** The bound in bytes: for all pyramids of a folder; for the temporary files of those of a bucket. */
  readonly maxBytes: number;
  /** Number of pyramids, and their bytes; of a bucket, those that this process has made or used. */
  load(): { readonly count: number; readonly bytes: number };
  /** Changes whenever other pyramids may be found than before. */
  readonly state: number;
  /** Certainly no pyramid is found at present. */
  readonly isEmpty: boolean;
  /** Whether a pyramid of this content is worth asking for; asks memory only. `isSlow` says whether its source is slow to cut. */
  mayHave(content: string, isSlow: boolean): boolean;
  /** The bytes that are left within the bound; undefined where there is none. */
  freeBytes(): number | undefined;
  /** Nobody who reads waits for the answer `atLeisure`. */
  has(name: string, atLeisure?: 'atLeisure'): boolean | Promise<boolean>;
  /** Whether the file of a pyramid is there and can be opened. Never rejects; a failure is reported. */
  canOpen(name: string): Promise<boolean>;
  /** Reports a failure while a pyramid was read. */
  readFailed(error: unknown): void;
  /** The path at which it is read. */
  pathOf(name: string): string;
  /** The path of a temporary file on a local disk while a pyramid is made. */
  workPathOf(workName: string): string;
  /** Creates folders. Rejects where they can't be written to. */
  prepare(): Promise<void>;
  /** Takes notice of what other processes did. */
  refresh(): Promise<void>;
  /** Starts a refresh in the background where the last one was long ago. */
  refreshIfOld(): void;
  /** Marks a pyramid as used now. */
  use(name: string): void;
  /** Deletes a pyramid. Never rejects: it is not found any more also where the store fails, which is reported. */
  drop(name: string): Promise<void>;
  /** Moves a finished file to its place under the pyramid's name. */
  commit(name: string, workPath: string): Promise<void>;
  /** Makes space for a pyramid and its temporary files, in bytes; resolves to the reason where that is impossible. */
  makeSpace(bytes: number, workBytes: number, keep?: ReadonlySet<string>): Promise<string | undefined>;
  /** The right to make a pyramid; undefined where another maker on the same disk has it. */
  lock(name: string): Promise<(() => Promise<void>) | undefined>;
  /** Deletes files that makers left when they died. */
  sweep(): Promise<void>;
}

const fileName = 'identity';
const pattern = /^[0-9a-f]{16}$/;

async function read(file: string): Promise<string | undefined> {
  const text = (await ifFound(readFile(file, 'utf8')))?.trim();
  return text !== undefined && pattern.test(text) ? text : undefined;
}

/** 16 hexadecimal digits, which the first who asks writes into the folder. Rejects where the folder can't be written to. */
export async function storeIdentity(directory: string): Promise<string> {
  const file = path.join(directory, fileName);
  const found = await read(file);
  if (found !== undefined) return found;
  await mkdir(directory, { recursive: true });
  const own = `${file}.${uniqueToken()}`;
  try {
    await writeFile(own, uniqueToken(), { mode: 0o644 });
    // A complete file appears under the name at once, and only one of several processes puts it there.
    await link(own, file).catch((error: unknown) => {
      if (!alreadyExists(error)) throw error;
    });
  } finally {
    await rm(own, { force: true });
  }
  const identity = await read(file);
  if (identity === undefined) throw new Error(`The file ${file} does not hold 16 hexadecimal digits; delete it.`);
  return identity;
}
