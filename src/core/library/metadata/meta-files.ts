/** The `.meta` files of images and folders: their names, and what each may say (digilib.md, section 3, “Metadata”). */
import { type ImageMetadata, noImageMetadata } from '../../image/model/image-set.ts';

export interface MetaFile {
  /** The metadata of its image, or of all images of its folder. */
  readonly general: ImageMetadata;
  /** The metadata of single images, by `pathKey` of their path relative to the file's folder. */
  readonly byPath: ReadonlyMap<string, ImageMetadata>;
}

export const emptyMetaFile: MetaFile = { general: noImageMetadata, byPath: new Map() };

/** A path as a key: in Unicode normalization form C, without empty names and `.`. */
export const pathKey = (path: string): string =>
  path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')
    .normalize('NFC');

/** Applies to all images of its folder, and to single ones in it and in the folders directly inside of it. */
export const folderMetaFile = 'index.meta';

/** The name of the file that applies to one image alone. */
export const metaFileOf = (imageName: string): string => `${imageName}.meta`;
