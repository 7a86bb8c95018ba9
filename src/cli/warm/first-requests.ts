/** The pictures of an image that viewers request first. */
import { parseQuery } from '../../digilib/query.ts';
import { toImageRequest } from '../../digilib/request.ts';
import { type ImagePath, parseImagePath } from '../../iiif/image-path.ts';
import { reduced, tilingOf } from '../../iiif/info.ts';
import { thumbnailSize } from '../../iiif/presentation/pages.ts';
import type { ImageRequest } from '../../image/model/image-request.ts';
import { highest, type ImageSet } from '../../image/model/image-set.ts';

/** Maximum number of tiles of a level that viewers load first. */
const firstTiles = 4;

/** The coarsest tiles of an image, as viewers ask for them by its info.json. */
function firstTilesOf(image: ImageSet): readonly Pick<ImagePath, 'region' | 'size'>[] {
  const { tile, scaleFactors } = tilingOf(image);
  const full = highest(image);
  return scaleFactors.flatMap((factor) => {
    const level = reduced(full, factor);
    const [columns, rows] = [Math.ceil(level.width / tile.width), Math.ceil(level.height / tile.height)];
    if (columns * rows > firstTiles) return [];
    return Array.from({ length: columns * rows }, (_, index) => {
      const [x, y] = [(index % columns) * tile.width * factor, Math.floor(index / columns) * tile.height * factor];
      const width = Math.min(tile.width * factor, full.width - x);
      const height = Math.min(tile.height * factor, full.height - y);
      const size = reduced({ width, height }, factor);
      return { region: `${x},${y},${width},${height}`, size: `${size.width},${size.height}` };
    });
  });
}

/** The thumbnails of manifests and of the start page, and a viewer's first tiles. */
export function firstRequests(image: ImageSet): readonly ImageRequest[] {
  const thumbnail = thumbnailSize(highest(image));
  const paths = [{ region: 'full', size: `${thumbnail.width},${thumbnail.height}` }, ...firstTilesOf(image)];
  const pictures = paths.map((path) => parseImagePath({ ...path, rotation: '0', qualityAndFormat: 'default.jpg' }, 3));
  return [...pictures, toImageRequest(parseQuery('dw=340&dh=400'))];
}
