import { describe, expect, it } from 'vitest';
import { middleOf, nextHit } from '../../../../web/src/model/view/page-order.ts';

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
