/** Walks the folders that a command names, and reads the headers of the images in them. */
import { ImageError } from '../../core/image/model/errors.ts';
import { childOf, type Identifier, rootIdentifier } from '../../core/image/model/identifier.ts';
import type { Resolution } from '../../core/image/model/image-set.ts';
import { type OrientationRule, Prober } from '../../core/library/file-facts.ts';
import { Folders } from '../../core/library/listings/folder-cache.ts';
import type { Listing } from '../../core/library/listings/listing.ts';
import { containmentIn } from '../../core/library/roots/containment.ts';
import { kindOf, type Storages, storagePathOf } from '../../core/storage/storages.ts';
import { printable } from './text.ts';
import { UsageError } from './usage-error.ts';

/** How many files are open at once. */
const batch = 32;

/** How deep folders are followed; links that lead in circles end earlier, since no folder is read twice. */
const maxDepth = 100;

export interface WalkOptions {
  readonly followLinksOutside: boolean;
  readonly orientation: OrientationRule;
  readonly storages: Storages;
  /** Ends the walk early. */
  readonly signal?: AbortSignal;
  /** The sentence on a folder or file whose reading failed. */
  readonly sentenceFor: (what: 'folder' | 'file', error: unknown) => string;
  /** Called with the path of a folder or image that can't be read, and a sentence. */
  readonly onFault: (shown: string, sentence: string) => Promise<void>;
}

interface WalkedFolder {
  /** Its path in the library that has the walk's root as its base directory. */
  readonly identifier: Identifier;
  readonly listing: Listing;
  /** Its path from the folder that the command names. */
  readonly shown: string;
  /** Whether the folders in it are too deep to be read. */
  readonly isTooDeep: boolean;
}

export interface ProbedImage {
  readonly name: string;
  readonly shown: string;
  readonly pages: readonly Resolution[];
  /** Why the image can't be read; undefined where it can. */
  readonly reason: string | undefined;
}

/** The absolute path of a folder that a command names: of the disk, or an address such as `s3://bucket/prefix`. */
export const folderPathOf = (folder: string): string => storagePathOf(kindOf(folder).resolve(process.cwd(), folder));

/** The path of something in a folder as it is printed, from what the command names. */
export const shownIn = (folder: string, ...names: readonly string[]): string => kindOf(folder).join(folder, ...names);

async function isFolder(folder: string, storages: Storages): Promise<boolean> {
  try {
    const location = folderPathOf(folder);
    return (await storages.of(location).follow(location)).stats.isDirectory();
  } catch (error) {
    if (error instanceof ImageError) throw new UsageError(`${printable(folder)} can’t be read: ${error.message}`);
    return false;
  }
}

/** Throws UsageError for the first path that is not a folder, and for one whose object store does not answer. */
export async function requireFolders(folders: readonly string[], storages: Storages): Promise<void> {
  for (const folder of folders) {
    if (!(await isFolder(folder, storages))) throw new UsageError(`there is no folder ${printable(folder)}`);
  }
}

/** A walk through one folder of the command line and all folders in it. */
export class FolderWalk {
  readonly isContained: (location: string) => boolean;
  /** Lists the folders below the root. */
  readonly lists: Folders;
  /** The absolute path of the root, links resolved. */
  readonly real: string;
  readonly storages: Storages;
  readonly #root: string;
  readonly #options: WalkOptions;

  constructor(root: string, options: WalkOptions) {
    const location = folderPathOf(root);
    const { storages } = options;
    const state = storages.of(location).stateOf(location);
    const real = state.kind === 'none' ? location : state.real;
    this.isContained = containmentIn([real], options.followLinksOutside);
    this.#root = root;
    this.real = real;
    this.storages = storages;
    this.lists = new Folders({ path: location, real }, { isContained: this.isContained, storages });
    this.#options = options;
  }

  get #isAborted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** Every folder once, before the folders in it. */
  async *folders(): AsyncGenerator<WalkedFolder> {
    const seen = new Set<string>();
    const waiting: (readonly string[])[] = [[]];
    for (let next = waiting.pop(); next !== undefined && !this.#isAborted; next = waiting.pop()) {
      const segments = next;
      const shown = shownIn(this.#root, ...segments);
      const listing = await this.#list(segments, shown);
      if (listing === undefined || seen.has(listing.directory)) continue;
      seen.add(listing.directory);
      const isTooDeep = segments.length >= maxDepth && listing.folders.length > 0;
      yield { identifier: segments.reduce(childOf, rootIdentifier), listing, shown, isTooDeep };
      if (!isTooDeep) waiting.push(...listing.folders.toReversed().map((name) => [...segments, name]));
    }
  }

  async #list(segments: readonly string[], shown: string): Promise<Listing | undefined> {
    const { sentenceFor, onFault } = this.#options;
    try {
      const listing = await this.lists.list(segments);
      if (listing === undefined) await onFault(shown, 'The folder may not be read.');
      return listing;
    } catch (error) {
      await onFault(shown, sentenceFor('folder', error));
      return undefined;
    }
  }

  /** Reads the headers of a folder's images, one batch after the other, so that no facts stay in memory. */
  async *images({ listing, shown }: WalkedFolder): AsyncGenerator<readonly ProbedImage[]> {
    for (let from = 0; from < listing.images.length && !this.#isAborted; from += batch) {
      const names = listing.images.slice(from, from + batch);
      const probed = await Promise.all(names.map((name) => this.#probe(listing, name, shownIn(shown, name))));
      for (const image of probed) {
        if (image.reason !== undefined) await this.#options.onFault(image.shown, image.reason);
      }
      yield probed;
    }
  }

  async #probe(listing: Listing, name: string, shown: string): Promise<ProbedImage> {
    const { orientation, sentenceFor } = this.#options;
    let reason: string | undefined;
    const onUnreadable = (_: string, sentence: string): void => {
      reason = sentence;
    };
    const prober = new Prober({ storages: this.storages, isContained: this.isContained, orientation, onUnreadable });
    try {
      const pages = await prober.probe(listing, name);
      return { name, shown, pages, reason };
    } catch (error) {
      return { name, shown, pages: [], reason: sentenceFor('file', error) };
    }
  }
}
