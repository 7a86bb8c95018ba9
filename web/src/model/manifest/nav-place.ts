/** Places in the world that manifests name: GeoJSON, as in the navPlace extension and in bodies of annotations. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { isFiniteNumber, memberOf } from '../json-value.ts';
import { itemsOf, textsOf, typeOf } from './members.ts';

/** A point on the earth, in degrees; the middle of what a feature covers. */
export interface WorldPlace {
  readonly label: LanguageMap;
  readonly latitude: number;
  readonly longitude: number;
}

type Position = readonly [longitude: number, latitude: number];

/** GeometryCollections and arrays of coordinates inside of each other are followed this far. */
const maxDepth = 6;
const maxPositions = 2000;
const maxPlaces = 100;

function positionsOf(coordinates: unknown, depth = 0): readonly Position[] {
  if (!Array.isArray(coordinates) || depth > maxDepth) return [];
  const [longitude, latitude] = coordinates as readonly unknown[];
  if (isFiniteNumber(longitude) && isFiniteNumber(latitude)) return [[longitude, latitude]];
  return coordinates.slice(0, maxPositions).flatMap((inner) => positionsOf(inner, depth + 1));
}

function positionsIn(geometry: unknown, depth = 0): readonly Position[] {
  if (depth > maxDepth) return [];
  const inner = itemsOf(memberOf(geometry, 'geometries'), 50).flatMap((one) => positionsIn(one, depth + 1));
  return [...positionsOf(memberOf(geometry, 'coordinates')), ...inner];
}

const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;

/** The place of a GeoJSON feature; undefined where it has none on the earth. */
export function placeOfFeature(feature: unknown): WorldPlace | undefined {
  const positions = positionsIn(memberOf(feature, 'geometry')).slice(0, maxPositions);
  if (positions.length === 0) return undefined;
  const [longitude, latitude] = [middle(positions.map(([x]) => x)), middle(positions.map(([, y]) => y))];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  const properties = memberOf(feature, 'properties');
  return { label: textsOf(memberOf(properties, 'label') ?? memberOf(properties, 'name')), latitude, longitude };
}

/** The places of the features of a `navPlace` (IIIF extension navPlace 1.0). */
export const placesOf = (resource: unknown): readonly WorldPlace[] =>
  itemsOf(memberOf(memberOf(resource, 'navPlace'), 'features'), maxPlaces)
    .filter((feature) => typeOf(feature) === 'Feature')
    .flatMap((feature) => placeOfFeature(feature) ?? []);

const rounded = (degrees: number, decimals: number): number => Number(degrees.toFixed(decimals)) + 0;

/** The address of a place for the maps of a device (RFC 5870). */
export const geoAddress = ({ latitude, longitude }: WorldPlace): string =>
  `geo:${rounded(latitude, 7)},${rounded(longitude, 7)}`;

/** As in `34.0776° N, 118.4746° W`. */
export const coordinatesText = ({ latitude, longitude }: WorldPlace): string =>
  [
    `${Math.abs(rounded(latitude, 4))}° ${latitude < 0 ? 'S' : 'N'}`,
    `${Math.abs(rounded(longitude, 4))}° ${longitude < 0 ? 'W' : 'E'}`,
  ].join(', ');
