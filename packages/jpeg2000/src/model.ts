/** What the headers of a JPEG 2000 file say of its code-stream and its colors (ISO 15444-1, annexes A, B and I). */

/** Width and height. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle; `x`, `y` are its left, top corner. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** Bytes of a file: their offset and number. */
export interface StoredBytes {
  readonly at: number;
  readonly bytes: number;
}

/** One component of a code-stream: a plane of samples. */
export interface Component {
  /** Bits of a sample, from 1 to 38. */
  readonly bits: number;
  readonly signed: boolean;
  /** The distance between two samples on the reference grid (XRsiz, YRsiz). */
  readonly dx: number;
  readonly dy: number;
}

/** The order of the packets: layer, resolution, component, position (section B.12.1). */
export type Progression = 'LRCP' | 'RLCP' | 'RPCL' | 'PCRL' | 'CPRL';

export interface CodeStream extends StoredBytes {
  /** Length in bytes of the main header, from SOC up to the first SOT. */
  readonly headerBytes: number;
  /** The image area on the reference grid: XOsiz, YOsiz, and what Xsiz and Ysiz leave beside them. */
  readonly area: Rect;
  /** The first cell of the tile grid on the reference grid: XTOsiz, YTOsiz, XTsiz, YTsiz. */
  readonly tile: Rect;
  readonly components: readonly [Component, ...Component[]];
  /** How often all components can be halved: the fewest decomposition levels in the main header and the first tile-part. */
  readonly reductions: number;
  readonly layers: number;
  readonly progression: Progression;
  /** The sides of a code-block, the unit in which samples are coded, in samples of a resolution. */
  readonly block: Size;
  /** Sides of the precincts in samples of each resolution, the smallest resolution first; absent where they are as large as can be. */
  readonly precincts?: readonly Size[];
  /** Whether the first three components are transformed together (RCT, ICT). */
  readonly componentTransform: boolean;
  /** Whether code-blocks are coded by ISO 15444-15 (HTJ2K). */
  readonly highThroughput: boolean;
  /** Whether the main header or the first tile-part’s says the lengths of packets (PLM, PLT). */
  readonly packetLengths: boolean;
}

/** Where the samples of a channel come from. */
export interface Channel {
  /** Index of the component. */
  readonly component: number;
  /** The column of the palette through which the samples are looked up; absent where they are used as they are. */
  readonly column?: number;
}

/** A palette: rows of one value for each column, each in as many whole bytes as its bits need (section I.5.3.4). */
export interface Palette {
  /** Number of rows, from 1 to 1024. */
  readonly entries: number;
  readonly columns: readonly Pick<Component, 'bits' | 'signed'>[];
  /** The values, row by row, without the box’s head. */
  readonly values: StoredBytes;
}

/** How the components become colors; missing and contradictory boxes are already resolved. */
export interface Jpeg2000Color {
  /** `profile`: as the ICC profile says; `unknown`: gray or RGB, by the number of channels. */
  readonly space: 'gray' | 'srgb' | 'sycc' | 'esycc' | 'cmyk' | 'lab' | 'profile' | 'unknown';
  /** The ICC profile. */
  readonly profile?: StoredBytes;
  readonly palette?: Palette;
  /** The channels of the color, in the order of its space (red, green, blue); none other are shown. */
  readonly colors: readonly [Channel, ...Channel[]];
  readonly alpha?: Channel & { readonly premultiplied: boolean };
}

/** All that the headers say of what is needed to decode the file. */
export interface Jpeg2000 {
  /** The type of the file: boxes around a code-stream or not, of which part of the standard. */
  readonly mediaType: 'image/jp2' | 'image/jpx' | 'image/jph' | 'image/j2c' | 'image/jphc';
  readonly codeStream: CodeStream;
  readonly color: Jpeg2000Color;
}

const ceilDiv = (value: number, divisor: number): number => Math.ceil(value / divisor);

/** The distance of the finest samples on the reference grid: one pixel of the image is as large. */
export function finestStep({ components }: Pick<CodeStream, 'components'>): {
  readonly dx: number;
  readonly dy: number;
} {
  return { dx: Math.min(...components.map(({ dx }) => dx)), dy: Math.min(...components.map(({ dy }) => dy)) };
}

/**
 * A rectangle of the reference grid in samples with the given distance after `reduction` halvings (sections B.2 and B.5).
 * x and y are positions from the grid’s origin.
 */
export function reducedRect(
  { x, y, width, height }: Rect,
  step: { readonly dx: number; readonly dy: number },
  reduction: number,
): Rect {
  const factor = 2 ** reduction;
  const at = (grid: number, distance: number): number => ceilDiv(ceilDiv(grid, distance), factor);
  const [left, top] = [at(x, step.dx), at(y, step.dy)];
  return { x: left, y: top, width: at(x + width, step.dx) - left, height: at(y + height, step.dy) - top };
}

/** The size of the image after `reduction` halvings, in pixels. Sides can be zero where the image does not begin at the grid’s origin. */
export function reducedSize(codeStream: CodeStream, reduction: number): Size {
  const { width, height } = reducedRect(codeStream.area, finestStep(codeStream), reduction);
  return { width, height };
}

/** Number of tiles in a row and in a column. */
export function tileCounts({ area, tile }: Pick<CodeStream, 'area' | 'tile'>): {
  readonly columns: number;
  readonly rows: number;
} {
  return {
    columns: ceilDiv(area.x + area.width - tile.x, tile.width),
    rows: ceilDiv(area.y + area.height - tile.y, tile.height),
  };
}

/** How many of a resolution’s samples a sample beside them depends on, in the 9-7 transform (ISO 15444-1, section F.3.8). */
export const filterReach = 3;

/** Parts of at least this side in samples are decoded one after the other. */
export const minPartSide = 2048;

/** Tiles beside each other are decoded together up to this side in samples: each decoding takes about a millisecond to begin. */
export const joinedSide = 1024;

/**
 * The side of the areas that a tile’s share of a region is divided by, each in its middle: the code-blocks of all subbands end at their
 * edges. `block` is the side of a code-block, which the largest resolution has; `halvings` lead from it to the smallest.
 */
export const unitSide = (block: number, halvings: number): number => Math.max(block * 2 ** halvings, minPartSide);

/** A part of one axis in pixels of the full image. */
interface Part {
  readonly start: number;
  readonly length: number;
}

/** Smaller parts, such as small tiles, are read together: each has a cost of its own. */
const minReadSide = 1024;

interface Axis {
  /** The image’s first pixel on its grid, and its length. */
  readonly origin: number;
  readonly length: number;
  /** The first tile’s edge on the reference grid, a tile’s length there, and the distance of two pixels. */
  readonly tileStart: number;
  readonly tileLength: number;
  readonly step: number;
  /** The side of the areas that a large tile is divided by, each in its middle. */
  readonly unit: number;
}

/** Numbers `at(0)`, `at(1)`, … before `end`. */
function upTo(end: number, at: (index: number) => number): readonly number[] {
  const numbers: number[] = [];
  for (let index = 0; at(index) < end; index++) numbers.push(at(index));
  return numbers;
}

/** Where one part ends and the next begins, in pixels of the image. */
function edgesOf({ origin, length, tileStart, tileLength, step, unit }: Axis): readonly number[] {
  const end = origin + length;
  const first = Math.floor(origin / unit);
  const edges = [
    ...upTo(end, (index) => Math.ceil((tileStart + index * tileLength) / step)),
    ...upTo(end, (index) => (first + index + 0.5) * unit),
  ];
  return [...new Set(edges)]
    .filter((edge) => edge > origin)
    .sort((one, other) => one - other)
    .map((edge) => edge - origin);
}

function partsOf(axis: Axis): readonly Part[] {
  const parts: Part[] = [];
  let start = 0;
  for (const end of [...edgesOf(axis), axis.length]) {
    if (end < axis.length && end - start < minReadSide) continue;
    parts.push({ start, length: end - start });
    start = end;
  }
  return parts;
}

/** The image in rows of parts, from top to bottom and from left to right, in pixels of the full image as it is stored. */
export function decodedParts(codeStream: CodeStream): readonly (readonly [Rect, ...Rect[]])[] {
  const { area, tile, block, reductions } = codeStream;
  const step = finestStep(codeStream);
  const image = reducedRect(area, step, 0);
  const columns = partsOf({
    origin: image.x,
    length: image.width,
    tileStart: tile.x,
    tileLength: tile.width,
    step: step.dx,
    unit: unitSide(block.width, reductions),
  });
  const rows = partsOf({
    origin: image.y,
    length: image.height,
    tileStart: tile.y,
    tileLength: tile.height,
    step: step.dy,
    unit: unitSide(block.height, reductions),
  });
  return rows.map((row) => {
    const [first, ...others] = columns.map((column) => ({
      x: column.start,
      y: row.start,
      width: column.length,
      height: row.length,
    }));
    if (first === undefined) throw new TypeError('an image without columns');
    return [first, ...others] as const;
  });
}
