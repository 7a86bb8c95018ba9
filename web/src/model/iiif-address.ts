/** The IIIF addresses of an image and of a folder, and what of a view IIIF has no words for. */

import { foldersBelow } from '../../../src/iiif/presentation/addresses.ts';
import { isWhole, type Size } from '../../../src/image/model/geometry.ts';
import { isPlain } from './color.ts';
import { servicePath } from './image-service.ts';
import { formatNumber, rounded } from './number-text.ts';
import { pixelsOfRegion } from './scaler-address.ts';
import { normalizedDegrees } from './view-query.ts';
import { plainColor, type Rect, type ViewColor, type ViewState } from './view-state.ts';

/** What an IIIF address of a picture can't say. */
export type Unsupported = 'color' | 'marks' | 'two-pages';

export interface IiifAddress {
  /** Relative to the base. */
  readonly path: string;
  readonly unsupported: readonly Unsupported[];
}

/** The address of a folder's manifest, relative to the base. */
export const manifestPath = (folder: string, slash: string): string =>
  foldersBelow('presentation/3', slash).manifest(folder);

function formatIiifRegion(region: Rect, image: Size): string {
  const pixels = pixelsOfRegion(region, image);
  return isWhole(pixels, image) ? 'full' : [pixels.x, pixels.y, pixels.width, pixels.height].join(',');
}

/** IIIF mirrors left to right alone; top to bottom is the same with half a turn. */
function formatIiifRotation({ rotation, mirror }: Pick<ViewState, 'rotation' | 'mirror'>): string {
  const degrees = normalizedDegrees(rounded(rotation + (mirror.vertical ? 180 : 0)));
  return `${mirror.horizontal !== mirror.vertical ? '!' : ''}${formatNumber(degrees)}`;
}

const qualities: Readonly<Partial<Record<ViewColor['operation'], string>>> = {
  '': 'default',
  GRAYSCALE: 'gray',
  BITONAL: 'bitonal',
};

/** The quality that gives these colors; undefined where none does. */
function qualityOf(color: ViewColor): string | undefined {
  const withoutOperation = isPlain({ ...color, operation: plainColor.operation });
  return withoutOperation ? qualities[color.operation] : undefined;
}

/** The address of the picture that a view of an image's file shows, as large as the server makes it. */
export function iiifAddress(state: ViewState, image: Size, slash: string): IiifAddress {
  const quality = qualityOf(state.color);
  const missing: readonly Unsupported[] = [
    ...(quality === undefined ? (['color'] as const) : []),
    ...(state.marks.length + state.rectangles.length > 0 ? (['marks'] as const) : []),
    ...(state.twoPages ? (['two-pages'] as const) : []),
  ];
  const region = formatIiifRegion(state.region, image);
  const path = `${servicePath(state.fn, slash)}/${region}/max/${formatIiifRotation(state)}/${quality ?? 'default'}.jpg`;
  return { path, unsupported: missing };
}
