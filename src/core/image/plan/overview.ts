/**
 * Much reduced parts of a large image without tiles are made of its overview: the whole, decoded and reduced once for all of
 * them, where each part by itself would have to be found and decoded in all of its pixels.
 */
import { type SourceFormat, sourceFormats } from '../model/formats.ts';
import { isWhole, mapRect, type Rect, type Size } from '../model/geometry.ts';
import type { Resolution } from '../model/image-set.ts';
import type { StoredSamples } from '../model/stored-samples.ts';
import { hasEnough, type ReadWindow } from './read-window.ts';
import { shrinkOnLoad } from './shrink-on-load.ts';

/** The most pixels of an overview: 6 MB in RGB. */
const maxPixels = 2_000_000;

/** The size of an image after the fewest halvings that lead to about `maxPixels` at most. */
function overviewSize({ width, height }: Size): Size {
  const halvings = Math.max(0, Math.ceil(Math.log2((width * height) / maxPixels) / 2));
  // Rounded up, the reduction is less than a power of two, so that shrinking less leaves out less of the edge.
  const reduced = (side: number): number => Math.ceil(side / 2 ** halvings);
  return { width: reduced(width), height: reduced(height) };
}

/** Formats with one size of an image, which is decoded from its first row; strips of TIFF files can be read by themselves. */
const withoutParts: ReadonlySet<SourceFormat> = new Set(['jpeg', 'png', 'webp', 'gif']);

const isLargeInOnePiece = ({ format, width, height, truncated, reducedFrom }: Resolution): boolean =>
  withoutParts.has(format) && width * height > sourceFormats[format].slowPixels && !truncated && !reducedFrom;

/** Whether an overview has 8 bits of gray or RGB that need nothing else of the file. */
const isSimple = ({ bits, alpha, range, profile }: StoredSamples): boolean =>
  bits === 8 && !alpha && range === undefined && profile !== 'keep';

/** The window on the overview, for the part `source` at the size `output`, both as stored; undefined where the part has to be read. */
export function overviewWindow(
  resolution: Resolution,
  samples: StoredSamples,
  source: Rect,
  output: Size,
): ReadWindow | undefined {
  const [level] = resolution.levels;
  if (!isLargeInOnePiece(resolution) || !isSimple(samples) || isWhole(source, level)) return undefined;
  const size = overviewSize(level);
  const { shrink, resample } = shrinkOnLoad(resolution.format, level, size);
  if (shrink === 'none') return undefined;
  // All of the level, in pixels of the overview.
  const shown = resample?.from ?? size;
  const scale = { width: shown.width / level.width, height: shown.height / level.height };
  const from = mapRect(source, scale, (length, factor) => length * factor);
  if (!hasEnough(from.width, output.width) || !hasEnough(from.height, output.height)) return undefined;
  const { width, height } = level;
  return {
    level,
    read: { x: 0, y: 0, width, height },
    shrink,
    resample: { before: size, isOverview: true, from, to: output },
    scaled: output,
    keep: { x: 0, y: 0, ...output },
  };
}
