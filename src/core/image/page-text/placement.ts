/** From the unit and the scan of a text's file to pixels of the upright image. */
import {
  type Dpi,
  isTransposed,
  mapRect,
  type Orientation,
  type Rect,
  roundHalfUp,
  type Size,
  transpose,
  turned,
  upright,
} from '../model/geometry.ts';
import type { LengthUnit, SourcePage } from './page-text.ts';

/** The image that a page's text is placed on. */
export interface PlacedOn {
  /** The size as stored, in pixels of the highest resolution. */
  readonly stored: Size;
  readonly orientation: Orientation;
  /** Along the axes as stored; absent where the file does not say it. */
  readonly dpi?: Dpi;
}

/** From a box of the file to pixels of the upright image; undefined for a box without area, or outside of the image. */
export type Place = (box: Rect) => Rect | undefined;

/** How many units an inch has; a pixel has no length of its own. */
const unitsAnInch: Readonly<Record<Exclude<LengthUnit, 'pixel'>, number>> = { mm10: 254, inch1200: 1200 };

const ratioOf = ({ width, height }: Size): number => width / height;

const distance = (a: Size, b: Size): number => Math.abs(Math.log(ratioOf(a) / ratioOf(b)));

/**
 * Whether the scan that was recognized had been turned upright before: where the orientation exchanges width and height,
 * its shape tells. Programs that recognize text mostly ignore the orientation, so that they see the pixels as stored.
 */
function isUpright(size: Size | undefined, { stored, orientation }: PlacedOn): boolean {
  if (size === undefined || !isTransposed(orientation)) return false;
  return distance(size, transpose(stored)) < distance(size, stored);
}

/** Pixels of an image of `target` for a unit of the file, along each axis. */
function scaleOf({ unit, size }: SourcePage, target: Size, dpi: Dpi | undefined): Size | undefined {
  if (size !== undefined) return { width: target.width / size.width, height: target.height / size.height };
  if (unit === 'pixel') return { width: 1, height: 1 };
  return dpi && { width: dpi.x / unitsAnInch[unit], height: dpi.y / unitsAnInch[unit] };
}

/** The part of a box inside of an image, its edges on whole pixels; undefined where nothing of it is inside. */
function within(box: Rect, size: Size): Rect | undefined {
  const edge = (value: number, most: number): number => Math.min(Math.max(roundHalfUp(value), 0), most);
  const [x, y] = [edge(box.x, size.width), edge(box.y, size.height)];
  const width = edge(box.x + box.width, size.width) - x;
  const height = edge(box.y + box.height, size.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** How the boxes of a page are placed; undefined where the file names lengths, and neither it nor the image a scale. */
export function placementOf(page: SourcePage, image: PlacedOn): Place | undefined {
  const { stored, orientation, dpi } = image;
  const shown = isTransposed(orientation) ? transpose(stored) : stored;
  const wasUpright = isUpright(page.size, image);
  const scale = scaleOf(page, wasUpright ? shown : stored, dpi);
  if (scale === undefined) return undefined;
  const turn = upright(orientation);
  return (box) => {
    const scaled = mapRect(box, scale, (value, factor) => value * factor);
    return within(wasUpright ? scaled : turned(scaled, stored, turn), shown);
  };
}
