/** Makes JPEG files of the upper rows of tiles, and compares their pixels with those of the whole tile. */
import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { upperRowsOf } from '../src/tile.ts';

const tile = { width: 96, height: 96 };
const colors = Buffer.from(Array.from({ length: 96 * 96 * 3 }, (_, at) => (at * at * 7 + (at >> 5) * 31) & 255));
const picture = () => sharp(colors, { raw: { ...tile, channels: 3 } });

const decoded = (file: Buffer, rows: number): Promise<Buffer> =>
  sharp(file, { failOn: 'warning' }).extract({ left: 0, top: 0, width: 96, height: rows }).raw().toBuffer();

async function heightOf(file: Buffer | undefined): Promise<number | undefined> {
  return file && (await sharp(file).metadata()).height;
}

describe.each(['4:2:0', '4:4:4'])('chroma %s', (chromaSubsampling) => {
  test.each([1, 13, 14, 15, 16, 17, 40, 62, 63, 96])('the first %i rows have the same pixels', async (rows) => {
    const stored = await picture().jpeg({ chromaSubsampling, quality: 80 }).toBuffer();
    const file = upperRowsOf({ stored, tile, samples: 'ycbcr' }, rows);
    if (file === undefined) throw new TypeError('no file');
    expect(await heightOf(file)).toBe(Math.min(96, Math.ceil((rows + 2) / 16) * 16));
    expect((await decoded(file, rows)).equals(await decoded(stored, rows))).toBe(true);
  });
});

it('gives gray tiles', async () => {
  const stored = await picture().toColourspace('b-w').jpeg().toBuffer();
  const file = upperRowsOf({ stored, tile, samples: 'gray' }, 20);
  if (file === undefined) throw new TypeError('no file');
  expect(await heightOf(file)).toBe(32);
  expect((await decoded(file, 20)).equals(await decoded(stored, 20))).toBe(true);
});

it('leaves progressive tiles whole, of which every scan has all rows', async () => {
  const stored = await picture().jpeg({ progressive: true }).toBuffer();
  expect(await heightOf(upperRowsOf({ stored, tile, samples: 'ycbcr' }, 20))).toBe(96);
});

it('gives no file for RGB, another size, another number of components, and damaged bytes', async () => {
  const stored = await picture().jpeg().toBuffer();
  const whole = { stored, tile, samples: 'ycbcr' } as const;
  expect(upperRowsOf(whole, 20)).toBeDefined();
  expect(upperRowsOf({ ...whole, samples: 'rgb' }, 20)).toBeUndefined();
  expect(upperRowsOf({ ...whole, samples: 'gray' }, 20)).toBeUndefined();
  expect(upperRowsOf({ ...whole, tile: { width: 96, height: 128 } }, 20)).toBeUndefined();
  expect(upperRowsOf({ ...whole, stored: stored.subarray(0, 400) }, 20)).toBeUndefined();
});

it('has the density of a TIFF file without one, which pictures show', async () => {
  const stored = await picture().jpeg().toBuffer();
  const file = upperRowsOf({ stored, tile, samples: 'ycbcr' }, 96);
  const density = async (input: Buffer) => (await sharp(await sharp(input).png().toBuffer()).metadata()).density;
  expect(file && (await density(file))).toBe(await density(await picture().tiff().toBuffer()));
});
