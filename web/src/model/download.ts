/** Plans downloads of the visible picture: size, format and file name. */
import { stemOf } from '../../../src/core/image/model/formats.ts';
import { rotatedBounds, type Size } from '../../../src/core/image/model/geometry.ts';
import { splitPage } from '../../../src/core/image/model/identifier.ts';
import {
  largestDownload,
  type PictureFormat,
  type PictureSize,
  pixelsOfRegion,
  type ServerLimits,
} from './scaler-address.ts';
import type { ViewState } from './view-state.ts';

/** The image's own pixels, half of them on each side, or the size on the screen. */
export type SizeChoice = 'full' | 'half' | 'screen';

export interface DownloadChoice {
  readonly size: SizeChoice;
  readonly format: PictureFormat;
}

export interface Download {
  /** For the query of the Scaler. */
  readonly requested: PictureSize;
  /** Pixels of the picture after rotation. */
  readonly pixels: Size;
  /** Whether the server's limits make it smaller than the choice. */
  readonly reduced: boolean;
}

/** Pixels of the picture per pixel of the image; `onScreen` is the factor on the screen. */
const factorOf = (choice: SizeChoice, onScreen: number): number =>
  choice === 'full' ? 1 : choice === 'half' ? 0.5 : Math.min(onScreen, 1);

const scaled = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});

/** The download for a choice; it is never larger than the pixels of the image. */
export function planDownload(
  state: ViewState,
  image: Size,
  { size, format }: DownloadChoice,
  onScreen: number,
  limits: ServerLimits,
): Download {
  const wanted = scaled(pixelsOfRegion(state.region, image), factorOf(size, onScreen));
  const largest = largestDownload(state, image, limits, format);
  const reduced = wanted.width > largest.width || wanted.height > largest.height;
  const upright = reduced ? largest : wanted;
  const requested = size === 'full' && !reduced ? { format } : { ...upright, format };
  return { requested, pixels: rotatedBounds(upright, state.rotation), reduced };
}

/** Characters that some systems do not allow in names of files. */
const forbidden = /[\\/:*?"<>|]/g;

const fileName = (text: string): string => text.replaceAll(forbidden, '-');

/** The image's folder and name, the page if it is not the first, and the pixels: `folder_name-2-800x600.jpg`. */
export function downloadName(fn: string, { pixels }: Download, format: PictureFormat): string {
  const { file, page } = splitPage(fn);
  const names = file.split('/');
  const folder = fileName(names.at(-2) ?? '');
  const name = fileName(stemOf(names.at(-1) ?? '')) || 'image';
  const image = folder === '' ? name : `${folder}_${name}`;
  return `${image}${page > 1 ? `-${page}` : ''}-${pixels.width}x${pixels.height}.${format}`;
}
