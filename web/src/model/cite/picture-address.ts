/** The addresses of pictures of a view, through IIIF and through digilib's Scaler. */
import { type Limits, largestWithin } from '../../../../src/core/image/model/answer-limits.ts';
import { type OutputFormat, outputFormats, stemOf } from '../../../../src/core/image/model/formats.ts';
import {
  intersect,
  isWhole,
  type Rect as PixelRect,
  rotatedBounds,
  roundHalfUp,
  type Size,
} from '../../../../src/core/image/model/geometry.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { formatNumber, formatPairs, type Pair, rounded } from '../address/address-text.ts';
import { formatColor, formatRegion, formatRotation, mirrorEntries, normalizedDegrees } from '../address/view-query.ts';
import { isPlain } from '../view/color.ts';
import { clipToImage } from '../view/framing.ts';
import { servicePath } from '../view/image-service.ts';
import { plainColor, type Rect, type ViewColor, type ViewState } from '../view-state.ts';

/** The formats that `mo` can request from the Scaler. */
export type PictureFormat = 'jpg' | 'png' | 'webp';

/** The box that the picture fits before rotation; without width and height it has the image's own pixels. */
interface PictureSize {
  readonly width?: number;
  readonly height?: number;
  /** By default, the Scaler chooses the one that suits the source. */
  readonly format?: PictureFormat;
}

const formats: readonly string[] = ['jpg', 'png', 'webp'] satisfies readonly PictureFormat[];

/** Entries of `mo` that do not change which part of the image is shown. */
const passedEntries: ReadonlySet<string> = new Set(['hires', 'autores', 'lores', ...formats]);

function entriesOf(state: ViewState, size: PictureSize): readonly string[] {
  const passed = state.options.filter((entry) => passedEntries.has(entry));
  const others =
    size.format === undefined ? passed : [...passed.filter((entry) => !formats.includes(entry)), size.format];
  const isWholeSize = size.width === undefined && size.height === undefined;
  return [
    ...(isWholeSize ? ['ascale'] : []),
    ...mirrorEntries(state.mirror),
    ...(state.quality === undefined ? [] : [`q${state.quality}`]),
    ...others,
  ];
}

const length = (name: string, pixels: number | undefined): readonly Pair[] =>
  pixels === undefined ? [] : [[name, String(Math.max(1, Math.round(pixels)))]];

/** The query for `state.region` in every mode. In modes with a fixed scale, the caller computes the region (`regionAtScale`). */
export function scalerQuery(state: ViewState, size: PictureSize): string {
  const entries = entriesOf(state, size);
  return formatPairs([
    ['fn', state.fn],
    ...(state.pn === 1 ? [] : [['pn', String(state.pn)] as const]),
    ...length('dw', size.width),
    ...length('dh', size.height),
    ...formatRegion(clipToImage(state.region), 'fit'),
    ...formatRotation(state.rotation),
    ...(entries.length === 0 ? [] : [['mo', entries.join(',')] as const]),
    ...formatColor(state.color),
  ]);
}

/** A fraction of a side in whole pixels, computed as the Scaler computes it. */
const toPixels = (fraction: number, side: number): number =>
  roundHalfUp(Math.fround(Math.fround(rounded(fraction)) * side));

/** The pixels that the Scaler reads for a region, after the address has rounded it. */
export function pixelsOfRegion(region: Rect, image: Size): PixelRect {
  const { x, y, width, height } = clipToImage(region);
  const pixels = {
    x: toPixels(x, image.width),
    y: toPixels(y, image.height),
    width: Math.max(1, toPixels(width, image.width)),
    height: Math.max(1, toPixels(height, image.height)),
  };
  return intersect(pixels, image) ?? { x: 0, y: 0, ...image };
}

/** Limits of the server for a picture, in pixels; null for none. */
export interface ServerLimits {
  readonly maxArea: number | null;
  readonly maxWidth: number | null;
  readonly maxHeight: number | null;
}

const limitsOf = ({ maxArea, maxWidth, maxHeight }: ServerLimits): Limits => ({
  maxArea: maxArea ?? Number.POSITIVE_INFINITY,
  ...(maxWidth === null ? {} : { maxWidth }),
  ...(maxHeight === null ? {} : { maxHeight }),
});

const outputOf = (format: PictureFormat): OutputFormat =>
  (Object.keys(outputFormats) as OutputFormat[]).find((name) => outputFormats[name].extension === format) ?? 'jpeg';

/** The largest size before rotation in which the server sends the region, at most the image's own pixels. */
export const largestDownload = (
  { region, rotation }: Pick<ViewState, 'region' | 'rotation'>,
  image: Size,
  limits: ServerLimits,
  format: PictureFormat,
): Size =>
  largestWithin(
    pixelsOfRegion(region, image),
    { degrees: rotation, enlarge: false },
    outputOf(format),
    limitsOf(limits),
  );

/** Parts of a view that a IIIF Image API request can't express. */
export type Unsupported = 'color' | 'marks' | 'two-pages';

interface IiifAddress {
  /** Relative to the base. */
  readonly path: string;
  readonly unsupported: readonly Unsupported[];
}

function formatIiifRegion(region: Rect, image: Size): string {
  const pixels = pixelsOfRegion(region, image);
  return isWhole(pixels, image) ? 'full' : [pixels.x, pixels.y, pixels.width, pixels.height].join(',');
}

/** IIIF can mirror left to right only; top to bottom is the same with another 180°. */
function formatIiifRotation({ rotation, mirror }: Pick<ViewState, 'rotation' | 'mirror'>): string {
  const degrees = normalizedDegrees(rounded(rotation + (mirror.vertical ? 180 : 0)));
  return `${mirror.horizontal !== mirror.vertical ? '!' : ''}${formatNumber(degrees)}`;
}

const qualities: Readonly<Partial<Record<ViewColor['operation'], string>>> = {
  '': 'default',
  GRAYSCALE: 'gray',
  BITONAL: 'bitonal',
};

/** The quality with these colors; undefined if there is none. */
function qualityOf(color: ViewColor): string | undefined {
  const withoutOperation = isPlain({ ...color, operation: plainColor.operation });
  return withoutOperation ? qualities[color.operation] : undefined;
}

/** The Image API request for the picture of a view; `size` is the size parameter (Image API 3.0, 4.2). */
export function iiifAddress(state: ViewState, image: Size, slash: string, size = 'max'): IiifAddress {
  const quality = qualityOf(state.color);
  const unsupported: readonly Unsupported[] = [
    ...(quality === undefined ? (['color'] as const) : []),
    ...(state.marks.length + state.rectangles.length > 0 ? (['marks'] as const) : []),
    ...(state.twoPages ? (['two-pages'] as const) : []),
  ];
  const region = formatIiifRegion(state.region, image);
  const path = `${servicePath(state.fn, slash)}/${region}/${size}/${formatIiifRotation(state)}/${quality ?? 'default'}.jpg`;
  return { path, unsupported };
}

/** The image's own pixels, half of them on each side, or the size on the screen. */
export type SizeChoice = 'full' | 'half' | 'screen';

/** Plans downloads of the visible picture: size, format, file name and address. */
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

/** The media type of a format. */
export const outputType = (format: PictureFormat): string => `image/${outputOf(format)}`;

/** Pixels of the picture per pixel of the image; `onScreen` is the factor on the screen. */
export const downloadScale = (choice: SizeChoice, onScreen: number): number =>
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
  const wanted = scaled(pixelsOfRegion(state.region, image), downloadScale(size, onScreen));
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
