/** Reads the metadata file of a folder, and caches its content until the file or the folder's images change. */
import { LRUCache } from 'lru-cache';
import type { FolderMetadata, MetadataFault } from '../../image/folder/folder-metadata.ts';
import { ImageError } from '../../image/model/errors.ts';
import { codeOf } from '../../storage/file-errors.ts';
import { isSettled } from '../../storage/fingerprint.ts';
import { readFileIn } from '../listings/folder-files.ts';
import { type Listing, pathIn } from '../listings/listing.ts';
import type { Containment } from '../roots/containment.ts';
import { LibraryFileSystem } from '../stats/library-file-system.ts';
import { RequestStatCache } from '../stats/request-stat-cache.ts';
import { readCsv } from './csv.ts';
import { type Form, maxBytes, parseMetadata, type ReadMetadata } from './parse.ts';

/** The names of a metadata file; where there are several, only the first one is read. */
export const metadataFiles = ['metadata.yaml', 'metadata.yml', 'metadata.csv'] as const;
type MetadataFile = (typeof metadataFiles)[number];

/** The metadata of a folder, with the version of its files and the images that it was parsed for. */
interface CachedMetadata {
  readonly version: string;
  readonly images: readonly string[];
  readonly jsonFiles: ReadonlySet<string>;
  readonly metadata: FolderMetadata;
}

/** The largest total length of the files whose content is cached, in bytes; in memory it takes several times as much. */
const maxCachedBytes = 32 * 1024 * 1024;

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((name, index) => name === b[index]));

/** Whether the folder has the same files that its metadata can name. */
const namesSame = (cached: CachedMetadata, { images, jsonFiles }: Listing): boolean =>
  sameNames(cached.images, images) &&
  (cached.jsonFiles === jsonFiles || sameNames([...cached.jsonFiles].sort(), [...jsonFiles].sort()));

/** The parser of YAML is loaded with the first such file: many libraries have none. */
const formOf = async (name: MetadataFile): Promise<Form> =>
  name === 'metadata.csv' ? readCsv : (await import('./yaml.ts')).readYaml;

export class FolderMetadataReader {
  readonly #isContained: Containment;
  readonly #onFault: (path: string, fault: MetadataFault) => void;
  readonly #fileSystem: LibraryFileSystem;
  readonly #cache = new LRUCache<string, CachedMetadata>({ max: 1000, maxSize: maxCachedBytes });
  /** The last report by folder, so that each fault is reported once. */
  readonly #reported = new LRUCache<string, string>({ max: 5000 });

  /** `onFault` is called with the file's absolute path and each fault, once for each version of the file. */
  constructor(
    isContained: Containment,
    onFault: (path: string, fault: MetadataFault) => void,
    fileSystem: LibraryFileSystem = new LibraryFileSystem(),
  ) {
    this.#isContained = isContained;
    this.#onFault = onFault;
    this.#fileSystem = fileSystem;
  }

  /**
   * The content of the folder's metadata file; empty where there is none. Faults are reported, never thrown. Throws
   * ImageError `overloaded` where the disk does not answer.
   */
  async metadataOf(listing: Listing, statCache = new RequestStatCache(this.#fileSystem)): Promise<FolderMetadata> {
    const found = await Promise.all(metadataFiles.map((name) => this.#stat(listing, name, statCache)));
    const files = found.filter((file) => file !== undefined);
    const [first, ...others] = files;
    if (first === undefined) {
      if (this.#reported.get(listing.directory) !== undefined) this.#reported.set(listing.directory, '');
      return {};
    }
    const version = files.map(({ name, version }) => `${name}:${version}`).join();
    const cached = this.#cache.get(listing.directory);
    if (cached?.version === version && namesSame(cached, listing)) return cached.metadata;
    const { metadata, faults } = await this.#read(listing, first.name);
    const message = `This file is not used, since there is also ${first.name}.`;
    const unused = others.map(({ name }) => ({ file: name, line: 0, message }));
    this.#report(listing, version, [...faults, ...unused]);
    if (files.every(({ settled }) => settled)) {
      const size = Math.max(1, Math.min(first.bytes, maxCachedBytes));
      const { images, jsonFiles } = listing;
      this.#cache.set(listing.directory, { version, images, jsonFiles, metadata }, { size });
    }
    return metadata;
  }

  async #stat(listing: Listing, name: MetadataFile, statCache: RequestStatCache) {
    try {
      const found = await statCache.stat(pathIn(listing, name));
      if (found === undefined) return undefined;
      const { stats, fingerprint, requestedMs } = found;
      return { name, version: fingerprint, bytes: Number(stats.size), settled: isSettled(stats, requestedMs) };
    } catch (error) {
      if (error instanceof ImageError) throw error;
      return { name, version: codeOf(error) ?? 'unknown', bytes: 0, settled: false };
    }
  }

  async #read(listing: Listing, name: MetadataFile): Promise<ReadMetadata> {
    const fault = (message: string): ReadMetadata => ({ metadata: {}, faults: [{ file: name, line: 0, message }] });
    const { directory } = listing;
    try {
      const parts = { fileSystem: this.#fileSystem, isContained: this.#isContained };
      const content = await readFileIn(directory, name, parts, maxBytes);
      if (content.kind === 'refused') return fault(content.reason);
      return await parseMetadata(await formOf(name), content.bytes.toString('utf8'), name, listing);
    } catch (error) {
      if (error instanceof ImageError) throw error;
      return fault(`This file can’t be read (${codeOf(error) ?? 'unknown'}).`);
    }
  }

  #report(listing: Listing, version: string, faults: readonly MetadataFault[]): void {
    const report = `${version} ${JSON.stringify(faults)}`;
    if (this.#reported.get(listing.directory) === report) return;
    this.#reported.set(listing.directory, report);
    for (const fault of faults) this.#onFault(pathIn(listing, fault.file), fault);
  }
}
