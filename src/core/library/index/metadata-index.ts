/** Stores the listings of folders and the facts of image files on disk for the next process, which otherwise reads all again. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Backoff } from '../../storage/fault-reporter.ts';
import { type FileSystem, readFile, readFully } from '../../storage/file-system.ts';
import { type DiskOptions, GuardedDisk } from '../../storage/guarded-disk.ts';
import type { FactsStore, FileFacts, SidecarStore } from '../file-facts.ts';
import type { ListingStore } from '../listings/folder-cache.ts';
import { type Entries, insertionIndex, type Listing, noEntries } from '../listings/listing.ts';
import type { FaultStore, FaultyFile, StoredFault } from '../quarantine.ts';
import { Block, formatRecord, imagesInBlock, keyOf, maxFileBytes, maxLineBytes, parseRecord } from './block.ts';
import { factsFile, faultsFile, type IndexFile, IndexWriter, layoutIn, namesFile } from './index-writer.ts';
import { readersVersion } from './readers-version.ts';

export interface MetadataIndexOptions extends DiskOptions {
  /** An absolute path; the directory is created when something is stored. */
  readonly directory: string;
  /** The bound for all files together, in bytes; it may be exceeded by a part of it for a short time. */
  readonly maxBytes: number;
}

/** The bound for blocks in memory, in bytes: searches find pages of many folders, and reading a block again takes 2 ms. */
const maxBlockBytes = 32 * 1024 * 1024;

/** Folders with fewer names are read as fast from their own disk. */
const minNames = 1000;

/** The longest file of names, in bytes; it has about a million names. */
const maxNamesBytes = 32 * 1024 * 1024;

/** The last use of a file is recorded, as its modification time, at most this often. */
const touchIntervalMs = 24 * 3_600_000;

const namesKey = keyOf('names');

/** What the blocks and the keys of files beside images begin with. */
const sidecars = 'beside ';

type PlainEntries = Pick<Entries, 'images' | 'folders' | 'metaFiles' | 'textFiles' | 'jsonFiles' | 'mediaFiles'>;

/** Whether the entries are stored: many, and no links, whose targets may change while the folder stays the same. */
const isWorthStoring = ({ images, folders, textFiles, linked, brokenLinks }: Entries): boolean =>
  images.length + folders.length + textFiles.length >= minNames && linked.length + brokenLinks.length === 0;

/** The number of blocks for a folder that may never be listed. */
const blocksByName = 4096;

/** Neighbors among some names share a block, as far as it is known which are neighbors. */
const blockOf = ({ isByName }: Listing, names: readonly string[], name: string): number =>
  isByName
    ? createHash('sha256').update(name).digest().readUInt32BE() % blocksByName
    : Math.floor(insertionIndex(names, name) / imagesInBlock);

/**
 * The content of a file; empty where there is none, `invalid` where the path has something that is not a file of the index and
 * has to be replaced. Rejects where the disk fails.
 */
async function readIndexFile(files: FileSystem, path: string, maxBytes: number): Promise<Buffer | 'invalid'> {
  const content = await readFile(files, path, async (file) => {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > maxBytes) return 'invalid';
    // A time that can't be set does no harm.
    const nowMs = Date.now();
    if (nowMs - stats.mtimeMs > touchIntervalMs) await files.setModified(path, nowMs).catch(() => undefined);
    const bytes = Buffer.alloc(stats.size);
    // A file that another process cuts meanwhile ends in zeros, which no checksum admits.
    await readFully(file, bytes);
    return bytes;
  });
  return content === 'absent' ? Buffer.alloc(0) : content;
}

/** The index on disk. Only the files that are needed are read; other processes may use the same directory. */
export class MetadataIndex implements ListingStore, FactsStore, SidecarStore, FaultStore {
  readonly #options: MetadataIndexOptions;
  readonly #disk: GuardedDisk;
  readonly #blocks = new LRUCache<string, Block>({
    maxSize: maxBlockBytes,
    sizeCalculation: (block) => Math.ceil(Math.min(block.weight(), maxBlockBytes / 2)),
  });
  readonly #loading = new Map<string, Promise<Block | undefined>>();
  readonly #versionRetry = new Backoff();
  #version: Promise<string | undefined> | undefined;
  /** Its name is a hash, and each rendering asks for it. */
  #faultsFile: IndexFile | undefined;
  #writer: IndexWriter | undefined;

  constructor(options: MetadataIndexOptions) {
    this.#options = options;
    this.#disk = new GuardedDisk(`metadata index ${options.directory}`, options);
  }

  async entriesOf(directory: string, fingerprint: string): Promise<Entries | undefined> {
    const version = await this.#readVersion();
    if (version === undefined) return undefined;
    const file = namesFile(version, directory);
    const content = await this.#read(file, maxNamesBytes);
    if (content === undefined || content === 'invalid') return undefined;
    const entries = parseRecord(file.id, fingerprint, content.toString('utf8'));
    return entries === undefined ? undefined : { ...noEntries(), ...(entries as PlainEntries) };
  }

  storeEntries(directory: string, fingerprint: string, entries: Entries): void {
    if (!isWorthStoring(entries)) return;
    const { images, folders, metaFiles, textFiles, jsonFiles, mediaFiles } = entries;
    const plain: PlainEntries = { images, folders, metaFiles, textFiles, jsonFiles, mediaFiles };
    this.#store((version) => {
      const file = namesFile(version, directory);
      const bytes = Buffer.from(formatRecord(file.id, namesKey, fingerprint, plain), 'utf8');
      if (bytes.length <= maxNamesBytes) this.#writerOf(version).replace(file.name, bytes);
    });
  }

  async factsOf(listing: Listing, name: string, fingerprint: string): Promise<FileFacts | undefined> {
    const found = await this.#factOf(listing, blockOf(listing, listing.images, name), name, fingerprint);
    // The checksum and the readers' version show that this code has written it.
    return found as FileFacts | undefined;
  }

  storeFacts(listing: Listing, name: string, fingerprint: string, facts: FileFacts): void {
    this.#storeFact(listing, blockOf(listing, listing.images, name), name, fingerprint, facts);
  }

  sidecarFactOf(listing: Listing, name: string, fingerprint: string): Promise<unknown> {
    const block = blockOf(listing, listing.textFiles, name);
    return this.#factOf(listing, `${sidecars}${block}`, `${sidecars}${name}`, fingerprint);
  }

  storeSidecarFact(listing: Listing, name: string, fingerprint: string, fact: object): void {
    const block = blockOf(listing, listing.textFiles, name);
    this.#storeFact(listing, `${sidecars}${block}`, `${sidecars}${name}`, fingerprint, fact);
  }

  async #factOf({ directory }: Listing, block: number | string, name: string, fingerprint: string): Promise<unknown> {
    const version = await this.#readVersion();
    if (version === undefined) return undefined;
    return (await this.#block(factsFile(version, directory, block), version))?.get(name, fingerprint);
  }

  #storeFact({ directory }: Listing, block: number | string, name: string, fingerprint: string, fact: object): void {
    this.#store((version) => {
      const file = factsFile(version, directory, block);
      this.#append(version, file, formatRecord(file.id, keyOf(name), fingerprint, fact));
    });
  }

  async faultsOf(path: string, fingerprint: string): Promise<readonly StoredFault[] | undefined> {
    const block = await this.#faults();
    return block?.get(path, fingerprint) as readonly StoredFault[] | undefined;
  }

  storeFaults(path: string, fingerprint: string, faults: readonly StoredFault[]): void {
    this.#store((version) => {
      const file = faultsFile(version);
      this.#append(version, file, formatRecord(file.id, keyOf(path), fingerprint, faults));
    });
  }

  async faultyFiles(): Promise<readonly FaultyFile[]> {
    const entries = [...((await this.#faults())?.entries() ?? [])];
    return entries.map(({ name: path, fingerprint, value }) => ({
      path,
      fingerprint,
      faults: value as readonly StoredFault[],
    }));
  }

  async #faults(): Promise<Block | undefined> {
    const version = await this.#readVersion();
    if (version === undefined) return undefined;
    this.#faultsFile ??= faultsFile(version);
    return this.#block(this.#faultsFile, version);
  }

  /** Writes what waits, within 2 s. */
  async close(): Promise<void> {
    // What was stored just before waits for the version.
    await this.#version;
    await this.#writer?.close();
  }

  /** The version to read and write; undefined while it can't be determined. Never rejects. */
  async #readVersion(): Promise<string | undefined> {
    if (this.#version === undefined && this.#versionRetry.isPaused) return undefined;
    this.#version ??= readersVersion().catch((error: unknown) => {
      this.#version = undefined;
      this.#versionRetry.fail();
      this.#disk.faults.report(
        'reading',
        'Lectern’s own files can’t be read, so the metadata index is not used.',
        error,
      );
      return undefined;
    });
    return this.#version;
  }

  /** Stores something when the version is read; callers do not wait for it, and errors are reported, not thrown. */
  #store(work: (version: string) => void): void {
    // Nothing is stored that could not be read.
    if (this.#disk.faults.isOngoing('reading')) return;
    this.#readVersion()
      .then((version) => version !== undefined && work(version))
      .catch((error: unknown) => this.#disk.writeFailed(error));
  }

  #append(version: string, file: IndexFile, line: string): void {
    if (line.length > maxLineBytes) return;
    this.#blocks.get(file.id)?.add(line);
    this.#writerOf(version).append(file.name, line);
  }

  #writerOf(version: string): IndexWriter {
    const { directory: root, maxBytes } = this.#options;
    this.#writer ??= new IndexWriter({ disk: this.#disk, root, version, maxBytes });
    return this.#writer;
  }

  /** Undefined where the disk fails or hangs. */
  #read({ name }: IndexFile, maxBytes: number): Promise<Buffer | 'invalid' | undefined> {
    const path = layoutIn(this.#options.directory).pathOf(name);
    return this.#disk.read(() => readIndexFile(this.#disk.files, path, maxBytes));
  }

  async #block(file: IndexFile, version: string): Promise<Block | undefined> {
    const cached = this.#blocks.get(file.id) ?? this.#loading.get(file.id);
    if (cached !== undefined) return cached;
    const loading = this.#load(file, version).finally(() => this.#loading.delete(file.id));
    this.#loading.set(file.id, loading);
    return loading;
  }

  async #load(file: IndexFile, version: string): Promise<Block | undefined> {
    const content = await this.#read(file, maxFileBytes);
    if (content === undefined) return undefined;
    const block = new Block(file.id, content === 'invalid' ? Buffer.alloc(0) : content);
    this.#blocks.set(file.id, block);
    if (content === 'invalid' || block.isMostlySuperseded()) {
      this.#writerOf(version).replace(file.name, block.currentLines());
    }
    return block;
  }
}
