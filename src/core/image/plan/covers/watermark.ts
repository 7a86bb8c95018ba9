/**
 * Where a watermark lies on a picture. It is placed on the whole image, and its size and place follow from the scale alone, so that
 * each tile of a scale shows its part of the same pixels, and all scales show it at the same place.
 */
import type { Watermark } from '../../model/covers.ts';
import { intersect, mapRect, type Rect, type Size, type Turn, turned } from '../../model/geometry.ts';
import type { DrawnMark, Frame } from '../plan-types.ts';
import type { ImageCovers } from './image-covers.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels of the image for one of the picture, along both axes. */
function pixelsOf(region: Size, output: Size): Size {
  const exact = { width: region.width / output.width, height: region.height / output.height };
  // The side of a tile at the edge is rounded: the scale factor of the others is the one that was meant.
  const factor = 2 ** Math.round(Math.log2(region.width > region.height ? exact.width : exact.height));
  const isMeant = (length: number, made: number): boolean => Math.abs(length / factor - made) < 1;
  const isFactor = isMeant(region.width, output.width) && isMeant(region.height, output.height);
  return isFactor ? { width: factor, height: factor } : exact;
}

/** The margin at an edge, as a fraction of the shorter side of the image. */
const margin = 0.02;

/** The distance between copies, as a fraction of the width of the mark. */
const gap = 0.5;

/** The least distance between copies, as a fraction of the width of the image: smaller marks are not more of them. */
const leastGap = 0.04;

/** The size of the mark in pixels of the image: no copy is higher than it. */
function sizeOn(image: Size, { mark, width }: Watermark): Size {
  const across = Math.min(width * image.width, (image.height * mark.width) / mark.height);
  return { width: across, height: (across * mark.height) / mark.width };
}

/** Where copies begin along one axis that can be seen in a part of it. */
function startsIn(from: number, length: number, size: number, step: number): readonly number[] {
  const first = (step - size) / 2;
  const starts: number[] = [];
  const begin = Math.max(0, Math.floor((from - first - size) / step));
  for (let index = begin; first + index * step < from + length; index++) starts.push(first + index * step);
  return starts;
}

/** The copies of the mark by their first pixels, in pixels of the image. */
function placesOn(image: Size, part: Rect, size: Size, place: Watermark['place']): readonly Point[] {
  const edge = margin * Math.min(image.width, image.height);
  const [right, bottom] = [image.width - size.width, image.height - size.height];
  // A mark as large as the image has no margin.
  const [far, low] = [Math.max(0, right - edge), Math.max(0, bottom - edge)];
  const [near, high] = [Math.min(edge, Math.max(0, right)), Math.min(edge, Math.max(0, bottom))];
  switch (place) {
    case 'center':
      return [{ x: right / 2, y: bottom / 2 }];
    case 'top-left':
      return [{ x: near, y: high }];
    case 'top-right':
      return [{ x: far, y: high }];
    case 'bottom-left':
      return [{ x: near, y: low }];
    case 'bottom-right':
      return [{ x: far, y: low }];
    case 'tiled': {
      const space = Math.max(gap * size.width, leastGap * image.width);
      const rows = startsIn(part.y, part.height, size.height, size.height + space);
      const columns = startsIn(part.x, part.width, size.width, size.width + space);
      return rows.flatMap((y) => columns.map((x) => ({ x, y })));
    }
  }
}

/** A half is rounded up whatever the rounding errors of divisions are, so that all tiles round alike. */
const rounded = (value: number): number => Math.floor(value + 0.5 + 1e-6);

/** A mark is made with at most so many pixels, and enlarged where it has more. */
const mostPixels = 2_000_000;

function madeSize({ width, height }: Size): Size {
  const factor = Math.min(1, Math.sqrt(mostPixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
}

/** The watermark as a picture shows it; undefined where it shows none of it. */
export function markOn({ covers, shown }: ImageCovers, frame: Frame, turn: Turn): DrawnMark | undefined {
  const { watermark } = covers;
  if (watermark === undefined) return undefined;
  const { resolution, source, output } = frame;
  const scale = { width: shown.width / resolution.width, height: shown.height / resolution.height };
  const part = mapRect(source, scale, (length, factor) => length * factor);
  const pixels = pixelsOf(part, output);
  if (Math.max(shown.width / pixels.width, shown.height / pixels.height) < watermark.minSide) return undefined;
  const onImage = sizeOn(shown, watermark);
  const size = {
    width: Math.max(1, rounded(onImage.width / pixels.width)),
    height: Math.max(1, rounded(onImage.height / pixels.height)),
  };
  const copies = placesOn(shown, part, onImage, watermark.place)
    .map(({ x, y }) => ({
      ...size,
      x: rounded((x - part.x) / pixels.width),
      y: rounded((y - part.y) / pixels.height),
    }))
    .filter((copy) => intersect(copy, output) !== undefined)
    .map((copy) => turned(copy, output, turn));
  if (copies.length === 0) return undefined;
  const { mark, opacity } = watermark;
  return { mark, opacity, made: madeSize(size), copies, turn };
}
