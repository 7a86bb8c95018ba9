/** A light table: what is done with the items on it, and the forms in which it is kept. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute } from '../../../../../web/src/model/address/address.ts';
import { foreignPath } from '../../../../../web/src/model/address/address-text.ts';
import { lightTableRoute } from '../../../../../web/src/model/address/routes.ts';
import {
  ratioOfNote,
  ratioOfPart,
  trueWidth,
  withPlaces,
} from '../../../../../web/src/model/light-table/arrangement.ts';
import { detailPicture, wholePicture } from '../../../../../web/src/model/light-table/pictures.ts';
import {
  boundsOf,
  emptyTable,
  grouped,
  type LightTable,
  moved,
  nearest,
  pivotOf,
  scaled,
  stacked,
  type TableImage,
  type TableItem,
  tidied,
  turned,
  withGroups,
  without,
} from '../../../../../web/src/model/light-table/table.ts';
import {
  formatTableAnnotations,
  parseTableAnnotations,
} from '../../../../../web/src/model/light-table/table-annotations.ts';
import { formatTableFile, parseTableFile } from '../../../../../web/src/model/light-table/table-file.ts';
import { parseTable, tablePairs } from '../../../../../web/src/model/light-table/table-query.ts';

const place = { x: 0, y: 0, width: 100, rotation: 0, group: 0 };
const image = (key: number, more: Partial<TableImage> = {}): TableImage => ({
  kind: 'image',
  key,
  path: `book/p${key}.png`,
  region: null,
  ...place,
  ...more,
});
const note = (key: number, text: string): TableItem => ({ kind: 'note', key, text, ...place });
const square = (): number => 1;
const keysOf = (items: readonly TableItem[]): readonly number[] => items.map(({ key }) => key);

/** The address below the base, and the table that is read from it. */
function throughAddress(table: LightTable): { readonly address: string; readonly table: LightTable } {
  const address = formatRoute(lightTableRoute(tablePairs(table)));
  const [path = '', query = ''] = address.split('?');
  const route = parseRoute({ path, query, fragment: '' });
  if (route.kind !== 'light-table') throw new Error(route.kind);
  return { address, table: parseTable(route.pairs) };
}

describe('the items of a light table', () => {
  it('are moved, turned and scaled together around their center; notes stay upright', () => {
    const items = [image(1), image(2, { x: 200 }), note(3, 'n')];
    const keys = new Set([1, 2, 3]);
    expect(moved(items, new Set([2]), { x: 5, y: -3 })[1]).toMatchObject({ x: 205, y: -3 });
    const pivot = pivotOf(items, new Set([1, 2]), square);
    expect(pivot).toEqual({ x: 100, y: 0 });
    const upright = turned(items, keys, 90, pivot);
    expect(upright[0]).toMatchObject({ x: 100, y: -100, rotation: 90 });
    expect(upright[1]).toMatchObject({ x: 100, y: 100, rotation: 90 });
    expect(upright[2]).toMatchObject({ rotation: 0 });
    expect(scaled(items, keys, 2, pivot)[1]).toMatchObject({ x: 300, y: 0, width: 200 });
    // None gets too small to be seen, and their proportions stay.
    expect(scaled([image(1), image(2, { width: 10 })], new Set([1, 2]), 0.01, pivot).map(({ width }) => width)).toEqual(
      [20, 2],
    );
  });

  it('are stacked, and grouped until fewer than two are left', () => {
    const items = [image(1), image(2), image(3)];
    expect(keysOf(stacked(items, new Set([1]), 'front'))).toEqual([2, 3, 1]);
    expect(keysOf(stacked(items, new Set([2, 3]), 'back'))).toEqual([2, 3, 1]);
    const together = grouped(items, new Set([1, 3]));
    expect(together.map(({ group }) => group)).toEqual([1, 0, 1]);
    expect([...withGroups(together, new Set([3]))]).toEqual([1, 3]);
    expect(grouped(items, new Set([1]))).toBe(items);
    expect(without(together, new Set([1])).map(({ group }) => group)).toEqual([0, 0]);
  });

  it('are found by direction', () => {
    const items = [image(1), image(2, { x: 300 }), image(3, { x: 150, y: 40 }), image(4, { y: 200 })];
    const [first = image(0)] = items;
    expect(nearest(items, first, 'right')?.key).toBe(3);
    expect(nearest(items, first, 'down')?.key).toBe(4);
    expect(nearest(items, first, 'left')).toBeUndefined();
  });

  it('have a box around them as they lie', () => {
    expect(boundsOf([image(1, { rotation: 90 })], () => 2)).toEqual({ x: -100, y: -50, width: 200, height: 100 });
  });
});

describe('the size of an image', () => {
  // 300 pixels per inch are 11811 per meter.
  const scan = { size: { width: 2480, height: 3508 }, scale: { x: 11811.02, y: 11811.02 } };

  it('is that of its original where its scale is known', () => {
    expect(trueWidth(scan, null)).toBeCloseTo(210, 0);
    expect(trueWidth(scan, { x: 0, y: 0, width: 0.5, height: 1 })).toBeCloseTo(105, 0);
    expect(trueWidth({ ...scan, scale: undefined }, null)).toBeUndefined();
    expect(ratioOfPart(scan, { x: 0, y: 0, width: 1, height: 0.5 })).toBeCloseTo(0.7073, 3);
    expect(ratioOfNote('one\ntwo\nthree', 70)).toBeGreaterThan(ratioOfNote('one', 70));
  });

  it('decides about its first place: in rows, below what lies there', () => {
    const unknown = { ...scan, scale: undefined };
    const source = (path: string) => ({ path, region: null });
    const laid = withPlaces(
      [],
      [
        [source('a'), scan],
        [source('b'), unknown],
        [source('c'), scan],
      ],
      undefined,
    );
    expect(laid.map(({ width }) => Math.round(width))).toEqual([210, 170, 210]);
    const below = withPlaces(laid, [[source('d'), scan]], { x: -10, y: 0, width: 500, height: 300 });
    expect(below[3]).toMatchObject({ key: 4, x: 95, y: 463.5 });
    const boxes = laid.map((item) => boundsOf([item], () => Math.SQRT2));
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        const apart =
          one &&
          other &&
          (one.x + one.width <= other.x || one.y + one.height <= other.y || other.x + other.width <= one.x);
        expect(apart).toBe(true);
      }
    }
  });
});

const rect = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 500 }))
  .map(([x, y, side]) => ({ x: x / 1000, y: y / 1000, width: side / 1000, height: side / 1000 }));
const placed = fc
  .record({
    x: fc.integer({ min: -90_000, max: 90_000 }).map((tenths) => tenths / 10),
    y: fc.integer({ min: -90_000, max: 90_000 }).map((tenths) => tenths / 10),
    width: fc.integer({ min: 20, max: 9000 }).map((tenths) => tenths / 10),
    rotation: fc.integer({ min: 0, max: 3599 }).map((tenths) => tenths / 10),
    group: fc.integer({ min: 0, max: 9 }),
  })
  .map(tidied);
const path = fc.constantFrom(
  'a.png',
  'book/p1.png',
  'book/p2.png;3',
  'other book/1, 2 "x".jpg',
  'book/sub/ü&=+.tif',
  foreignPath({ manifest: 'https://example.org/m?a=1', canvas: 'https://example.org/c/1' }),
  foreignPath({ manifest: 'https://example.org/m?a=1', canvas: 'https://example.org/c/2' }),
);
const item = fc.oneof(
  fc
    .record({ place: placed, path, region: fc.option(rect) })
    .map(({ place: at, ...source }): TableItem => ({ kind: 'image', key: 0, ...at, ...source })),
  fc
    .record({ place: placed, text: fc.string({ unit: 'grapheme', maxLength: 40 }) })
    .map(({ place: at, text }): TableItem => ({ kind: 'note', key: 0, ...at, rotation: 0, text })),
);
const tables = fc
  .record({
    items: fc.array(item, { minLength: 1, maxLength: 12 }),
    waiting: fc.array(fc.record({ path, region: fc.option(rect) }), { maxLength: 3 }),
    view: fc.option(fc.constant({ x: 10.5, y: -3, width: 800 }), { nil: undefined }),
  })
  .map((table): LightTable => ({ ...table, items: table.items.map((one, at) => ({ ...one, key: at + 1 })) }));

describe('the address of a light table', () => {
  it('has all that lies there, in few characters', () => {
    const table: LightTable = {
      items: [
        image(1, { x: 12.5, y: -8, region: { x: 0.25, y: 0.5, width: 0.5, height: 0.25 } }),
        image(2, { rotation: 15, group: 1 }),
        { ...note(3, 'Same hand?'), group: 1 },
      ],
      waiting: [{ path: 'maps/m.tif', region: null }],
      view: undefined,
    };
    const { address, table: read } = throughAddress(table);
    expect(address).toBe(
      'light-table?1=12.5/-8/100,0.25/0.5/0.5/0.25,book/p1.png&2=0/0/100/15/1,,/p2.png&3n=0/0/100/0/1,Same%20hand%3F&4=,,maps/m.tif',
    );
    expect(read).toEqual(table);
  });

  it('is read back as it was written, and so is the file', () => {
    fc.assert(
      fc.property(tables, (table) => {
        expect(parseTable(tablePairs(table))).toEqual(table);
        expect(parseTableFile(JSON.parse(JSON.stringify(formatTableFile(table))))).toEqual(table);
        expect(throughAddress(table).table).toEqual(table);
      }),
      { numRuns: 60 },
    );
  });

  it('has as much as servers accept, from the lowest item on', () => {
    const items = Array.from({ length: 40 }, (_, at) => ({ ...note(at + 1, 'x'.repeat(400)), x: at }));
    const { address, table } = throughAddress({ ...emptyTable, items });
    expect(address.length).toBeLessThanOrEqual(7000);
    expect(table.items.length).toBeGreaterThan(10);
    expect(table.items).toEqual(items.slice(0, table.items.length));
    expect(parseTableFile(formatTableFile({ ...emptyTable, items }))?.items).toHaveLength(40);
  });

  it.each([
    ['1=1/2/3', 0],
    ['1=1/2,,a.png', 1],
    ['1=x/y/z,,a.png', 1],
    ['1=1/2/0.5,,a.png', 1],
    ['1=9e9/2/30,,a.png', 1],
    ['1=1/2/30,0/0/2/2,a.png', 1],
    ['1=1/2/30,,//content/x', 0],
    ['n=1/2/30,text', 0],
    ['1n=,text', 0],
    ['view=1/2/3', 0],
    ['0=1/2/30,,a.png', 0],
  ])('takes no harm of %s', (query, count) => {
    const { items, waiting, view } = throughAddress(
      parseTable(parseRoute({ path: 'light-table', query, fragment: '' }).kind === 'light-table' ? pairsOf(query) : []),
    ).table;
    expect(items.length + waiting.length).toBe(count);
    for (const one of items) expect(one.kind === 'image' && one.region).toBe(null);
    expect(view).toBeUndefined();
  });
});

function pairsOf(query: string): ReturnType<typeof tablePairs> {
  const route = parseRoute({ path: 'light-table', query, fragment: '' });
  return route.kind === 'light-table' ? route.pairs : [];
}

describe('the pictures of an image', () => {
  const size = { width: 40_000, height: 30_000 };
  const whole = { x: 0, y: 0, width: 1, height: 1 };

  it('have as many pixels as are seen, in few sizes', () => {
    expect(wholePicture(size, whole, 100).size).toEqual({ width: 128, height: 96 });
    expect(wholePicture(size, whole, 129).size).toEqual({ width: 256, height: 192 });
    expect(wholePicture(size, whole, 9000).size).toEqual({ width: 1024, height: 768 });
    expect(wholePicture({ width: 60, height: 80 }, whole, 9000).size).toEqual({ width: 60, height: 80 });
    expect(detailPicture(size, whole, 1000, whole)).toBeUndefined();
  });

  it('are of the visible part where it is enlarged, never of more pixels than a few windows', () => {
    for (const seen of [1100, 3000, 17_000, 40_000, 900_000]) {
      // What a window of 1500 pixels shows of it.
      const side = Math.min(1, 1500 / seen);
      const visible = { x: 0.3, y: 0.4, width: Math.min(side, 0.7), height: Math.min(side, 0.6) };
      const picture = detailPicture(size, whole, seen, visible);
      if (picture === undefined) throw new Error('none');
      const { place, region, size: pixels } = picture;
      expect(Math.max(pixels.width, pixels.height)).toBeLessThanOrEqual(3000);
      expect(place.x).toBeLessThanOrEqual(visible.x);
      expect(place.x + place.width).toBeGreaterThanOrEqual(visible.x + visible.width - 1e-9);
      // As sharp as the screen, or as the file.
      const scale = pixels.width / (region.width * size.width);
      expect(scale * 1.3).toBeGreaterThanOrEqual(Math.min(1, seen / size.width));
    }
    const detail = { x: 0.5, y: 0.5, width: 0.25, height: 0.25 };
    const part = detailPicture(size, detail, 4000, { x: 0, y: 0, width: 0.1, height: 0.1 });
    expect(part?.region.x).toBe(0.5);
    expect(part?.region.width).toBeLessThan(0.06);
  });

  it('stay the same while the view moves a little', () => {
    const at = (x: number) => detailPicture(size, whole, 20_000, { x, y: 0.4, width: 0.07, height: 0.07 });
    expect(at(0.301)).toEqual(at(0.302));
  });
});

describe('a light table as a collection of annotations', () => {
  const base = 'https://library.org/iiif/3/';
  const named = (own: string) => ({
    label: own,
    service: base + own.replaceAll('/', '!'),
    canvas: `https://library.org/canvas/${own}`,
    manifest: 'https://library.org/manifest.json',
    size: { width: 2000, height: 3000 },
  });
  const ratioOf = (one: TableItem): number =>
    one.kind === 'note' ? 0.5 : one.region === null ? 1.5 : (1.5 * one.region.height) / one.region.width;
  const table: LightTable = {
    ...emptyTable,
    items: [
      image(1, { x: -40, y: 12.3 }),
      image(2, { x: 90, rotation: 30, group: 1, region: { x: 0.25, y: 0.5, width: 0.5, height: 0.25 } }),
      { ...note(3, 'Same hand?'), x: 60, y: 80, group: 1 },
    ],
  };
  const written = formatTableAnnotations(table, {
    id: 'https://library.org/light-table?x',
    label: 'A table',
    ratioOf,
    imageOf: (own) => (own.startsWith('book/') ? named(own) : undefined),
  });
  const collection = JSON.parse(JSON.stringify(written));
  const pathOf = ({ service }: { readonly service: string }): string | undefined =>
    service.startsWith(base) ? service.slice(base.length).replaceAll('!', '/') : undefined;

  it('paints the images on one canvas, in physical units, and comments on it', () => {
    expect(collection).toMatchObject({ type: 'AnnotationCollection', label: { none: ['A table'] }, total: 4 });
    const { items } = collection.first;
    expect(collection.first).toMatchObject({ type: 'AnnotationPage', startIndex: 0 });
    expect(items.map(({ motivation }: { motivation: string }) => motivation)).toEqual([
      'painting',
      'painting',
      'commenting',
      'linking',
    ]);
    expect(items[1].body).toMatchObject({
      type: 'SpecificResource',
      source: { id: `${base}book!p2.png/full/max/0/default.jpg`, type: 'Image', width: 2000, height: 3000 },
      selector: { type: 'ImageApiSelector', region: '500,1500,1000,750', rotation: '30' },
    });
    expect(items[0].target.source).toMatchObject({
      type: 'Canvas',
      service: [{ physicalScale: 0.1, physicalUnits: 'mm' }],
    });
    // 100 mm wide, with a margin of 10 mm.
    expect(items[0].target.selector.value).toBe('xywh=100,100,1000,1500');
    expect(items[3].target).toEqual([items[1].id, items[2].id]);
  });

  it('is read again: what lies where, how it is turned, what belongs together', () => {
    const read = parseTableAnnotations(collection, pathOf);
    expect(read?.items).toHaveLength(3);
    const [first] = read?.items ?? [];
    for (const [at, one] of (read?.items ?? []).entries()) {
      const { x, y, width, ...rest } = table.items[at] ?? image(0);
      expect({ ...one, x: 0, y: 0, width: 0 }).toEqual({ ...rest, x: 0, y: 0, width: 0 });
      // The place itself depends on the margin; what counts is how they lie to each other.
      expect(one.x - (first?.x ?? 0)).toBeCloseTo(x + 40, 0);
      expect(one.y - (first?.y ?? 0)).toBeCloseTo(y - 12.3, 0);
      expect(Math.abs(one.width - width)).toBeLessThanOrEqual(0.2);
    }
  });

  it('is nothing else', () => {
    for (const json of [undefined, [], {}, { type: 'Manifest', items: [] }, { type: 'AnnotationPage', items: [1, {}] }])
      expect(parseTableAnnotations(json, pathOf)).toBeUndefined();
    expect(parseTableAnnotations(collection, () => undefined)?.items).toHaveLength(1);
    for (const json of [undefined, {}, { type: 'lectern-desk', parameters: {} }])
      expect(parseTableFile(json)).toBeUndefined();
  });
});
