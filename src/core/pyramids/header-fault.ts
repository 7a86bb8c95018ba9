/** Checks the header of a pyramid against the source that it was made from. */
import type { Size } from '../image/model/geometry.ts';
import type { Level, Resolution } from '../image/model/image-set.ts';

const sameSize = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height;

const halved = ({ width, height }: Size): Size => ({
  width: Math.max(1, Math.floor(width / 2)),
  height: Math.max(1, Math.floor(height / 2)),
});

/** The sizes that the levels must have: halved until the image fits into one tile. */
function levelSizes(full: Size, tile: Size): readonly Size[] {
  const sizes = [full];
  for (let last = full; last.width > tile.width || last.height > tile.height; ) {
    last = halved(last);
    sizes.push(last);
  }
  return sizes;
}

const isRightLevel = (level: Level, size: Size | undefined, tile: Size): boolean =>
  size !== undefined &&
  sameSize(level, size) &&
  level.tile !== undefined &&
  sameSize(level.tile, tile) &&
  level.stored?.kind === 'jpeg';

/** The first fault of a pyramid's header, as a sentence; undefined where there is none. */
export function headerFault(pyramid: Resolution, source: Resolution, tile: Size): string | undefined {
  const { levels, format, orientation, profile, bits, alpha } = pyramid;
  if (format !== 'tiff' || orientation !== 1 || profile || bits !== 8 || alpha) {
    return 'The pyramid’s header is not that of an upright TIFF of 8 bits without profile and transparency.';
  }
  const sizes = levelSizes(source, tile);
  if (levels.length !== sizes.length)
    return `The pyramid has ${levels.length} levels, and should have ${sizes.length}.`;
  const wrong = levels.findIndex((level, index) => !isRightLevel(level, sizes[index], tile));
  return wrong < 0 ? undefined : `Level ${wrong + 1} of the pyramid has another size or other tiles than it should.`;
}
