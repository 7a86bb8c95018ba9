/** Decides which `.meta` files apply to an image, and in which order (digilib.md, section 3, “Metadata”). */
import { type Identifier, splitLast } from '../../image/model/identifier.ts';
import { type ImageMetadata, mergeMetadata } from '../../image/model/image-metadata.ts';
import type { ListedImage, Listing } from '../listings/listing.ts';
import type { RequestStatCache } from '../stats/request-stat-cache.ts';
import { pathKey } from './meta-file.ts';
import type { MetaFileReader } from './reader.ts';

/** Applies to all images of its folder, and to single ones in it and in the folders directly inside of it. */
export const folderMetaFile = 'index.meta';

/** The name of the file that applies to one image alone. */
export const metaFileOf = (imageName: string): string => `${imageName}.meta`;

/**
 * The metadata of an image, each field from the first file that has it: the image's own, the folder's, then the parent
 * folder's. In each file, what it says of the image precedes what it says of all.
 */
export async function metadataOfImage(
  { folder, listing, name }: ListedImage,
  list: (folder: Identifier) => Promise<Listing | undefined>,
  reader: MetaFileReader,
  statCache: RequestStatCache,
): Promise<ImageMetadata> {
  const readFrom = async (listed: Listing, metaFile: string, path: string): Promise<readonly ImageMetadata[]> => {
    const { general, byPath } = await reader.read(listed, metaFile, statCache);
    return [byPath.get(pathKey(path)) ?? [], general].flat();
  };
  const readFromParent = async (): Promise<readonly ImageMetadata[]> => {
    const { parent, name: folderName } = splitLast(folder);
    const listed = parent && (await list(parent));
    return listed === undefined ? [] : readFrom(listed, folderMetaFile, `${folderName}/${name}`);
  };
  const found = await Promise.all([
    readFrom(listing, metaFileOf(name), name),
    readFrom(listing, folderMetaFile, name),
    readFromParent(),
  ]);
  return mergeMetadata(found.flat());
}
