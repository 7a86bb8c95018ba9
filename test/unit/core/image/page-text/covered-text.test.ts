/** Which words of a page are left out where something of it is covered. */
import { describe, expect, it, test } from 'vitest';
import type { Rect } from '../../../../../src/core/image/model/geometry.ts';
import type { ImageSet } from '../../../../../src/core/image/model/image-set.ts';
import {
  coveredFingerprint,
  isSurelyPlaced,
  isWithoutCovered,
  withoutCovered,
} from '../../../../../src/core/image/page-text/covered-text.ts';
import { type PageText, plainText, type TextWord } from '../../../../../src/core/image/page-text/page-text.ts';
import type { PlacedOn } from '../../../../../src/core/image/page-text/place-text.ts';

const redaction: Rect = { x: 100, y: 100, width: 100, height: 100 };

/** An image of 1000 x 1000 pixels, in a tier of which it may have fewer. */
const imageOf = (side = 1000, redactions: readonly Rect[] = [redaction]): ImageSet => {
  const whole = { width: 1000, height: 1000 };
  const shown = side === 1000 ? whole : { width: side, height: side, reducedFrom: whole };
  return { resolutions: [shown], covers: { redactions, key: 'k' } } as unknown as ImageSet;
};

const word = (text: string, x: number, y: number, more: Partial<TextWord> = {}): TextWord => ({
  text,
  box: { x, y, width: 50, height: 20 },
  ...more,
});

const pageOf = (...lines: readonly (readonly TextWord[])[]): PageText => ({
  direction: 'ltr',
  blocks: [{ lines: lines.map((words) => ({ words, box: { x: 0, y: 0, width: 90, height: 20 } })) }],
});

const textOf = (page: PageText, image = imageOf()): string => plainText(withoutCovered(page, image));

describe('words', () => {
  test.each([
    [49, 100, 'a'],
    [50, 100, 'a'],
    [51, 100, ''],
    [150, 150, ''],
    [199, 199, ''],
    [200, 150, 'a'],
    [150, 80, 'a'],
    [150, 81, ''],
  ])('at %i, %i are left out where any of their place is covered', (x, y, text) => {
    expect(textOf(pageOf([word('a', x, y)]))).toBe(text);
  });

  it('without a place are left out', () => {
    expect(textOf(pageOf([{ text: 'a' }, word('b', 500, 500)]))).toBe('b');
  });

  it('whose place is a share of that of their line stand anywhere in the line', () => {
    const page: PageText = {
      direction: 'ltr',
      blocks: [
        {
          lines: [
            { box: { x: 0, y: 110, width: 500, height: 20 }, words: [word('a', 400, 110, { isShare: true })] },
            { box: { x: 210, y: 110, width: 500, height: 20 }, words: [word('b', 400, 110, { isShare: true })] },
          ],
        },
      ],
    };
    expect(textOf(page)).toBe('b');
  });

  it('of a tier are left out by the pixels of the tier', () => {
    const page = pageOf([word('a', 10, 10), word('b', 25, 10)]);
    expect(textOf(page, imageOf(100))).toBe('b');
  });

  it('that a hyphen parts are not said as a whole where a part is covered', () => {
    const parts = (first: TextWord, second: TextWord) =>
      withoutCovered(pageOf([first], [second]), imageOf()).blocks.flatMap(({ lines }) =>
        lines.flatMap((line) => line.words),
      );
    const [seen, hidden] = [500, 150];
    const [first, second] = [{ joined: 'hidden' }, { joined: '' }];
    expect(parts(word('hid-', seen, seen, first), word('den', hidden, hidden, second))).toEqual([
      word('hid-', seen, seen),
    ]);
    expect(parts(word('hid-', hidden, hidden, first), word('den', seen, seen, second))).toEqual([
      word('den', seen, seen),
    ]);
    expect(parts(word('hid-', seen, seen, first), word('den', seen, seen, second))).toHaveLength(2);
    expect(parts(word('hid-', seen, seen, first), word('other', seen, seen))[0]).toEqual(word('hid-', seen, seen));
  });

  it('are all there where nothing is covered', () => {
    const page = pageOf([{ text: 'a' }]);
    expect(withoutCovered(page, imageOf(1000, []))).toBe(page);
  });
});

describe('the place of a page', () => {
  const on = (width: number, height: number, orientation: PlacedOn['orientation'] = 1): PlacedOn => ({
    stored: { width, height },
    orientation,
  });
  const sure = (size: { width: number; height: number } | undefined, image: PlacedOn) =>
    isSurelyPlaced({ unit: 'pixel', blocks: [], ...(size && { size }) }, image);

  test.each([
    [{ width: 1000, height: 1500 }, on(1000, 1500), true],
    [{ width: 333, height: 500 }, on(1000, 1500), true],
    [undefined, on(1000, 1500), false],
    [{ width: 1000, height: 1400 }, on(1000, 1500), false],
    [{ width: 1000, height: 1500 }, on(1000, 1500, 6), true],
    [{ width: 1500, height: 1000 }, on(1000, 1500, 6), true],
    [{ width: 1000, height: 1000 }, on(1000, 1000, 6), false],
    [{ width: 1000, height: 1500 }, on(1000, 1500, 3), false],
  ])('%j is sure on %j: %s', (size, image, isSure) => {
    expect(sure(size, image)).toBe(isSure);
  });
});

it('knows a text without what is covered by its fingerprint', () => {
  const indexed = coveredFingerprint('text', 'k');
  expect(isWithoutCovered(indexed, 'k')).toBe(true);
  expect(isWithoutCovered(indexed, 'other')).toBe(false);
  expect(isWithoutCovered('text', 'k')).toBe(false);
  expect(isWithoutCovered(undefined, 'k')).toBe(false);
  expect(isWithoutCovered('text', '')).toBe(true);
});
