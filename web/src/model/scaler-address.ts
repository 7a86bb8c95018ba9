/** The Scaler's query for the picture of a view, and the largest size in which the server renders it. */
import { type OutputFormat, outputFormats } from '../../../src/core/image/model/formats.ts';
import { intersect, type Rect as PixelRect, roundHalfUp, type Size } from '../../../src/core/image/model/geometry.ts';
import { type Limits, largestWithin } from '../../../src/core/image/model/limits.ts';
import { formatColor } from './color-text.ts';
import { clipToImage } from './framing.ts';
import { mirrorEntries } from './mode-list.ts';
import { rounded } from './number-text.ts';
import { formatPairs, type Pair } from './query-pairs.ts';
import { formatRegion, formatRotation } from './view-query.ts';
import type { Rect, ViewState } from './view-state.ts';

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
