/** The size to which a decoder reduces a level while it loads: the decoders of JPEG and WebP can. */
import type { Size } from '../model/geometry.ts';
import type { Render } from './plan-types.ts';

/** As sharp chooses the factor for JPEG; it avoids a factor that the reduction just reaches, where libjpeg rounds. */
function jpegFactor(reduction: number): number {
  const factor = [8, 4, 2].find((each) => reduction >= each) ?? 1;
  return factor > 1 && Math.floor(reduction) === factor ? factor / 2 : factor;
}

/** In pixels; the level's size for parts, which are cut out of all of its pixels. */
export function loadedSize({ sourceFormat, read, extend, scaled, level }: Render): Size {
  const { width, height } = extend?.before ?? scaled;
  const reduction = Math.min(level.width / width, level.height / height);
  if (read !== undefined || reduction <= 1) return level;
  const factor = sourceFormat === 'jpeg' ? jpegFactor(reduction) : sourceFormat === 'webp' ? reduction : 1;
  return { width: Math.ceil(level.width / factor), height: Math.ceil(level.height / factor) };
}
