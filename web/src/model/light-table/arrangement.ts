/** How images get their size and their first place on a light table. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { ImageScale } from '../measure/measure.ts';
import type { Point, Rect } from '../view-state.ts';
import { nextKey, type Source, type TableItem, tidied } from './table.ts';

/** What is known of an image. */
export interface ImageSize {
  /** Upright pixels. */
  readonly size: Size;
  /** Pixels per meter of the original; undefined where nobody says. */
  readonly scale: ImageScale | undefined;
}

const whole: Rect = { x: 0, y: 0, width: 1, height: 1 };

/** The height divided by the width of what is shown of an image, on the original where its scale is known. */
export function ratioOfPart({ size, scale }: ImageSize, region: Rect | null): number {
  const { width, height } = region ?? whole;
  const stretch = scale === undefined ? 1 : scale.x / scale.y;
  return ((height * size.height) / (width * size.width)) * stretch;
}

const millimetersPerMeter = 1000;

/** The width on the original, in mm; undefined where its scale is not known. */
export const trueWidth = ({ size, scale }: ImageSize, region: Rect | null): number | undefined =>
  scale && ((size.width * (region ?? whole).width) / scale.x) * millimetersPerMeter;

/** The height of a page of unknown size, in mm: that of a quarto. */
const usualHeight = 240;

/** A detail of an image without a scale is as large as if the image had the usual size. */
function firstWidth(image: ImageSize, region: Rect | null): number {
  const known = trueWidth(image, region);
  if (known !== undefined) return known;
  const { width, height } = image.size;
  const long = Math.max(width, height);
  return (usualHeight * width * (region ?? whole).width) / long;
}

/** Between things that are laid out, in mm. */
const gap = 15;

/** How much wider than high all of them together are. */
const shape = 1.6;

interface Laid {
  readonly source: Source;
  readonly width: number;
  readonly height: number;
}

/** The width of the rows, so that all together have the shape of a window. */
const rowWidth = (all: readonly Laid[]): number => {
  const area = all.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  return Math.max(Math.sqrt(area * shape), ...all.map(({ width }) => width));
};

/** Lays images in rows below what lies there already, or around the center of an empty table. */
export function withPlaces(
  items: readonly TableItem[],
  sources: readonly (readonly [source: Source, image: ImageSize])[],
  bounds: Rect | undefined,
): readonly TableItem[] {
  const all = sources.map(([source, image]): Laid => {
    const width = firstWidth(image, source.region);
    return { source, width, height: width * ratioOfPart(image, source.region) };
  });
  const most = Math.max(rowWidth(all), bounds?.width ?? 0);
  const from: Point = bounds ? { x: bounds.x, y: bounds.y + bounds.height + gap } : { x: 0, y: 0 };
  let [x, y, rowHeight] = [from.x, from.y, 0];
  let key = nextKey(items);
  const laid = all.map(({ source, width, height }): TableItem => {
    if (x > from.x && x + width > from.x + most + 0.01) [x, y, rowHeight] = [from.x, y + rowHeight + gap, 0];
    const place = { x: x + width / 2, y: y + height / 2, width, rotation: 0, group: 0 };
    x += width + gap;
    rowHeight = Math.max(rowHeight, height);
    return tidied({ kind: 'image', key: key++, ...source, ...place });
  });
  return [...items, ...laid];
}

/** In mm: what a note is written in. */
export const noteStyle = { width: 70, font: 5, line: 6.5, padding: 4 } as const;

/** The height of a note divided by its width, about as the browser breaks its lines. */
export function ratioOfNote(text: string, width: number): number {
  const lineLength = Math.max(4, (noteStyle.width - 2 * noteStyle.padding) / (noteStyle.font * 0.5));
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);
  const height = 2 * noteStyle.padding + Math.max(2, lines) * noteStyle.line;
  // A note is scaled with its letters.
  return (height * (width / noteStyle.width)) / width;
}
