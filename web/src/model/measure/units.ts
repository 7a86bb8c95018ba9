/** Lists units of length with those of the site, finds them by name and place, and formats measured values. */
import type { Unit } from '../../../../src/core/image/model/units.ts';
import type { ImageScale } from './measure.ts';
import { historicalUnits, imperialUnits, metricUnits, translatedPlaces } from './unit-table.ts';

export const allUnits: readonly Unit[] = [...metricUnits, ...imperialUnits, ...historicalUnits];

/** Identifies a unit in lists and in storage. */
export const keyOf = ({ name, place = '' }: Unit): string => `${name}@${place}`;

/** Adds a site's units; they replace those with the same name and place. */
export function withOwnUnits(units: readonly Unit[], own: readonly Unit[]): readonly Unit[] {
  return [...new Map([...units, ...own].map((unit) => [keyOf(unit), unit])).values()];
}

/** The largest unit that is not longer than a length. */
export function suitableUnit(meters: number, system: 'metric' | 'imperial'): Unit {
  const sizes = system === 'metric' ? metricUnits.filter(({ symbol }) => symbol !== 'dm') : imperialUnits;
  const fitting = sizes.filter((unit) => unit.meters <= meters);
  return fitting.at(-1) ?? sizes[0] ?? { name: 'meter', meters: 1 };
}

/** The name of a place in a language; without a translation, the one of the table or of the site's units. */
export const placeIn = (locale: string, place: string): string => translatedPlaces[locale]?.get(place) ?? place;

/** Appends the place, without which the name of an old unit is ambiguous: `Fuß (Preußen)`. */
export function withPlace(text: string, place: string | undefined, locale: string): string {
  if (place === undefined) return text;
  const name = placeIn(locale, place);
  return text.endsWith(')') ? `${text.slice(0, -1)}, ${name})` : `${text} (${name})`;
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i');

/** Whether a unit with these names and this place (in any language) contains every word of a query, ignoring case and accents. */
export function isFound(query: string, names: readonly string[], place = ''): boolean {
  const places = Object.keys(translatedPlaces).map((locale) => placeIn(locale, place));
  const text = plain([...names, place, ...places].join(' '));
  return plain(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The number of decimals with the precision nearest to a step. */
const decimalsOf = (step: number): number => (step > 0 ? Math.round(-Math.log10(step)) : Number.POSITIVE_INFINITY);

/** At most four digits, and none below the precision, but whole numbers are not rounded to tens. */
function digitsOf(value: number, step: number): { readonly maximumFractionDigits: number } {
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return { maximumFractionDigits: Math.min(Math.max(Math.min(3 - magnitude, decimalsOf(step)), 0), 12) };
}

const formatValue = (value: number, locale: string, step = 0): string =>
  new Intl.NumberFormat(locale, digitsOf(value, step)).format(value);

/** A number with its unit, in the number of the reader's language: 0 and 1.5 take the plural in English, not in French. */
function withUnit(value: number, { symbol, name, plural = name }: Unit, locale: string, step: number): string {
  const isSingular = new Intl.PluralRules(locale, digitsOf(value, step)).select(value) === 'one';
  return `${formatValue(value, locale, step)} ${symbol ?? (isSingular ? name : plural)}`;
}

/** `12.35 cm` or `3,2 Fuß (Preußen)`; `step` is the precision in meters. */
export const formatLength = (meters: number, unit: Unit, locale: string, step = 0): string =>
  withPlace(withUnit(meters / unit.meters, unit, locale, step / unit.meters), unit.place, locale);

/** `step` is the precision in square meters. */
export const formatArea = (squareMeters: number, unit: Unit, locale: string, step = 0): string => {
  const square = unit.meters ** 2;
  return withPlace(`${withUnit(squareMeters / square, unit, locale, step / square)}²`, unit.place, locale);
};

export const formatDegrees = (degrees: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(degrees)}°`;

/** `1.618 : 1`. */
export const formatRatio = (ratio: number, locale: string): string => `${formatValue(ratio, locale)} : 1`;

/** With tenths below 100 pixels. */
export const formatPixels = (pixels: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: pixels < 100 ? 1 : 0 }).format(pixels)} px`;

/** How many pixels of the image a unit is: `1 league (England) = 20.8 px`; two numbers where pixels are not square. */
export function formatUnitScale(unit: Unit, { x, y }: ImageScale, locale: string): string {
  const count = (perMeter: number): string => {
    const pixels = perMeter * unit.meters;
    const digits = pixels < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 };
    return new Intl.NumberFormat(locale, digits).format(pixels);
  };
  const [across, down] = [count(x), count(y)];
  return `${formatLength(unit.meters, unit, locale)} = ${across === down ? across : `${across} × ${down}`} px`;
}
