/** Addresses of thumbnails: no larger than they are shown, nor than the image is. */
import type { ImageCard } from '../../../src/image/folder/folder-listing.ts';
import type { Size } from '../../../src/image/model/geometry.ts';
import { addressOf } from './fetch.ts';

/** The largest size of an image inside of a box, whole and not enlarged. */
export function sizeInside(image: Size, box: Size): Size {
  const ratio = Math.min(1, box.width / image.width, box.height / image.height);
  return { width: Math.max(1, Math.round(image.width * ratio)), height: Math.max(1, Math.round(image.height * ratio)) };
}

/** The pixels of a card's image; undefined where they are not known. */
export const pixelsOf = ({ width, height }: ImageCard): Size | undefined =>
  width === null || height === null ? undefined : { width, height };

/** What the Scaler does to every picture: its parameters. */
export type Operations = readonly (readonly [name: string, value: string])[];

/** A picture of the Scaler of at most this size. */
export const pictureAddress = (path: string, { width, height }: Size, operations: Operations = []): string =>
  addressOf('Scaler', { fn: path, dw: width, dh: height, ...Object.fromEntries(operations) });

/** A size in pixels of the screen. */
export const onScreen = (size: Size): Size => scaled(size, devicePixelRatio);

const scaled = ({ width, height }: Size, by: number): Size => ({
  width: Math.round(width * by),
  height: Math.round(height * by),
});

/** The same picture inside of a box for displays of one and of two pixels to the CSS pixel. */
export const pictureSet = (path: string, image: Size | undefined, box: Size, operations: Operations = []): string =>
  [1, 2]
    .map((density) => {
      const room = scaled(box, density);
      return `${pictureAddress(path, image ? sizeInside(image, room) : room, operations)} ${density}x`;
    })
    .join(', ');

/** The file of an image as it is. */
export const originalAddress = (path: string): string => addressOf('Scaler', { fn: path, mo: 'rawfile' });
