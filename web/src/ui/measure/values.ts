/** Formats the values of a measurement in the reader's language and the chosen unit. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { language, type MessageKey, message } from '../../messages/messages.ts';
import { type Extent, measureOf, quantities, templeTypeOf } from '../../model/measure/extents.ts';
import { grainOf, type ImageScale, type Measure, type MeasureKind } from '../../model/measure/measure.ts';
import { formatArea, formatDegrees, formatLength, formatPixels, formatRatio } from '../../model/measure/units.ts';
import { imageScale, unitFor } from '../../state/notes/notes.ts';

export interface Value {
  readonly name: MessageKey;
  readonly text: string;
  /** The value in pixels of the image, if `text` has another unit. */
  readonly pixels?: string;
}

/** The precision of a measurement, in meters. */
const precisionOf = (measure: Measure, { x, y }: ImageScale): number => grainOf(measure) / Math.min(x, y);

const realLength = (meters: number, precision: number): string =>
  formatLength(meters, unitFor(meters), language.value, precision);

/** The error of an area: half the precision along the whole outline. */
const realArea = (squareMeters: number, { length }: Extent, precision: number): string =>
  formatArea(squareMeters, unitFor(Math.sqrt(squareMeters)), language.value, (precision * length) / 2);

const pixelLength = (pixels: number): string => formatPixels(pixels, language.value);
const pixelArea = (pixels: number): string => `${pixelLength(pixels)}²`;

/** Empty while points are missing. The scale is that of the active image, unless another is given; null for none. */
export function valuesOf(
  measure: Measure,
  image: Size,
  known: ImageScale | null = imageScale.value ?? null,
): readonly Value[] {
  const scale = known ?? undefined;
  const measured = measureOf(measure, image, scale);
  if (measured === undefined) return [];
  const { pixels, meters, degrees, ratio } = measured;
  const extents = quantities[measure.kind].map(({ name: quantity, dimension, pick }): Value => {
    const name: MessageKey = `measure-${quantity}`;
    const size = pick(pixels) ?? 0;
    // The large arcs of an oval can be straight.
    if (!Number.isFinite(size)) return { name, text: '' };
    const counted = (dimension === 'length' ? pixelLength : pixelArea)(size);
    if (meters === undefined || scale === undefined) return { name, text: counted };
    const [real, precision] = [pick(meters) ?? 0, precisionOf(measure, scale)];
    return {
      name,
      text: dimension === 'length' ? realLength(real, precision) : realArea(real, meters, precision),
      pixels: counted,
    };
  });
  const angle: readonly Value[] =
    degrees === undefined ? [] : [{ name: 'measure-angle', text: formatDegrees(degrees, language.value) }];
  const share: readonly Value[] = ratio === undefined ? [] : [ratioValue(measure.kind, ratio)];
  return [...angle, ...share, ...extents.filter(({ text }) => text !== '')];
}

/** An intercolumniation has its name by Vitruvius. */
function ratioValue(kind: MeasureKind, ratio: number): Value {
  const text = formatRatio(ratio, language.value);
  if (kind !== 'intercolumniation') return { name: 'measure-ratio', text };
  const type = templeTypeOf(ratio);
  const named = type === undefined ? text : `${text} (${message(`temple-${type}`)})`;
  return { name: 'measure-intercolumniation-ratio', text: named };
}

export function mainValue(measure: Measure, image: Size): string {
  const text = valuesOf(measure, image)[0]?.text ?? '';
  return measure.kind === 'circle' && text !== '' ? `⌀ ${text}` : text;
}

/** "Line 2: 12 cm". */
export const nameOfMeasure = (measure: Measure, at: number, image: Size): string =>
  message('measure-name', {
    kind: message(`measure-${measure.kind}`),
    number: at + 1,
    value: [mainValue(measure, image), measure.text ?? ''].filter((part) => part !== '').join(', '),
  });
