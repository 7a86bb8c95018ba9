/** The content of a `.meta` file. */
import { type ImageMetadata, noImageMetadata } from '../../image/model/image-metadata.ts';

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
