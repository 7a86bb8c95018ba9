/** The size of each sheet and the place of the image on it. */
import type { Dpi, Size } from '../../../core/image/model/geometry.ts';
import type { Sheet, SheetLayout } from './document.ts';

/** Points of 1/72 inch. */
export const a4: Size = { width: 595.28, height: 841.89 };

const a4Margin = 28.35;

/** No reader shows larger sheets, and none smaller ones (ISO 32000-1, annex C.2), in points. */
const [leastSide, largestSide] = [3, 14_400];

/** The resolution of images that say none: that of most scans. */
const usualDpi = 300;

/** Programs write these where nobody said a resolution; a camera's picture would be a meter wide. */
const meaninglessDpi: ReadonlySet<number> = new Set([1, 72, 96]);
const largestScreen = 2000;

/**
 * The resolution at which an image has its true size: `stated` is what somebody said of it, `stored` is from the header of
 * its file. Both are along the axes of the upright image.
 */
export function trueDpi(stated: Dpi | undefined, stored: Dpi | undefined, { width, height }: Size): Dpi {
  if (stated !== undefined) return stated;
  if (stored === undefined) return { x: usualDpi, y: usualDpi };
  const isMeaningless = meaninglessDpi.has(Math.round(stored.x)) && Math.max(width, height) > largestScreen;
  return isMeaningless ? { x: usualDpi, y: usualDpi } : stored;
}

const rounded = (length: number): number => Math.round(length * 1000) / 1000;

function originalLayout({ width, height }: Size, { x, y }: Dpi): SheetLayout {
  const wide = (width * 72) / x;
  const high = (height * 72) / y;
  const shrink = Math.min(1, largestSide / Math.max(wide, high));
  const enlarge = Math.max(1, leastSide / Math.min(wide * shrink, high * shrink));
  const sheet = { width: rounded(wide * shrink * enlarge), height: rounded(high * shrink * enlarge) };
  const whole = { width: Math.min(sheet.width, largestSide), height: Math.min(sheet.height, largestSide) };
  return { sheet: whole, image: { x: 0, y: 0, ...whole } };
}

function a4Layout({ width, height }: Size): SheetLayout {
  const sheet = width > height ? { width: a4.height, height: a4.width } : a4;
  const room = { width: sheet.width - 2 * a4Margin, height: sheet.height - 2 * a4Margin };
  const scale = Math.min(room.width / width, room.height / height);
  const size = { width: rounded(width * scale), height: rounded(height * scale) };
  const image = { x: rounded((sheet.width - size.width) / 2), y: rounded((sheet.height - size.height) / 2), ...size };
  return { sheet, image };
}

/** The layout of an image of this size in upright pixels. */
export const layoutOf = (size: Size, sheet: Sheet): SheetLayout =>
  sheet.kind === 'a4' ? a4Layout(size) : originalLayout(size, sheet.dpi);
