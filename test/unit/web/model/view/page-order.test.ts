import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageBehavior } from '../../../../../src/core/image/folder/page-labels.ts';
import {
  type Book,
  indexOfPages,
  middleOf,
  nextHit,
  openingsOf,
  partsOfOpening,
  rectBeside,
  sideAt,
  spreadOf,
  startsWithCover,
} from '../../../../../web/src/model/view/page-order.ts';

type Behaviors = Readonly<Record<number, PageBehavior>>;

const book = (total: number, coverAlone: boolean, behaviors: Behaviors = {}): Book => ({
  total,
  coverAlone,
  behaviors: new Map(Object.entries(behaviors).map(([page, behavior]) => [Number(page), behavior])),
});

const non: PageBehavior = 'non-paged';
const facing: PageBehavior = 'facing-pages';

/** As a reader writes them: `1 2-3`. */
const written = (of: Book): string =>
  openingsOf(of)
    .map((opening) => opening.join('-'))
    .join(' ');

describe('the openings of a book', () => {
  it.each<readonly [string, Book, string]>([
    ['12 pages', book(12, true), '1 2-3 4-5 6-7 8-9 10-11 12'],
    ['12 pages, shifted', book(12, false), '1-2 3-4 5-6 7-8 9-10 11-12'],
    ['11 pages', book(11, true), '1 2-3 4-5 6-7 8-9 10-11'],
    ['11 pages, shifted', book(11, false), '1-2 3-4 5-6 7-8 9-10 11'],
    ['an inserted leaf between two openings', book(12, true, { 4: non }), '1 2-3 4 5-6 7-8 9-10 11-12'],
    ['an inserted leaf inside of an opening', book(12, true, { 3: non }), '1 2-4 3 5-6 7-8 9-10 11-12'],
    ['two of them', book(8, true, { 3: non, 4: non }), '1 2-5 3 4 6-7 8'],
    ['an inserted leaf, shifted', book(6, false, { 2: non }), '1-3 2 4-5 6'],
    ['a leaf before the cover', book(6, true, { 1: non }), '1 2 3-4 5-6'],
    ['a leaf after the last page', book(4, true, { 4: non }), '1 2-3 4'],
    ['an inserted leaf at the end of an opening without second page', book(3, true, { 3: non }), '1 2 3'],
    ['an image of both pages', book(8, true, { 4: facing }), '1 2-3 4 5-6 7-8'],
    ['an image of both pages after a first page', book(8, true, { 3: facing }), '1 2 3 4-5 6-7 8'],
    ['an image of both covers at the beginning', book(6, true, { 1: facing }), '1 2-3 4-5 6'],
    ['images of both pages only', book(3, true, { 1: facing, 2: facing, 3: facing }), '1 2 3'],
    ['both kinds', book(9, true, { 3: non, 4: facing }), '1 2 3 4 5-6 7-8 9'],
    ['one page', book(1, true), '1'],
    ['one page, shifted', book(1, false), '1'],
    ['no page', book(0, true), ''],
  ])('%s', (_, of, expected) => expect(written(of)).toBe(expected));

  it('hold each page once, and never turn further than there are inserted leaves', () => {
    const behaviors = fc.dictionary(fc.integer({ min: 1, max: 30 }).map(String), fc.constantFrom(non, facing));
    fc.assert(
      fc.property(fc.nat(30), fc.boolean(), behaviors, (total, coverAlone, given) => {
        const of = book(total, coverAlone, given);
        const openings = openingsOf(of);
        const pages = openings.flat();
        expect([...pages].sort((one, other) => one - other)).toEqual(Array.from({ length: total }, (_, i) => i + 1));
        for (const [first, second] of openings) {
          if (second === undefined) continue;
          expect([of.behaviors.get(first), of.behaviors.get(second)]).toEqual([undefined, undefined]);
          for (let between = first + 1; between < second; between += 1) expect(of.behaviors.get(between)).toBe(non);
        }
      }),
    );
  });

  it('are found by their pages', () => {
    const index = indexOfPages(openingsOf(book(5, true, { 3: non })));
    expect([1, 2, 3, 4, 5, 6].map((page) => index.get(page))).toEqual([0, 1, 2, 1, 3, undefined]);
  });
});

describe('the first page', () => {
  it.each([
    [['paged'], false, true],
    [['paged'], true, false],
    [[], false, true],
    [[], true, false],
    [['individuals'], false, false],
    [['no-auto-advance', 'continuous'], true, true],
    [['unordered'], false, false],
  ])('of a folder with behavior %j, shifted: %s, is a cover: %s', (behavior, shifted, isCover) =>
    expect(startsWithCover(behavior, shifted)).toBe(isCover),
  );
});

const page = { width: 2000, height: 3000 };

describe('the page beside another', () => {
  it.each([
    ['of the same size', { width: 2000, height: 3000 }, 1, 1],
    ['cut a little lower', { width: 2000, height: 2800 }, 3000 / 2800, 1],
    ['at half the resolution', { width: 1000, height: 1500 }, 1, 1],
    ['that folds out to the side', { width: 6000, height: 3000 }, 3, 1],
    ['that folds out to the side, at half the resolution', { width: 3000, height: 1500 }, 3, 1],
    ['that folds out to the side and down', { width: 6000, height: 6000 }, 3, 2],
    ['that is a slip', { width: 1800, height: 900 }, 0.9, 0.3],
  ])('%s', (_, beside, width, height) => {
    const rect = rectBeside(page, beside, 'right');
    expect(rect.width).toBeCloseTo(width, 10);
    expect(rect.height).toBeCloseTo(height, 10);
    expect(rect.y).toBe(0);
    // The same picture results from the other page as the main one.
    const turned = rectBeside(beside, page, 'left');
    expect(turned.width * rect.width).toBeCloseTo(1, 10);
    expect(turned.height * rect.height).toBeCloseTo(1, 10);
  });

  it('has a gap before it, at either side', () => {
    const [right, left] = [rectBeside(page, page, 'right'), rectBeside(page, page, 'left')];
    expect(right.x).toBeCloseTo(1.0165, 10);
    expect(left.x + left.width).toBeCloseTo(-0.0165, 10);
  });
});

describe('the parts of an opening', () => {
  it.each([
    { at: 'right', left: [0, 1], fold: [1, 0.0165], right: [1.0165, 1] },
    { at: 'left', left: [-1.0165, 1], fold: [-0.0165, 0.0165], right: [0, 1] },
  ] as const)('are both pages and the fold, with the other page at the $at', ({ at, ...expected }) => {
    const parts = partsOfOpening(page, spreadOf(rectBeside(page, page, at)));
    for (const name of ['left', 'fold', 'right'] as const) {
      const [x, width] = expected[name];
      expect(parts?.[name].x).toBeCloseTo(x, 10);
      expect(parts?.[name].width).toBeCloseTo(width, 10);
    }
  });

  it('are none of a page alone', () => expect(partsOfOpening(page, spreadOf(undefined))).toBeUndefined());
});

describe('the extent of an opening', () => {
  it('is that of the page alone, or of both', () => {
    expect(spreadOf(undefined)).toEqual({ x: 0, y: 0, width: 1, height: 1 });
    expect(spreadOf({ x: 1.1, y: 0, width: 2, height: 0.5 })).toEqual({ x: 0, y: 0, width: 3.1, height: 1 });
    expect(spreadOf({ x: -1.1, y: 0, width: 1, height: 2 })).toEqual({ x: -1.1, y: 0, width: 2.1, height: 2 });
  });
});

it.each([
  [0, 1000, 'left'],
  [119, 1000, 'left'],
  [120, 1000, undefined],
  [879, 1000, undefined],
  [880, 1000, 'right'],
  [139, 3000, 'left'],
  [140, 3000, undefined],
  [39, 200, 'left'],
  [40, 200, undefined],
  [29, 90, 'left'],
  [30, 90, undefined],
])('at %d of %d pixels is the side %s', (x, width, side) => expect(sideAt(x, width)).toBe(side));

const hits = [2, 2, 5, 9].map((at) => ({ at }));

describe('the next hit', () => {
  it.each([
    ['from one to the next on the page', 0, 2, 1, 1],
    ['from the last on the page to another page', 1, 2, 1, 2],
    ['back', 2, 5, -1, 1],
    ['round at the end', 3, 9, 1, 0],
    ['round at the beginning', 0, 2, -1, 3],
    ['from the open page on, where there was none before', undefined, 3, 1, 2],
    ['from the open page back', undefined, 8, -1, 2],
    ['on the open page itself', undefined, 5, 1, 2],
    ['from the open page on, where the reader has turned pages since', 0, 6, 1, 3],
    ['round where none is after the open page', undefined, 10, 1, 0],
    ['round where none is before it', undefined, 1, -1, 3],
  ] as const)('goes %s', (_, current, page, by, expected) => {
    expect(nextHit(hits, current, page, by)).toBe(expected);
  });

  it('is none without hits', () => expect(nextHit([], 0, 1, 1)).toBeUndefined());
});

describe('the middle of a hit', () => {
  it('is that of its first box', () => {
    expect(middleOf({ boxes: [{ x: 0.1, y: 0.2, width: 0.2, height: 0.1 }] })?.x).toBeCloseTo(0.2);
    expect(middleOf({ boxes: [] })).toBeUndefined();
  });
});
