/** Units of length: the ones that are known, a site's own among them, and how measured values are written. */
import type { Unit } from '../../../src/image/model/units.ts';
import { withPlace } from './place-names.ts';
import { historicalUnits, imperialUnits, metricUnits } from './unit-table.ts';

export const allUnits: readonly Unit[] = [...metricUnits, ...imperialUnits, ...historicalUnits];

/** What tells a unit from all others, to be kept and compared. */
export const keyOf = ({ name, place = '' }: Unit): string => `${name}@${place}`;

/** Units with a site's own: those of the same name and place are replaced, all others come after. */
export function withOwnUnits(units: readonly Unit[], own: readonly Unit[]): readonly Unit[] {
  return [...new Map([...units, ...own].map((unit) => [keyOf(unit), unit])).values()];
}

/** The unit in which people would say a length. */
export function suitableUnit(meters: number, system: 'metric' | 'imperial'): Unit {
  const sizes = system === 'metric' ? metricUnits.filter(({ symbol }) => symbol !== 'dm') : imperialUnits;
  const fitting = sizes.filter((unit) => unit.meters <= meters);
  return fitting.at(-1) ?? sizes[0] ?? { name: 'meter', meters: 1 };
}

/** The decimals whose last place is nearest to a step. */
const decimalsOf = (step: number): number => (step > 0 ? Math.round(-Math.log10(step)) : Number.POSITIVE_INFINITY);

/** Four digits at most, and none far below a step, but no whole number is rounded to tens. */
function formatValue(value: number, locale: string, step = 0): string {
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const decimals = Math.min(Math.max(Math.min(3 - magnitude, decimalsOf(step)), 0), 12);
  return new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value);
}

const signOf = ({ symbol, name }: Unit): string => symbol ?? name;

/** A length in a unit, as `12.35 cm` or `3,2 Fuß (Preußen)`; `step` is the least length that can be told apart, in meters. */
export const formatLength = (meters: number, unit: Unit, locale: string, step = 0): string =>
  withPlace(`${formatValue(meters / unit.meters, locale, step / unit.meters)} ${signOf(unit)}`, unit.place, locale);

/** An area in a unit's square; `step` is in square meters. */
export const formatArea = (squareMeters: number, unit: Unit, locale: string, step = 0): string => {
  const square = unit.meters ** 2;
  return withPlace(`${formatValue(squareMeters / square, locale, step / square)} ${signOf(unit)}²`, unit.place, locale);
};

/** An angle in degrees, to a tenth. */
export const formatDegrees = (degrees: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(degrees)}°`;

/** A proportion to one, as `1.618 : 1`. */
export const formatRatio = (ratio: number, locale: string): string => `${formatValue(ratio, locale)} : 1`;

/** A number of pixels, which are counted to tenths while they are few. */
export const formatPixels = (pixels: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: pixels < 100 ? 1 : 0 }).format(pixels)} px`;
