/** Sources of bytes: parts of one, and windows over one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ByteSource,
  bufferSource,
  readExactly,
  sliceSource,
  windowedSource,
} from '../../../../../src/core/library/headers/byte-source.ts';

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7 + (index >> 8)) % 256));

/** A source that counts its reads. */
function counted(buffer: Buffer): ByteSource & { reads: number } {
  const source = {
    size: buffer.length,
    reads: 0,
    read: async (offset: number, length: number) => {
      source.reads += 1;
      return buffer.subarray(offset, offset + length);
    },
  };
  return source;
}

test('a windowed source returns the bytes of its source at every offset', async () => {
  const windowed = windowedSource(bufferSource(bytes));
  const read = fc.tuple(
    fc.integer({ min: 0, max: 200_100 }),
    fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 150_000 })),
  );
  await fc.assert(
    fc.asyncProperty(read, async ([offset, length]) => {
      expect((await windowed.read(offset, length)).equals(bytes.subarray(offset, offset + length))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('many small reads become few large ones', async () => {
  const source = counted(bytes);
  const windowed = windowedSource(source);
  for (let offset = 0; offset < 100_000; offset += 10) await windowed.read(offset, 4);
  expect(source.reads).toBeLessThan(10);
  for (let offset = 0; offset < 60_000; offset += 10) await windowed.read(offset, 4);
  expect(source.reads).toBeLessThan(10);
});

test('a slice ends at its length, and where its source ends', async () => {
  const source = bufferSource(Buffer.from('0123456789'));
  const text = async (slice: ByteSource, offset: number, length: number) =>
    (await slice.read(offset, length)).toString();
  expect(await text(sliceSource(source, 2, 4), 0, 99)).toBe('2345');
  expect(await text(sliceSource(source, 2, 4), 3, 2)).toBe('5');
  expect(await text(sliceSource(source, 2, 4), 4, 2)).toBe('');
  expect([sliceSource(source, 8, 99).size, sliceSource(source, 99, 1).size]).toEqual([2, 0]);
});

test.each([
  [0, 10, true],
  [9, 1, true],
  [9, 2, false],
  [-1, 1, false],
  [0.5, 1, false],
  [2 ** 60, 1, false],
  [0, Number.POSITIVE_INFINITY, false],
  [0, Number.NaN, false],
])('exactly %d + %d bytes of ten: %s', async (offset, length, there) => {
  const read = await readExactly(bufferSource(Buffer.alloc(10)), offset, length);
  expect(read !== undefined).toBe(there);
});

test('a source that is shorter than its size has no exact bytes at its end', async () => {
  const source: ByteSource = {
    size: 20,
    read: async (offset, length) => Buffer.alloc(10).subarray(offset, offset + length),
  };
  expect(await readExactly(source, 8, 4)).toBeUndefined();
  expect(await readExactly(windowedSource(source), 8, 4)).toBeUndefined();
});
