/** A JPEG that is cut without decoding is, byte by byte, the one that its coefficients give at the smaller size. */
import { describe, expect, it, test } from 'vitest';
import { randomNumbers } from '../../../test/fixtures/files/random.mjs';
import { cutJpeg } from '../src/crop.ts';
import type { Size } from '../src/scan.ts';
import { buildJpeg, type JpegSketch, noise, samplings, segment } from './build-jpeg.ts';

const whole = { width: 100, height: 75 };
const sizes: readonly Size[] = [
  { width: 64, height: 32 },
  { width: 65, height: 33 },
  { width: 63, height: 31 },
  { width: 1, height: 1 },
  { width: 100, height: 20 },
  { width: 20, height: 75 },
  { width: 97, height: 74 },
  { width: 100, height: 75 },
];

const sketch = (more: Partial<JpegSketch> = {}): JpegSketch => ({
  ...whole,
  factors: samplings['4:2:0'],
  coefficients: noise,
  ...more,
});

/** In hexadecimal, which fails with fewer lines. */
const hex = (result: Buffer | string): string => (typeof result === 'string' ? result : result.toString('hex'));

describe.each(Object.entries(samplings))('%s', (_name, factors) => {
  test.each(sizes)('cut to $width x $height', (size) => {
    const cut = cutJpeg(buildJpeg(sketch({ factors })), size);
    expect(hex(cut)).toBe(hex(buildJpeg(sketch({ factors, ...size }))));
  });

  test.each([1, 2, 3, 7, 1000])('with a restart behind every %d units is cut to one without', (restartInterval) => {
    const stream = buildJpeg(sketch({ factors, restartInterval }));
    for (const size of sizes) {
      expect(hex(cutJpeg(stream, size))).toBe(hex(buildJpeg(sketch({ factors, ...size, restartInterval: 0 }))));
    }
  });
});

describe('all before the scan is kept but the size and the restarts', () => {
  const size = { width: 30, height: 30 };
  const profile = Array.from({ length: 20 }, () => segment(0xe2, Buffer.from(`ICC_PROFILE\0${'x'.repeat(30_000)}`)));

  test.each<[string, Partial<JpegSketch>]>([
    ['an Adobe marker', { first: [segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\0'))], factors: samplings['4:4:4'] }],
    ['a large profile', { first: profile }],
    ['a comment and fill bytes', { first: [segment(0xfe, [1, 2, 3]), Buffer.from([0xff, 0xff])] }],
    ['extended sequential coding', { frame: 0xc1 }],
  ])('%s', (_name, more) => {
    expect(hex(cutJpeg(buildJpeg(sketch(more)), size))).toBe(hex(buildJpeg(sketch({ ...more, ...size }))));
  });

  it('restarts of tables that are replaced', () => {
    const withInterval = (first: number, second: number, more = {}): Buffer =>
      buildJpeg(sketch({ first: [segment(0xdd, [0, first])], restartInterval: second, ...more }));
    expect(hex(cutJpeg(withInterval(9, 4), size))).toBe(hex(withInterval(0, 0, size)));
  });
});

it('reads no further than the last unit that is needed', () => {
  const stream = buildJpeg(sketch());
  const size = { width: 100, height: 16 };
  const expected = hex(buildJpeg(sketch(size)));
  expect(hex(cutJpeg(stream.subarray(0, stream.length / 2), size))).toBe(expected);
  expect(cutJpeg(stream.subarray(0, stream.length / 2), whole)).toBe('the tile’s bytes are cut short');
  // The units of the first row are there up to this width.
  const begun = stream.subarray(0, buildJpeg(sketch({ width: 64, height: 16 })).length);
  const narrow = { width: 32, height: 16 };
  expect(hex(cutJpeg(begun, narrow))).toBe(hex(buildJpeg(sketch(narrow))));
});

it('reads restarts that have fill bytes before them', () => {
  const stream = buildJpeg(sketch({ restartInterval: 5 }));
  const restart = stream.indexOf(Buffer.from([0xff, 0xd2]));
  const filled = Buffer.concat([stream.subarray(0, restart), Buffer.from([0xff, 0xff]), stream.subarray(restart)]);
  expect(hex(cutJpeg(filled, whole))).toBe(hex(buildJpeg(sketch({ restartInterval: 0 }))));
});

describe('a JPEG is not cut', () => {
  const damaged = 'the tile’s bytes are damaged';
  const otherKind = 'the tile’s bytes are of a kind of JPEG that can’t be cut without decoding';
  const severalScans = 'the tile’s bytes are a JPEG of several scans, which can’t be cut without decoding';
  const size = { width: 50, height: 50 };

  /** With another header of the scan. */
  const withScan = (content: readonly number[]): Buffer => {
    const stream = buildJpeg(sketch());
    const at = stream.indexOf(Buffer.from([0xff, 0xda]));
    return Buffer.concat([stream.subarray(0, at), segment(0xda, content), stream.subarray(at + 14)]);
  };

  /** With another byte, counted from a marker. */
  const withByte = (marker: number, offset: number, value: number, more: Partial<JpegSketch> = {}): Buffer => {
    const stream = buildJpeg(sketch(more));
    stream[stream.indexOf(Buffer.from([0xff, marker])) + offset] = value;
    return stream;
  };

  test.each<[string, string, Buffer]>([
    [
      'that is progressive',
      'the tile’s bytes are a progressive JPEG, which can’t be cut without decoding',
      buildJpeg(sketch({ frame: 0xc2 })),
    ],
    ['with arithmetic coding', otherKind, buildJpeg(sketch({ frame: 0xc9 }))],
    ['without loss', otherKind, buildJpeg(sketch({ frame: 0xc3 }))],
    ['of 12 bits', otherKind, withByte(0xc0, 4, 12, { frame: 0xc0 })],
    [
      'of four components',
      otherKind,
      buildJpeg(
        sketch({
          factors: [
            [1, 1],
            [1, 1],
            [1, 1],
            [1, 1],
          ],
        }),
      ),
    ],
    [
      'of two components',
      otherKind,
      buildJpeg(
        sketch({
          factors: [
            [1, 1],
            [1, 1],
          ],
        }),
      ),
    ],
    ['of several scans', severalScans, withScan([1, 1, 0, 0, 63, 0])],
    ['whose scan has a header that is too long', damaged, withByte(0xda, 4, 1)],
    ['whose scan has other components', damaged, withByte(0xda, 5, 9)],
    ['whose scan has a part of the coefficients', damaged, withByte(0xda, 12, 20)],
    ['whose scan names tables that are not there', damaged, withByte(0xda, 6, 0x22)],
    ['with a factor of 0', damaged, withByte(0xc0, 11, 0x20)],
    ['with a factor of 5', damaged, withByte(0xc0, 11, 0x51)],
    ['with more blocks in a unit than there may be', damaged, withByte(0xc0, 11, 0x44)],
    ['without a width', damaged, withByte(0xc0, 8, 0)],
    ['with two frames', damaged, buildJpeg(sketch({ first: [segment(0xc0, [8, 0, 75, 0, 100, 1, 1, 17, 0])] }))],
    ['with a restart that is missing', damaged, withByte(0xd3, 1, 0xd4, { restartInterval: 4 })],
    [
      'with restarts that are not declared',
      'the tile’s bytes are cut short',
      withByte(0xdd, 5, 0, { restartInterval: 4 }),
    ],
    ['with tables that are cut short', damaged, withByte(0xc4, 5, 200)],
    ['with more codes than there can be', damaged, withByte(0xc4, 5, 3)],
    ['with tables of another kind', damaged, withByte(0xc4, 4, 0x20)],
    ['without a scan', damaged, buildJpeg(sketch()).subarray(0, 300)],
    ['that is none', damaged, Buffer.from('GIF89a and so on')],
    ['that is empty', damaged, Buffer.alloc(0)],
  ])('%s: %s', (_name, reason, stream) => expect(cutJpeg(stream, size)).toBe(reason));

  it('to a size that is larger', () => {
    expect(cutJpeg(buildJpeg(sketch()), { width: 101, height: 1 })).toBe(
      'the picture is to be larger than the tile’s bytes say',
    );
  });

  it('where its tables have no code for a difference that the cut makes', () => {
    // From left to right the values grow by 1, and from the last of a row to the first of the next they fall by 12.
    const coefficients = (_: number, column: number, row: number) => [
      column + row,
      ...Array.from({ length: 63 }, () => 0),
    ];
    const few = { counts: [0, 3], symbols: [0, 1, 4] };
    const slope = sketch({ width: 104, height: 64, factors: [[1, 1]], coefficients, differences: [few, few] });
    const reason = 'the tile’s Huffman tables have no code for a value that is left at the cut';
    expect(cutJpeg(buildJpeg(slope), { width: 40, height: 64 })).toBe(reason);
    expect(hex(cutJpeg(buildJpeg(slope), { width: 104, height: 9 }))).toBe(hex(buildJpeg({ ...slope, height: 9 })));
  });

  it('that is too long to be read at once', () => {
    const long = Buffer.concat([buildJpeg(sketch()), Buffer.alloc(1024 * 1024)]);
    expect(cutJpeg(long, size)).toMatch(/^the tile’s bytes are too many to be cut without decoding: 1\d{6}$/);
  });
});

describe('malicious bytes end in a reason or in a JPEG of the requested size', () => {
  const size = { width: 40, height: 30 };
  const small = (more: Partial<JpegSketch>): Buffer => buildJpeg(sketch({ width: 64, height: 48, ...more }));
  const streams = [small({}), small({ factors: samplings['4:4:4'], restartInterval: 3 })];

  /** What comes of the bytes: `cut`, or `refused`, else what is wrong. */
  function outcomeOf(stream: Buffer): string {
    const result = cutJpeg(stream, size);
    if (typeof result === 'string')
      return /^the (tile’s bytes|tile’s Huffman|picture) .*\w$/.test(result) ? 'refused' : result;
    const isWhole = result.readUInt16BE(0) === 0xffd8 && result.readUInt16BE(result.length - 2) === 0xffd9;
    return isWhole && result.includes(Buffer.from([0, 30, 0, 40])) ? 'cut' : result.toString('hex');
  }

  it('where they are cut short anywhere', () => {
    for (const stream of streams) {
      const lengths = Array.from({ length: Math.ceil(stream.length / 7) }, (_, at) => at * 7);
      const outcomes = lengths.map((length) => outcomeOf(stream.subarray(0, length)));
      // What comes behind the last unit that is needed may be missing.
      expect(new Set(outcomes)).toEqual(new Set(['refused', 'cut']));
      expect(outcomes.indexOf('cut')).toBeGreaterThan(outcomes.lastIndexOf('refused'));
    }
  });

  it('where some are changed', () => {
    const random = randomNumbers(2024);
    const outcomes = Array.from({ length: 6000 }, (_, round) => {
      const bytes = Buffer.from(streams[round % streams.length] ?? Buffer.alloc(0));
      const count = 1 + Math.floor(random() * 8);
      for (let flip = 0; flip < count; flip++) {
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      }
      return outcomeOf(bytes);
    });
    expect(new Set(outcomes)).toEqual(new Set(['refused', 'cut']));
  });

  it('where they declare more units than they have', () => {
    const stream = buildJpeg(sketch({ factors: samplings.gray }));
    const data = stream.indexOf(Buffer.from([0xff, 0xda])) + 10;
    const frame = stream.indexOf(Buffer.from([0xff, 0xc0]));
    const huge = Buffer.concat([stream.subarray(0, data), Buffer.alloc(1024 * 1024)]).fill(0xff, frame + 5, frame + 9);
    const begun = performance.now();
    expect(cutJpeg(huge, { width: 65_535, height: 65_535 })).toBe('the tile’s bytes are cut short');
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
