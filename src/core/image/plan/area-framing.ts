/** digilib's geometry: which resolution is read, which of its pixels, and their size in the picture (digilib.md, section 2). */
import { badRequest } from '../model/errors.ts';
import { type Dpi, intersect, mapRect, type Rect, roundHalfUp, type Size } from '../model/geometry.ts';
import type { AreaFraming, Mode } from '../model/image-request.ts';
import { dpiOf, highest, type ImageSet, type Resolution } from '../model/image-set.ts';
import type { Frame } from './plan-types.ts';

/** An area on whole pixels, and the scale factor of each axis. */
interface Scaled {
  readonly area: Rect;
  readonly factorX: number;
  readonly factorY: number;
}

/** The area as fractions of the image, in 32-bit floats as digilib computes them; `full` is its size. */
export function fractionsOf(framing: AreaFraming, full: Size): Rect {
  const { area } = framing;
  if (area.unit === 'fraction') return area;
  if (area.unit === 'pixel') return mapRect(area, full, (pixels, length) => Math.fround(pixels / length));
  const side = Math.min(full.width, full.height);
  const [width, height] = [side / full.width, side / full.height];
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

/** Converts fractions to pixels of the chosen resolution, each rounded half up. */
const toPixels = (fractions: Rect, size: Size): Rect =>
  mapRect(fractions, size, (fraction, length) => roundHalfUp(Math.fround(fraction * length)));

/** The size that a resolution should have at least; a side of 0 is not compared. */
function neededSize(framing: AreaFraming, fractions: Rect, full: Size): Size {
  const { mode, destination } = framing;
  if (mode.name === 'clip' || mode.name === 'osize') return full;
  if (mode.name === 'ascale') {
    return { width: Math.trunc(full.width * mode.scale), height: Math.trunc(full.height * mode.scale) };
  }
  return {
    width: roundHalfUp(destination.width / fractions.width),
    height: roundHalfUp(destination.height / fractions.height),
  };
}

function reaches(size: Size, needed: Size): boolean {
  if (needed.width === 0) return size.height >= needed.height;
  if (needed.height === 0) return size.width >= needed.width;
  return size.width >= needed.width || size.height >= needed.height;
}

function isNotBigger(size: Size, needed: Size): boolean {
  if (needed.width === 0) return size.height <= needed.height;
  if (needed.height === 0) return size.width <= needed.width;
  return size.width <= needed.width && size.height <= needed.height;
}

/** The resolution that digilib reads for this request: autores, hires or lores. */
export function chooseResolution(framing: AreaFraming, image: ImageSet): Resolution {
  const first = highest(image);
  if (framing.choice === 'highest' || framing.mode.name === 'clip') return first;
  const needed = neededSize(framing, fractionsOf(framing, first), first);
  const smallest = image.resolutions.at(-1) ?? first;
  if (framing.choice === 'lower') return image.resolutions.find((one) => isNotBigger(one, needed)) ?? smallest;
  return image.resolutions.findLast((one) => reaches(one, needed)) ?? first;
}

/** One factor for both axes; the area's longer side is cut or the shorter grows, centered, to fill the destination. */
function scaleToFit(area: Rect, destination: Size, refine: 'none' | 'crop' | 'fill'): Scaled {
  const factorX = destination.width / area.width;
  const factorY = destination.height / area.height;
  if (factorX === 0) return { area, factorX: factorY, factorY };
  if (factorY === 0) return { area, factorX, factorY: factorX };
  const factor = refine === 'crop' ? Math.max(factorX, factorY) : Math.min(factorX, factorY);
  if (refine === 'none') return { area, factorX: factor, factorY: factor };
  const width = factor === factorX ? area.width : roundHalfUp(destination.width / factor);
  const height = factor === factorY ? area.height : roundHalfUp(destination.height / factor);
  const x = area.x + Math.trunc((area.width - width) / 2);
  const y = area.y + Math.trunc((area.height - height) / 2);
  return {
    area: { x, y, width, height },
    factorX: destination.width / width,
    factorY: destination.height / height,
  };
}

/** Requires an area inside of the image, as the modes do that scale it to the destination; the others use its corner only. */
function requireArea(area: Rect, size: Size): Rect {
  if (area.width < 1 || area.height < 1) {
    throw badRequest('The area is smaller than a pixel; ww and wh are fractions of the image from 0 to 1.');
  }
  requireOverlap(area, size);
  return area;
}

function requireOverlap(area: Rect, size: Size): Rect {
  const overlap = intersect(area, size);
  if (overlap !== undefined && overlap.width >= 1 && overlap.height >= 1) return overlap;
  throw badRequest('The area is empty or lies outside the image; wx, wy, ww, wh are fractions of it from 0 to 1.');
}

/** The area that a factor on the highest resolution makes as large as the destination. */
function scaleByFactor(area: Rect, destination: Size, factors: Dpi, resolution: Resolution, full: Size): Scaled {
  const reduction = full.width / resolution.width;
  const [factorX, factorY] = [factors.x * reduction, factors.y * reduction];
  const width = roundHalfUp(destination.width / factorX);
  const height = roundHalfUp(destination.height / factorY);
  return { area: { ...area, width, height }, factorX, factorY };
}

/** The factors of mo=osize: the display's resolution divided by the image's; both are required. */
function factorsForTrueSize(mode: Mode & { name: 'osize' }, image: ImageSet): Dpi {
  const dpi = dpiOf(image);
  if (dpi === undefined)
    throw badRequest('mo=osize needs the image’s resolution (dpi), and the image does not say it.');
  const { x, y } = mode.display;
  if (x === 0 || y === 0) throw badRequest('mo=osize needs the display’s resolution: give ddpi, or ddpix and ddpiy.');
  return { x: x / dpi.x, y: y / dpi.y };
}

function scale(framing: AreaFraming, image: ImageSet, resolution: Resolution): Scaled {
  const full = highest(image);
  const { mode, destination } = framing;
  const area = toPixels(fractionsOf(framing, full), resolution);
  switch (mode.name) {
    case 'fit':
      return scaleToFit(requireArea(area, resolution), destination, mode.refine);
    case 'squeeze':
      requireArea(area, resolution);
      return { area, factorX: destination.width / area.width, factorY: destination.height / area.height };
    case 'clip':
      return { area: { ...area, ...destination }, factorX: 1, factorY: 1 };
    case 'osize':
      return scaleByFactor(area, destination, factorsForTrueSize(mode, image), resolution, full);
    case 'ascale': {
      const size = destination.width === 0 && destination.height === 0 ? area : destination;
      return scaleByFactor(area, size, { x: mode.scale, y: mode.scale }, resolution, full);
    }
  }
}

/**
 * The frame of digilib's area and mode on an image. The area is cut at the image's edge and the result shrinks with it.
 * Throws ImageError `bad-request` for an area below 1 pixel, a result below 2 pixels on either axis, a missing size.
 */
export function frameArea(framing: AreaFraming, image: ImageSet): Frame {
  const resolution = chooseResolution(framing, image);
  const { area, factorX, factorY } = scale(framing, image, resolution);
  if (framing.denyUpscale && Math.max(factorX, factorY) > 1) {
    throw badRequest('The result would be larger than the image, and mo=deny_upscale forbids that.');
  }
  const source = requireOverlap(area, resolution);
  const [width, height] = [source.width * factorX, source.height * factorY];
  if (!(width >= 2 && height >= 2)) {
    throw badRequest('The result would be smaller than 2 pixels on a side; give dw or dh, or a larger one.');
  }
  return { resolution, source, output: { width: roundHalfUp(width), height: roundHalfUp(height) } };
}
