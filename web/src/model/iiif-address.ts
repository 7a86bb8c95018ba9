/** IIIF addresses of views and folders, and the parts of a view that IIIF can't express. */

import { isWhole, type Size } from '../../../src/core/image/model/geometry.ts';
import { foldersBelow } from '../../../src/features/presentation/model/addresses.ts';
import { isPlain } from './color.ts';
import { servicePath } from './image-service.ts';
import { formatNumber, rounded } from './number-text.ts';
import { pixelsOfRegion } from './scaler-address.ts';
import { normalizedDegrees } from './view-query.ts';
import { plainColor, type Rect, type ViewColor, type ViewState } from './view-state.ts';

/** Parts of a view that a IIIF Image API request can't express. */
export type Unsupported = 'color' | 'marks' | 'two-pages';

export interface IiifAddress {
  /** Relative to the base. */
  readonly path: string;
  readonly unsupported: readonly Unsupported[];
}

/** Relative to the base. */
export const manifestPath = (folder: string, slash: string): string =>
  foldersBelow('presentation/3', slash).manifest(folder);

function formatIiifRegion(region: Rect, image: Size): string {
  const pixels = pixelsOfRegion(region, image);
  return isWhole(pixels, image) ? 'full' : [pixels.x, pixels.y, pixels.width, pixels.height].join(',');
}

/** IIIF can mirror left to right only; top to bottom is the same with another 180°. */
function formatIiifRotation({ rotation, mirror }: Pick<ViewState, 'rotation' | 'mirror'>): string {
  const degrees = normalizedDegrees(rounded(rotation + (mirror.vertical ? 180 : 0)));
  return `${mirror.horizontal !== mirror.vertical ? '!' : ''}${formatNumber(degrees)}`;
}

const qualities: Readonly<Partial<Record<ViewColor['operation'], string>>> = {
  '': 'default',
  GRAYSCALE: 'gray',
  BITONAL: 'bitonal',
};

/** The quality with these colors; undefined if there is none. */
function qualityOf(color: ViewColor): string | undefined {
  const withoutOperation = isPlain({ ...color, operation: plainColor.operation });
  return withoutOperation ? qualities[color.operation] : undefined;
}

/** The Image API request for the picture of a view; `size` is the size parameter (Image API 3.0, 4.2). */
export function iiifAddress(state: ViewState, image: Size, slash: string, size = 'max'): IiifAddress {
  const quality = qualityOf(state.color);
  const unsupported: readonly Unsupported[] = [
    ...(quality === undefined ? (['color'] as const) : []),
    ...(state.marks.length + state.rectangles.length > 0 ? (['marks'] as const) : []),
    ...(state.twoPages ? (['two-pages'] as const) : []),
  ];
  const region = formatIiifRegion(state.region, image);
  const path = `${servicePath(state.fn, slash)}/${region}/${size}/${formatIiifRotation(state)}/${quality ?? 'default'}.jpg`;
  return { path, unsupported };
}
