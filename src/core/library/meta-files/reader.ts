/** Reads `.meta` files, and caches their content until they change. */
import { LRUCache } from 'lru-cache';
import type { MetadataFault } from '../../image/folder/folder-metadata.ts';
import { unreadableAccess } from '../../image/model/image-metadata.ts';
import { isSettled } from '../../storage/fingerprint.ts';
import { type FileContent, readFileIn } from '../listings/folder-files.ts';
import { type Listing, pathIn } from '../listings/listing.ts';
import { containedStats } from '../roots/contained-stats.ts';
import type { Containment } from '../roots/containment.ts';
import { LibraryFileSystem, type PathStats } from '../stats/library-file-system.ts';
import { RequestStatCache } from '../stats/request-stat-cache.ts';
import { SharedReads } from '../stats/shared-reads.ts';
import { emptyMetaFile, type MetaFile } from './meta-file.ts';
import type { ParsedMetaFile } from './parse.ts';
import type { XmlFault } from './xml.ts';

const maxBytes = 1024 * 1024;

/** The largest total length of the files whose content is cached, in bytes; in memory it takes several times as much. */
const maxCachedBytes = 32 * 1024 * 1024;

interface CachedFile {
  readonly version: string;
  readonly file: MetaFile;
}

/** The parser of XML is loaded with the first such file: many libraries have none. */
async function parse(bytes: Buffer): Promise<ParsedMetaFile> {
  const { parseMetaFile } = await import('./parse.ts');
  return parseMetaFile(bytes);
}

export class MetaFileReader {
  readonly #isContained: Containment;
  readonly #onFault: (path: string, fault: MetadataFault) => void;
  readonly #fileSystem: LibraryFileSystem;
  readonly #cache = new LRUCache<string, CachedFile>({ max: 10_000, maxSize: maxCachedBytes });
  readonly #reads = new SharedReads<MetaFile>();
  /** The last report by path, so that each fault is reported once. */
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
   * The content of a file in a listed folder; empty where there is no such file. Faults are reported, never thrown. Throws
   * where the disk fails: a file that can't be read could restrict access to the image.
   */
  async read(listing: Listing, name: string, statCache = new RequestStatCache(this.#fileSystem)): Promise<MetaFile> {
    if (!listing.metaFiles.has(name)) return emptyMetaFile;
    const path = pathIn(listing, name);
    // A link that leads out of the roots stands for itself: reading it is a fault.
    const found = (await containedStats(path, this.#isContained, statCache)) ?? (await statCache.lstat(path));
    if (found === undefined) return emptyMetaFile;
    const version = found.fingerprint;
    const cached = this.#cache.get(path);
    if (cached?.version === version) return cached.file;
    return this.#reads.run(path, version, () => this.#readVersion(listing, name, found));
  }

  async #readVersion(listing: Listing, name: string, found: PathStats): Promise<MetaFile> {
    const { stats, fingerprint: version, requestedMs } = found;
    const content = await this.#contentOf(listing, name, found);
    const {
      file: parsed,
      fault,
      warning,
    }: ParsedMetaFile = content.kind === 'bytes'
      ? await parse(content.bytes)
      : { file: emptyMetaFile, fault: { line: 0, message: content.reason } };
    // The part that can’t be read could restrict access to the image.
    const file = fault === undefined ? parsed : { ...parsed, general: { ...parsed.general, access: unreadableAccess } };
    const path = pathIn(listing, name);
    const said = fault ?? warning;
    if (said !== undefined) this.#report(path, name, version, said);
    const size = Math.max(1, Math.min(Number(stats.size), maxBytes));
    if (isSettled(stats, requestedMs)) this.#cache.set(path, { version, file }, { size });
    return file;
  }

  async #contentOf(listing: Listing, name: string, { stats }: PathStats): Promise<FileContent> {
    // Devices, pipes and sockets are not even opened.
    if (!stats.isFile() && !stats.isSymbolicLink()) return { kind: 'refused', reason: 'This is no file.' };
    const parts = { fileSystem: this.#fileSystem, isContained: this.#isContained };
    return readFileIn(listing.directory, name, parts, maxBytes);
  }

  #report(path: string, name: string, version: string, { line, message }: XmlFault): void {
    const report = `${version} ${line} ${message}`;
    if (this.#reported.get(path) === report) return;
    this.#reported.set(path, report);
    this.#onFault(path, { file: name, line, message });
  }
}
