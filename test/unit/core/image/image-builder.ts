import { isTransposed, type Orientation } from '../../../../src/core/image/model/geometry.ts';
import { parseIdentifier } from '../../../../src/core/image/model/identifier.ts';
import {
  type Admitted,
  type ImageSet,
  type Level,
  noImageMetadata,
  type Resolution,
  type StoredTiles,
} from '../../../../src/core/image/model/image-set.ts';

export interface Sketch {
  /** As stored. */
  readonly width: number;
  readonly height: number;
  readonly format?: Resolution['format'];
  readonly orientation?: Orientation;
  readonly dpi?: Resolution['dpi'];
  /** Further levels, each half of the one before, rounded down as writers do. */
  readonly reductions?: number;
  readonly tile?: number;
  readonly complete?: boolean;
  readonly truncated?: true;
  /** How the tiles of all levels are stored. */
  readonly stored?: StoredTiles;
  readonly profile?: Pick<Resolution, 'profile' | 'profileSpace'>;
  readonly decoding?: Level['decoding'];
}

function levelsOf({
  width,
  height,
  reductions = 0,
  tile,
  stored,
  decoding = { pixelBytes: 3 },
}: Sketch): Resolution['levels'] {
  const level = (index: number): Level => ({
    width: Math.max(1, Math.floor(width / 2 ** index)),
    height: Math.max(1, Math.floor(height / 2 ** index)),
    location: reductions === 0 && tile === undefined ? { kind: 'only' } : { kind: 'page', page: index },
    ...(tile === undefined ? {} : { tile: { width: tile, height: tile } }),
    ...(stored && { stored }),
    decoding,
  });
  return [level(0), ...Array.from({ length: reductions }, (_, index) => level(index + 1))];
}

function resolution(sketch: Sketch, index: number): Resolution {
  const { width, height, format = 'jpeg', orientation = 1, dpi, complete = true } = sketch;
  const [w, h] = isTransposed(orientation) ? [height, width] : [width, height];
  return {
    width: w,
    height: h,
    levels: levelsOf(sketch),
    orientation,
    ...(dpi ? { dpi } : {}),
    color: 'rgb',
    bits: 8,
    alpha: false,
    profile: false,
    ...sketch.profile,
    ...(sketch.truncated && { truncated: true }),
    format,
    complete,
    file: { path: `/library/${index}/image.${format}`, bytes: 1000, modifiedMs: 0, fingerprint: `f${index}` },
  };
}

/** Tiles as a TIFF of JPEG tiles has them; where they lie is of no importance to a plan. */
export const jpegTiles: StoredTiles = {
  kind: 'jpeg',
  columns: 16,
  rows: 12,
  offsets: { at: 8, count: 192, bytesEach: 4, littleEndian: true },
  lengths: { at: 800, count: 192, bytesEach: 4, littleEndian: true },
  samples: 'ycbcr',
};

/** An image set as the library would find it, for tests that touch no file. */
export function imageOf(first: Sketch, ...others: readonly Sketch[]): Admitted<ImageSet> {
  const identifier = parseIdentifier('book/image');
  if (identifier === undefined) throw new Error('a valid path');
  const image: ImageSet = {
    identifier,
    name: `image.${first.format ?? 'jpeg'}`,
    page: 1,
    pageCount: 1,
    resolutions: [resolution(first, 0), ...others.map((other, index) => resolution(other, index + 1))],
    metadata: noImageMetadata,
  };
  return image as Admitted<ImageSet>;
}
