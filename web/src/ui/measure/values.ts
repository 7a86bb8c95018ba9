/** What a measurement says, in words of the reader's language and the chosen unit. */
import type { Size } from '../../../../src/image/model/geometry.ts';
import { language, message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import {
  type Extent,
  grainOf,
  type ImageScale,
  type Measure,
  type MeasureKind,
  measureOf,
} from '../../model/measure.ts';
import { formatArea, formatDegrees, formatLength, formatPixels, formatRatio } from '../../model/units.ts';
import { imageScale, unitFor } from '../../state/scale.ts';

export interface Value {
  readonly name: MessageKey;
  readonly text: string;
  /** In pixels of the image, where `text` is not. */
  readonly pixels?: string;
}

/** The least length that could be told apart when a measurement was drawn, in meters. */
const leastLength = (measure: Measure, { x, y }: ImageScale): number => grainOf(measure) / Math.min(x, y);

const realLength = (meters: number, least: number): string =>
  formatLength(meters, unitFor(meters), language.value, least);

/** Where the outline may lie half of the least length off, it encloses as much more or less. */
const realArea = (squareMeters: number, { length }: Extent, least: number): string =>
  formatArea(squareMeters, unitFor(Math.sqrt(squareMeters)), language.value, (least * length) / 2);

const pixelLength = (pixels: number): string => formatPixels(pixels, language.value);
const pixelArea = (pixels: number): string => `${pixelLength(pixels)}²`;

/** The lengths and areas that are worth saying of each kind, the first of them on the image. */
const said: Readonly<
  Record<MeasureKind, readonly (readonly [MessageKey, 'length' | 'area', (extent: Extent) => number | undefined])[]>
> = {
  line: [['measure-length', 'length', ({ length }) => length]],
  path: [['measure-length', 'length', ({ length }) => length]],
  angle: [],
  polygon: [
    ['measure-area', 'area', ({ area }) => area],
    ['measure-perimeter', 'length', ({ length }) => length],
  ],
  rectangle: [
    ['measure-area', 'area', ({ area }) => area],
    ['measure-width', 'length', ({ parts }) => parts[0]],
    ['measure-height', 'length', ({ parts }) => parts[1]],
  ],
  circle: [
    ['measure-diameter', 'length', ({ parts }) => parts[0]],
    ['measure-perimeter', 'length', ({ length }) => length],
    ['measure-area', 'area', ({ area }) => area],
  ],
  ellipse: [
    ['measure-area', 'area', ({ area }) => area],
    ['measure-first-axis', 'length', ({ parts }) => parts[0]],
    ['measure-second-axis', 'length', ({ parts }) => parts[1]],
    ['measure-perimeter', 'length', ({ length }) => length],
  ],
  proportion: [
    ['measure-first-line', 'length', ({ parts }) => parts[0]],
    ['measure-second-line', 'length', ({ parts }) => parts[1]],
  ],
};

/** All that a measurement comes to; nothing while points are missing. */
export function valuesOf(
  measure: Measure,
  image: Size,
  scale: ImageScale | undefined = imageScale.value,
): readonly Value[] {
  const measured = measureOf(measure, image, scale);
  if (measured === undefined) return [];
  const { pixels, meters, degrees, ratio } = measured;
  const extents = said[measure.kind].map(([name, what, pick]): Value => {
    const counted = (what === 'length' ? pixelLength : pixelArea)(pick(pixels) ?? 0);
    if (meters === undefined || scale === undefined) return { name, text: counted };
    const [real, least] = [pick(meters) ?? 0, leastLength(measure, scale)];
    return { name, text: what === 'length' ? realLength(real, least) : realArea(real, meters, least), pixels: counted };
  });
  const angle: readonly Value[] =
    degrees === undefined ? [] : [{ name: 'measure-angle', text: formatDegrees(degrees, language.value) }];
  const share: readonly Value[] =
    ratio === undefined ? [] : [{ name: 'measure-ratio', text: formatRatio(ratio, language.value) }];
  return [...angle, ...share, ...extents];
}

export const kindNames: Readonly<Record<MeasureKind, MessageKey>> = {
  line: 'measure-line',
  path: 'measure-path',
  angle: 'measure-angle',
  polygon: 'measure-polygon',
  rectangle: 'measure-box',
  circle: 'measure-circle',
  ellipse: 'measure-ellipse',
  proportion: 'measure-proportion',
};

/** What stands beside a measurement on the image. */
export const mainValue = (measure: Measure, image: Size): string => valuesOf(measure, image)[0]?.text ?? '';

/** The name of a measurement among others: "Line 2: 12 cm". */
export const nameOfMeasure = (measure: Measure, at: number, image: Size): string =>
  message('measure-name', {
    kind: message(kindNames[measure.kind]),
    number: at + 1,
    value: [mainValue(measure, image), measure.text ?? ''].filter((part) => part !== '').join(', '),
  });
