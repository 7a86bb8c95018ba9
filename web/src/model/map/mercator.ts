/** Places on the earth, and the square of Web Mercator (EPSG:3857) on which maps of tiles lie. */
import type { Point, Rect } from '../view-state.ts';

/** Degrees of WGS 84. */
export interface GeoPoint {
  readonly lon: number;
  readonly lat: number;
}

/** The parallel at which the square ends, in degrees. */
export const maxLatitude = 85.0511287798066;

/** The length of the equator in Web Mercator, in meters: the circle with the long radius of WGS 84. */
const equatorMeters = 2 * Math.PI * 6_378_137;

/** The mean radius of the earth (IUGG), in meters. */
const earthRadius = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** In fractions of the square, from the left and the top; beyond its sides across the date line. */
export function toWorld({ lon, lat }: GeoPoint): Point {
  const sine = Math.sin(radians(Math.min(Math.max(lat, -maxLatitude), maxLatitude)));
  return { x: lon / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** `toWorld` back. */
export const toGeo = ({ x, y }: Point): GeoPoint => ({
  lon: (x - 0.5) * 360,
  lat: degrees(Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI))),
});

/** The length of the side of the square as it is at a place, in meters. */
export const sideMeters = (lat: number): number => equatorMeters * Math.cos(radians(lat));

/** The way from one place to another on a sphere, in meters. */
export function metersBetween(one: GeoPoint, other: GeoPoint): number {
  const [north, east] = [radians(other.lat - one.lat), radians(other.lon - one.lon)];
  const chord =
    Math.sin(north / 2) ** 2 + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** What a window shows: its center, and the zoom as maps of tiles count it (the square has 256 · 2^zoom CSS pixels). */
export interface Camera {
  readonly center: GeoPoint;
  readonly zoom: number;
}

export const zoomRange = { least: 0, most: 22 } as const;

/** CSS pixels of the side of the square. */
export const sidePixels = (zoom: number): number => 256 * 2 ** zoom;

/** The camera by which a part of the square fills a window of this size, with a margin. */
export function cameraOf(
  { x, y, width, height }: Rect,
  window: { readonly width: number; readonly height: number },
): Camera {
  const side = Math.min(window.width / Math.max(width, 1e-9), window.height / Math.max(height, 1e-9)) * 0.86;
  const zoom = Math.min(Math.max(Math.log2(side / 256), zoomRange.least), 19);
  return { center: toGeo({ x: x + width / 2, y: y + height / 2 }), zoom };
}
