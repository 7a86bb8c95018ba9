import { describe, expect, it } from 'vitest';
import { formatClock, formatSeconds, parseTime, spanIn, spanOf } from '../../../../../web/src/model/media/time.ts';

describe('times', () => {
  it.each([
    ['83.5', 83.5],
    ['1:23.5', 83.5],
    ['1:02:03', 3723],
    ['0', 0],
    ['', undefined],
    ['-1', undefined],
    ['1:2:3:4', undefined],
    ['1e3', undefined],
    ['90000', undefined],
    ['Infinity', undefined],
  ])('%s is %s', (text, seconds) => expect(parseTime(text)).toBe(seconds));

  it.each([
    [0, '0:00'],
    [59.99, '0:59'],
    [61, '1:01'],
    [3723, '1:02:03'],
  ])('%s is shown as %s', (seconds, text) => expect(formatClock(seconds)).toBe(text));

  it('are written to the hundredth', () => expect(formatSeconds(1.23456)).toBe('1.23'));
});

describe('spans', () => {
  it.each([
    ['#t=10,20', { from: 10, to: 20 }],
    ['t=10', { from: 10, to: undefined }],
    ['t=,20', { from: 0, to: 20 }],
    ['xywh=1,2,3,4&t=npt:1:00,2:00', { from: 60, to: 120 }],
    ['t=20,10', undefined],
    ['at=10', undefined],
    ['t=a', undefined],
    ['', undefined],
  ])('of %s', (text, span) => expect(spanIn(text)).toEqual(span));

  it.each([
    ['an address', 'https://a.example/c#t=1,2', { from: 1, to: 2 }],
    ['a canvas', { type: 'Canvas', id: 'https://a.example/c#t=1,2' }, { from: 1, to: 2 }],
    [
      'a fragment selector',
      { source: 'c', selector: { type: 'FragmentSelector', value: 't=3' } },
      { from: 3, to: undefined },
    ],
    ['a point', { source: 'c', selector: { type: 'PointSelector', t: 4 } }, { from: 4, to: undefined }],
    ['an instant', { source: 'c', selector: [{ type: 'PointSelector', instant: 4 }] }, { from: 4, to: undefined }],
    [
      'two points',
      { source: 'c', selector: { type: 'RangeSelector', startSelector: { t: 1 }, endSelector: { t: 9 } } },
      { from: 1, to: 9 },
    ],
    ['a query that looks like one', 'https://a.example/c?t=1', undefined],
    ['nothing', undefined, undefined],
  ])('by %s', (_kind, target, span) => expect(spanOf(target)).toEqual(span));
});
