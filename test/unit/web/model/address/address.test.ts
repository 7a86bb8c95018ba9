import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute } from '../../../../../web/src/model/address/address.ts';
import type { Route } from '../../../../../web/src/model/address/routes.ts';
import { plainLayers, plainView, type ViewState } from '../../../../../web/src/model/view-state.ts';
import { partsOf } from './parse-address.ts';

const routeAt = (address: string): Route => parseRoute(partsOf(address));

const view = (fn: string, changes: Partial<ViewState> = {}): Route => ({
  kind: 'view',
  state: { ...plainView(fn), ...changes },
  embedded: false,
});

const browse = (folder: string, from = 1, search = ''): Route => ({ kind: 'browse', folder, from, search });

const rows: readonly (readonly [address: string, route: Route, current: string])[] = [
  ['', browse(''), ''],
  ['?q=coast', browse('', 1, 'coast'), 'browse/?q=coast'],
  ['index.html', browse(''), ''],
  ['browse', browse(''), ''],
  ['browse/', browse(''), ''],
  ['browse/maps/north/', browse('maps/north'), 'browse/maps/north'],
  ['browse/maps?from=101&q=a+b', browse('maps', 101, 'a b'), 'browse/maps?from=101&q=a%20b'],
  ['browse/maps?from=-4&other=1', browse('maps'), 'browse/maps'],
  ['browse/a%20b/%C3%BC', browse('a b/ü'), 'browse/a%20b/%C3%BC'],
  ['view/maps/a+b.tif', view('maps/a+b.tif'), 'view/maps/a%2Bb.tif'],
  ['view/maps/a.tif?pages=1', view('maps/a.tif', { twoPages: false }), 'view/maps/a.tif?pages=1'],
  ['view/maps/a.tif?pages=3', view('maps/a.tif'), 'view/maps/a.tif'],
  ['view/maps/a.tif?pages=2', view('maps/a.tif', { twoPages: true }), 'view/maps/a.tif?pages=2'],
  [
    'view/maps/a.tif?shift=1&pages=2',
    view('maps/a.tif', { twoPages: true, shifted: true }),
    'view/maps/a.tif?pages=2&shift=1',
  ],
  [
    'view/maps/a.tif?layout=text&texts=de&letters=5000',
    view('maps/a.tif', { layout: 'text', texts: ['de'], letters: 300 }),
    'view/maps/a.tif?layout=text&texts=de&letters=300',
  ],
  ['view/maps/a.tif?texts=,de,fr', view('maps/a.tif', { texts: ['', 'de'] }), 'view/maps/a.tif?texts=,de'],
  ['view/maps/a.tif?texts=a/b&letters=x', view('maps/a.tif'), 'view/maps/a.tif'],
  ['view/maps/a.tif?layout=gallery', view('maps/a.tif', { layout: 'gallery' }), 'view/maps/a.tif?layout=gallery'],
  ['view/maps/a.tif?layout=other', view('maps/a.tif'), 'view/maps/a.tif'],
  ['view/maps/a.tif?pages=2&shift=0', view('maps/a.tif', { twoPages: true }), 'view/maps/a.tif?pages=2'],
  [
    'view/maps/a.tif?text=1&q=%20rose+water',
    view('maps/a.tif', { search: 'rose water', selectsText: true }),
    'view/maps/a.tif?q=rose%20water&text=1',
  ],
  [
    'view/maps/a.tif?step=3&tour=maps/coast.tour.json',
    view('maps/a.tif', { tour: { source: 'maps/coast.tour.json', step: 3 } }),
    'view/maps/a.tif?tour=maps/coast.tour.json&step=3',
  ],
  ['view/maps/a.tif?step=3&tour=', view('maps/a.tif'), 'view/maps/a.tif'],
  ['view/maps/a.tif?text=2&q=', view('maps/a.tif'), 'view/maps/a.tif'],
  ['view/maps/a.tif?pages=3', view('maps/a.tif'), 'view/maps/a.tif'],
  ['view/a;2,x!@:y', view('a;2,x!@:y'), 'view/a;2,x!@:y'],
  ['view/a?fn=b&rot=5', view('a', { rotation: 5 }), 'view/a?rot=5'],
  ['view/?fn=b/c&rot=5', view('b/c', { rotation: 5 }), 'view/b/c?rot=5'],
  ['view?b/c+2', view('b/c', { pn: 2 }), 'view/b/c?pn=2'],
  ['view/a?flag', view('a', { unknown: [['flag', '']] }), 'view/a?flag='],
  ['view/a?&&=x', view('a'), 'view/a'],
  ['view/digilib.html', view('digilib.html'), 'view/digilib.html'],
  ['view/a%E2%82', view('a\uFFFD'), 'view/a%EF%BF%BD'],
  ['view/a%zz', view('a%zz'), 'view/a%25zz'],
  ['view/a?rot=359.99999', view('a', { rotation: 359.99999 }), 'view/a'],
  ['view/a?ww=0.00001', view('a', { region: { x: 0, y: 0, width: 0.00001, height: 1 } }), 'view/a?ww=0.0001'],
  ['view/a?x=%3B%26', view('a', { unknown: [['x', ';&']] }), 'view/a?x=%3B%26'],
];

it.each(rows)('“%s” is parsed to its route and formatted', (address, route, current) => {
  expect(routeAt(address)).toEqual(route);
  expect(formatRoute(route)).toBe(current);
});

describe('a copied address', () => {
  const secret: Route = view('a', {
    unknown: [
      ['Id_Token', 'secret'],
      ['access_token', 'secret'],
      ['b', '1'],
    ],
  });

  it('contains no token, also if the state does', () => expect(formatRoute(secret)).toBe('view/a?b=1'));

  it('leaves out marks and regions that would make it longer than servers accept', () => {
    const state = { ...plainView('a'), rotation: 90 };
    const marks = Array.from({ length: 3000 }, (_, at) => ({ x: at / 3000, y: 0.5 }));
    const address = formatRoute({ kind: 'view', state: { ...state, marks }, embedded: false });
    expect(address).toBe('view/a?rot=90');
    const few = { ...state, marks: marks.slice(0, 300) };
    expect(parseRoute(partsOf(formatRoute({ kind: 'view', state: few, embedded: false })))).toMatchObject({
      state: { marks: { length: 300 } },
    });
  });

  it('contains the texts of marks only where that is wished, and leaves them out where they are too long', () => {
    const marks = [
      { x: 0.5, y: 0.5, text: 'a|b' },
      { x: 0.1, y: 0.1 },
      { x: 0.2, y: 0.2, text: 'c\\' },
    ];
    expect(formatRoute(view('a', { marks }))).toBe('view/a?mk=0.5/0.5,0.1/0.1,0.2/0.2');
    const address = 'view/a?mk=0.5/0.5,0.1/0.1,0.2/0.2&mkt=a%5C%7Cb%7C%7Cc%5C%5C';
    expect(formatRoute(view('a', { marks, withTexts: true }))).toBe(address);
    expect(routeAt(address)).toEqual(view('a', { marks, withTexts: true }));
    const long = [{ x: 0.5, y: 0.5, text: 'x'.repeat(8000) }];
    expect(formatRoute(view('a', { marks: long, withTexts: true }))).toBe('view/a?mk=0.5/0.5');
  });

  it('has all texts, whatever they contain', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((value) => value.trim() === value);
    const lists = fc.array(fc.option(text, { nil: undefined }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(lists, lists, (first, second) => {
        const described = (value: string | undefined) => (value === undefined ? {} : { text: value });
        const marks = first.map((value, at) => ({ x: at / 10, y: 0.5, ...described(value) }));
        const rectangles = second.map((value, at) => ({
          x: at / 10,
          y: 0,
          width: 0.1,
          height: 1,
          ...described(value),
        }));
        const withTexts = [...first, ...second].some((value) => value !== undefined);
        const route = view('a', { marks, rectangles, withTexts });
        expect(routeAt(formatRoute(route))).toEqual(route);
      }),
    );
  });

  it('contains no parameter twice', () => {
    expect(formatRoute(view('a', { rotation: 5, unknown: [['rot', '7']] }))).toBe('view/a?rot=5');
  });

  it('stays below its base, also for a folder with dot segments', () => {
    expect(formatRoute(browse('../x', 2))).toBe('browse/?from=2');
  });
});

const fourDecimals = (least: number, greatest: number) =>
  fc.integer({ min: least * 10_000, max: greatest * 10_000 }).map((value) => value / 10_000 + 0);

const triples = (bound: number) =>
  fc.tuple(fourDecimals(-bound, bound), fourDecimals(-bound, bound), fourDecimals(-bound, bound));

const texts = fc.string({ unit: 'grapheme', maxLength: 8 });
const names = texts.map((text) => `n${text.replaceAll('/', '')}`);
const paths = fc.array(names, { maxLength: 3 }).map((parts) => parts.join('/'));
const unique = (prefix: string) =>
  fc.uniqueArray(
    fc.tuple(
      texts.map((text) => prefix + text),
      texts,
    ),
    { selector: ([name]) => name, maxLength: 3 },
  );

const corner = { x: fourDecimals(-2, 2), y: fourDecimals(-2, 2) };
const rects = fc.record({ ...corner, width: fourDecimals(0.0001, 3), height: fourDecimals(0.0001, 3) });

const states: fc.Arbitrary<ViewState> = fc.record({
  fn: paths,
  pn: fc.integer({ min: 1, max: 99_999 }),
  region: rects,
  rotation: fourDecimals(0, 359),
  time: fc.option(fc.integer({ min: 1, max: 86_400 }), { nil: undefined }),
  mirror: fc.record({ horizontal: fc.boolean(), vertical: fc.boolean() }),
  mode: fc.constantFrom('fit', 'pixels', 'true-size'),
  color: fc.record({
    brightness: fourDecimals(-255, 255),
    contrast: fourDecimals(-4, 4),
    multiply: triples(4),
    add: triples(255),
    operation: fc.constantFrom('', 'GRAYSCALE', 'NTSC_GRAY', 'BITONAL', 'INVERT', 'MAP_GRAY_BGR'),
  }),
  effects: fc.constantFrom([], ['sharp'], ['red', 'ink']),
  layers: fc.constant(plainLayers),
  quality: fc.constantFrom(undefined, 0, 1, 2, 3),
  marks: fc.array(fc.record(corner), { maxLength: 4 }),
  rectangles: fc.array(rects, { maxLength: 3 }),
  withTexts: fc.constant(false),
  ddpi: fc.option(fourDecimals(1, 600), { nil: undefined }),
  twoPages: fc.option(fc.boolean(), { nil: undefined }),
  shifted: fc.boolean(),
  layout: fc.constantFrom('page', 'gallery', 'scroll', 'text'),
  texts: fc.constantFrom([], ['de'], ['', 'zh-hant'], ['alto', 'de-2'], ['de', '']),
  letters: fc.option(fc.integer({ min: 60, max: 300 }), { nil: undefined }),
  search: fc.constantFrom('', 'rose water', 'é&=#+%'),
  selectsText: fc.boolean(),
  tour: fc.option(
    fc.record({
      source: texts.filter((text) => text.trim() === text && text !== ''),
      step: fc.integer({ min: 1, max: 500 }),
    }),
    { nil: undefined },
  ),
  options: fc.uniqueArray(fc.constantFrom('lpic', 'hires', 'png', 'errtxt')),
  unknown: unique('x'),
});

/** At a fixed scale, an address contains only the corner of the region. */
const asAddressesHold = (state: ViewState): ViewState =>
  state.mode === 'fit' ? state : { ...state, region: { ...state.region, width: 1, height: 1 } };

const routes: fc.Arbitrary<Route> = fc.oneof(
  fc.record({ kind: fc.constant('view' as const), state: states.map(asAddressesHold), embedded: fc.boolean() }),
  fc.record({
    kind: fc.constant('browse' as const),
    folder: paths,
    from: fc.integer({ min: 1, max: 9999 }),
    search: texts,
  }),
  fc.record({
    kind: fc.constant('table' as const),
    folder: paths,
    from: fc.integer({ min: 1, max: 9999 }),
    columns: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    rows: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    operations: fc.constantFrom(
      [],
      [['rot', '90']] as const,
      [
        ['mo', 'hmir'],
        ['rgbm', '1/0/0'],
      ] as const,
    ),
  }),
);

it('parses every route that it formats', () => {
  fc.assert(
    fc.property(routes, (place) => {
      expect(routeAt(formatRoute(place))).toEqual(place);
    }),
  );
});

it('formats addresses that a browser does not change', () => {
  fc.assert(
    fc.property(routes, (place) => {
      const address = formatRoute(place);
      expect(new URL(address, 'https://library.example/base/').href).toBe(`https://library.example/base/${address}`);
    }),
  );
});

it('parses any text', () => {
  const anything = fc.string({ unit: 'binary' });
  const heads = fc.constantFrom('', 'view/', 'browse/', 'digilib.html?', 'jquery/digicat.html?', 'view/?mk=');
  fc.assert(
    fc.property(heads, anything, (head, text) => {
      const place = routeAt(head + text);
      expect(routeAt(formatRoute(place)).kind).toBe(place.kind);
    }),
  );
});

describe('marks in an address', () => {
  const marked = (count: number): Route => {
    const marks = Array.from({ length: count }, (_, at) => ({ x: (at % 9) / 10, y: 0 }));
    return view('a.tif', { marks });
  };

  it('are left out where it would be too long for servers', () => {
    expect(formatRoute(marked(700))).toContain('mk=0/0,0.1/0');
    expect(formatRoute(marked(7000))).toBe('view/a.tif');
  });

  it('are not formatted where they are far too many, since this happens with every movement', () => {
    let reads = 0;
    const mark = {
      get x() {
        reads += 1;
        return 0;
      },
      y: 0,
    };
    expect(formatRoute(view('a.tif', { marks: Array.from({ length: 10_000 }, () => mark) }))).toBe('view/a.tif');
    expect(reads).toBe(0);
  });
});
