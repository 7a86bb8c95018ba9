import { describe, expect, it } from 'vitest';
import {
  formatGeoreference,
  type GeoFrame,
  type GeoMap,
  type GeoTarget,
  readGeoreferences,
} from '../../../../../web/src/model/map/georeference.ts';
import { parseMapView, plainMap, withMapView } from '../../../../../web/src/model/map/map-view.ts';
import {
  formatAngle,
  formatPlace,
  gridOf,
  parsePlace,
  roundLength,
} from '../../../../../web/src/model/map/measures.ts';
import { toWorld } from '../../../../../web/src/model/map/mercator.ts';
import { mayBeGeoreference } from '../../../../../web/src/model/map/named-georeferences.ts';
import { formatGeoJson, formatQgisPoints, parseQgisPoints } from '../../../../../web/src/model/map/point-files.ts';
import { fitTransformation } from '../../../../../web/src/model/map/transformations.ts';

const image = { width: 4000, height: 3000 };
const canvas = 'https://library.example/canvas/1';
const service = 'https://library.example/iiif/3/map';
const frame: GeoFrame = { image, canvas: undefined, ids: [canvas, service] };

const feature = (x: number, y: number, lon: number, lat: number): object => ({
  type: 'Feature',
  properties: { resourceCoords: [x, y] },
  geometry: { type: 'Point', coordinates: [lon, lat] },
});

const annotation = (source: unknown, more: object = {}, selector?: object): object => ({
  type: 'Annotation',
  motivation: 'georeferencing',
  target: { type: 'SpecificResource', source, ...(selector && { selector }) },
  body: {
    type: 'FeatureCollection',
    features: [feature(100, 200, 4.5, 52), feature(3000, 200, 4.6, 52), feature(100, 2500, 4.5, 51.9)],
    ...more,
  },
});

const polygon = {
  type: 'SvgSelector',
  value: '<svg width="4000" height="3000"><polygon points="0,0 4000,0 2000,3000"/></svg>',
};

describe('georeference annotations', () => {
  it.each([
    [undefined, 'polynomial1'],
    [{ type: 'polynomial', options: { order: 1 } }, 'polynomial1'],
    [{ type: 'polynomial', options: { order: 2 } }, 'polynomial2'],
    [{ type: 'polynomial', options: { order: 3 } }, 'polynomial3'],
    [{ type: 'thinPlateSpline' }, 'thinPlateSpline'],
    [{ type: 'helmert' }, 'helmert'],
    [{ type: 'projective' }, 'polynomial1'],
    [7, 'polynomial1'],
  ])('with the transformation %j are placed by %s', (transformation, kind) => {
    const [map] = readGeoreferences(annotation(canvas, { transformation }), frame);
    expect(map?.kind).toBe(kind);
  });

  it('have their points and their mask in pixels of the image, whatever size their source has', () => {
    const source = { id: `${service}/`, type: 'ImageService3', width: 2000, height: 1500 };
    const [map] = readGeoreferences({ type: 'AnnotationPage', items: [annotation(source, {}, polygon)] }, frame);
    expect(map?.points[0]).toEqual({ x: 200, y: 400, lon: 4.5, lat: 52 });
    expect(map?.mask).toEqual([
      { x: 0, y: 0 },
      { x: 8000, y: 0 },
      { x: 4000, y: 6000 },
    ]);
  });

  it('of a canvas reach the image at its place on it', () => {
    const place = { x: 0.25, y: 0, width: 0.5, height: 1 };
    const on = { ...frame, canvas: { size: { width: 8000, height: 3000 }, place } };
    const [map] = readGeoreferences(annotation({ id: canvas, type: 'Canvas' }), on);
    expect(map?.points[1]).toEqual({ x: 1000, y: 200, lon: 4.6, lat: 52 });
  });

  it('of another image are left out, as are those that say nothing and those that are none', () => {
    const other = annotation({ id: 'https://library.example/canvas/2', type: 'Canvas' });
    const comment = { ...annotation(canvas), motivation: 'commenting' };
    const empty = annotation(canvas, { features: [{ type: 'Feature' }, feature(1, 2, 5, 91), 7] });
    expect(readGeoreferences([other, comment, empty, 7, null], frame)).toEqual([]);
    expect(readGeoreferences([other], { ...frame, ids: [] })).toHaveLength(1);
  });

  it('are read back as they are written, and have the members of the extension', () => {
    const map: GeoMap = {
      points: [
        { x: 10, y: 20.5, lon: 4.123_456_78, lat: 52.5 },
        { x: 3000, y: 20, lon: 4.5, lat: 52.5 },
        { x: 10, y: 2900, lon: 4.12, lat: 52.1 },
      ],
      kind: 'thinPlateSpline',
      mask: [
        { x: 0, y: 0 },
        { x: 4000, y: 0 },
        { x: 4000, y: 2900 },
      ],
    };
    const target: GeoTarget = {
      canvas,
      manifest: 'https://library.example/manifest.json',
      size: image,
      place: { x: 0, y: 0, width: 1, height: 1 },
      image,
    };
    const written = formatGeoreference(map, target);
    expect(readGeoreferences(JSON.parse(JSON.stringify(written)), frame)).toEqual([map]);
    expect(written).toMatchObject({
      '@context': [
        'http://iiif.io/api/extension/georef/1/context.json',
        'http://iiif.io/api/presentation/3/context.json',
      ],
      type: 'AnnotationPage',
      items: [
        {
          type: 'Annotation',
          motivation: 'georeferencing',
          target: {
            type: 'SpecificResource',
            source: { id: canvas, type: 'Canvas', width: 4000, height: 3000 },
            selector: {
              type: 'SvgSelector',
              value: '<svg width="4000" height="3000"><polygon points="0,0 4000,0 4000,2900"/></svg>',
            },
          },
          body: {
            type: 'FeatureCollection',
            transformation: { type: 'thinPlateSpline' },
            features: [
              {
                type: 'Feature',
                properties: { resourceCoords: [10, 20.5] },
                geometry: { type: 'Point', coordinates: [4.123_456_78, 52.5] },
              },
              {},
              {},
            ],
          },
        },
      ],
    });
  });
});

const points = [
  { x: 100, y: 200, lon: 4.5, lat: 52 },
  { x: 3000.25, y: 200, lon: 4.6, lat: 52 },
  { x: 100, y: 2500, lon: 4.5, lat: 51.9 },
];

describe('a canvas', () => {
  it.each([
    [{ type: 'AnnotationPage', items: [annotation(canvas)] }, true],
    [{ type: 'AnnotationPage', items: [{ motivation: ['commenting', 'georeferencing'] }] }, true],
    [{ type: 'AnnotationPage', items: [{ motivation: 'commenting' }] }, false],
    ['https://annotations.allmaps.org/manifests/1', true],
    ['https://library.example/presentation/3/maps/georef/1', true],
    ['https://library.example/presentation/3/maps/annotations/1', false],
    [7, false],
  ])('with the annotations %j may have a place on the map: %s', (source, may) =>
    expect(mayBeGeoreference(source)).toBe(may),
  );
});

describe('files of control points', () => {
  it('for QGIS count rows as negative numbers, and are read back', () => {
    const text = formatQgisPoints(points);
    expect(text).toBe(
      'mapX,mapY,sourceX,sourceY,enable\n4.5,52,100,-200,1\n4.6,52,3000.25,-200,1\n4.5,51.9,100,-2500,1\n',
    );
    expect(parseQgisPoints(text)).toEqual(points);
  });

  it('of QGIS with a projection, errors and points that are switched off are read, those in meters are not', () => {
    const text =
      '#CRS: GEOGCRS["WGS 84"]\nmapX,mapY,sourceX,sourceY,enable,dX,dY,residual\n4.5,52,100,-200,1,0,0,0\n4.6,52,3,-4,0,0,0,0\n';
    expect(parseQgisPoints(text)).toEqual([points[0]]);
    expect(parseQgisPoints('mapX,mapY,pixelX,pixelY,enable\n500000,6800000,1,-1,1\n')).toBeUndefined();
    expect(parseQgisPoints('a,b\n1,2\n')).toBeUndefined();
  });

  it('in GeoJSON have the error of each point, and the outline as a closed ring', () => {
    const map: GeoMap = { points, kind: 'polynomial1', mask: undefined };
    const { features } = formatGeoJson(map, image, fitTransformation('polynomial1', points)) as {
      features: { properties: object; geometry: { type: string; coordinates: never[][] } }[];
    };
    expect(features[0]).toEqual({
      type: 'Feature',
      properties: { number: 1, x: 100, y: 200, errorMeters: 0 },
      geometry: { type: 'Point', coordinates: [4.5, 52] },
    });
    const ring = features[3]?.geometry.coordinates[0] ?? [];
    expect(features[3]?.geometry.type).toBe('Polygon');
    expect(ring).toHaveLength(65);
    expect(ring[0]).toEqual(ring[64]);
    const plain = formatGeoJson(map, image, undefined) as { features: { properties: object }[] };
    expect(plain.features.map(({ properties }) => Object.keys(properties))).toEqual(
      Array(3).fill(['number', 'x', 'y']),
    );
  });
});

describe('the address of a map', () => {
  it.each([
    [[], plainMap],
    [
      [
        ['map', '12.5/52.51628/13.37770'],
        ['opacity', '60'],
        ['warp', 'thinPlateSpline'],
        ['points', '1'],
        ['georef', '1'],
      ],
      {
        camera: { center: { lon: 13.3777, lat: 52.516_28 }, zoom: 12.5 },
        opacity: 0.6,
        kind: 'thinPlateSpline',
        edits: true,
        given: true,
      },
    ],
    [
      [
        ['map', '12/91/13'],
        ['opacity', 'x'],
        ['warp', 'bent'],
        ['points', '2'],
      ],
      plainMap,
    ],
    [[['opacity', '0']], { ...plainMap, opacity: 0 }],
  ] as const)('%j is %j', (pairs, wanted) => expect(parseMapView(pairs)).toEqual(wanted));

  it('keeps other parameters, and is read back', () => {
    const view = {
      ...plainMap,
      camera: { center: { lon: -0.1276, lat: 51.5072 }, zoom: 14 },
      opacity: 0.35,
      edits: true,
    };
    const pairs = withMapView(
      [
        ['map', 'old'],
        ['other', '1'],
      ],
      view,
    );
    expect(pairs[0]).toEqual(['other', '1']);
    expect(pairs).toContainEqual(['map', '14/51.5072/-0.1276']);
    expect(parseMapView(pairs)).toEqual(view);
    expect(withMapView(pairs, plainMap)).toEqual([['other', '1']]);
  });
});

describe('what a map says of its scale', () => {
  it.each([
    [1, 1],
    [4.9, 2],
    [5, 5],
    [999, 500],
    [12_000, 10_000],
    [0.7, 0.5],
  ])('a bar of at most %d m has %d m', (most, length) => expect(roundLength(most)).toBeCloseTo(length, 12));

  it('a grid has round meridians and parallels in sight', () => {
    const [west, east] = [toWorld({ lon: 13.1, lat: 52.7 }), toWorld({ lon: 13.7, lat: 52.4 })];
    const grid = gridOf({ ...west, width: east.x - west.x, height: east.y - west.y }, 6);
    expect(grid.step).toBeCloseTo(1 / 12, 9);
    expect(grid.meridians.map(({ at }) => formatAngle(at, grid.step))).toEqual(
      ['13° 10′', '13° 15′', '13° 20′', '13° 25′', '13° 30′', '13° 35′', '13° 40′'].map((text) =>
        text.replace(' ', '\u202f'),
      ),
    );
    expect(grid.parallels).toHaveLength(4);
  });

  it.each([
    [52.5, 1 / 3600, '52°\u202f30′\u202f0″'],
    [-0.125, 1 / 60, '0°\u202f7′'],
    [120, 10, '120°'],
    [10 + 59.999_999 / 60, 1 / 60, '11°\u202f0′'],
  ])('%d by steps of %d is %s', (at, step, text) => expect(formatAngle(at, step)).toBe(text));

  it.each([
    ['52.5163, 13.3777', { lat: 52.5163, lon: 13.3777 }],
    ['-33.9 18.4', { lat: -33.9, lon: 18.4 }],
    ['33.9 S, 18.4 E', { lat: -33.9, lon: 18.4 }],
    ['40.7° N 74° W', { lat: 40.7, lon: -74 }],
    ['95, 13', undefined],
    ['Berlin', undefined],
    ['', undefined],
  ])('“%s” is the place %j', (text, place) => expect(parsePlace(text)).toEqual(place));

  it('places are written as they are typed', () => {
    expect(formatPlace({ lon: 373.3777, lat: 52.5163 })).toBe('52.51630, 13.37770');
    expect(parsePlace(formatPlace({ lon: -0.1276, lat: 51.5072 }))).toEqual({ lon: -0.1276, lat: 51.5072 });
  });
});
