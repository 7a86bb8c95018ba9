import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute, pathInAddress } from '../../../../../web/src/model/address/address.ts';
import { foreignPath } from '../../../../../web/src/model/address/address-text.ts';
import {
  type Comparison,
  layouts,
  maxCompared,
  plainArrangement,
  sideBySide,
  tidyPoints,
  withImage,
  withOtherImage,
  withoutImage,
} from '../../../../../web/src/model/address/comparison.ts';
import { compareRoute } from '../../../../../web/src/model/address/routes.ts';
import { plainLayers, plainView, type ViewState } from '../../../../../web/src/model/view-state.ts';
import { partsOf } from './parse-address.ts';

const format = (comparison: Comparison): string => formatRoute(compareRoute(comparison));

function parse(address: string): Comparison {
  const route = parseRoute(partsOf(address));
  if (route.kind !== 'compare') throw new Error(`${address} is no comparison`);
  return route.comparison;
}

const two = sideBySide([plainView('a.tif'), plainView('b/c.tif')]);

const rows: readonly (readonly [address: string, comparison: Comparison, current: string])[] = [
  ['compare', sideBySide([]), 'compare'],
  ['compare?1.fn=a.tif&2.fn=b/c.tif', two, 'compare?1.fn=a.tif&2.fn=b/c.tif'],
  [
    'compare?1.fn=a.tif&2.manifest=https://other.example/m.json&2.canvas=https://other.example/c/1&2.rot=90',
    sideBySide([
      plainView('a.tif'),
      {
        ...plainView(foreignPath({ manifest: 'https://other.example/m.json', canvas: 'https://other.example/c/1' })),
        rotation: 90,
      },
    ]),
    'compare?1.fn=a.tif&2.manifest=https://other.example/m.json&2.canvas=https://other.example/c/1&2.rot=90',
  ],
  // Numbers may be missing, and images without a name are none.
  ['compare?2.fn=a.tif&4.fn=b//c.tif&3.rot=5', two, 'compare?1.fn=a.tif&2.fn=b/c.tif'],
  [
    'compare?1.fn=a.tif&1.rot=90&1.colop=INVERT&2.fn=b/c.tif&2.mo=hmir&layout=slider&position=0.25&move=apart',
    {
      ...two,
      views: [
        {
          ...plainView('a.tif'),
          rotation: 90,
          color: { ...plainView('').color, operation: 'INVERT' },
        },
        { ...plainView('b/c.tif'), mirror: { horizontal: true, vertical: false } },
      ],
      layout: 'slider',
      position: 0.25,
      together: false,
    },
    'compare?1.fn=a.tif&1.rot=90&1.colop=INVERT&2.fn=b/c.tif&2.mo=hmir&layout=slider&position=0.25&move=apart',
  ],
  [
    'compare?1.fn=a.tif&1.points=0.1/0.2,0.123456/0.4,0.5/0.5&2.fn=b/c.tif&2.points=x',
    {
      ...two,
      points: [
        [
          { x: 0.1, y: 0.2 },
          { x: 0.123456, y: 0.4 },
        ],
      ],
    },
    'compare?1.fn=a.tif&1.points=0.1/0.2,0.123456/0.4&2.fn=b/c.tif',
  ],
  [
    'compare?1.fn=a.tif&2.fn=b/c.tif&layout=stack&position=7&pair=2/2',
    { ...two, position: 1 },
    'compare?1.fn=a.tif&2.fn=b/c.tif&position=1',
  ],
  ['compare?1.fn=a.tif&2.fn=b/c.tif&pair=2/1', { ...two, pair: [1, 0] }, 'compare?1.fn=a.tif&2.fn=b/c.tif&pair=2/1'],
  // Numbers have two digits, and images beyond the most that are compared are left out.
  [
    `compare?${Array.from({ length: maxCompared + 1 }, (_, at) => `${at + 1}.fn=${at + 1}.tif`).join('&')}&${maxCompared}.rot=90`,
    {
      ...plainArrangement,
      views: sideBySide(
        Array.from({ length: maxCompared }, (_, at) => ({
          ...plainView(`${at + 1}.tif`),
          rotation: at === maxCompared - 1 ? 90 : 0,
        })),
      ).views,
    },
    `compare?${Array.from({ length: maxCompared }, (_, at) => `${at + 1}.fn=${at + 1}.tif`).join('&')}&${maxCompared}.rot=90`,
  ],
  [
    'compare?1=fn%3Da.tif%26shift%3D1&2=fn%3Db%252Fc.tif',
    { ...two, views: [{ ...plainView('a.tif'), shifted: true }, plainView('b/c.tif')] },
    'compare?1.fn=a.tif&1.shift=1&2.fn=b/c.tif',
  ],
  // One image lies over no other.
  ['compare?1.fn=a.tif&layout=blend', sideBySide([plainView('a.tif')]), 'compare?1.fn=a.tif'],
  [
    'compare?1.fn=a.tif&1.shift=1&1.pages=2&2.fn=b.tif',
    sideBySide([{ ...plainView('a.tif'), twoPages: true, shifted: true }, plainView('b.tif')]),
    'compare?1.fn=a.tif&1.pages=2&1.shift=1&2.fn=b.tif',
  ],
];

it.each(rows)('“%s” is parsed to its comparison and formatted', (address, comparison, current) => {
  expect(parse(address)).toEqual(comparison);
  expect(format(comparison)).toBe(current);
});

const sixDecimals = (least: number, greatest: number) =>
  fc.integer({ min: least * 1_000_000, max: greatest * 1_000_000 }).map((value) => value / 1_000_000 + 0);
const fourDecimals = (least: number, greatest: number) =>
  fc.integer({ min: least * 10_000, max: greatest * 10_000 }).map((value) => value / 10_000 + 0);

const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((text) => `n${text.replaceAll('/', '')}`);
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const triples = fc.tuple(fourDecimals(-4, 4), fourDecimals(-4, 4), fourDecimals(-4, 4));

const views: fc.Arbitrary<ViewState> = fc.record({
  fn: paths,
  pn: fc.integer({ min: 1, max: 99_999 }),
  region: fc.record({
    x: sixDecimals(-3, 3),
    y: sixDecimals(-3, 3),
    width: sixDecimals(0, 9)
      .map((value) => value + 0.000001)
      .map((value) => Number(value.toFixed(6))),
    height: sixDecimals(0, 9)
      .map((value) => value + 0.000001)
      .map((value) => Number(value.toFixed(6))),
  }),
  rotation: fourDecimals(0, 359),
  time: fc.constant(undefined),
  mirror: fc.record({ horizontal: fc.boolean(), vertical: fc.boolean() }),
  mode: fc.constant('fit' as const),
  color: fc.record({
    brightness: fourDecimals(-255, 255),
    contrast: fourDecimals(-4, 4),
    multiply: triples,
    add: triples,
    operation: fc.constantFrom('', 'GRAYSCALE', 'BITONAL', 'INVERT'),
  }),
  effects: fc.constantFrom([], ['local']),
  layers: fc.constant({ ...plainLayers, shown: [{ number: 2, opacity: 0.5, tint: undefined }] }),
  quality: fc.constantFrom(undefined, 0, 1, 2, 3),
  marks: fc.array(fc.record({ x: fourDecimals(0, 1), y: fourDecimals(0, 1) }), { maxLength: 3 }),
  rectangles: fc.constant([]),
  withTexts: fc.constant(false),
  ddpi: fc.constant(undefined),
  twoPages: fc.option(fc.boolean(), { nil: undefined }),
  shifted: fc.constant(false),
  layout: fc.constant('page'),
  search: fc.constant(''),
  selectsText: fc.constant(false),
  tour: fc.constant(undefined),
  texts: fc.constant([]),
  letters: fc.constant(undefined),
  options: fc.constant([]),
  unknown: fc.constantFrom([], [['x1.y', 'z']] as const),
});

const points = fc.array(fc.record({ x: sixDecimals(0, 1), y: sixDecimals(0, 1) }), { maxLength: 2 });

const comparisons: fc.Arbitrary<Comparison> = fc.array(views, { minLength: 2, maxLength: 12 }).chain((states) =>
  fc.record({
    views: fc.constant(states),
    layout: fc.constantFrom(...layouts),
    pair: fc
      .shuffledSubarray(
        states.map((_, at) => at),
        { minLength: 2, maxLength: 2 },
      )
      .map(([lower = 0, upper = 1]) => [lower, upper] as const),
    position: sixDecimals(0, 1),
    together: fc.boolean(),
    points: fc.array(points, { maxLength: states.length }).map((all) => tidyPoints(all, states.length)),
  }),
);

describe('the address of a comparison', () => {
  it('holds all of it', () => {
    fc.assert(
      fc.property(comparisons, (comparison) => {
        expect(parse(format(comparison))).toEqual(comparison);
      }),
      { numRuns: 300 },
    );
  });

  it('stays the same when it is read and written again, whatever it is', () => {
    const pair = fc.tuple(
      fc.constantFrom('1.fn', '2.fn', '3.fn', '1.wx', '2.points', 'layout', 'pair', 'position', 'move', '9.fn', '1.'),
      fc.oneof(fc.string(), fc.constantFrom('0.5', '1/2', 'slider', 'a', '1e-9', '-0')),
    );
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 9 }), (pairs) => {
        const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
        const once = format(parse(`compare?${query}`));
        expect(format(parse(once))).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  it('of the most images has few enough parameters for a server, and holds the part of each', () => {
    const region = { x: 0.123456, y: 0.234567, width: 0.345678, height: 0.456789 };
    const most = Array.from({ length: maxCompared }, (_, at) => ({
      ...plainView(`herbals/book ${at}&x/page-0${at}.tif`),
      region,
      rotation: at,
    }));
    const address = format(sideBySide(most));
    expect([...new URLSearchParams(address.split('?')[1])].length).toBeLessThanOrEqual(100);
    expect(address.length).toBeLessThan(8000);
    expect(parse(address)).toEqual(sideBySide(most));
    expect(format(parse(address))).toBe(address);
  });

  it('contains no token of any image', () => {
    const secret: ViewState = { ...plainView('a'), unknown: [['id_token', 'secret']] };
    expect(format(sideBySide([secret, secret]))).not.toContain('secret');
  });

  it('leaves out marks that would make it longer than servers accept', () => {
    const marks = Array.from({ length: 900 }, (_, at) => ({ x: at / 1000, y: 0.5 }));
    const address = format(sideBySide([{ ...plainView('a'), marks }, plainView('b')]));
    expect(address).toBe('compare?1.fn=a&2.fn=b');
  });
});

describe('a comparison', () => {
  const point = { x: 0.5, y: 0.5 };
  const three: Comparison = {
    ...plainArrangement,
    views: [plainView('a'), plainView('b'), plainView('c')],
    layout: 'blend',
    pair: [0, 2],
    points: [[point], [point, point], [point]],
  };

  it('takes images up to the most', () => {
    const names = (comparison: Comparison): readonly string[] => comparison.views.map(({ fn }) => fn);
    const four = withImage(three, plainView('d'));
    expect(names(four)).toEqual(['a', 'b', 'c', 'd']);
    const full = sideBySide(Array.from({ length: maxCompared }, () => plainView('a')));
    expect(withImage(full, plainView('e'))).toBe(full);
  });

  it('loses the points of an image that is taken away, and lies over nothing when one is left', () => {
    const rest = withoutImage(three, 0);
    expect(rest).toMatchObject({ layout: 'blend', pair: [0, 1], points: [[point, point], [point]] });
    expect(withoutImage(rest, 1)).toMatchObject({ layout: 'beside', views: [{ fn: 'b' }], points: [[point, point]] });
  });

  it('keeps turn and colors, but neither points nor marks, when another page takes the place of an image', () => {
    const turned = { ...plainView('b'), rotation: 90, marks: [point] };
    const other = withOtherImage({ ...three, views: [plainView('a'), turned, plainView('c')] }, 1, 'x');
    expect(other.views[1]).toMatchObject({ fn: 'x', rotation: 90, marks: [] });
    expect(other.points).toEqual([[point], [], [point]]);
  });
});

it.each([
  ['maps/a.tif', 'maps/a.tif'],
  [' /maps//a.tif ', 'maps/a.tif'],
  ['https://x.org/books/view/maps/a.tif?rot=5', 'maps/a.tif'],
  ['https://x.org/books/digilib.html?fn=maps/a.tif&ww=0.5', 'maps/a.tif'],
  ['https://x.org/books/jquery/digilib.html?maps/a.tif+3', 'maps/a.tif'],
  ['https://x.org/books/browse/maps', undefined],
  ['https://other.org/view/a.tif', undefined],
  ['', undefined],
  ['javascript:alert(1)', undefined],
])('%j is typed for the image %j', (typed, path) => {
  expect(pathInAddress(typed, 'https://x.org/books/')).toBe(path);
});
