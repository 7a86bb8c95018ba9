/** What a download holds: the picture that is seen, in a size and format, under a name that says what it is. */
import { stemOf } from '../../../src/image/model/formats.ts';
import { rotatedBounds, type Size } from '../../../src/image/model/geometry.ts';
import { splitPage } from '../../../src/image/model/identifier.ts';
import {
  largestDownload,
  type PictureFormat,
  type PictureSize,
  pixelsOfRegion,
  type ServerLimits,
} from './scaler-address.ts';
import type { ViewState } from './view-state.ts';

/** How large: the image's own pixels, half of them on each side, or as it stands on the screen. */
export type SizeChoice = 'full' | 'half' | 'screen';

export interface DownloadChoice {
  readonly size: SizeChoice;
  readonly format: PictureFormat;
}

export interface Download {
  /** What is asked of the Scaler. */
  readonly requested: PictureSize;
  /** Pixels of the picture as it comes, turned. */
  readonly pixels: Size;
  /** Whether the server's limits made it smaller than what was chosen. */
  readonly reduced: boolean;
}

/** How many pixels of the picture a pixel of the image becomes. `onScreen` is that of the screen. */
const factorOf = (choice: SizeChoice, onScreen: number): number =>
  choice === 'full' ? 1 : choice === 'half' ? 0.5 : Math.min(onScreen, 1);

const scaled = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});

/** The picture that a choice gives. Pixels that the image does not have are not made up. */
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
  const asked = size === 'full' && !reduced ? { format } : { ...upright, format };
  return { requested: asked, pixels: rotatedBounds(upright, state.rotation), reduced };
}

/** Signs that a system refuses in the names of files. */
const refused = /[\\/:*?"<>|]/g;

const fileName = (text: string): string => text.replaceAll(refused, '-');

/** The name of the file: the image's folder and its own, its page where it is not the first, and how large the picture is. */
export function downloadName(fn: string, { pixels }: Download, format: PictureFormat): string {
  const { file, page } = splitPage(fn);
  const names = file.split('/');
  const folder = fileName(names.at(-2) ?? '');
  const name = fileName(stemOf(names.at(-1) ?? '')) || 'image';
  const image = folder === '' ? name : `${folder}_${name}`;
  return `${image}${page > 1 ? `-${page}` : ''}-${pixels.width}x${pixels.height}.${format}`;
}
