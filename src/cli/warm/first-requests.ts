/** The pictures of an image that viewers request first. */

import type { ImageRequest } from '../../core/image/model/image-request.ts';
import { highest, type ImageSet } from '../../core/image/model/image-set.ts';
import { parseQuery } from '../../features/digilib/query.ts';
import { toImageRequest } from '../../features/digilib/request.ts';
import { parseImagePath } from '../../features/iiif-image/image-path.ts';
import { reduced, tilingOf } from '../../features/iiif-image/info.ts';
import { type TilePath, tilePaths } from '../../features/iiif-image/tile-paths.ts';
import { thumbnailSize } from '../../features/presentation/model/pages.ts';

/** Maximum number of tiles of a level that viewers load first. */
const firstTiles = 4;

/** The coarsest tiles of an image, as viewers ask for them by its info.json. */
function firstTilesOf(image: ImageSet): readonly TilePath[] {
  const { tile, scaleFactors } = tilingOf(image);
  const full = highest(image);
  const coarse = scaleFactors.filter((factor) => {
    const level = reduced(full, factor);
    return Math.ceil(level.width / tile.width) * Math.ceil(level.height / tile.height) <= firstTiles;
  });
  return coarse.flatMap((factor) => tilePaths(full, tile, factor));
}

/** The thumbnails of manifests and of the start page, and a viewer's first tiles. */
export function firstRequests(image: ImageSet): readonly ImageRequest[] {
  const thumbnail = thumbnailSize(highest(image));
  const paths = [{ region: 'full', size: `${thumbnail.width},${thumbnail.height}` }, ...firstTilesOf(image)];
  const pictures = paths.map((path) => parseImagePath({ ...path, rotation: '0', qualityAndFormat: 'default.jpg' }, 3));
  return [...pictures, toImageRequest(parseQuery('dw=340&dh=400'))];
}
