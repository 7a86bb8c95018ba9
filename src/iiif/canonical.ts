/** The canonical form of an image request (Image API 3.0, section 4.7; 2.1, section 4.7). */
import { isWhole, type Size } from '../image/model/geometry.ts';
import { highest, type ImageSet } from '../image/model/image-set.ts';
import type { Limits } from '../image/model/limits.ts';
import { largestFor } from '../image/plan/plan.ts';
import { type ResolvedRegion, resolveRegionAndSize } from '../image/plan/region-framing.ts';
import type { ImagePath, RegionRequest } from './image-path.ts';
import type { Version } from './version.ts';

const keepsShape = ({ region, output }: ResolvedRegion): boolean =>
  Math.max(1, Math.floor((output.width * region.height) / region.width + 0.5)) === output.height;

/** `max` where it gives the same, else pixels: 3.0 names both sides, 2.1 the height only where the shape changes. */
function canonicalSize(resolved: ResolvedRegion, largest: Size, version: Version): string {
  const { region, output } = resolved;
  const isLargest = output.width === largest.width && output.height === largest.height;
  if (version === 3) {
    if (isLargest) return 'max';
    const caret = output.width > region.width || output.height > region.height ? '^' : '';
    return `${caret}${output.width},${output.height}`;
  }
  if (isLargest) return 'full';
  return keepsShape(resolved) ? `${output.width},` : `${output.width},${output.height}`;
}

const canonicalRegion = ({ region }: ResolvedRegion, full: Size): string =>
  isWhole(region, full) ? 'full' : `${region.x},${region.y},${region.width},${region.height}`;

/** The path behind the identifier, canonical; only requests of IIIF have one. */
export function canonicalPath(
  request: RegionRequest,
  path: ImagePath,
  image: ImageSet,
  version: Version,
  limits: Limits,
): string {
  const full = highest(image);
  const largest = largestFor(request, image, limits);
  const resolved = resolveRegionAndSize(request.framing, full, largest);
  const size = canonicalSize(resolved, largest(resolved.region, false), version);
  const rotation = `${request.mirror.horizontal ? '!' : ''}${request.rotation % 360 === 0 ? 0 : request.rotation}`;
  return `${canonicalRegion(resolved, full)}/${size}/${rotation}/${path.qualityAndFormat}`;
}
