/** Addresses of the picture of a view, by the Scaler and by the IIIF Image API, and the largest size in which the server renders it. */

import { foldersBelow } from '../../../../src/core/image/addresses/iiif-addresses.ts';
import { type OutputFormat, outputFormats } from '../../../../src/core/image/model/formats.ts';
import {
  intersect,
  isWhole,
  type Rect as PixelRect,
  roundHalfUp,
  type Size,
} from '../../../../src/core/image/model/geometry.ts';
import { type Limits, largestWithin } from '../../../../src/core/image/model/limits.ts';
import { formatNumber, formatPairs, type Pair, rounded } from '../address/address-text.ts';
import { formatColor, formatRegion, formatRotation, mirrorEntries, normalizedDegrees } from '../address/view-query.ts';
import { isPlain } from '../view/color.ts';
import { clipToImage } from '../view/framing.ts';
import { servicePath } from '../view/image-service.ts';
import { plainColor, type Rect, type ViewColor, type ViewState } from '../view-state.ts';

/** The formats that `mo` can request from the Scaler. */
export type PictureFormat = 'jpg' | 'png' | 'webp';

/** The box that the picture fits before rotation; without width and height it has the image's own pixels. */
export interface PictureSize {
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

/** Relative to the base. */
export const manifestPath = (folder: string, slash: string): string =>
  foldersBelow('presentation/3', slash).manifest(folder);

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
