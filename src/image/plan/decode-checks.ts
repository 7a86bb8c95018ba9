/** Plans whose renderings fail where pixels of a file can't be decoded. */
import type { Resolution } from '../model/image-set.ts';
import { noTurn } from '../model/orientation.ts';
import { planPart } from './plan-render.ts';
import type { Render } from './plan-types.ts';

const pixel = { width: 1, height: 1 };

/** The rendering of the last pixel alone: formats without tiles are decoded up to it. */
export function lastPixel({ extend: _, keep: __, ...render }: Render): Render {
  const { width, height } = render.level;
  const read = { x: width - 1, y: height - 1, ...pixel };
  return { ...render, read, scaled: pixel, size: pixel, format: 'png' };
}

/** A few pixels, so that the result costs nothing; libvips decodes all of a TIFF for them. */
const few = { width: 8, height: 8 };

/** Renderings that decode all pixels of an image: of a TIFF, those of each level. */
export function decodeChecks(resolution: Resolution): readonly Render[] {
  const { width, height, format, levels } = resolution;
  const whole = planPart(resolution, { x: 0, y: 0, width, height }, { width, height }, 'png');
  if (format !== 'tiff') return [lastPixel(whole)];
  const { read: _, extend: __, keep: ___, tile: ____, ...plain } = whole;
  return levels.map(({ location, tile, ...level }) => ({
    ...plain,
    location,
    level: { ...plain.level, width: level.width, height: level.height },
    ...(tile && { tile }),
    turn: noTurn,
    scaled: few,
    size: few,
  }));
}
