/** The parts of a JPEG 2000 image that are decoded at once: who reads it by these decodes nothing twice, in bounded memory. */
import type { Rect } from '../model/geometry.ts';
import { type CodeStream, finestStep, reducedRect } from '../model/jpeg2000.ts';
import { unitSide } from './jpeg2000-decoding.ts';

/** A part of one axis in pixels of the full image. */
interface Part {
  readonly start: number;
  readonly length: number;
}

/** Smaller parts, such as small tiles, are read together: each has a cost of its own. */
const minPartSide = 1024;

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
    if (end < axis.length && end - start < minPartSide) continue;
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
