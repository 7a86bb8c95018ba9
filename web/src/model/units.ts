/** Units of length: the ones that are known, a site's own, and how measured values are written. */
import { isObject, memberOf, parseJson, textOf } from './json-value.ts';
import { historicalUnits, imperialUnits, metricUnits, type Unit } from './unit-table.ts';

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

/** Four digits, but no whole number is rounded to tens. */
function formatValue(value: number, locale: string): string {
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const decimals = Math.min(Math.max(3 - magnitude, 0), 12);
  return new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }).format(value);
}

const signOf = ({ symbol, name }: Unit): string => symbol ?? name;

/** A length in a unit, as `12.35 cm` or `3,2 Fuß`. */
export const formatLength = (meters: number, unit: Unit, locale: string): string =>
  `${formatValue(meters / unit.meters, locale)} ${signOf(unit)}`;

/** An area in a unit's square. */
export const formatArea = (squareMeters: number, unit: Unit, locale: string): string =>
  `${formatValue(squareMeters / unit.meters ** 2, locale)} ${signOf(unit)}²`;

/** An angle in degrees, to a tenth. */
export const formatDegrees = (degrees: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(degrees)}°`;

/** A proportion to one, as `1.618 : 1`. */
export const formatRatio = (ratio: number, locale: string): string => `${formatValue(ratio, locale)} : 1`;

/** A number of pixels, which are counted to tenths while they are few. */
export const formatPixels = (pixels: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: pixels < 100 ? 1 : 0 }).format(pixels)} px`;

/** A site's units, and a sentence for each that could not be read. */
export interface OwnUnits {
  readonly units: readonly Unit[];
  readonly faults: readonly string[];
}

const optionalTexts = ['place', 'symbol', 'source'] as const;

/** One entry, or the sentence that says what is wrong with it. */
function parseUnit(entry: unknown, at: number): Unit | string {
  const name = textOf(memberOf(entry, 'name')).trim();
  if (name === '') return `Unit ${at + 1} has no name.`;
  const meters = memberOf(entry, 'meters');
  if (typeof meters !== 'number' || !(meters > 0))
    return `Unit ${at + 1} (“${name}”) needs “meters”, a number above 0.`;
  const isWrong = (member: string): boolean => !['string', 'undefined'].includes(typeof memberOf(entry, member));
  const wrong = optionalTexts.find(isWrong);
  if (wrong !== undefined) return `Unit ${at + 1} (“${name}”) has a “${wrong}” that is no text.`;
  const texts = optionalTexts.map((member) => [member, textOf(memberOf(entry, member)).trim()] as const);
  return { name, meters, ...Object.fromEntries(texts.filter(([, text]) => text !== '')) };
}

/** Reads a site's file: `{ "units": [{ "name": "Elle", "place": "Ulm", "meters": 0.568 }] }`. */
export function parseUnits(text: string): OwnUnits {
  const value = parseJson(text);
  if (!isObject(value)) return { units: [], faults: ['The file of units is no JSON object.'] };
  const entries = value['units'];
  if (!Array.isArray(entries)) return { units: [], faults: ['The file of units needs a list “units”.'] };
  const parsed = entries.map(parseUnit);
  return {
    units: parsed.filter((unit) => typeof unit !== 'string'),
    faults: parsed.filter((unit) => typeof unit === 'string'),
  };
}
