/** What was learned of folders and files, kept on disk for the next process; without it everything is read again. */
import { LRUCache } from 'lru-cache';
import type { FactsStore, FileFacts } from '../facts/probe.ts';
import type { ListingStore } from '../listings/folders.ts';
import { type Entries, insertionIndex, type Listing, noEntries } from '../listings/listing.ts';
import { IoLimiter } from '../stats/io-limiter.ts';
import { Availability } from './availability.ts';
import { Block, imagesInBlock, lineOf, maxFileBytes } from './block.ts';
import { type Kept, readKept } from './files.ts';
import { type Place, placeOfFacts, placeOfNames } from './layout.ts';
import { readersVersion } from './readers-version.ts';
import { formatRecord, keyOf, parseRecord } from './record.ts';
import { Writer } from './writer.ts';

export interface MetadataIndexOptions {
  /** An absolute path; it is made when something is kept. */
  readonly directory: string;
  /** The bound for all files together, in bytes; it may be passed by a part of it for a short time. */
  readonly maxBytes: number;
  /** Told in a sentence when nothing can be read or kept, once until it works again. */
  readonly onFault: (message: string, cause: unknown) => void;
}

/** Blocks in memory, in bytes. */
const maxBlockBytes = 8 * 1024 * 1024;

/** Folders with fewer names are read as fast from their own disk. */
const leastNames = 1000;

/** About a million names, in bytes. */
const maxNamesBytes = 32 * 1024 * 1024;

/** A disk that takes longer than this, in ms, is of no help. */
const patienceMs = 1000;

const namesKey = keyOf('names');

type PlainEntries = Pick<Entries, 'images' | 'folders' | 'metaFiles'>;

/** What a folder with links holds depends on more than the folder. */
const isWorthKeeping = ({ images, folders, linkedImages, linkedFolders, brokenLinks }: Entries): boolean =>
  images.length + folders.length >= leastNames && linkedImages.length + linkedFolders.length + brokenLinks.length === 0;

const blockOf = ({ images }: Listing, name: string): number => Math.floor(insertionIndex(images, name) / imagesInBlock);

/** The index on disk. It is read when something is asked for, never as a whole, and shared with other processes. */
export class MetadataIndex implements ListingStore, FactsStore {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #availability: Availability;
  readonly #gates: IoLimiter;
  readonly #blocks = new LRUCache<string, Block>({
    maxSize: maxBlockBytes,
    sizeCalculation: (block) => Math.ceil(Math.min(block.weight(), maxBlockBytes / 2)),
  });
  readonly #loading = new Map<string, Promise<Block | undefined>>();
  #version: Promise<string | undefined> | undefined;
  #writer: Writer | undefined;

  constructor({ directory, maxBytes, onFault }: MetadataIndexOptions) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#availability = new Availability(onFault);
    this.#gates = new IoLimiter([directory]);
  }

  async entriesOf(directory: string, fingerprint: string): Promise<Entries | undefined> {
    const version = await this.#open();
    if (version === undefined) return undefined;
    const place = placeOfNames(this.#directory, version, directory);
    const kept = await this.#read(place, maxNamesBytes);
    if (kept?.kind !== 'bytes') return undefined;
    const entries = parseRecord(place.id, fingerprint, kept.bytes.toString('utf8'));
    return entries === undefined ? undefined : { ...noEntries(), ...(entries as PlainEntries) };
  }

  storeEntries(directory: string, fingerprint: string, entries: Entries): void {
    if (!isWorthKeeping(entries)) return;
    const { images, folders, metaFiles } = entries;
    const plain: PlainEntries = { images, folders, metaFiles };
    this.#keep((version) => {
      const place = placeOfNames(this.#directory, version, directory);
      const bytes = Buffer.from(formatRecord(place.id, namesKey, fingerprint, plain), 'utf8');
      if (bytes.length <= maxNamesBytes) this.#writerOf(version).replace(place, bytes);
    });
  }

  async factsOf(listing: Listing, name: string, fingerprint: string): Promise<FileFacts | undefined> {
    const version = await this.#open();
    if (version === undefined) return undefined;
    const place = placeOfFacts(this.#directory, version, listing.directory, blockOf(listing, name));
    const block = await this.#block(place, version);
    // The checksum and the readers' version say that this code has written it.
    return block?.get(name, fingerprint) as FileFacts | undefined;
  }

  storeFacts(listing: Listing, name: string, fingerprint: string, facts: FileFacts): void {
    this.#keep((version) => {
      const place = placeOfFacts(this.#directory, version, listing.directory, blockOf(listing, name));
      const line = lineOf(place.id, name, fingerprint, facts);
      if (line === undefined) return;
      this.#blocks.get(place.id)?.add(line);
      this.#writerOf(version).append(place, line);
    });
  }

  /** Writes what waits to be kept, within 2 s. */
  async close(): Promise<void> {
    await this.#writer?.close();
  }

  /** The version to read and write; undefined while the index can't be used. Never rejects. */
  async #open(): Promise<string | undefined> {
    if (!this.#availability.isOpen) return undefined;
    this.#version ??= readersVersion().catch((error: unknown) => {
      this.#version = undefined;
      this.#availability.fail('Lectern’s own files can’t be read, so nothing is kept of what is learned.', error);
      return undefined;
    });
    return this.#version;
  }

  /** Keeps something as soon as it is known where; whoever has learned it does not wait, and is not told of a fault. */
  #keep(work: (version: string) => void): void {
    this.#open()
      .then((version) => version !== undefined && work(version))
      .catch((error: unknown) => this.#availability.fail('What was learned of an image can’t be kept.', error));
  }

  #writerOf(version: string): Writer {
    this.#writer ??= new Writer({ root: this.#directory, version, maxBytes: this.#maxBytes }, this.#availability);
    return this.#writer;
  }

  /** Undefined where the disk fails or hangs; the index is left out for a while then. */
  async #read(place: Place, maxBytes: number): Promise<Kept | undefined> {
    try {
      return await this.#gates.run(place.file, () => readKept(place, maxBytes), patienceMs);
    } catch (error) {
      this.#availability.fail(`What was kept in ${this.#directory} can’t be read at the moment.`, error);
      return undefined;
    }
  }

  async #block(place: Place, version: string): Promise<Block | undefined> {
    const known = this.#blocks.get(place.id) ?? this.#loading.get(place.id);
    if (known !== undefined) return known;
    const loading = this.#load(place, version).finally(() => this.#loading.delete(place.id));
    this.#loading.set(place.id, loading);
    return loading;
  }

  async #load(place: Place, version: string): Promise<Block | undefined> {
    const kept = await this.#read(place, maxFileBytes);
    if (kept === undefined) return undefined;
    const block = new Block(place.id, kept.kind === 'bytes' ? kept.bytes : Buffer.alloc(0));
    this.#blocks.set(place.id, block);
    if (kept.kind === 'unusable' || block.isMostlyDead()) {
      this.#writerOf(version).replace(place, block.live());
    }
    return block;
  }
}
