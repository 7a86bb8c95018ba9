/** Addresses of thumbnails, which are not larger than displayed nor than the image. */
import type { ImageCard } from '../../../src/core/image/folder/folder-listing.ts';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import { addressOf } from './fetch.ts';
import { foreignImage } from './foreign-images.ts';

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

/**
 * A picture of at most this size, of other hosts of about this size; without a drawing in its place where it can’t be made
 * (`mo=errcode`).
 */
export function pictureAddress(path: string, size: Size, operations: Operations = []): string {
  const foreign = foreignImage(path);
  if (foreign !== undefined) return foreign.thumbnail(size) ?? noPicture;
  const { mo = '', ...others } = Object.fromEntries(operations);
  return addressOf('Scaler', {
    fn: path,
    dw: size.width,
    dh: size.height,
    ...others,
    mo: mo === '' ? 'errcode' : `${mo},errcode`,
  });
}

/** A size in device pixels. */
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

/** The original file of an image. */
export const originalAddress = (path: string): string => addressOf('Scaler', { fn: path, mo: 'rawfile' });
