/** Caches overviews of images, of which the tiles of a viewer’s first views are all made (core/image/plan/overview.ts). */
import type { Pixels } from '@lectern/tiff';
import { LRUCache } from 'lru-cache';
import type { Size } from '../../image/model/geometry.ts';
import { dropWhenIdle } from '../../storage/drop-when-idle.ts';
import type { OpenedRender } from './opened-file.ts';
import { requireWholeFile } from './whole-files.ts';

/** Two of the largest ones in RGB. */
const maxBytes = 12 * 1024 * 1024;

const overviews = new LRUCache<string, Promise<Pixels>>({ maxSize: maxBytes });
const noteUse = dropWhenIdle(() => overviews.clear());

/**
 * The overview of this size in a color space, decoded by `decode` where it is not cached; renderings of the same one at the same time share it.
 * Rejects as `decode` and `requireWholeFile` do, and then the next rendering decodes again.
 */
export function cachedOverview(
  plan: OpenedRender,
  { width, height }: Size,
  space: 'srgb' | 'b-w',
  decode: () => Promise<Pixels>,
): Promise<Pixels> {
  noteUse();
  const { file, location, samples, kernel, shrink } = plan;
  const key = JSON.stringify([
    file.fingerprint,
    file.path,
    location,
    samples.profile,
    kernel,
    shrink,
    space,
    width,
    height,
  ]);
  const known = overviews.get(key);
  if (known) return known;
  const decoded = requireWholeFile(plan, decode);
  overviews.set(key, decoded, { size: width * height * (space === 'srgb' ? 3 : 1) });
  decoded.catch(() => overviews.delete(key));
  return decoded;
}
