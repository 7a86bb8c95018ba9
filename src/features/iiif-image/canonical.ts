/** The canonical form of an image request (Image API 3.0, section 4.7; 2.1, section 4.7). */
import { isWhole } from '../../core/image/model/geometry.ts';
import type { ImageRequest } from '../../core/image/model/image-request.ts';
import type { ResolvedRegion } from '../../core/image/plan/plan-types.ts';
import type { ImagePath } from './image-path.ts';
import type { Version } from './version.ts';

const keepsShape = ({ region, output }: ResolvedRegion): boolean =>
  Math.max(1, Math.floor((output.width * region.height) / region.width + 0.5)) === output.height;

/** `max` where it gives the same, else pixels: 3.0 names both sides, 2.1 the height only where the shape changes. */
function canonicalSize(resolved: ResolvedRegion, version: Version): string {
  const { region, output, largest } = resolved;
  const isLargest = output.width === largest.width && output.height === largest.height;
  if (version === 3) {
    if (isLargest) return 'max';
    const caret = output.width > region.width || output.height > region.height ? '^' : '';
    return `${caret}${output.width},${output.height}`;
  }
  if (isLargest) return 'full';
  return keepsShape(resolved) ? `${output.width},` : `${output.width},${output.height}`;
}

const canonicalRegion = ({ region, full }: ResolvedRegion): string =>
  isWhole(region, full) ? 'full' : `${region.x},${region.y},${region.width},${region.height}`;

/** The path behind the identifier, canonical; `resolved` is what planning made of the request. */
export function canonicalPath(
  { mirror, rotation }: Pick<ImageRequest, 'mirror' | 'rotation'>,
  { qualityAndFormat }: ImagePath,
  resolved: ResolvedRegion,
  version: Version,
): string {
  const turn = `${mirror.horizontal ? '!' : ''}${rotation % 360 === 0 ? 0 : rotation}`;
  return `${canonicalRegion(resolved)}/${canonicalSize(resolved, version)}/${turn}/${qualityAndFormat}`;
}
