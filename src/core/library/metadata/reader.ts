/** Reads the metadata that lies beside images, of folders and of single images, and caches it until the files change. */
import path from 'node:path';
import {
  type FolderMetadata,
  type FolderRedactions,
  type MetadataFault,
  metadataFiles,
  redactionsFiles,
  unreadableRedactions,
} from '../../image/folder/folder-metadata.ts';
import { ImageError } from '../../image/model/errors.ts';
import { unreadableAccess } from '../../image/model/image-set.ts';
import { joinRedactions, mentionsRedactions, type Redactions } from '../../image/model/redaction.ts';
import { codeOf } from '../../storage/file-errors.ts';
import { isSettled } from '../../storage/storage.ts';
import { Storages } from '../../storage/storages.ts';
import { type FileContent, readFileIn } from '../listings/folder-files.ts';
import { createListing, type Listing, noEntries, pathIn } from '../listings/listing.ts';
import type { Containment } from '../roots/containment.ts';
import { type PathStats, RequestStatCache } from '../stats/request-stat-cache.ts';
import { FaultReports, type OnFault, VersionCache } from '../stats/shared-reads.ts';
import { readCsv } from './csv.ts';
import { emptyMetaFile, folderMetaFile, type MetaFile } from './meta-files.ts';
import { type Form, maxBytes, parseMetadata, type ReadMetadata } from './parse-metadata.ts';
import { parseInThread } from './yaml-thread.ts';

type MetadataFile = (typeof metadataFiles)[number];

/** It is parsed in one turn of the event loop. */
const maxMetaFileBytes = 512 * 1024;

/** The largest total length of the files whose content is cached, in bytes; in memory it takes several times as much. */
const maxCachedBytes = 32 * 1024 * 1024;

/** A folder's metadata, with the files that it was parsed for. */
interface ParsedFor extends Pick<Listing, 'images' | 'jsonFiles'> {
  readonly metadata: FolderMetadata;
}

/** What is covered of the images of a folder. */
interface RedactionsFor extends Pick<Listing, 'images'> {
  readonly redactions: FolderRedactions;
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((name, index) => name === b[index]));

/** The files of a folder that its metadata can name: by numbers the images, which come first. */
const namedIn = ({ images, mediaFiles }: Listing): readonly string[] =>
  mediaFiles.length === 0 ? images : [...images, ...mediaFiles];

/** Whether the folder has the same files that its metadata can name. */
const namesSame = (parsed: ParsedFor, listing: Listing): boolean =>
  sameNames(parsed.images, namedIn(listing)) &&
  (parsed.jsonFiles === listing.jsonFiles || sameNames([...parsed.jsonFiles].sort(), [...listing.jsonFiles].sort()));

/** The parser of YAML is loaded with the first such file: many libraries have none. */
export const formOf = async (name: MetadataFile): Promise<Form> =>
  name === 'metadata.csv' ? readCsv : (await import('./yaml.ts')).readYaml;

const sizeOf = (bytes: number | bigint): number => Math.max(1, Math.min(Number(bytes), maxCachedBytes));

export class MetadataReader {
  readonly #isContained: Containment;
  readonly #storages: Storages;
  readonly #reports: FaultReports;
  readonly #metaFiles = new VersionCache<MetaFile>({ max: 10_000, maxSize: maxCachedBytes });
  readonly #folders = new VersionCache<ParsedFor>({ max: 1000, maxSize: maxCachedBytes });
  /** The texts of files that speak of redactions; of others the empty one, and `undefined` of those that can’t be read. */
  readonly #redactionTexts = new VersionCache<{ readonly text: string | undefined }>({
    max: 10_000,
    maxSize: maxCachedBytes,
  });
  readonly #redactions = new VersionCache<RedactionsFor>({ max: 1000, maxSize: maxCachedBytes });

  /** `onFault` is called with the file's absolute path and each fault, once for each version of the file. */
  constructor(isContained: Containment, onFault: OnFault, storages = new Storages()) {
    this.#isContained = isContained;
    this.#storages = storages;
    this.#reports = new FaultReports(onFault);
  }

  /**
   * The content of a `.meta` file in a listed folder; empty where there is no such file. Faults are reported, never thrown.
   * Throws where the disk fails: a file that can't be read could restrict access to the image.
   */
  async metaFile(listing: Listing, name: string, statCache = new RequestStatCache(this.#storages)): Promise<MetaFile> {
    if (!listing.metaFiles.has(name)) return emptyMetaFile;
    const path = pathIn(listing, name);
    // A link that leads out of the roots stands for itself: reading it is a fault.
    const found = (await statCache.contained(path, this.#isContained)) ?? (await statCache.lstat(path));
    if (found === undefined) return emptyMetaFile;
    const { stats, fingerprint: version, requestedMs } = found;
    const file = { version, isSettled: isSettled(stats, requestedMs), size: sizeOf(stats.size) };
    return this.#metaFiles.get(path, file, () => this.#readMetaFile(listing, name, found));
  }

  /**
   * The content of the folder's metadata file; empty where there is none. Faults are reported, never thrown. Throws
   * ImageError `overloaded` where the disk does not answer.
   */
  async metadataOf(listing: Listing, statCache = new RequestStatCache(this.#storages)): Promise<FolderMetadata> {
    const found = await Promise.all(metadataFiles.map((name) => this.#stat(listing, name, statCache)));
    const files = found.filter((file) => file !== undefined);
    const [first, ...others] = files;
    if (first === undefined) {
      this.#reports.report(listing.directory, '', '', []);
      return {};
    }
    const version = files.map(({ name, version }) => `${name}:${version}`).join();
    const file = { version, isSettled: files.every(({ settled }) => settled), size: sizeOf(first.bytes) };
    const read = async (): Promise<ParsedFor> => {
      const { metadata, faults } = await this.#read(listing, first.name);
      const message = `This file is not used, since there is also ${first.name}.`;
      const unused = others.map(({ name }) => ({ file: name, line: 0, message }));
      this.#reports.report(listing.directory, '', version, [...faults, ...unused]);
      return { images: namedIn(listing), jsonFiles: listing.jsonFiles, metadata };
    };
    const isCurrent = (parsed: ParsedFor): boolean => namesSame(parsed, listing);
    const parsed = await this.#folders.get(listing.directory, { ...file, isCurrent }, read);
    // Another request may just have read it for other files.
    return (isCurrent(parsed) ? parsed : await read()).metadata;
  }

  /**
   * What `metadata.yaml` of a listed folder covers of an image; undefined where no such file speaks of it. `listAll` lists the
   * folder as a whole, whose images the file can name by their numbers. Throws as `metaFile` does.
   */
  async redactionsOf(
    listing: Listing,
    image: string,
    listAll: () => Promise<Listing | undefined>,
    statCache: RequestStatCache,
  ): Promise<Redactions | undefined> {
    const files = redactionsFiles.filter((name) => listing.metaFiles.has(name));
    const listOf = async (): Promise<Listing | undefined> => {
      const all = await listAll();
      // A list that is older than the image counts its pages otherwise.
      return all?.has(image) || all?.mediaFiles.includes(image) ? all : undefined;
    };
    const found = await Promise.all(files.map((name) => this.#redactionsIn(listing, name, listOf, statCache)));
    return joinRedactions(found.map((one) => (one?.isUnreadable ? 'unreadable' : one?.byPage.get(image))));
  }

  /** Whether `metadata.yaml` of a folder speaks of redactions, or can't be read. */
  async speaksOfRedactions(listing: Listing, statCache: RequestStatCache): Promise<boolean> {
    const files = redactionsFiles.filter((name) => listing.metaFiles.has(name));
    const found = await Promise.all(files.map((name) => this.#redactionText(listing, name, statCache)));
    return found.some((one) => one !== undefined && one.text !== '');
  }

  /** The text of a file that speaks of redactions; undefined where there is no file. */
  async #redactionText(listing: Listing, name: string, statCache: RequestStatCache) {
    const path = pathIn(listing, name);
    const found = (await statCache.contained(path, this.#isContained)) ?? (await statCache.lstat(path));
    if (found === undefined) return undefined;
    const { stats, fingerprint: version, requestedMs } = found;
    const file = { version, isSettled: isSettled(stats, requestedMs), size: sizeOf(stats.size) };
    const read = () => this.#redactionTextOf(listing, name, found);
    const { text } = await this.#redactionTexts.get(path, { ...file, size: 1 }, read);
    return { path, file, text };
  }

  async #redactionsIn(
    listing: Listing,
    name: string,
    listAll: () => Promise<Listing | undefined>,
    statCache: RequestStatCache,
  ): Promise<FolderRedactions | undefined> {
    const found = await this.#redactionText(listing, name, statCache);
    if (found === undefined || found.text === '') return undefined;
    const { path, file, text } = found;
    const { version } = file;
    const all = text === undefined ? undefined : await listAll();
    const images = all && namedIn(all);
    if (text === undefined) return unreadableRedactions;
    if (images === undefined) {
      const message = 'Redactions are in it, and it is not known which pages it means: its images are closed.';
      this.#reports.report(listing.directory, name, version, [{ file: name, line: 0, message }]);
      return unreadableRedactions;
    }
    const isCurrent = (parsed: RedactionsFor): boolean => sameNames(parsed.images, images);
    const read = () => this.#parseRedactions(listing, name, { text, version, images });
    const parsed = await this.#redactions.get(path, { ...file, isCurrent }, read);
    return (isCurrent(parsed) ? parsed : await read()).redactions;
  }

  async #redactionTextOf(
    listing: Listing,
    name: string,
    found: PathStats,
  ): Promise<{ readonly text: string | undefined }> {
    const content = await this.#contentOf(listing, name, found, maxBytes);
    const message = 'Redactions may be in it: until it can be read, the images of this folder are closed.';
    const faults = content.kind === 'bytes' ? [] : [{ file: name, line: 0, message: `${content.reason} ${message}` }];
    this.#reports.report(listing.directory, name, found.fingerprint, faults);
    if (content.kind !== 'bytes') return { text: undefined };
    const text = content.bytes.toString('utf8');
    return { text: mentionsRedactions(text) ? text : '' };
  }

  async #parseRedactions(
    { directory }: Listing,
    name: string,
    { text, version, images }: { readonly text: string; readonly version: string; readonly images: readonly string[] },
  ): Promise<RedactionsFor> {
    const named = { images, jsonFiles: new Set<string>() };
    const parsed =
      (await parseInThread(text, name, named)) ??
      (await parseMetadata((await import('./yaml.ts')).readYaml, text, name, named));
    const { redactions = { isUnreadable: false, byPage: new Map() } } = parsed.metadata;
    const isWhole = !redactions.isUnreadable && [...redactions.byPage.values()].every((one) => one !== 'unreadable');
    this.#reports.report(directory, name, version, isWhole ? [] : parsed.faults);
    return { images, redactions };
  }

  /** What the metadata file at this path says of its folder as a whole, whose pages are not known. */
  async titlesIn(file: string, statCache: RequestStatCache): Promise<FolderMetadata> {
    const found = await statCache.follow(file);
    if (found === undefined) return {};
    const { fingerprint: version, stats, requestedMs } = found;
    const wanted = { version, isSettled: isSettled(stats, requestedMs), size: sizeOf(stats.size) };
    const { metadata } = await this.#folders.get(`${file}\0titles`, wanted, async () => {
      const listing = createListing(path.dirname(file), noEntries());
      const { images, jsonFiles } = listing;
      const { metadata: all } = await this.#read(listing, path.basename(file) as MetadataFile);
      const { nonPaged, facingPages, pageLabels, pageOrder, structures, layers, annotations, redactions, ...ofFolder } =
        all;
      return { images, jsonFiles, metadata: ofFolder };
    });
    return metadata;
  }

  async #readMetaFile(listing: Listing, name: string, found: PathStats): Promise<MetaFile> {
    const content = await this.#contentOf(listing, name, found);
    const { file, fault, warning } =
      content.kind === 'bytes'
        ? // The parser of XML is loaded with the first such file: many libraries have none.
          (await import('./parse-meta-file.ts')).parseMetaFile(content.bytes, name === folderMetaFile)
        : {
            file: emptyMetaFile,
            fault: { line: 0, message: content.reason },
            warning: undefined,
          };
    const said: readonly MetadataFault[] = [fault ?? warning ?? []].flat().map((one) => ({ file: name, ...one }));
    this.#reports.report(listing.directory, name, found.fingerprint, said);
    if (fault === undefined) return file;
    // The part that can’t be read could restrict access to the image, and, in its own file, cover something of it.
    const mayCover =
      name !== folderMetaFile || (content.kind === 'bytes' && mentionsRedactions(content.bytes.toString('latin1')));
    const closed = { access: unreadableAccess, ...(mayCover && { redactions: 'unreadable' as const }) };
    return { ...file, general: { ...file.general, ...closed } };
  }

  async #contentOf(listing: Listing, name: string, { stats }: PathStats, max = maxMetaFileBytes): Promise<FileContent> {
    // Devices, pipes and sockets are not even opened.
    if (!stats.isFile() && !stats.isSymbolicLink()) return { kind: 'refused', reason: 'This is no file.' };
    const parts = { storages: this.#storages, isContained: this.#isContained };
    return readFileIn(listing.directory, name, parts, max);
  }

  async #stat(listing: Listing, name: MetadataFile, statCache: RequestStatCache) {
    try {
      const found = await statCache.follow(pathIn(listing, name));
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
    try {
      const parts = { storages: this.#storages, isContained: this.#isContained };
      const content = await readFileIn(listing.directory, name, parts, maxBytes);
      if (content.kind === 'refused') return fault(content.reason);
      const text = content.bytes.toString('utf8');
      const named = { images: namedIn(listing), jsonFiles: listing.jsonFiles };
      return (await parseInThread(text, name, named)) ?? (await parseMetadata(await formOf(name), text, name, named));
    } catch (error) {
      if (error instanceof ImageError) throw error;
      return fault(`This file can’t be read (${codeOf(error) ?? 'unknown'}).`);
    }
  }
}
