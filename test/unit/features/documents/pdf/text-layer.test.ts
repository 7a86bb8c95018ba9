import { describe, expect, it } from 'vitest';
import type { TextDirection } from '../../../../../src/core/image/page-text/page-text.ts';
import {
  blockOperators,
  type PlacedBlock,
  placedBlocks,
} from '../../../../../src/features/documents/pdf/text-layer.ts';

const size = { width: 1000, height: 1500 };
/** A point for each pixel. */
const layout = { sheet: size, image: { x: 0, y: 0, ...size } } as unknown as Parameters<typeof blockOperators>[2];
const codes = { encode: (text: string) => ({ hex: '', count: [...text].length }) } as Parameters<
  typeof blockOperators
>[3];

/** The text matrices of a block's words. */
const matricesOf = (block: PlacedBlock): readonly (readonly number[])[] =>
  blockOperators(block, size, layout, codes)
    .filter((operator) => operator.includes(' Tm '))
    .map((operator) => operator.split(' Tm ')[0]?.split(' ').map(Number) ?? []);

const word = (text: string, box: readonly [number, number, number, number], direction: TextDirection = 'ltr') => {
  const [x, y, width, height] = box;
  return { lines: [[{ text, box: { x, y, width, height }, direction }]] };
};

describe('the words over an image', () => {
  it('fill their boxes', () => {
    const [matrix = []] = matricesOf(word('Wasser', [100, 200, 240, 60]));
    expect(matrix.slice(1)).toEqual([0, 0, 60, 100, 1240]);
  });

  // Poppler takes the second of two equal letters for bold print where it is nearer than a tenth of the height.
  it.each([
    ['ltr', [0, 0, 1000, 1500], 3],
    ['rtl', [0, 0, 1000, 1500], 3],
  ] as const)('are so low that readers tell equal letters apart, %s', (direction, box, index) => {
    const text = 'ein Satz mit Wasser in einer Zeile';
    const [matrix = []] = matricesOf(word(text, box, direction));
    const advance = 1000 / text.length;
    expect(matrix[index]).toBeLessThan(10 * advance);
    expect(matrix[index]).toBeGreaterThan(4 * advance);
    // In the middle of the box.
    expect((matrix[5] ?? 0) + (matrix[index] ?? 0) / 2).toBeCloseTo(750);
  });

  it('are so narrow, where they run downward', () => {
    const [matrix = []] = matricesOf(word('まだ無い無い無い無い', [0, 0, 1000, 400], 'ttb'));
    expect(matrix[2]).toBeLessThan(400);
    expect((matrix[4] ?? 0) + (matrix[2] ?? 0) / 2).toBeCloseTo(500);
  });

  it('of plain text share the height of the page', () => {
    const line = (text: string) => ({ words: text.split(' ').map((each) => ({ text: each })) });
    const [block] = placedBlocks({ blocks: [{ lines: [line('das Wasser'), line('kalt')] }], direction: 'ltr' }, size);
    expect(block?.lines.map(([first]) => first?.box.y)).toEqual([0, 750]);
  });
});
