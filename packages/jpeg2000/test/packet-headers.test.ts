/** The bits and tag trees of packet headers: what is written is read again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitReader, BitWriter, TagTree } from '../src/bits.ts';
import { maxPassesOf } from '../src/packet.ts';

const readerOf = (bytes: readonly number[]): BitReader => new BitReader((position) => bytes[position] ?? 0, 0);

describe('bits', () => {
  it('are read as they were written, and the header ends where it ended', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 200 }), (bits) => {
        const writer = new BitWriter();
        for (const bit of bits) writer.bit(bit);
        const bytes = writer.end();
        const reader = readerOf(bytes);
        expect(bits.map(() => reader.bit())).toEqual(bits);
        expect(reader.end()).toBe(bytes.length);
      }),
    );
  });

  it('never yield a marker: the byte after 0xFF begins with a zero bit', () => {
    const writer = new BitWriter();
    writer.bits(2 ** 24 - 1, 24);
    expect(writer.end()).toEqual([0xff, 0x7f, 0xff, 0x40]);
  });

  it('end with a byte more where the last one is 0xFF', () => {
    const writer = new BitWriter();
    writer.bits(0xff, 8);
    expect(writer.end()).toEqual([0xff, 0]);
    const reader = readerOf([0xff, 0, 1]);
    expect([reader.bits(8), reader.end()]).toEqual([0xff, 2]);
  });
});

describe('a tag tree', () => {
  const trees = fc
    .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
    .chain(({ width, height }) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        values: fc.array(fc.nat({ max: 6 }), { minLength: width * height, maxLength: width * height }),
      }),
    );

  it('says of each leaf whether its number is less than a threshold, in any order of these questions', () => {
    fc.assert(
      fc.property(trees, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 8 }))), ({ width, height, values }, asked) => {
        const questions = asked.map(([leaf, threshold]) => [leaf % values.length, threshold] as const);
        const written = new TagTree(width, height);
        for (const [leaf, value] of values.entries()) written.set(leaf, value);
        const bits = new BitWriter();
        for (const [leaf, threshold] of questions) written.writeLess(bits, leaf, threshold);
        const reader = readerOf(bits.end());
        const read = new TagTree(width, height);
        for (const [leaf, threshold] of questions)
          expect(read.readLess(reader, leaf, threshold)).toBe((values[leaf] ?? 0) < threshold);
      }),
    );
  });
});

describe('the passes of codeword segments', () => {
  /** The first segments of a code-block. */
  function first(blockStyle: number, count: number): readonly number[] {
    const found: number[] = [];
    for (let index = 0; index < count; index++) {
      const last = found.at(-1);
      found.push(maxPassesOf(blockStyle, last === undefined ? undefined : { maxPasses: last }));
    }
    return found;
  }

  it.each([
    ['one segment', 0, [Number.POSITIVE_INFINITY]],
    ['termination on each pass', 4, [1, 1, 1]],
    ['selective bypass', 1, [10, 2, 1, 2, 1]],
    ['selective bypass with termination', 5, [1, 1, 1]],
    ['high throughput', 64, [1, 2]],
  ])('%s', (_, blockStyle, expected) => {
    expect(first(blockStyle, expected.length)).toEqual(expected);
  });
});
