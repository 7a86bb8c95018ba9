/** The command `lectern doctor`: looks through folders for faulty metadata files and images that can't be read. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Prober } from '../library/facts/probe.ts';
import { Folders } from '../library/listings/folders.ts';
import { type Listing, pathIn } from '../library/listings/listing.ts';
import { folderMetaFile, metaFileOf } from '../library/meta-files/precedence.ts';
import { MetaFileReader } from '../library/meta-files/reader.ts';
import { FolderMetadataReader } from '../library/metadata/reader.ts';
import { containmentIn } from '../library/roots/containment.ts';
import { codeOf, ifReadable } from '../storage/file-errors.ts';
import { counted } from './pyramid/words.ts';
import { SlowImages, slowReport } from './slow-report.ts';

/** How many files are open at once. */
const batch = 32;

/** How deep folders are followed; links that lead in circles end before, since no folder is seen twice. */
const maxDepth = 100;

export interface Tally {
  readonly folders: number;
  readonly images: number;
  readonly faults: number;
}

/** Prints one line, and says when there is room for the next. */
export type Print = (line: string) => Promise<void>;

/** A folder that has yet to be looked at. */
interface Waiting {
  readonly segments: readonly string[];
  /** Its path as it is printed. */
  readonly shown: string;
}

/** A path on one line: a file's name can hold any character. */
export const printable = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '�');

/** Looks through one folder of the command line and all that are in it. */
class Examination {
  readonly #root: string;
  readonly #folders: Folders;
  readonly #isContained: (place: string) => boolean;
  readonly #print: Print;
  readonly #slow: SlowImages;
  readonly #seen = new Set<string>();
  #images = 0;
  #faults = 0;

  constructor(root: string, print: Print, slow: SlowImages) {
    this.#root = root;
    this.#slow = slow;
    this.#print = print;
    const place = path.resolve(root);
    this.#isContained = containmentIn([place], false);
    this.#folders = new Folders(place, { isContained: this.#isContained });
  }

  async run(): Promise<Tally> {
    const waiting: Waiting[] = [{ segments: [], shown: this.#root }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const names = await this.#folder(next);
      for (const name of [...names].reverse()) {
        waiting.push({ segments: [...next.segments, name], shown: path.join(next.shown, name) });
      }
    }
    return { folders: this.#seen.size, images: this.#images, faults: this.#faults };
  }

  async #report(place: string, message: string): Promise<void> {
    this.#faults++;
    await this.#print(`${printable(place)}: ${message}`);
  }

  /** Looks through one folder, and gives the names of those inside of it that are still to be seen. */
  async #folder({ segments, shown }: Waiting): Promise<readonly string[]> {
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
    for (const [place, message] of lines) await this.#report(place, message);
    await this.#metaFiles(listing, [folderMetaFile], shown);
  }

  /** The `.meta` files of these names, as far as they are there. */
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
    for (const [place, message] of inOrder) await this.#report(place, message);
  }

  /** Its own prober for each batch: what is known of a file is of no use once it is reported. */
  async #imagesOf(listing: Listing, names: readonly string[], shown: string): Promise<void> {
    const reasons = new Map<string, string>();
    const prober = new Prober({
      isContained: this.#isContained,
      orientation: 'apply',
      onUnreadable: (place, reason) => reasons.set(place, reason),
    });
    const probe = async (name: string): Promise<void> => {
      const place = pathIn(listing, name);
      try {
        this.#slow.see(printable(path.join(shown, name)), await prober.probe(listing, name));
      } catch (error) {
        reasons.set(place, `The file can’t be read (${codeOf(error) ?? 'unknown'}).`);
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

/** Looks through folders and prints what is wrong, a line each, as it is found. */
export async function examine(roots: readonly string[], print: Print, slow = new SlowImages()): Promise<Tally> {
  let tally: Tally = { folders: 0, images: 0, faults: 0 };
  for (const root of roots) {
    const { folders, images, faults } = await new Examination(root, print, slow).run();
    tally = { folders: tally.folders + folders, images: tally.images + images, faults: tally.faults + faults };
  }
  return tally;
}

/** The first of these that is no folder. */
async function missingFolder(roots: readonly string[]): Promise<string | undefined> {
  for (const root of roots) {
    const stats = await ifReadable(stat(root));
    if (!stats?.isDirectory()) return root;
  }
  return undefined;
}

function printToStdout(line: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve()));
}

/** Runs the command and gives its exit code: 0 where nothing is wrong, 1 where something is, 2 without the folder. */
export async function doctor(roots: readonly string[]): Promise<number> {
  const missing = await missingFolder(roots);
  if (missing !== undefined) {
    console.error(`lectern: there is no folder ${printable(missing)}`);
    return 2;
  }
  process.stdout.on('error', () => process.exit(1));
  const slow = new SlowImages();
  const tally = await examine(roots, printToStdout, slow);
  for (const line of await slowReport(slow)) await printToStdout(line);
  await printToStdout(`${tally.faults > 0 ? '\n' : ''}${formatTally(tally)}`);
  return tally.faults > 0 ? 1 : 0;
}

export const doctorDescription =
  'Looks for faults in metadata files, for images that can’t be read, and for those that are slow to cut.';

export const doctorHelp = `
Each fault is a line of its own, with its place: metadata.yaml:12: sentence, or page-001.jpg: reason.
Images that are slow to cut are no fault: twenty of them are named, one is measured, all are counted.
Folders inside are looked through as well; names that begin with a dot are left out.

Exit code: 0 where nothing is wrong, 1 where something is, 2 for a folder that does not exist.
To serve a folder named doctor, write ./doctor.`;
