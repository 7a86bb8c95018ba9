/** Which `.meta` files speak of an image, and which of them is heard first (digilib.md, section 3, “Metadata”). */
import { type Identifier, splitLast } from '../../image/model/identifier.ts';
import { firstOfEach, type ImageMetadata } from '../../image/model/image-metadata.ts';
import type { Listing } from '../listings/listing.ts';
import type { RequestStatCache } from '../stats/request-stat-cache.ts';
import { pathKey } from './parse.ts';
import type { MetaFileReader } from './reader.ts';

/** Holds for all images of its folder, and for single ones in it and one folder below. */
export const folderMetaFile = 'index.meta';

/** The name of the file that speaks of one image alone. */
export const metaFileOf = (imageName: string): string => `${imageName}.meta`;

/** An image file in its folder. */
interface ImageFile {
  readonly folder: Identifier;
  readonly listing: Listing;
  readonly name: string;
}

/**
 * What is said of an image file, field by field: its own file, then the folder's, then that of the folder around this one.
 * In each, what is said of the file stands before what is said of all.
 */
export async function metadataOfFile(
  { folder, listing, name }: ImageFile,
  list: (folder: Identifier) => Promise<Listing | undefined>,
  reader: MetaFileReader,
  moment: RequestStatCache,
): Promise<ImageMetadata> {
  const saidIn = async (place: Listing, metaFile: string, path: string): Promise<readonly ImageMetadata[]> => {
    const { general, byPath } = await reader.read(place, metaFile, moment);
    return [byPath.get(pathKey(path)) ?? [], general].flat();
  };
  const saidAround = async (): Promise<readonly ImageMetadata[]> => {
    const { parent, name: folderName } = splitLast(folder);
    const around = parent && (await list(parent));
    return around === undefined ? [] : saidIn(around, folderMetaFile, `${folderName}/${name}`);
  };
  const said = await Promise.all([
    saidIn(listing, metaFileOf(name), name),
    saidIn(listing, folderMetaFile, name),
    saidAround(),
  ]);
  return firstOfEach(said.flat());
}
