/** IIIF's geometry: the region of the full image, its size, and the smallest resolution that has enough pixels. */
import { badRequest } from '../model/errors.ts';
import { intersect, mapRect, type Rect, roundHalfUp, type Size } from '../model/geometry.ts';
import type { Region, RegionFraming, RequestedSize } from '../model/image-request.ts';
import { highest, type ImageSet, type Resolution } from '../model/image-set.ts';
import type { Frame, ResolvedRegion } from './plan-types.ts';

/** The region in whole pixels of the full image, cut at its edges (Image API 3.0, section 4.1). */
function toPixels(region: Region, full: Size): Rect {
  if (region.kind === 'full') return { x: 0, y: 0, width: full.width, height: full.height };
  if (region.kind === 'square') {
    const side = Math.min(full.width, full.height);
    const [x, y] = [Math.floor((full.width - side) / 2), Math.floor((full.height - side) / 2)];
    return { x, y, width: side, height: side };
  }
  const cut = intersect(region.kind === 'pixels' ? region : percentToPixels(region, full), full);
  if (cut === undefined) {
    throw badRequest(`The region is empty or lies outside the image, which has ${full.width} x ${full.height} pixels.`);
  }
  return cut;
}

/** Rounds both edges, so that neighboring percentages share their border. */
function percentToPixels(region: Rect, full: Size): Rect {
  const x = roundHalfUp((region.x * full.width) / 100);
  const y = roundHalfUp((region.y * full.height) / 100);
  return {
    x,
    y,
    width: region.width > 0 ? Math.max(1, roundHalfUp(((region.x + region.width) * full.width) / 100) - x) : 0,
    height: region.height > 0 ? Math.max(1, roundHalfUp(((region.y + region.height) * full.height) / 100) - y) : 0,
  };
}

const atLeastOne = (value: number): number => Math.max(1, roundHalfUp(value));

const scaleBy = (size: Size, factor: number): Size => ({
  width: atLeastOne(size.width * factor),
  height: atLeastOne(size.height * factor),
});

/** The largest size of a shape that the limits allow. */
type Largest = (shape: Size, enlarge: boolean) => Size;

/** The size in whole pixels (Image API 3.0, section 4.2; 2.1, section 4.2). */
function resolveSize(size: RequestedSize, region: Size, framing: RegionFraming, largest: Largest): Size {
  switch (size.kind) {
    case 'max':
      return largest(region, size.enlarge);
    case 'width':
      return { width: size.width, height: atLeastOne((size.width * region.height) / region.width) };
    case 'height':
      return { width: atLeastOne((size.height * region.width) / region.height), height: size.height };
    case 'percent':
      return scaleBy(region, size.percent / 100);
    case 'exact':
      return { width: size.width, height: size.height };
    case 'confined':
      return confine(size, region, framing.upscaling === 'allow');
  }
}

/** The largest size of the region's shape inside the box; without upscaling at most the region's own size. */
function confine(box: Size, region: Size, upscaling: boolean): Size {
  if (!upscaling && box.width >= region.width && box.height >= region.height) {
    return { width: region.width, height: region.height };
  }
  return box.width * region.height <= box.height * region.width
    ? { width: box.width, height: Math.min(box.height, atLeastOne((box.width * region.height) / region.width)) }
    : { width: Math.min(box.width, atLeastOne((box.height * region.width) / region.height)), height: box.height };
}

const aspectTolerance = 0.02;

/** Whether a resolution has enough pixels of a region, and the full image's shape. */
function suffices(one: Resolution, full: Resolution, region: Rect, output: Size): boolean {
  const ratio = Math.max(output.width / region.width, output.height / region.height);
  return (
    one.width >= full.width * ratio - 1 &&
    one.height >= full.height * ratio - 1 &&
    Math.abs((one.width * full.height) / (one.height * full.width) - 1) < aspectTolerance
  );
}

/**
 * Region and size in pixels; `largest` bounds the size `max`. Throws ImageError `bad-request` for an empty region, one
 * outside the image, or a size above the region where that needs `^`.
 */
export function resolveRegion(framing: RegionFraming, full: Size, largest: Largest): ResolvedRegion {
  const region = toPixels(framing.region, full);
  const output = resolveSize(framing.size, region, framing, largest);
  if (output.width < 1 || output.height < 1) throw badRequest('The size must be at least 1 pixel on each side.');
  const larger = output.width > region.width || output.height > region.height;
  if (larger && framing.upscaling === 'deny') {
    throw badRequest(
      `The size ${output.width},${output.height} is larger than the region, ${region.width},${region.height}; write ^ before it to enlarge.`,
    );
  }
  const { width, height } = full;
  return { full: { width, height }, region, output, largest: largest(region, false) };
}

/** The frame of a resolved region on the smallest resolution of an image that has enough pixels. */
export function frameRegion({ region, output }: ResolvedRegion, image: ImageSet): Frame {
  const full = highest(image);
  const resolution = image.resolutions.findLast((one) => suffices(one, full, region, output)) ?? full;
  if (resolution === full) return { resolution, source: region, output };
  const scale = { width: resolution.width / full.width, height: resolution.height / full.height };
  return { resolution, source: mapRect(region, scale, (length, factor) => length * factor), output };
}
