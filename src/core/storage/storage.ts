/** The contract for what holds files: local disks and buckets of object stores; and which of them a path belongs to. */
import type { BigIntStats } from 'node:fs';

/** What of a path's stats is the same for all storages; times of a bucket's folders are 0. */
export type FileStats = Pick<
  BigIntStats,
  'size' | 'mtimeMs' | 'mtimeNs' | 'ctimeMs' | 'ctimeNs' | 'ino' | 'dev' | 'isFile' | 'isDirectory' | 'isSymbolicLink'
>;

/** What an entry is; undefined for anything that is neither file nor folder. */
export type StoredKind = 'file' | 'folder' | undefined;

/** An entry of a folder. */
export interface StoredEntry {
  readonly name: string;
  /** Of a symbolic link, the kind of what it leads to. */
  readonly kind: StoredKind;
  /** Of a symbolic link only: the path without links that it leads to; undefined where it leads nowhere. */
  readonly link?: { readonly target: string | undefined };
}

/** A file that is open: one version of it, whatever has its path meanwhile. Methods reject where the storage fails. */
export interface StoredFile {
  /** Its path without links now. Rejects as where nothing is there when the file was deleted or moved. */
  realPath(): Promise<string>;
  stats(): Promise<FileStats>;
  /** The bytes from `at` on, fewer where the file ends before. */
  read(at: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Files by absolute path. `fingerprintOf` its stats changes with the content of a file, and with the names in a folder. Methods
 * reject with a system error `ENOENT` or `ENOTDIR` where nothing has the path, with `EACCES` where the server may not read it, and
 * otherwise where the storage fails.
 */
export interface Storage {
  /** The stats of a path, without following a link. */
  lstat(path: string): Promise<FileStats>;
  /** The stats of what a path leads to. */
  stat(path: string): Promise<FileStats>;
  /** The path without links. */
  realPath(path: string): Promise<string>;
  /** The entries of a folder in any order, some at a time. */
  list(directory: string): AsyncIterable<readonly StoredEntry[]>;
  /** Opens a file, or a folder for its stats; no device or pipe is waited for. */
  open(path: string): Promise<StoredFile>;
  /** Local disks only: paths are those of the system, so that other programs open them and stats may be synchronous. */
  readonly isLocal: boolean;
}

/** A storage other than the local disk. */
export interface RemoteStorage extends Storage {
  readonly isLocal: false;
  /** The stats that are known without asking the storage; undefined where it has to be asked. */
  knownStats(path: string): FileStats | undefined;
  /** The same file on a local disk, all of it, for programs that need a path. Throws ImageError `changed` where it is another one. */
  localCopy<File extends FileVersion>(file: File): Promise<File>;
  /** A part of a version of a file, exactly; throws ImageError `changed` where it is another one or gone. */
  readPart(file: FileVersion, at: number, length: number, use: 'directory' | 'pixels'): Promise<Buffer>;
  /** Only where the server writes files of its own there; nothing is ever written among masters. */
  readonly writing?: StorageWriting;
  /** Rejects with a sentence where the storage can’t be used: a wrong key, no such bucket, no answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** What can be written to a remote storage: whole files, which never change. Methods reject where the storage fails. */
export interface StorageWriting {
  /** Puts a file of the local disk where there is none yet; resolves to whether it did. Nobody sees a part of it. */
  putNew(path: string, localFile: string): Promise<boolean>;
  /** The stats of a file as the storage has it now; undefined where there is none. Waits as long as writing does. */
  find(path: string): Promise<FileStats | undefined>;
  /** Deletes a file, also where there is none. */
  remove(path: string): Promise<void>;
  /** Forgets that paths have no files, so that those of other servers are seen at once. */
  forgetAbsent(): void;
}

/** A version of a file, as plans name it. */
export interface FileVersion {
  readonly path: string;
  /** Length in bytes. */
  readonly bytes: number;
  readonly fingerprint: string;
}

/** By the path of their roots, without a slash at the end; like the system's table of mounts, one for the process. */
const remotes = new Map<string, RemoteStorage>();

/** Paths of remote storages begin so; no absolute path of a system does. */
const remoteScheme = 's3:/';

/** Whether a path is in no file system of this machine. */
export const isRemotePath = (path: string): boolean => path.startsWith(remoteScheme);

/** The storage that a path is in; undefined for a path of the local file system, and where the storage was closed. */
export function remoteStorageOf(path: string): RemoteStorage | undefined {
  if (!isRemotePath(path)) return undefined;
  for (const [root, storage] of remotes) if (path === root || path.startsWith(`${root}/`)) return storage;
  return undefined;
}

/** Adds a storage at a path; returns what removes it. The last one that was added at a path counts. */
export function mountStorage(root: string, storage: RemoteStorage): () => void {
  remotes.set(root, storage);
  return () => {
    if (remotes.get(root) === storage) remotes.delete(root);
  };
}

/** The path in this process of an address such as `s3://bucket/prefix`; other paths stay as they are. */
export const storagePathOf = (address: string): string =>
  isRemoteAddress(address) ? address.replace(/\/+/g, '/').replace(/\/$/, '') : address;

/** Whether a text is the address of a bucket, or of a part of it. */
export const isRemoteAddress = (text: string): boolean => text.startsWith('s3://');
