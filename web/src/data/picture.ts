/** Addresses of pictures by the Scaler. */
import type { Size } from '../../../src/image/geometry.ts';
import { addressOf } from './ask.ts';

/** An image that fits a size, in pixels of the picture; the screen's own pixels are counted in. */
export const pictureAddress = (path: string, { width, height }: Size): string =>
  addressOf('Scaler', {
    fn: path,
    dw: Math.round(width * devicePixelRatio),
    dh: Math.round(height * devicePixelRatio),
  });

/** The file of an image as it is. */
export const originalAddress = (path: string): string => addressOf('Scaler', { fn: path, mo: 'rawfile' });
