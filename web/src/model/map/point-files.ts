/** Files of control points for programs of geography: GeoJSON, and the `.points` of QGIS, which is read too. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Point } from '../view-state.ts';
import { cornersOfImage, type GeoMap } from './georeference.ts';
import { toGeo } from './mercator.ts';
import { type ControlPoint, mostPoints, residualsOf, type Transformation } from './transformations.ts';

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

/** Points of each side of the outline, which is no straight line on the earth. */
const perSide = 16;

/** The outline of a map, with points between its corners. */
export const outlineOf = ({ mask }: Pick<GeoMap, 'mask'>, image: Size): readonly Point[] => {
  const corners = mask ?? cornersOfImage(image);
  return corners.flatMap((from, index) => {
    const to = corners[(index + 1) % corners.length] ?? from;
    return Array.from({ length: perSide }, (_, step) => ({
      x: from.x + ((to.x - from.x) * step) / perSide,
      y: from.y + ((to.y - from.y) * step) / perSide,
    }));
  });
};

/** The control points, with the error of each in meters, and the outline of the map on the earth where it can be placed. */
export function formatGeoJson(map: GeoMap, image: Size, transformation: Transformation | undefined): object {
  const errors = transformation && residualsOf(map.points, transformation).meters;
  const points = map.points.map(({ x, y, lon, lat }, index) => ({
    type: 'Feature',
    properties: {
      number: index + 1,
      x: rounded(x, 2),
      y: rounded(y, 2),
      ...(errors && { errorMeters: rounded(errors[index] ?? 0, 3) }),
    },
    geometry: { type: 'Point', coordinates: [rounded(lon, 8), rounded(lat, 8)] },
  }));
  const ring = (transformation ? outlineOf(map, image) : []).map((point) => {
    const { lon, lat } = toGeo(transformation?.toWorld(point) ?? point);
    return [rounded(lon, 8), rounded(lat, 8)];
  });
  const [first] = ring;
  const outline = first && {
    type: 'Feature',
    properties: { outline: true, transformation: map.kind },
    geometry: { type: 'Polygon', coordinates: [[...ring, first]] },
  };
  return { type: 'FeatureCollection', features: [...points, ...(outline ? [outline] : [])] };
}

/** The georeferencer of QGIS counts rows of the image from the top, as negative numbers. */
export const formatQgisPoints = (points: readonly ControlPoint[]): string =>
  [
    'mapX,mapY,sourceX,sourceY,enable',
    ...points.map(({ x, y, lon, lat }) =>
      [rounded(lon, 8), rounded(lat, 8), rounded(x, 3), rounded(-y, 3), 1].join(','),
    ),
  ]
    .map((line) => `${line}\n`)
    .join('');

/** Enabled points of a file of QGIS in degrees; undefined where it is no such file, or is in another projection. */
export function parseQgisPoints(text: string): readonly ControlPoint[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [head = '', ...rows] = lines;
  if (!/^mapX,mapY,(?:source|pixel)X,(?:source|pixel)Y/i.test(head.trim())) return undefined;
  const points = rows.slice(0, mostPoints).flatMap((row): ControlPoint[] => {
    const [lon = Number.NaN, lat = Number.NaN, x = Number.NaN, y = Number.NaN, enabled = 1] = row
      .split(',')
      .map(Number);
    return Number.isFinite(lon + lat + x + y) && enabled !== 0 ? [{ x, y: -y + 0, lon, lat }] : [];
  });
  return points.every(({ lon, lat }) => Math.abs(lon) <= 540 && Math.abs(lat) <= 90) ? points : undefined;
}
