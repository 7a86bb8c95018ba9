/** Parts of JPEG tiles are, byte by byte, those that libvips decodes, or are left to libvips. */
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { randomNumbers } from '../../../test/fixtures/files/random.mjs';
import { decodeJpegPart } from '../src/decode-part.ts';
import type { Rect } from '../src/scan.ts';
import { buildJpeg, commonCodes, extremes, noise, samplings } from './build-jpeg.ts';

const tile = { width: 96, height: 64 };
const whole = { x: 0, y: 0, ...tile };

/** Regions at corners and edges, within a unit, across units, of one pixel, and the whole. */
const parts: readonly Rect[] = [
  whole,
  { x: 0, y: 0, width: 1, height: 1 },
  { x: 95, y: 63, width: 1, height: 1 },
  { x: 15, y: 15, width: 2, height: 2 },
  { x: 17, y: 1, width: 14, height: 63 },
  { x: 31, y: 30, width: 65, height: 5 },
  { x: 0, y: 16, width: 96, height: 16 },
  { x: 40, y: 20, width: 37, height: 41 },
];

async function expectParts(stream: Buffer, { isGray = false } = {}): Promise<void> {
  const decoded = sharp(stream, { failOn: 'warning' }).toColourspace(isGray ? 'b-w' : 'srgb');
  const { data, info } = await decoded.raw().toBuffer({ resolveWithObject: true });
  for (const part of parts) {
    const { x: left, y: top, width, height } = part;
    const expected = sharp(data, { raw: info }).extract({ left, top, width, height });
    const pixels = await expected
      .toColourspace(isGray ? 'b-w' : 'srgb')
      .raw()
      .toBuffer();
    expect(decodeJpegPart(stream, part)?.equals(pixels), JSON.stringify(part)).toBe(true);
  }
}

/** Random colors that change within a few pixels, up to black and white. */
function patches(seed: number, { width, height } = tile): Sharp {
  const random = randomNumbers(seed);
  const [columns, rows] = [Math.ceil(width / 5), Math.ceil(height / 5)];
  const pixels = Buffer.from(Array.from({ length: columns * rows * 3 }, () => Math.floor(random() * 2) * 255));
  const raw = { width: columns, height: rows, channels: 3 } as const;
  return sharp(pixels, { raw }).resize({ width, height, fit: 'fill', kernel: seed % 2 === 0 ? 'cubic' : 'nearest' });
}

describe('as sharp writes them', () => {
  const options = ['4:2:0', '4:4:4'].flatMap((chromaSubsampling) =>
    [1, 30, 75, 85, 95, 100].map((quality) => ({ chromaSubsampling, quality })),
  );
  test.each(options)('$chromaSubsampling of quality $quality', async (option) => {
    for (const seed of [1, 2]) {
      await expectParts(await patches(seed).jpeg(option).toBuffer());
      await expectParts(
        await patches(seed)
          .jpeg({ ...option, optimiseCoding: false })
          .toBuffer(),
      );
    }
  });

  test.each([10, 85, 100])('gray of quality %i', async (quality) => {
    await expectParts(await patches(3).toColourspace('b-w').jpeg({ quality }).toBuffer(), { isGray: true });
  });

  it('of one color', async () => {
    for (const background of ['black', 'white', '#f00', '#00f', '#0f0', '#123456']) {
      const flat = sharp({ create: { ...tile, channels: 3, background } });
      await expectParts(await flat.jpeg({ quality: 85 }).toBuffer());
    }
  });
});

const decoded = ['gray', 'gray with factors that say nothing', '4:4:4', '4:2:0', '4:2:2'];

describe.each(Object.entries(samplings))('%s', (name, factors) => {
  test.each([0, 1, 7])('restarts behind every %i units', async (restartInterval) => {
    const stream = buildJpeg({ ...tile, factors, coefficients: noise, restartInterval });
    if (decoded.includes(name)) await expectParts(stream, { isGray: factors.length === 1 });
    else expect(decodeJpegPart(stream, whole)).toBeUndefined();
  });
});

describe.each(['gray', '4:4:4', '4:2:0', '4:2:2'] as const)('of damaged data, whose sums are too large: %s', (name) => {
  test.each([1, 8, 40, 300, 50_000])('quantized by %i', async (quantization) => {
    const factors = samplings[name];
    const stream = buildJpeg({ ...tile, factors, coefficients: extremes, quantization });
    await expectParts(stream, { isGray: factors.length === 1 });
  });
});

describe('are left to libvips', () => {
  test.each([
    ['progressive', { progressive: true }],
    ['with optimized scans', { mozjpeg: true }],
  ])('%s', async (_name, options) => {
    expect(decodeJpegPart(await patches(1).jpeg(options).toBuffer(), whole)).toBeUndefined();
  });

  it('with a Huffman table that libjpeg refuses, though the data have no such code', () => {
    const [first, second] = commonCodes.differences;
    const differences = [{ counts: [...first.counts, 0, 0, 1], symbols: [...first.symbols, 16] }, second];
    const stream = buildJpeg({ ...tile, factors: samplings['4:2:0'], coefficients: noise, differences });
    expect(decodeJpegPart(stream, whole)).toBeUndefined();
  });

  it('with sides that are no multiples of a unit’s', async () => {
    const stream = await patches(1, { width: 97, height: 64 }).jpeg().toBuffer();
    expect(decodeJpegPart(stream, whole)).toBeUndefined();
  });

  it('cut short, with other bytes, and with more data than they need', async () => {
    const stream = await patches(1).jpeg().toBuffer();
    expect(decodeJpegPart(stream.subarray(0, stream.length / 2), whole)).toBeUndefined();
    const longer = Buffer.concat([stream.subarray(0, -2), Buffer.from([1, 2, 3]), stream.subarray(-2)]);
    expect(decodeJpegPart(longer, whole)).toBeUndefined();
    expect(decodeJpegPart(Buffer.alloc(2000), whole)).toBeUndefined();
  });

  it('whatever bytes are changed, or become pixels, and the next one is decoded', async () => {
    const stream = await patches(2).jpeg({ quality: 90 }).toBuffer();
    const expected = decodeJpegPart(stream, whole);
    const random = randomNumbers(5);
    for (let round = 0; round < 300; round++) {
      const changed = Buffer.from(stream);
      for (let count = 0; count < 3; count++) {
        changed[Math.floor(random() * stream.length)] = Math.floor(random() * 256);
      }
      expect([undefined, tile.width * tile.height * 3, tile.width * tile.height]).toContain(
        decodeJpegPart(changed, whole)?.length,
      );
    }
    expect(expected && decodeJpegPart(stream, whole)?.equals(expected)).toBe(true);
  });
});
