import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageBehavior } from '../../../../src/core/image/folder/page-behavior.ts';
import { type Book, indexOfPages, openingsOf, startsWithCover } from '../../../../web/src/model/view/page-order.ts';

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
