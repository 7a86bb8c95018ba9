/** What a map shows of its scale and its grid: the bar, and the meridians and parallels in sight. */
import type { Rect } from '../view-state.ts';
import { type GeoPoint, toGeo, toWorld } from './mercator.ts';

/** A length in meters of which the bar is drawn: 1, 2 or 5 with zeros, the longest that is no longer than `most`. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2].map((digit) => digit * power).find((length) => length <= most) ?? power;
}

/** The steps of a grid in degrees: parts of minutes and seconds, too. */
const gridSteps = [
  30,
  20,
  10,
  5,
  2,
  1,
  ...[30, 20, 10, 5, 2, 1].map((minutes) => minutes / 60),
  ...[30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1].map((seconds) => seconds / 3600),
];

export interface GridLine {
  /** Degrees. */
  readonly at: number;
  /** In fractions of the square of Web Mercator. */
  readonly world: number;
}

export interface Grid {
  readonly meridians: readonly GridLine[];
  readonly parallels: readonly GridLine[];
  /** Degrees between two meridians. */
  readonly step: number;
}

const multiples = (from: number, to: number, step: number): readonly number[] => {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
};

/** The grid of a part of the square, of which about `count` meridians are in sight. */
export function gridOf({ x, y, width, height }: Rect, count: number): Grid {
  const wanted = (width * 360) / count;
  const step = gridSteps.find((one) => one <= wanted * 1.5) ?? gridSteps.at(-1) ?? 1;
  const [low, high] = [toGeo({ x, y: Math.min(1, y + height) }), toGeo({ x: x + width, y: Math.max(0, y) })];
  return {
    step,
    meridians: multiples(low.lon, high.lon, step).map((at) => ({ at, world: toWorld({ lon: at, lat: 0 }).x })),
    parallels: multiples(low.lat, high.lat, step).map((at) => ({ at, world: toWorld({ lon: 0, lat: at }).y })),
  };
}

/** An angle as `52° 30′ 5″`, to the unit that a step needs. */
export function formatAngle(degrees: number, step: number): string {
  const digits = step < 1 / 3600 ? 1 : 0;
  const seconds = Number((Math.abs(degrees) * 3600).toFixed(digits));
  const [whole, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (step >= 1) return `${whole}°`;
  const rest = (seconds % 60).toFixed(digits);
  return step >= 1 / 60 ? `${whole}°\u202f${minutes}′` : `${whole}°\u202f${minutes}′\u202f${rest}″`;
}

/** Degrees with decimals as readers copy them: latitude first. */
export const formatPlace = ({ lon, lat }: GeoPoint, digits = 5): string => {
  const east = ((((lon + 180) % 360) + 360) % 360) - 180;
  return `${lat.toFixed(digits)}, ${east.toFixed(digits)}`;
};

/** A place that a reader types: `52.5163, 13.3777`, also with letters for the directions; undefined for another text. */
export function parsePlace(text: string): GeoPoint | undefined {
  const found = /^\s*([+-−]?\d+(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*([+-−]?\d+(?:\.\d+)?)\s*°?\s*([EWO])?\s*$/i.exec(
    text,
  );
  if (found === null) return undefined;
  const number = (part: string | undefined): number => Number((part ?? '').replace('−', '-'));
  const lat = number(found[1]) * (/s/i.test(found[2] ?? '') ? -1 : 1);
  const lon = number(found[3]) * (/w/i.test(found[4] ?? '') ? -1 : 1);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lon, lat } : undefined;
}
