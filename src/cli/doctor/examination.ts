/** Searches folders for faulty metadata files, images that can't be read, and images that are slow to cut. */
import path from 'node:path';
import { Prober } from '../../library/facts/probe.ts';
import { Folders } from '../../library/listings/folders.ts';
import { type Listing, pathIn } from '../../library/listings/listing.ts';
import { folderMetaFile, metaFileOf } from '../../library/meta-files/precedence.ts';
import { MetaFileReader } from '../../library/meta-files/reader.ts';
import { FolderMetadataReader } from '../../library/metadata/reader.ts';
import { containmentIn } from '../../library/roots/containment.ts';
import { codeOf } from '../../storage/file-errors.ts';
import { counted, printable } from '../common/text.ts';
import { SlowImages } from './slow-report.ts';

/** How many files are open at once. */
const batch = 32;

/** How deep folders are followed; links that lead in circles end earlier, since no folder is read twice. */
const maxDepth = 100;

export interface Tally {
  readonly folders: number;
  readonly images: number;
  readonly faults: number;
}

/** Prints one line; resolves when the next can be printed. */
export type Print = (line: string) => Promise<void>;

/** A folder that is still to be read. */
interface PendingFolder {
  readonly segments: readonly string[];
  /** Its path as it is printed. */
  readonly shown: string;
}

/** Examines one folder of the command line and all folders in it. */
class Examination {
  readonly #root: string;
  readonly #folders: Folders;
  readonly #isContained: (location: string) => boolean;
  readonly #print: Print;
  readonly #slow: SlowImages;
  readonly #seen = new Set<string>();
  #images = 0;
  #faults = 0;

  constructor(root: string, print: Print, slow: SlowImages) {
    this.#root = root;
    this.#slow = slow;
    this.#print = print;
    const location = path.resolve(root);
    this.#isContained = containmentIn([location], false);
    this.#folders = new Folders(location, { isContained: this.#isContained });
  }

  async run(): Promise<Tally> {
    const waiting: PendingFolder[] = [{ segments: [], shown: this.#root }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const names = await this.#folder(next);
      for (const name of [...names].reverse()) {
        waiting.push({ segments: [...next.segments, name], shown: path.join(next.shown, name) });
      }
    }
    return { folders: this.#seen.size, images: this.#images, faults: this.#faults };
  }

  async #report(shown: string, message: string): Promise<void> {
    this.#faults++;
    await this.#print(`${printable(shown)}: ${message}`);
  }

  /** Examines one folder; returns the names of the folders in it that are still to be read. */
  async #folder({ segments, shown }: PendingFolder): Promise<readonly string[]> {
    const listing = await this.#list(segments, shown);
    if (listing === undefined || this.#seen.has(listing.directory)) return [];
    this.#seen.add(listing.directory);
    await this.#metadata(listing, shown);
    for (let from = 0; from < listing.images.length; from += batch) {
      const names = listing.images.slice(from, from + batch);
      await this.#imagesOf(listing, names, shown);
      await this.#metaFiles(listing, names.map(metaFileOf), shown);
    }
    if (segments.length < maxDepth || listing.folders.length === 0) return listing.folders;
    await this.#report(shown, `The folders in here are more than ${maxDepth} deep, and are not looked at.`);
    return [];
  }

  async #list(segments: readonly string[], shown: string): Promise<Listing | undefined> {
    try {
      const listing = await this.#folders.list(segments);
      if (listing === undefined) await this.#report(shown, 'The folder may not be read.');
      return listing;
    } catch (error) {
      await this.#report(shown, `The folder can’t be read (${codeOf(error) ?? 'unknown'}).`);
      return undefined;
    }
  }

  async #metadata(listing: Listing, shown: string): Promise<void> {
    const lines: (readonly [string, string])[] = [];
    const reader = new FolderMetadataReader(this.#isContained, (_, { file, line, message }) => {
      lines.push([path.join(shown, file) + (line > 0 ? `:${line}` : ''), message]);
    });
    await reader.metadataOf(listing);
    for (const [shownFile, message] of lines) await this.#report(shownFile, message);
    await this.#metaFiles(listing, [folderMetaFile], shown);
  }

  /** Reads those `.meta` files of these names that exist. */
  async #metaFiles(listing: Listing, names: readonly string[], shown: string): Promise<void> {
    const faults = new Map<string, readonly [string, string]>();
    const reader = new MetaFileReader(this.#isContained, (_, { file, line, message }) => {
      faults.set(file, [path.join(shown, file) + (line > 0 ? `:${line}` : ''), message]);
    });
    const read = async (name: string): Promise<void> => {
      try {
        await reader.read(listing, name);
      } catch (error) {
        faults.set(name, [path.join(shown, name), `The file can’t be read (${codeOf(error) ?? 'unknown'}).`]);
      }
    };
    await Promise.all(names.map(read));
    const inOrder = names.flatMap((name) => {
      const fault = faults.get(name);
      return fault === undefined ? [] : [fault];
    });
    for (const [shownFile, message] of inOrder) await this.#report(shownFile, message);
  }

  /** Reads the headers of images; each batch has its own prober, so that no facts stay in memory once they are reported. */
  async #imagesOf(listing: Listing, names: readonly string[], shown: string): Promise<void> {
    const reasons = new Map<string, string>();
    const prober = new Prober({
      isContained: this.#isContained,
      orientation: 'apply',
      onUnreadable: (file, reason) => reasons.set(file, reason),
    });
    const probe = async (name: string): Promise<void> => {
      try {
        this.#slow.add(printable(path.join(shown, name)), await prober.probe(listing, name));
      } catch (error) {
        reasons.set(pathIn(listing, name), `The file can’t be read (${codeOf(error) ?? 'unknown'}).`);
      }
    };
    await Promise.all(names.map(probe));
    this.#images += names.length;
    for (const name of names) {
      const reason = reasons.get(pathIn(listing, name));
      if (reason !== undefined) await this.#report(path.join(shown, name), reason);
    }
  }
}

/** `12 folders, 3,456 images, no faults`. */
export const formatTally = ({ folders, images, faults }: Tally): string =>
  [counted(folders, 'folder', 'folders'), counted(images, 'image', 'images'), counted(faults, 'fault', 'faults')].join(
    ', ',
  );

/** Examines folders and prints each problem on a line of its own as soon as it is found. */
export async function examine(roots: readonly string[], print: Print, slow = new SlowImages()): Promise<Tally> {
  let tally: Tally = { folders: 0, images: 0, faults: 0 };
  for (const root of roots) {
    const { folders, images, faults } = await new Examination(root, print, slow).run();
    tally = { folders: tally.folders + folders, images: tally.images + images, faults: tally.faults + faults };
  }
  return tally;
}
