/** The pictures of an image that viewers request first. */
import { parseQuery } from '../../digilib/query.ts';
import { toImageRequest } from '../../digilib/request.ts';
import { parseImagePath } from '../../iiif/image-path.ts';
import { reduced, tilingOf } from '../../iiif/info.ts';
import { thumbnailSize } from '../../iiif/presentation/pages.ts';
import { type TilePath, tilePaths } from '../../iiif/tile-paths.ts';
import type { ImageRequest } from '../../image/model/image-request.ts';
import { highest, type ImageSet } from '../../image/model/image-set.ts';

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
