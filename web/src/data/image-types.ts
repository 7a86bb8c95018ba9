/** What is known of an image, of the library or of another host: its pixels, and from where its tiles are loaded. */
import type { TiledImage } from '../model/first-tiles.ts';
import type { ForeignInfo } from '../model/manifest/info.ts';

export interface ImageFacts {
  /** Upright pixels of the highest resolution. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch in the metadata of the file; 0 if it has none. */
  readonly dpiX: number;
  readonly dpiY: number;
}

/** The members that are used here; OpenSeadragon gets all. */
export interface InfoJson extends TiledImage {
  readonly id: string;
  /** Present where a part of the image is missing, since its file is truncated or damaged. */
  readonly truncated?: true;
  /** What the stage draws of an image of another host in place of this; absent for images of the library. */
  readonly tileSource?: TileSource;
  /** Whether the host of the image lets other sites read its pixels, which changes of the colors need; absent for the library. */
  readonly isReadable?: boolean;
}

/** A picture that is a single tile, for OpenSeadragon. */
interface WholePicture {
  readonly width: number;
  readonly height: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly minLevel: number;
  readonly maxLevel: number;
  readonly getTileUrl: () => string;
}

export type TileSource = ForeignInfo | WholePicture;
