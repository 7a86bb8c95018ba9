/** Reads the metadata file of a folder, and keeps what it says until the file or the folder's images change. */
import { LRUCache } from 'lru-cache';
import type { FolderMetadata, MetadataFault } from '../../image/folder/folder-metadata.ts';
import { codeOf } from '../../storage/file-errors.ts';
import { readFileIn } from '../listings/folder-files.ts';
import { type Listing, pathIn } from '../listings/listing.ts';
import type { Containment } from '../roots/containment.ts';
import { isSettled } from '../stats/fingerprint.ts';
import { LibraryFileSystem } from '../stats/library-file-system.ts';
import { RequestStatCache } from '../stats/request-stat-cache.ts';
import { maxBytes, parseCsvMetadata, parseYamlMetadata, type ReadMetadata } from './parse.ts';

/** The names of a metadata file; where several are there, the first one counts. */
export const metadataFiles = ['metadata.yaml', 'metadata.yml', 'metadata.csv'] as const;
type MetadataFile = (typeof metadataFiles)[number];

/** What was read, and of what. */
interface Remembered {
  readonly version: string;
  readonly images: readonly string[];
  readonly metadata: FolderMetadata;
}

/** From this size in bytes a file counts as large; of those only a few are kept. */
const largeBytes = 256 * 1024;

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((name, place) => name === b[place]));

export class FolderMetadataReader {
  readonly #isContained: Containment;
  readonly #onFault: (path: string, fault: MetadataFault) => void;
  readonly #disk: LibraryFileSystem;
  readonly #small = new LRUCache<string, Remembered>({ max: 1000 });
  readonly #large = new LRUCache<string, Remembered>({ max: 8 });
  /** By folder, what was reported last; so that each fault is reported once. */
  readonly #reported = new LRUCache<string, string>({ max: 5000 });

  /** `onFault` is told of each fault with the file's absolute path, once for each version of the file. */
  constructor(
    isContained: Containment,
    onFault: (path: string, fault: MetadataFault) => void,
    disk: LibraryFileSystem = new LibraryFileSystem(),
  ) {
    this.#isContained = isContained;
    this.#onFault = onFault;
    this.#disk = disk;
  }

  /** What the folder's metadata file says; nothing where there is none. Faults are reported, never thrown. */
  async metadataOf(listing: Listing, moment = new RequestStatCache(this.#disk)): Promise<FolderMetadata> {
    const found = await Promise.all(metadataFiles.map((name) => this.#look(listing, name, moment)));
    const files = found.filter((file) => file !== undefined);
    const [first, ...others] = files;
    if (first === undefined) {
      if (this.#reported.get(listing.directory) !== undefined) this.#reported.set(listing.directory, '');
      return {};
    }
    const version = files.map(({ name, version }) => `${name}:${version}`).join();
    const kept = [this.#small, this.#large]
      .map((recent) => recent.get(listing.directory))
      .find((one) => one?.version === version && sameNames(one.images, listing.images));
    if (kept !== undefined) return kept.metadata;
    const { metadata, faults } = await this.#read(listing, first.name);
    const unused = others.map(({ name }) => ({
      file: name,
      line: 0,
      message: `This file is not used, since there is also ${first.name}.`,
    }));
    this.#report(listing, version, [...faults, ...unused]);
    if (files.every(({ settled }) => settled)) {
      const isLarge = first.bytes > largeBytes;
      (isLarge ? this.#large : this.#small).set(listing.directory, { version, images: listing.images, metadata });
    }
    return metadata;
  }

  async #look(listing: Listing, name: MetadataFile, moment: RequestStatCache) {
    try {
      const look = await moment.stat(pathIn(listing, name));
      if (look === undefined) return undefined;
      const { stats, fingerprint, beganMs } = look;
      return { name, version: fingerprint, bytes: Number(stats.size), settled: isSettled(stats, beganMs) };
    } catch (error) {
      return { name, version: codeOf(error) ?? 'unknown', bytes: 0, settled: false };
    }
  }

  async #read(listing: Listing, name: MetadataFile): Promise<ReadMetadata> {
    const fault = (message: string): ReadMetadata => ({ metadata: {}, faults: [{ file: name, line: 0, message }] });
    try {
      const { directory } = listing;
      const content = await this.#disk.run(directory, () => readFileIn(directory, name, this.#isContained, maxBytes));
      if (content.kind === 'refused') return fault(content.reason);
      const parse = name === 'metadata.csv' ? parseCsvMetadata : parseYamlMetadata;
      return parse(content.bytes.toString('utf8'), name, listing.images);
    } catch (error) {
      return fault(`This file can’t be read (${codeOf(error) ?? 'unknown'}).`);
    }
  }

  #report(listing: Listing, version: string, faults: readonly MetadataFault[]): void {
    const said = `${version} ${JSON.stringify(faults)}`;
    if (this.#reported.get(listing.directory) === said) return;
    this.#reported.set(listing.directory, said);
    for (const fault of faults) this.#onFault(pathIn(listing, fault.file), fault);
  }
}
