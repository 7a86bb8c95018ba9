/** How far decoders may reduce images while they load them. */
import type { SourceFormat } from '../model/formats.ts';
import type { Size } from '../model/geometry.ts';
import type { Render, Resample } from './plan-types.ts';
import { maxLack, maxShift } from './read-window.ts';

/**
 * As sharp chooses the factor for JPEG: it avoids one that the reduction just reaches, where libjpeg rounds. `spare` is what
 * at least is left to be reduced by libvips: 2 without sharp's option fastShrinkOnLoad.
 */
function jpegFactor(reduction: number, spare: 1 | 2): number {
  const factor = [8, 4, 2].find((each) => reduction >= each * spare) ?? 1;
  return factor > 1 && Math.floor(reduction) === factor ? factor / 2 : factor;
}

const spareOf = (shrink: 'most' | 'less'): 1 | 2 => (shrink === 'less' ? 2 : 1);

const reductionOf = (from: Size, to: Size): number => Math.min(from.width / to.width, from.height / to.height);

/** The size of which libvips shows a JPEG that is shrunk by a factor: it leaves out what is no multiple of it. */
const shownSize = ({ width, height }: Size, factor: number): Size => ({
  width: width - (width % factor),
  height: height - (height % factor),
});

/** What of a level is not shown, in pixels of the result. */
const lackOf = (level: Size, shown: Size, scaled: Size): number =>
  Math.max(
    ((level.width - shown.width) * scaled.width) / level.width,
    ((level.height - shown.height) * scaled.height) / level.height,
  );

/** How far a decoder may reduce the whole of a level while it loads. */
export interface ShrinkOnLoad {
  readonly shrink: 'most' | 'less' | 'none';
  /** Present where what is shown would be stretched visibly: the scaled pixels are resampled to their places. */
  readonly resample?: Resample;
}

/**
 * The shrinking of the whole of a level: libvips leaves out the last pixels of a JPEG where the size is no multiple of the
 * factor, and stretches the others.
 */
export function shrinkOnLoad(format: SourceFormat, level: Size, scaled: Size): ShrinkOnLoad {
  const reduction = reductionOf(level, scaled);
  if (format !== 'jpeg' || reduction <= 1) return { shrink: 'most' };
  for (const shrink of ['most', 'less'] as const) {
    const shown = shownSize(level, jpegFactor(reduction, spareOf(shrink)));
    const lack = lackOf(level, shown, scaled);
    if (lack <= maxShift) return { shrink };
    const [width, height] = [(scaled.width * level.width) / shown.width, (scaled.height * level.height) / shown.height];
    if (lack <= maxLack)
      return { shrink, resample: { before: scaled, from: { x: 0, y: 0, width, height }, to: scaled } };
  }
  return { shrink: 'none' };
}

/** Whether libvips cuts a part out of all pixels of the level, so that none can be left out by the decoder. */
const isCut = ({ read, resample }: Render): boolean =>
  read !== undefined || (resample !== undefined && resample.before === undefined);

/** The factor by which libjpeg reduces a JPEG while it loads: 1, 2, 4 or 8. */
function jpegReduction(plan: Render): number {
  const { level, shrink } = plan;
  return isCut(plan) ? 1 : jpegFactor(reductionOf(level, loadedFor(plan)), spareOf(shrink ?? 'most'));
}

/** The size to which what the decoder yields is scaled first. */
const loadedFor = ({ covers, resample, scaled }: Render): Size =>
  covers?.redaction?.before ?? resample?.before ?? scaled;

/** In pixels; the level's size for parts, which are cut out of all of its pixels. */
export function loadedSize(plan: Render): Size {
  const { sourceFormat, level } = plan;
  const reduction = reductionOf(level, loadedFor(plan));
  if (isCut(plan) || reduction <= 1) return level;
  const factor = sourceFormat === 'jpeg' ? jpegReduction(plan) : sourceFormat === 'webp' ? reduction : 1;
  return { width: Math.ceil(level.width / factor), height: Math.ceil(level.height / factor) };
}
