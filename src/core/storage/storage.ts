/** The contract for what holds files, for disks and buckets alike, and for what opens storages of a kind from addresses. */
import type { BigIntStats } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Catalogue, CataloguedFolder } from './catalogue.ts';
import type { ReadSteps, ReadUse } from './read-steps.ts';
import type { StoreObserver } from './store-observer.ts';

/** Changes with every write. The status change time shows writes that keep the length and restore the modification time. */
export const fingerprintOf = (stats: Pick<FileStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>): string =>
  `${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}-${stats.ino}`;

/** File times are coarse: a second change within this time after a first one may leave the same fingerprint. */
const settledAfterMs = 2000;

/**
 * Whether what is read of a file or folder at this time (ms since 1970) or later may be cached under its fingerprint,
 * because every later change will give it another one. Modification times can be set to any time, even in the future.
 */
export function isSettled({ mtimeMs, ctimeMs }: Pick<FileStats, 'mtimeMs' | 'ctimeMs'>, atMs: number): boolean {
  const changedMs = mtimeMs > ctimeMs && Number(mtimeMs) <= atMs ? mtimeMs : ctimeMs;
  return atMs - Number(changedMs) > settledAfterMs;
}

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
}

/** A source file that is open; it has to be closed, or its stream read or destroyed. */
export interface OpenedFile {
  /** Its length in bytes. */
  readonly bytes: number;
  /**
   * The bytes from `first` to `last`, read as they are consumed, at most `bufferedBytes` ahead. The stream closes the file.
   * It fails before the last chunk where the file was written to or truncated meanwhile, so that no mixture is complete; a
   * file that another one replaced under its name is read to its end.
   */
  stream(first: number, last: number): Readable;
  /** All of its bytes, which the caller has room for. Closes the file; fails as the stream does. */
  readWhole(): Promise<Buffer>;
  close(): void;
}

/**
 * A version of a file at its storage. Methods throw ImageError `changed` where the path has another version by now, or none,
 * and `disk-late`, `store-late` or `store-failed` where the storage does not answer.
 */
export interface SourceHandle<File extends FileVersion = FileVersion> {
  /** Where other programs open it at once; undefined where `withLocalCopy` has to make a copy for them. */
  readonly localPath: string | undefined;
  /** Its path without links; undefined where nothing has the path. */
  realPath(): Promise<string | undefined>;
  /** Opens it to send its bytes. */
  read(): Promise<OpenedFile>;
  /** A part of it, exactly. */
  readRange(at: number, length: number, use: ReadUse): Promise<Buffer>;
  /** The result of steps that ask for bytes one after the other. */
  readSteps<T>(steps: () => ReadSteps<T>): Promise<T>;
  /** The same without waiting; undefined where that is not possible. Never throws. */
  readStepsAtOnce<T>(steps: () => ReadSteps<T>): T | undefined;
  /**
   * The result of work on the same file on a disk, all of it, for programs that need a path: a copy stays until the work is done, which
   * begins once more where others deleted it. Throws ImageError `no-space` where none can be written.
   */
  withLocalCopy<T>(work: (copy: File) => Promise<T>): Promise<T>;
  /** Whether that takes nothing of the storage: it is on a disk, or was copied before. */
  hasLocalCopy(): Promise<boolean>;
  /** Makes sure that it is the version that its path has. */
  requireCurrent(): Promise<void>;
  /** Makes sure that the storage answers, before another process waits for it. */
  requireAnswer(): Promise<void>;
}

/** What a path leads to at one moment. */
export interface FollowedPath {
  /** Absolute, without links. */
  readonly real: string;
  readonly stats: FileStats;
}

/** A folder of the settings at the start. */
export type FolderState =
  /** `real` is its path without links. */
  | { readonly kind: 'folder'; readonly real: string }
  | { readonly kind: 'none' }
  /** The storage does not answer. `real` is the path without links, as far as it can be followed without it. */
  | { readonly kind: 'hanging'; readonly real: string };

/** What a name is asked for as: an image, which somebody may just have put there, or a file that belongs to one. */
export type NameUse = 'image' | 'beside';

/** Finds files by their names where listing a folder takes a request for each thousand names. There are no links. */
export interface FilesByName {
  /** The extensions that names without one are tried with, in this order, without dots; undefined for `entriesNamed`. */
  readonly extensions: readonly string[] | undefined;
  /** Whether images may have metadata beside them, in `.meta` files. */
  readonly hasMetaFiles: boolean;
  /** Whether the whole folder was listed just before, so that its list is at hand. */
  isListed(directory: string): boolean;
  /** Whether one page of a list has the whole folder, which is at hand then; false also where nothing is listed. */
  isShort(directory: string): Promise<boolean>;
  /** Whether a file has the path. */
  has(path: string, use: NameUse): Promise<boolean>;
  /** The entries of a folder with this name and any extensions, and the folder of this name; undefined where these are too many. */
  entriesNamed(directory: string, name: string): Promise<readonly StoredEntry[] | undefined>;
  /**
   * The names of the files of a folder in code-unit order, some at a time; no more of it is listed than is taken. None where there
   * is no such folder. Rejects as `Storage` does.
   */
  namesInOrder(directory: string): AsyncIterable<readonly string[]>;
  /**
   * The name of the image at a position, from 1, where that is known without a list; `name` is undefined where there are fewer
   * images.
   */
  imageAt(directory: string, position: number): Promise<{ readonly name: string | undefined } | undefined>;
  /** The stats of a folder, which is listed for them. Rejects as `Storage` does. */
  folder(path: string): Promise<FileStats>;
}

/** How many operations of a directory are running and waiting, and whether its disk hangs. */
export interface IoLoad {
  /** Absent for everything outside of the directories that are limited. */
  readonly directory?: string;
  readonly running: number;
  readonly waiting: number;
  readonly isHanging: boolean;
}

/**
 * Files by path. `fingerprintOf` its stats changes with the content of a file, and with the names in a folder. Methods
 * reject with a system error `ENOENT` or `ENOTDIR` where nothing has the path, with `EACCES` where the server may not read it,
 * with ImageError `disk-late` or `store-late` where nobody answers, and otherwise where the storage fails.
 */
export interface Storage {
  /**
   * The stats of a path, without following a link, that are at hand without waiting; undefined where they have to be asked
   * for. `now` they are not those that another request of this moment got.
   */
  knownStats(path: string, now?: 'now'): FileStats | undefined;
  /** The stats of a path, without following a link. */
  lstat(path: string): Promise<FileStats>;
  /** The real path and the stats of what a path leads to, which belong together. */
  follow(path: string): Promise<FollowedPath>;
  /** The path without links; `atLeisure`, however long it takes. */
  realPath(path: string, atLeisure?: 'atLeisure'): Promise<string>;
  /** The entries of a folder in any order, some at a time. */
  list(directory: string): AsyncIterable<readonly StoredEntry[]>;
  /**
   * The result of `work` on an open file, or on a folder, for its stats; no device or pipe is waited for. `stats` are those of
   * the path, where they are known.
   */
  use<T>(path: string, work: (file: StoredFile) => Promise<T>, stats?: FileStats): Promise<T>;
  handle<File extends FileVersion>(file: File): SourceHandle<File>;
  /** The state of a folder at the start, within some seconds. */
  stateOf(folder: string): FolderState;
  /** Only where no folder has to be listed to find a file. */
  readonly byName?: FilesByName;
  /** What a catalogue says of a folder, where one has all that is below it. */
  catalogued?(directory: string): CataloguedFolder | undefined;
  /** Whether all that is at a path may stop to answer while others answer: it is not of this machine. */
  mayHang(path: string): boolean;
  /** Only where the server writes files of its own there; nothing is ever written among masters. */
  readonly writing?: StorageWriting;
  /** Rejects where the storage can’t be used: a wrong key, no such bucket, no answer. */
  check(): Promise<void>;
  close(): Promise<void>;
  /** The same storage with bounds for each of these directories, so that one that hangs leaves threads for the others. */
  limited?(directories: readonly string[], onNoAnswer: () => void): Storage;
  load?(): readonly IoLoad[];
  /** The directory that holds a path, of those that are limited; undefined elsewhere. */
  directoryOf?(path: string): string | undefined;
}

/** What can be written to a storage: whole files, which never change. Methods reject where the storage fails. */
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
  /** Whether it is a copy of a remote file, which takes space on its disk as long as anyone has it open: it is closed after each use. */
  readonly isCopy?: true;
}

/** How an object store is reached. */
export interface StoreAccess {
  /** An address such as `https://s3.example.org`; by default that of AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Whether a bucket is named in the path of an address and not in its host. */
  readonly pathStyle: boolean;
  /** By default those of the SDK’s own chain: environment, files, roles. */
  readonly credentials?: Credentials | (() => Promise<Credentials>) | undefined;
  /** Another endpoint with the same buckets, which is read where this one fails. */
  readonly fallback?: Pick<StoreAccess, 'endpoint' | 'region' | 'pathStyle' | 'credentials'> | undefined;
  /** Is told of all requests. */
  readonly observer?: StoreObserver | undefined;
}

/** What storages are opened with. */
export interface StorageOptions extends StoreAccess {
  /** After this time in ms a folder is listed again when it is asked for. */
  readonly refreshMs: number;
  /** Whether folders are listed, which a key may have no right to. */
  readonly mayList?: boolean;
  /** The extensions of images that names without one are tried with, in this order, instead of a list of a few names. */
  readonly extensions?: readonly string[] | undefined;
  /** Whether images may have metadata beside them, as by default. */
  readonly hasMetaFiles?: boolean;
  /** Whether these may close images: that there is none, only the first endpoint can say then. */
  readonly metaFilesClose?: boolean;
  /** Folders with more names are not listed as a whole. */
  readonly maxListedNames?: number;
  /** What is in buckets, where a catalogue has it. */
  readonly catalogue?: Catalogue | undefined;
  /** The local folder for copies, and their bound in bytes. */
  readonly directory: string;
  readonly maxCopyBytes: number;
  readonly onFault: (message: string, error: unknown) => void;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** They are asked for again five minutes before. */
  readonly expiration?: Date;
}

/** What is stored at an address: folders that are listed, or files of the server, each of which is found by its name. */
export type AddressUse = 'library' | 'own-files';

/** Small objects, which are read and written whole. */
export interface SmallObjects {
  /** Undefined where there is none, or a longer one. Rejects where the storage fails. */
  get(name: string, maxBytes: number): Promise<Buffer | undefined>;
  put(name: string, bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** A storage, and the root of all paths that it has. */
export interface OpenedStorage {
  /** Empty for the storage that has all absolute paths of the system. */
  readonly root: string;
  readonly storage: Storage;
  /** As it is named to people. */
  readonly name: string;
}

/** An address of the settings, and what is stored there. */
export interface UsedAddress {
  readonly address: string;
  readonly use: AddressUse;
}

/** A kind of storage: a row of `storageKinds`. */
export interface StorageKind {
  /** Whether an address of the settings or of a command is one of this kind. */
  has(address: string): boolean;
  /** Whether how it is reached is said by settings. */
  readonly needsSettings: boolean;
  /** The address made absolute, where it may be relative to a folder. */
  resolve(folder: string, address: string): string;
  /** The address of something in a folder. */
  join(address: string, ...names: readonly string[]): string;
  /** Why an absolute address can’t name a folder, as sentences; none where it can. */
  faultsOf(address: string): readonly string[];
  /** The path in this process of an absolute address. */
  pathOf(address: string, use: AddressUse): string;
  /** The storages that have these addresses. Nothing is asked of them yet. */
  open(addresses: readonly UsedAddress[], options: StorageOptions): Promise<readonly OpenedStorage[]>;
  /** Why a storage can never be used, as a sentence, by the error of its `check`; undefined for a fault that may pass. */
  problemOf?(name: string, error: unknown): string | undefined;
  /** Small objects below an address, where the kind has them beside files. */
  openObjects?(address: string, options: StoreAccess): Promise<SmallObjects>;
}
