/** Finds the files that hold the texts of images, and recognizes their formats. */
import { LRUCache } from 'lru-cache';
import { childOf, type Identifier } from '../../image/model/identifier.ts';
import { isSystemError } from '../../storage/file-errors.ts';
import { isSettled } from '../../storage/fingerprint.ts';
import { readFileIn } from '../listings/folder-files.ts';
import type { Folders } from '../listings/folders.ts';
import { pathIn } from '../listings/listing.ts';
import { containedStats } from '../roots/contained-stats.ts';
import type { Containment } from '../roots/containment.ts';
import { type MountPoint, mountedPaths } from '../roots/mount-points.ts';
import type { LibraryFileSystem, LinkTarget } from '../stats/library-file-system.ts';
import { RequestStatCache } from '../stats/request-stat-cache.ts';
import { type SniffedFormat, sniffedBytes, sniffFormat } from './sniff.ts';
import type { TextFile } from './text-file.ts';
import { type TextFolder, TextFolderNames, textFoldersIn } from './text-folders.ts';
import { type TextFileKind, textFileKinds, textKindOf, textNamesIn, textStemsOf } from './text-names.ts';

export interface TextFilesParts {
  /** The base directories, the first one before the others. */
  readonly roots: readonly Folders[];
  readonly mountPoints: readonly MountPoint[];
  readonly fileSystem: LibraryFileSystem;
  readonly isContained: Containment;
  /** The names of folders that hold texts, the preferred one first. */
  readonly folderNames: readonly string[];
}

/** The image whose text is wanted: a file of a folder, and a page in it, from 1. */
export interface ImageOfText {
  readonly folder: Identifier;
  /** The file's name alone. */
  readonly name: string;
  readonly page: number;
}

interface Candidate {
  readonly folder: TextFolder;
  readonly name: string;
  readonly kind: TextFileKind;
}

/** The files that may hold the text of an image by their names, the preferred one first. */
function candidatesIn(folders: readonly TextFolder[], image: string, page: number): readonly Candidate[] {
  const stems = textStemsOf(image, page);
  const found = folders.flatMap((folder) => {
    const { textFiles } = folder.listing;
    if (textFiles.length === 0) return [];
    const names = textNamesIn(textFiles);
    return stems.flatMap((stem) => names.get(stem) ?? []).map((name) => ({ folder, name }));
  });
  return textFileKinds.flatMap((kind) =>
    found.filter(({ name }) => textKindOf(name) === kind).map((one) => ({ ...one, kind })),
  );
}

/** A file is recognized anew when it has changed; this many are remembered. */
const maxRemembered = 100_000;

export class TextFiles {
  readonly #parts: TextFilesParts;
  readonly #names: TextFolderNames;
  readonly #formats = new LRUCache<
    string,
    { readonly fingerprint: string; readonly format: SniffedFormat | undefined }
  >({
    max: maxRemembered,
  });

  constructor(parts: TextFilesParts) {
    this.#parts = parts;
    this.#names = new TextFolderNames(parts.folderNames);
  }

  /** The file with the text of an image; undefined where there is none. */
  async find(image: ImageOfText): Promise<TextFile | undefined> {
    const statCache = new RequestStatCache(this.#parts.fileSystem);
    const folders = await this.#foldersFor(image.folder, statCache);
    return this.#firstText(candidatesIn(folders, image.name, image.page), image.page, statCache);
  }

  /** The files with the texts of some images of a folder (page 1 of each), by the names of the images. */
  async findAll(folder: Identifier, images: readonly string[]): Promise<ReadonlyMap<string, TextFile>> {
    const statCache = new RequestStatCache(this.#parts.fileSystem);
    const folders = await this.#foldersFor(folder, statCache);
    const found = new Map<string, TextFile>();
    if (folders.every(({ listing }) => listing.textFiles.length === 0)) return found;
    for (const name of images) {
      const file = await this.#firstText(candidatesIn(folders, name, 1), 1, statCache);
      if (file !== undefined) found.set(name, file);
    }
    return found;
  }

  async #foldersFor(folder: Identifier, statCache: RequestStatCache): Promise<readonly TextFolder[]> {
    const { roots } = this.#parts;
    return (await Promise.all(roots.map((root) => textFoldersIn(root, folder, this.#names, statCache)))).flat();
  }

  async #firstText(
    candidates: readonly Candidate[],
    page: number,
    statCache: RequestStatCache,
  ): Promise<TextFile | undefined> {
    for (const candidate of candidates) {
      const file = await this.#describe(candidate, page, statCache);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** The file of a candidate; undefined where it is none of the formats, or a link that leads out or nowhere. */
  async #describe(
    { folder, name, kind }: Candidate,
    page: number,
    statCache: RequestStatCache,
  ): Promise<TextFile | undefined> {
    const path = pathIn(folder.listing, name);
    const found = await containedStats(path, this.#parts.isContained, statCache);
    if (found === undefined || !found.stats.isFile()) return undefined;
    const format = await this.#formatOf(path, found, { folder, name, kind });
    if (format === undefined) return undefined;
    const paths = mountedPaths(childOf(folder.identifier, name), [path, found.real], this.#parts.mountPoints);
    return {
      ...format,
      name,
      directory: folder.listing.directory,
      paths,
      fingerprint: found.fingerprint,
      bytes: Number(found.stats.size),
      modifiedMs: Number(found.stats.mtimeMs),
      isSettled: isSettled(found.stats, found.requestedMs),
      page,
    };
  }

  async #formatOf(path: string, found: LinkTarget, candidate: Candidate): Promise<SniffedFormat | undefined> {
    if (candidate.kind === 'plain') return { format: 'plain' };
    const { fingerprint, stats, requestedMs } = found;
    const known = this.#formats.get(path);
    if (known?.fingerprint === fingerprint) return known.format;
    const format = await this.#sniff(candidate);
    if (isSettled(stats, requestedMs)) this.#formats.set(path, { fingerprint, format });
    return format;
  }

  /** A file that can't be read has no format: then the next one may have the text. */
  async #sniff({ folder, name, kind }: Candidate): Promise<SniffedFormat | undefined> {
    const { fileSystem, isContained } = this.#parts;
    const { directory } = folder.listing;
    try {
      const content = await fileSystem.run(directory, () =>
        readFileIn(directory, name, isContained, sniffedBytes, { from: 0, to: sniffedBytes }),
      );
      return content.kind === 'bytes' ? sniffFormat(kind, content.bytes) : undefined;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return undefined;
    }
  }
}
