/** Plans downloads of the visible picture: size, format, file name and address. */
import { stemOf } from '../../../../src/core/image/model/formats.ts';
import { rotatedBounds, type Size } from '../../../../src/core/image/model/geometry.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import type { ViewState } from '../view-state.ts';
import {
  iiifAddress,
  largestDownload,
  type PictureFormat,
  type PictureSize,
  pixelsOfRegion,
  type ServerLimits,
  scalerQuery,
} from './picture-address.ts';

/** The image's own pixels, half of them on each side, or the size on the screen. */
export type SizeChoice = 'full' | 'half' | 'screen';

export interface DownloadChoice {
  readonly size: SizeChoice;
  readonly format: PictureFormat;
}

interface Download {
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

interface DownloadAddress {
  /** Relative to the base. */
  readonly path: string;
  readonly format: PictureFormat;
}

const isQuarter = (degrees: number): boolean => degrees % 90 === 0;

/**
 * Other rotations than by 90° leave corners: white ones in JPEG by IIIF, black ones by the Scaler (digilib.md, section 2). What
 * IIIF can't express is sent as PNG, in which they are transparent.
 */
export function downloadAddress(
  state: ViewState,
  image: Size,
  { requested }: Download,
  format: PictureFormat,
  slash: string,
): DownloadAddress {
  const byScaler = (as: PictureFormat): DownloadAddress => ({
    path: `Scaler?${scalerQuery(state, { ...requested, format: as })}`,
    format: as,
  });
  if (format !== 'jpg' || isQuarter(state.rotation)) return byScaler(format);
  const { width, height } = requested;
  const size = width === undefined || height === undefined ? 'max' : `${width},${height}`;
  const { path, unsupported } = iiifAddress(state, image, slash, size);
  return unsupported.includes('color') ? byScaler('png') : { path, format };
}
