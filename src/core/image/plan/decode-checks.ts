/** Plans whose renderings fail where pixels of a file can't be decoded. */
import type { Resolution } from '../model/image-set.ts';
import { noTurn } from '../model/orientation.ts';
import { planPart } from './plan-render.ts';
import type { Render } from './plan-types.ts';

const pixel = { width: 1, height: 1 };

/** The rendering of the last pixel alone: formats without tiles are decoded up to it. */
export function lastPixel({ resample: _, keep: __, ...render }: Render): Render {
  const { width, height } = render.level;
  const read = { x: width - 1, y: height - 1, ...pixel };
  return { ...render, read, scaled: pixel, size: pixel, format: 'png' };
}

/** A few pixels, so that the result costs nothing; libvips decodes all of a TIFF for them. */
const few = { width: 8, height: 8 };

/** The side in pixels of the parts of a JPEG 2000 image that are decoded one after the other: as a whole it can take gigabytes. */
const partSide = 2048;

/** Parts that together are the whole of the full size, each scaled to a few pixels. */
function partsOf({ resample: _, keep: __, ...whole }: Render): readonly Render[] {
  const { width, height } = whole.level;
  const starts = (length: number): readonly number[] =>
    Array.from({ length: Math.ceil(length / partSide) }, (_, index) => index * partSide);
  return starts(height).flatMap((y) =>
    starts(width).map((x) => {
      const read = { x, y, width: Math.min(partSide, width - x), height: Math.min(partSide, height - y) };
      return { ...whole, read, turn: noTurn, scaled: few, size: few, format: 'png' };
    }),
  );
}

/** Renderings that decode all pixels of an image: of a TIFF, those of each level. */
export function decodeChecks(resolution: Resolution): readonly Render[] {
  const { width, height, format, levels } = resolution;
  const whole = planPart(resolution, { x: 0, y: 0, width, height }, { width, height }, 'png');
  if (format === 'jp2') return partsOf(whole);
  if (format !== 'tiff') return [lastPixel(whole)];
  const { read: _, resample: __, keep: ___, tile: ____, ...plain } = whole;
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
