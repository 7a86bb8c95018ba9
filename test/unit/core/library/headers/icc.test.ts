/** Which ICC profiles are recognized as sRGB: by their tags, not by their names. */
import sharp from 'sharp';
import { expect, it, test } from 'vitest';
import { isSrgbProfile } from '../../../../../src/core/library/headers/icc.ts';
import {
  adobeRgb,
  formula,
  grayProfile,
  lightGray,
  powerCurve,
  rgbProfile,
  srgb,
  srgbGray,
  srgbPrimaries,
  srgbTable,
} from '../../../../fixtures/files/icc-profile.mjs';

const colors = { r: 9, g: 9, b: 9 };
async function byLibvips(name: string): Promise<Buffer> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: colors } });
  const { icc } = await sharp(await picture.withIccProfile(name).png().toBuffer()).metadata();
  if (icc === undefined) throw new Error('no profile was written');
  return icc;
}

const changed = (at: number, text: string): Buffer => {
  const copy = Buffer.from(srgb);
  copy.write(text, at, 'latin1');
  return copy;
};

/** The five numbers of sRGB in the formulas of version 4, and what each formula makes of them. */
const [g, a, b, c, d] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

test.each<[string, boolean, Buffer | Promise<Buffer>]>([
  ['sRGB with a table of 1024 points', true, srgb],
  ['sRGB with a table of 4096 points', true, rgbProfile(srgbPrimaries, srgbTable(4096))],
  ['sRGB by formula', true, rgbProfile(srgbPrimaries, formula(3, [g, a, b, c, d]))],
  ['sRGB by the formula with offsets', true, rgbProfile(srgbPrimaries, formula(4, [g, a, b, c, d, 0, 0]))],
  ['sRGB as libvips has it', true, byLibvips('srgb')],
  ['gray with sRGB’s curve', true, srgbGray],
  ['gray by formula', true, grayProfile(formula(3, [g, a, b, c, d]))],
  ['Display P3 as libvips has it: sRGB’s curve, other primaries', false, byLibvips('p3')],
  ['CMYK', false, changed(16, 'CMYK')],
  ['Adobe RGB', false, adobeRgb],
  ['gray with a gamma of 1.8', false, lightGray],
  ['sRGB’s primaries with a gamma of 2.2', false, rgbProfile(srgbPrimaries, powerCurve(2.2))],
  ['sRGB’s primaries, linear', false, rgbProfile(srgbPrimaries, powerCurve(1))],
  ['a gamma of 2.2 by formula', false, rgbProfile(srgbPrimaries, formula(0, [2.2]))],
  ['a formula without the straight part', false, rgbProfile(srgbPrimaries, formula(1, [g, a, b]))],
  ['a formula with another offset', false, rgbProfile(srgbPrimaries, formula(4, [g, a, b, c, d, 0.02, 0]))],
  ['an unknown formula', false, rgbProfile(srgbPrimaries, formula(9, [g, a, b, c, d]))],
  ['a table of 8 points, too coarse', false, rgbProfile(srgbPrimaries, srgbTable(8))],
  [
    'colors in another order',
    false,
    rgbProfile(
      [...srgbPrimaries].reverse().map(([, xyz], i) => [['rXYZ', 'gXYZ', 'bXYZ'][i] ?? '', xyz]),
      srgbTable(),
    ),
  ],
  ['sRGB beside a lookup table', false, rgbProfile(srgbPrimaries, srgbTable(), [['A2B0', Buffer.alloc(64)]])],
  ['no primaries', false, rgbProfile([], srgbTable())],
  ['an output device', false, changed(12, 'prtr')],
  ['Lab between the profiles', false, changed(20, 'Lab ')],
  ['no signature', false, changed(36, 'none')],
  ['cut in its tags', false, srgb.subarray(0, 160)],
  ['cut in its curves', false, srgb.subarray(0, srgb.length - 1)],
  ['nothing', false, Buffer.alloc(0)],
  ['zeros', false, Buffer.alloc(4096)],
])('%s: %s', async (_name, expected, profile) => expect(isSrgbProfile(await profile)).toBe(expected));

it('survives any byte of a profile being another one', () => {
  for (let at = 0; at < 400; at++) {
    for (const value of [0, 0x7f, 0xff]) {
      const damaged = Buffer.from(srgb);
      damaged[at] = value;
      expect(typeof isSrgbProfile(damaged)).toBe('boolean');
    }
  }
});
