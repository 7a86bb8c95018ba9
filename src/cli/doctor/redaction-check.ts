/** Finds redactions that no image can have: beside it, of a page that it does not have, or too many. The server closes such images. */
import pMap, { pMapSkip } from 'p-map';
import { coversOf } from '../../core/access/covers.ts';
import { bounded } from '../../core/access/if-answering.ts';
import type { MetadataFault } from '../../core/image/folder/folder-metadata.ts';
import { joinRedactions, type Redactions } from '../../core/image/model/redaction.ts';
import type { Listing } from '../../core/library/listings/listing.ts';
import { metaFileOf } from '../../core/library/metadata/meta-files.ts';
import { MetadataReader } from '../../core/library/metadata/reader.ts';
import { RequestStatCache } from '../../core/library/stats/request-stat-cache.ts';
import type { FolderWalk, ProbedImage } from '../common/folder-walk.ts';

/** A fault of an image, and its path from the folder that the command names. */
interface ImageFault extends MetadataFault {
  readonly shown: string;
}

/** Returns what tells the faults of some images of a listed folder. */
export function createRedactionCheck({ isContained, storages }: Pick<FolderWalk, 'isContained' | 'storages'>) {
  // What can’t be read is reported with its file.
  const reader = new MetadataReader(isContained, () => undefined, storages);

  async function redactionsOf(name: string, listing: Listing): Promise<Redactions | undefined> {
    const stats = new RequestStatCache(storages);
    const own = await reader.metaFile(listing, metaFileOf(name), stats);
    const ofFolder = await reader.redactionsOf(listing, name, async () => listing, stats);
    return joinRedactions([own.general.redactions, ofFolder]);
  }

  async function isWrong({ name, pages }: ProbedImage, listing: Listing): Promise<boolean> {
    const redactions = await redactionsOf(name, listing).catch(() => undefined);
    if (redactions === undefined || redactions === 'unreadable') return false;
    return pages.some((resolution, index) => {
      const image = { page: index + 1, pageCount: pages.length, resolutions: [resolution] as const };
      return coversOf(image, redactions, undefined) === 'wrong';
    });
  }

  return async (images: readonly ProbedImage[], listing: Listing): Promise<readonly ImageFault[]> => {
    const found = await pMap(images, async (image) => ((await isWrong(image, listing)) ? image : pMapSkip), bounded);
    return found.map(({ name, shown }) => ({ file: name, shown, line: 0, message }));
  };
}

const message =
  'A redaction lies beside the image or is of a page that it does not have, or there are too many; the image is closed.';
