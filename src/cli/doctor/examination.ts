/** Searches folders for faulty metadata files and texts, images that can't be read, and images that are slow to cut. */
import type { MetadataFault } from '../../core/image/folder/folder-metadata.ts';
import type { Listing } from '../../core/library/listings/listing.ts';
import { folderMetaFile, metaFileOf } from '../../core/library/metadata/meta-files.ts';
import { MetadataReader } from '../../core/library/metadata/reader.ts';
import type { Containment } from '../../core/library/roots/containment.ts';
import { codeOf } from '../../core/storage/file-errors.ts';
import { FolderWalk, type ProbedImage, shownIn } from '../common/folder-walk.ts';
import { counted, printable } from '../common/text.ts';
import { createDecodeCheck, type DecodeCheck } from './decode-check.ts';
import { nameFaults } from './name-check.ts';
import { SlowImages } from './slow-report.ts';
import { createTextCheck, type LocatedFault } from './text-check.ts';

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

async function metadataFaults(listing: Listing, isContained: Containment): Promise<readonly MetadataFault[]> {
  const faults: MetadataFault[] = [];
  await new MetadataReader(isContained, (_, fault) => faults.push(fault)).metadataOf(listing);
  return faults;
}

/** Reads those `.meta` files of these names that exist. */
async function metaFileFaults(
  listing: Listing,
  names: readonly string[],
  isContained: Containment,
): Promise<readonly MetadataFault[]> {
  const faults = new Map<string, MetadataFault>();
  const reader = new MetadataReader(isContained, (_, fault) => faults.set(fault.file, fault));
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
    });
    const { isContained } = walk;
    const texts = createTextCheck(root, walk);
    const earlier = tally.texts;
    for await (const folder of walk.folders()) {
      const { listing, shown } = folder;
      tally.folders++;
      for (const { name, message } of await nameFaults(listing.directory)) {
        await report(shownIn(shown, name), message);
      }
      await reportMetadata(shown, await metadataFaults(listing, isContained));
      await reportMetadata(shown, await metaFileFaults(listing, [folderMetaFile], isContained));
      for await (const images of walk.images(folder)) {
        tally.images += images.length;
        for (const image of images) seen.add(image.shown, image.pages);
        await reportDamage(images);
        const names = images.map(({ name }) => metaFileOf(name));
        await reportMetadata(shown, await metaFileFaults(listing, names, isContained));
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
