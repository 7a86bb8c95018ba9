/** Color operations agree with the plain reference to 1 of 255: random images of every kind, random combinations. */
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { parseFloat32 } from '../../src/features/digilib/numbers.ts';
import { runsOf } from '../sweep.ts';
import {
  type ColorSetting,
  colored,
  isOnThreshold,
  onWhite,
  type Pixel,
  type Raster,
  type TurnSetting,
  turned,
} from './color-reference.ts';
import { createRenderer, type Picture, temporaryFolder } from './pictures.ts';
import { type ImageKind, imageKinds, randomImage } from './random-images.ts';

const folder = temporaryFolder();
const { scaler } = createRenderer(folder);
let written = 0;

/** Renders an image at its own width with the whole pipeline, from a temporary file. */
async function draw(bytes: Buffer, extension: string, width: number, query: string): Promise<Picture> {
  const name = `${written++}.${extension}`;
  await writeFile(path.join(folder, name), bytes);
  const picture = await scaler(name, `dw=${width}&${query}`);
  rmSync(path.join(folder, name));
  return picture;
}

/** Numbers as clients format them, with their 32-bit value. */
const number = (text: string): number => parseFloat32(text) ?? 0;

const exponent = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -3, max: 3, noNaN: true }).map((value) => value.toFixed(3)) },
  { weight: 1, arbitrary: fc.constantFrom('0', '20', '-20', '1e30', '-1e30', '127.5', 'NaN', '') },
);
const offset = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -260, max: 260, noNaN: true }).map((value) => value.toFixed(2)) },
  { weight: 1, arbitrary: fc.constantFrom('0', '1e9', '-1e9', '3e38', '-3e38', 'NaN', '') },
);
const colop = fc.constantFrom('', 'GRAYSCALE', 'ntsc_gray', 'Bitonal', 'INVERT', 'MAP_GRAY_BGR', 'SEPIA');

interface Operations {
  readonly rgbm: readonly [string, string, string];
  readonly rgba: readonly [string, string, string];
  readonly cont: string;
  readonly brgt: string;
  readonly colop: string;
  readonly turn: TurnSetting;
}

const optional = (value: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(fc.constant('0'), value);

const operations: fc.Arbitrary<Operations> = fc.record({
  rgbm: fc.tuple(optional(exponent), optional(exponent), optional(exponent)),
  rgba: fc.tuple(optional(offset), optional(offset), optional(offset)),
  cont: optional(exponent),
  brgt: optional(offset),
  colop,
  turn: fc.record({
    hmir: fc.boolean(),
    vmir: fc.boolean(),
    rot: fc.constantFrom<TurnSetting['rot'][]>(0, 90, 180, 270),
  }),
});

/** A triple with a part that is not a number has no effect. */
function tripleOf(texts: readonly [string, string, string]): readonly [number, number, number] {
  const [red, green, blue] = texts.map(parseFloat32);
  return red === undefined || green === undefined || blue === undefined ? [0, 0, 0] : [red, green, blue];
}

const settingOf = ({ rgbm, rgba, cont, brgt, colop: operator }: Operations): ColorSetting => ({
  rgbm: tripleOf(rgbm),
  rgba: tripleOf(rgba),
  cont: number(cont),
  brgt: number(brgt),
  colop: operator,
});

function queryOf({ rgbm, rgba, cont, brgt, colop: operator, turn }: Operations, format: string): string {
  const mo = [turn.hmir && 'hmir', turn.vmir && 'vmir', format].filter(Boolean).join(',');
  const texts = `rgbm=${rgbm.join('/')}&rgba=${rgba.join('/')}&cont=${cont}&brgt=${brgt}`;
  return `${texts}&colop=${operator}&rot=${turn.rot}&mo=${mo}`;
}

/** The largest difference between a picture and the expected one, with its position; ambiguous pixels are left out. */
function largestDifference(picture: Picture, expected: Raster, isAmbiguous: (at: number) => boolean) {
  let largest = { difference: 0, at: -1, got: [] as number[], wanted: [] as number[] };
  expected.pixels.forEach((wanted, at) => {
    if (isAmbiguous(at)) return;
    const got = [...picture.pixels.subarray(at * 4, at * 4 + 4)];
    const difference = Math.max(...wanted.map((value, i) => Math.abs(value - (got[i] ?? Number.NaN))));
    if (!(difference <= largest.difference)) largest = { difference, at, got, wanted: [...wanted] };
  });
  return largest;
}

async function expectReference(kind: ImageKind, seed: number, query: string, operation: Operations): Promise<void> {
  const { bytes, raster } = await randomImage(kind, seed);
  const before = turned(raster, operation.turn);
  const setting = settingOf(operation);
  const expected = { ...before, pixels: before.pixels.map((pixel) => colored(pixel, setting)) };
  const picture = await draw(bytes, imageKinds[kind].extension, raster.width, query);
  expect([picture.width, picture.height]).toEqual([expected.width, expected.height]);
  const either = (at: number): boolean =>
    setting.colop.toUpperCase() === 'BITONAL' && isOnThreshold(before.pixels[at] ?? [0, 0, 0, 0], setting);
  const { difference, ...where } = largestDifference(picture, expected, either);
  expect(difference, `${query} on ${kind}, seed ${seed}: ${JSON.stringify(where)}`).toBeLessThanOrEqual(1.0001);
}

describe('color operations after mirroring and quarter turns equal the reference', () => {
  test.each(Object.keys(imageKinds) as ImageKind[])('%s', { tags: 'sampled' }, async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), operations, (seed, operation) =>
        expectReference(kind, seed, queryOf(operation, 'png'), operation),
      ),
      { numRuns: runsOf(60) },
    );
  });
});

const none = ['0', '0', '0'] as const;
const neutral: Operations = {
  rgbm: none,
  rgba: none,
  cont: '0',
  brgt: '0',
  colop: '',
  turn: { hmir: false, vmir: false, rot: 0 },
};

/** JPEG does not store pixels exactly, so these images are of one color. */
describe('transparency becomes white in a JPEG, whatever the color operations', () => {
  const rows: readonly (readonly [Partial<Operations>, Pixel])[] = [
    [{}, [200, 40, 90, 255]],
    [{}, [200, 40, 90, 100]],
    [{ colop: 'INVERT' }, [200, 40, 90, 0]],
    [{ colop: 'INVERT' }, [200, 40, 90, 128]],
    [{ cont: '-1' }, [200, 40, 90, 60]],
    [{ brgt: '-40', colop: 'BITONAL' }, [200, 40, 90, 200]],
    [{ rgba: ['50', '-20', '9'], colop: 'MAP_GRAY_BGR', turn: { ...neutral.turn, rot: 90 } }, [200, 40, 90, 30]],
  ];
  test.each(rows)('%j on %j', async (operation, pixel) => {
    const [r, g, b, alpha] = pixel;
    const background = { r, g, b, alpha: alpha / 255 };
    const source = sharp({ create: { width: 16, height: 16, channels: 4, background } });
    const whole: Operations = { ...neutral, ...operation };
    const picture = await draw(await source.png().toBuffer(), 'png', 16, queryOf(whole, 'jpg'));
    expect(picture.format).toBe('jpeg');
    const got = picture.at(0.5, 0.5);
    const expected = onWhite(colored(pixel, settingOf(whole)));
    // YCbCr and the steps of quality 85 cost up to 3.
    for (const [i, value] of expected.entries()) {
      expect(Math.abs(value - (got[i] ?? Number.NaN)), `${got} for ${expected}`).toBeLessThanOrEqual(3);
    }
  });
});

describe('extreme values are clamped to 0 or 255', () => {
  test.each([
    ['cont=20', [0, 255, 255]],
    ['cont=-20', [0, 0, 0]],
    ['brgt=1e9', [255, 255, 255]],
    ['brgt=-1e9', [0, 0, 0]],
    ['cont=20&brgt=-1e9', [0, 0, 0]],
    ['rgbm=1e30/1e30/1e30', [0, 255, 255]],
    ['rgbm=-1e30/0/1e30', [0, 100, 255]],
    ['rgbm=1e30/1e30/1e30&rgba=7/-9/-3e38', [7, 255, 255]],
    ['rgba=3e38/-3e38/0', [255, 0, 255]],
    ['cont=3e38&brgt=-20', [0, 255, 255]],
    ['rgbm=NaN/0/0&rgba=0/Infinity/0&cont=NaN&brgt=-Infinity', [0, 100, 255]],
    ['brgt=300&colop=INVERT', [0, 0, 0]],
    ['brgt=-300&colop=MAP_GRAY_BGR', [0, 0, 255]],
    ['brgt=300&colop=MAP_GRAY_BGR', [255, 3, 0]],
  ])('%s', async (query, expected) => {
    const background = { r: 0, g: 100, b: 255 };
    const source = await sharp({ create: { width: 4, height: 4, channels: 3, background } })
      .png()
      .toBuffer();
    const picture = await draw(source, 'png', 4, `${query}&mo=png`);
    expect(picture.at(0.5, 0.5)).toEqual([...expected, 255]);
  });
});
