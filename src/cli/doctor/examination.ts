/** Searches folders for faulty metadata files and texts, images that can't be read, and images that are slow to cut. */
import path from 'node:path';
import { isWholeJpeg, withPlainHeader } from '@lectern/jpeg';
import { librarySettings } from '../../config/groups/library-settings.ts';
import { renderSettings } from '../../config/groups/render-settings.ts';
import type { MetadataFault } from '../../core/image/folder/folder-metadata.ts';
import { cutShort, ImageError } from '../../core/image/model/errors.ts';
import { isImageName } from '../../core/image/model/formats.ts';
import { type Identifier, isSegment } from '../../core/image/model/identifier.ts';
import type { Resolution } from '../../core/image/model/image-set.ts';
import { decodeChecks } from '../../core/image/plan/passthrough.ts';
import type { Listing } from '../../core/library/listings/listing.ts';
import { TextFolderNames } from '../../core/library/listings/text-folders.ts';
import { folderMetaFile, metaFileOf } from '../../core/library/metadata/meta-files.ts';
import { MetadataReader } from '../../core/library/metadata/reader.ts';
import type { Renderer, RenderSettings } from '../../core/render/renderer.ts';
import { isWholePng } from '../../core/render/sources/png-damage.ts';
import { codeOf, ifFound } from '../../core/storage/file-errors.ts';
import { Storages } from '../../core/storage/storages.ts';
import { TextFiles } from '../../features/texts/find-texts.ts';
import { TextReader } from '../../features/texts/read-texts.ts';
import { FolderWalk, type ProbedImage, shownIn } from '../common/folder-walk.ts';
import { counted, printable } from '../common/text.ts';
import { createRedactionCheck } from './redaction-check.ts';
import { SlowImages } from './reports.ts';

export interface Tally {
  readonly folders: number;
  readonly images: number;
  /** Images with a text. */
  readonly texts: number;
  readonly faults: number;
}

/** Prints one line; resolves when the next can be printed. */
type Print = (line: string) => Promise<void>;

const sentenceFor = (what: 'folder' | 'file', error: unknown): string =>
  `The ${what} can’t be read (${codeOf(error) ?? 'unknown'}).`;

async function metadataFaults(
  listing: Listing,
  { isContained, storages }: FolderWalk,
): Promise<readonly MetadataFault[]> {
  const faults: MetadataFault[] = [];
  await new MetadataReader(isContained, (_, fault) => faults.push(fault), storages).metadataOf(listing);
  return faults;
}

/** Reads those `.meta` files of these names that exist. */
async function metaFileFaults(
  listing: Listing,
  names: readonly string[],
  { isContained, storages }: FolderWalk,
): Promise<readonly MetadataFault[]> {
  const faults = new Map<string, MetadataFault>();
  const reader = new MetadataReader(isContained, (_, fault) => faults.set(fault.file, fault), storages);
  const read = async (file: string): Promise<void> => {
    try {
      await reader.metaFile(listing, file);
    } catch (error) {
      faults.set(file, { file, line: 0, message: sentenceFor('file', error) });
    }
  };
  await Promise.all(names.map(read));
  return names.flatMap((name) => faults.get(name) ?? []);
}

/** `12 folders, 3,456 images, no faults`, with the number of texts where there are any. */
export const formatTally = ({ folders, images, texts, faults }: Tally): string =>
  [
    counted(folders, 'folder', 'folders'),
    counted(images, 'image', 'images'),
    ...(texts > 0 ? [counted(texts, 'text', 'texts')] : []),
    counted(faults, 'fault', 'faults'),
  ].join(', ');

/** Examines folders and prints each problem on a line of its own as soon as it is found; `seen` is given each image. */
export async function examine(
  roots: readonly string[],
  print: Print,
  seen: Pick<SlowImages, 'add'> = new SlowImages(),
  { faultOf }: Pick<DecodeCheck, 'faultOf'> = createDecodeCheck('suspicious'),
  storages = new Storages(),
): Promise<Tally> {
  const tally = { folders: 0, images: 0, texts: 0, faults: 0 };
  const report = async (shown: string, message: string): Promise<void> => {
    tally.faults++;
    await print(`${printable(shown)}: ${message}`);
  };
  const reportMetadata = async (folder: string, faults: readonly MetadataFault[]): Promise<void> => {
    for (const { file, line, message } of faults) {
      await report(shownIn(folder, file) + (line > 0 ? `:${line}` : ''), message);
    }
  };
  const reportDamage = async (images: readonly ProbedImage[]): Promise<void> => {
    const faults = await Promise.all(images.map(({ pages }) => faultOf(pages)));
    for (const [index, { shown }] of images.entries()) {
      const fault = faults[index];
      if (fault !== undefined) await report(shown, fault);
    }
  };
  const reportTexts = async (faults: readonly LocatedFault[]): Promise<void> => {
    for (const { shown, line, message } of faults) await report(shown + (line > 0 ? `:${line}` : ''), message);
  };
  for (const root of roots) {
    const walk = new FolderWalk(root, {
      followLinksOutside: false,
      orientation: 'apply',
      sentenceFor,
      onFault: report,
      storages,
    });
    const texts = createTextCheck(root, walk);
    const redactionFaults = createRedactionCheck(walk);
    const earlier = tally.texts;
    for await (const folder of walk.folders()) {
      const { listing, shown } = folder;
      tally.folders++;
      for (const { name, message } of await nameFaults(listing.directory, storages)) {
        await report(shownIn(shown, name), message);
      }
      await reportMetadata(shown, await metadataFaults(listing, walk));
      await reportMetadata(shown, await metaFileFaults(listing, [folderMetaFile], walk));
      for await (const images of walk.images(folder)) {
        tally.images += images.length;
        for (const image of images) seen.add(image.shown, image.pages);
        await reportDamage(images);
        const names = images.map(({ name }) => metaFileOf(name));
        await reportMetadata(shown, await metaFileFaults(listing, names, walk));
        await reportTexts(await redactionFaults(images, listing));
        await reportTexts(
          await texts.faultsOf(
            folder.identifier,
            images.map(({ name }) => name),
          ),
        );
      }
      tally.texts = earlier + texts.count();
      if (folder.isTooDeep) await report(shown, 'The folders in here are more than 100 deep, and are not looked at.');
    }
  }
  return tally;
}

interface NameFault {
  readonly name: string;
  readonly message: string;
}

/** Why no address can have this name, as a part of a sentence. */
function reasonOf(name: string): string {
  if (name.includes('\\')) return 'a backslash, which some programs take for a slash';
  if (name.includes('\uFFFD')) return 'bytes that are not UTF-8';
  return 'an encoded “..”, which could lead out of the library';
}

const messageOf = (name: string): string =>
  `The name has ${reasonOf(name)}: no address can name it, and no list shows it; rename it.`;

async function read(directory: string, storages: Storages): Promise<readonly NameFault[]> {
  const names: string[] = [];
  for await (const entries of storages.of(directory).list(directory)) {
    for (const { name, kind } of entries) {
      // Names that begin with a dot are hidden on purpose.
      if (name.startsWith('.') || isSegment(name)) continue;
      if (kind === 'folder' || isImageName(name)) names.push(name);
    }
  }
  return names.sort().map((name) => ({ name, message: messageOf(name) }));
}

/** The faults of the names in a folder, by its path without links. Rejects where the storage fails. */
const nameFaults = async (directory: string, storages: Storages): Promise<readonly NameFault[]> =>
  (await ifFound(read(directory, storages))) ?? [];

/** A fault, and the path of its file from the folder that the command names. */
interface LocatedFault extends MetadataFault {
  readonly shown: string;
}

interface TextCheck {
  /** The faults in the texts of these image files of a folder. */
  faultsOf(folder: Identifier, images: readonly string[]): Promise<readonly LocatedFault[]>;
  /** The number of texts that were found. */
  count(): number;
}

/** `root` is the folder as the command names it. */
function createTextCheck(root: string, { lists, real, isContained, storages }: FolderWalk): TextCheck {
  let faults: LocatedFault[] = [];
  let count = 0;
  const onFault = (file: string, fault: MetadataFault): void =>
    void faults.push({ ...fault, shown: shownIn(root, path.relative(real, file)) });
  const folderNames = new TextFolderNames(librarySettings.shape.textFolders.parse(undefined));
  const files = new TextFiles({ roots: [lists], mountPoints: [], storages, isContained, folderNames, onFault });
  const reader = new TextReader({ storages, isContained, onFault });
  return {
    async faultsOf(folder, images) {
      faults = [];
      const found = await files.findAll(folder, images);
      count += found.size;
      await Promise.all([...found.values()].map((file) => reader.read(file)));
      return faults;
    },
    count: () => count,
  };
}

/** `suspicious`: only files that don't end as their format requires, or that don't say how they end, and JPEG and PNG files that may lack a part inside. */
export type Decoding = 'suspicious' | 'all';

interface DecodeCheck {
  /** The fault of a file with these pages, as a sentence; undefined where all of its pixels are there. */
  faultOf(pages: readonly Resolution[]): Promise<string | undefined>;
  /** Ends the processes that decode. */
  close(): Promise<void>;
}

const deadlineMs = 60_000;

/** The most bytes of a JPEG that are read into memory to examine it; longer ones are decoded. */
const maxExaminedBytes = 64 * 1024 * 1024;

/** Whether a JPEG is whole without being decoded: of one sequential scan with Huffman codes, whose data are walked to the last block. */
async function isWalkedWell({ file, format }: Resolution, storages: Storages): Promise<boolean> {
  if (format !== 'jpeg' || file.bytes > maxExaminedBytes) return false;
  const opened = await storages.handle(file).read();
  const stream = withPlainHeader(await opened.readWhole());
  return stream !== undefined && isWholeJpeg(stream) === true;
}

/** Whether a PNG has all of its chunks with their checksums. */
const hasAllChunks = ({ file }: Resolution, storages: Storages): Promise<boolean> =>
  storages.of(file.path).use(file.path, (opened) =>
    isWholePng(file.bytes, async (at, length) => {
      const bytes = await opened.read(at, length);
      return bytes.length === length ? bytes : undefined;
    }),
  );

async function failureOf(
  renderer: Renderer,
  pages: readonly Resolution[],
  storages: Storages,
): Promise<string | undefined> {
  const origin = { client: 'doctor', folder: '' };
  for (const plan of pages.flatMap(decodeChecks)) {
    const deadlineAtMs = performance.now() + deadlineMs;
    const waiters = {
      signal: new AbortController().signal,
      deadlineAtMs: () => deadlineAtMs,
      start: () => undefined,
    };
    try {
      await storages.handle(plan.file).withLocalCopy((file) => renderer.render({ ...plan, file }, origin, waiters));
    } catch (error) {
      if (error instanceof ImageError) return error.message;
      throw error;
    }
  }
  return undefined;
}

/** Decodes in processes of its own, so that a file that harms its decoder ends none but these. */
export function createDecodeCheck(
  decoding: Decoding,
  settings: RenderSettings = renderSettings.parse({}),
  storages = new Storages(),
): DecodeCheck {
  let opened: Promise<Renderer> | undefined;
  // Files are read one after the other, since several of the largest would fill the memory.
  let reading = Promise.resolve(false);
  const isRead = (image: Resolution, isWhole: typeof isWalkedWell): Promise<boolean> => {
    // What can't be read is decoded, which says why.
    reading = reading.then(() => isWhole(image, storages)).catch(() => false);
    return reading;
  };
  // libvips is loaded where it is needed: this module is a part of every command.
  const open = async (): Promise<Renderer> => (await import('../../core/render/renderer.ts')).openRenderer(settings);
  const isSuspicious = async (image: Resolution): Promise<boolean> => {
    if (image.format !== 'tiff' && !image.complete) return true;
    if (image.format === 'png') return !(await isRead(image, hasAllChunks));
    return image.format === 'jpeg' && !(await isRead(image, isWalkedWell));
  };
  return {
    async faultOf(pages) {
      const [first] = pages;
      if (first === undefined) return undefined;
      if (first.truncated) return cutShort().message;
      if (decoding === 'suspicious' && !(await isSuspicious(first))) return undefined;
      opened ??= open();
      return failureOf(await opened, pages, storages);
    },
    close: async () => (await opened)?.close(),
  };
}
