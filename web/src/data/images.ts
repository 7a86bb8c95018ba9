/** Images of the library and of other people’s manifests: what is known of them, and addresses of their thumbnails. */

import type { ImageCard } from '../../../src/core/image/folder/folder-listing.ts';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { ManifestBook } from '../model/manifest/book.ts';
import type { ManifestPage } from '../model/manifest/canvas.ts';
import type { ForeignInfo } from '../model/manifest/foreign-service.ts';
import type { TiledImage } from '../model/view/image-service.ts';
import { type Answer, addressOf } from './fetch.ts';

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
  /** The version that addresses of its pictures get (`?v=`), so that browsers keep them; absent where not everyone sees it. */
  readonly pictureVersion?: string;
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

export type ForeignAbout = Pick<ManifestBook, 'thumbnail' | 'logo' | 'places' | 'orders' | 'order'>;

export interface ForeignImage {
  readonly manifest: string;
  readonly page: ManifestPage;
  /** The manifest itself, where the page is more than an image (`ManifestPage.played`). */
  readonly json: unknown;
  /** What the manifest says of itself beside what listings of folders have. */
  readonly about: ForeignAbout;
  /** The address of a picture of about this size in pixels; undefined where none can be had. */
  thumbnail(size: Size): string | undefined;
  info(signal?: AbortSignal): Promise<Answer<InfoJson>>;
  facts(): Promise<Answer<ImageFacts>>;
}

/** Manifests of which the images stay known; more are open only in other windows. */
const maxManifests = 12;

const manifests = new Map<string, ReadonlyMap<string, ForeignImage>>();

export function addForeignImages(manifest: string, images: ReadonlyMap<string, ForeignImage>): void {
  manifests.delete(manifest);
  manifests.set(manifest, images);
  const [oldest] = manifests.keys();
  if (manifests.size > maxManifests && oldest !== undefined) manifests.delete(oldest);
}

/** The image of another host at a path; undefined for images of the library. */
export function foreignImage(path: string): ForeignImage | undefined {
  if (!path.startsWith('//')) return undefined;
  for (const images of manifests.values()) {
    const image = images.get(path);
    if (image !== undefined) return image;
  }
  return undefined;
}

/** The size of an image fitted into a box, not enlarged. */
export function sizeInside(image: Size, box: Size): Size {
  const ratio = Math.min(1, box.width / image.width, box.height / image.height);
  return { width: Math.max(1, Math.round(image.width * ratio)), height: Math.max(1, Math.round(image.height * ratio)) };
}

/** The pixels of a card's image; undefined if the server could not read them. */
export const pixelsOf = ({ width, height }: ImageCard): Size | undefined =>
  width === null || height === null ? undefined : { width, height };

/** Additional parameters of the Scaler. */
export type Operations = readonly (readonly [name: string, value: string])[];

/** A transparent pixel, where a host has no small picture. */
const noPicture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** A sound wave, where a page of sound or video has no picture, in a color for light and dark. */
const playedPicture = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="-12 -12 48 48" fill="none" stroke="#888" stroke-width="1.5" stroke-linecap="round"><path d="M2 10v3M6 6v11M10 3v18M14 8v7M18 5v13M22 10v3"/></svg>',
)}`;

/**
 * A picture of at most this size, of other hosts of about this size; without a drawing in its place where it can’t be made
 * (`mo=errcode`).
 */
export function pictureAddress(path: string, size: Size, operations: Operations = []): string {
  const foreign = foreignImage(path);
  if (foreign !== undefined) {
    return foreign.thumbnail(size) ?? (foreign.page.played === undefined ? noPicture : playedPicture);
  }
  const { mo = '', ...others } = Object.fromEntries(operations);
  return addressOf('Scaler', {
    fn: path,
    dw: size.width,
    dh: size.height,
    ...others,
    mo: mo === '' ? 'errcode' : `${mo},errcode`,
  });
}

export const onScreen = (size: Size): Size => scaled(size, devicePixelRatio);

const scaled = ({ width, height }: Size, by: number): Size => ({
  width: Math.round(width * by),
  height: Math.round(height * by),
});

/** A `srcset` for displays with one and with two device pixels per CSS pixel. */
export const pictureSet = (path: string, image: Size | undefined, box: Size, operations: Operations = []): string =>
  [1, 2]
    .map((density) => {
      const scaledBox = scaled(box, density);
      return `${pictureAddress(path, image ? sizeInside(image, scaledBox) : scaledBox, operations)} ${density}x`;
    })
    .join(', ');

export const originalAddress = (path: string): string => addressOf('Scaler', { fn: path, mo: 'rawfile' });
