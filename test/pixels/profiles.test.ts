/** ICC profiles: pixels are converted to sRGB, or the profile is sent with them. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wrapPixels } from '@lectern/tiff';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createAdmission } from '../../src/core/access/admit.ts';
import { anyone, openAccess } from '../../src/core/access/policy.ts';
import type { Covers } from '../../src/core/image/model/covers.ts';
import type { ImageRequest } from '../../src/core/image/model/image-request.ts';
import type { Profiles } from '../../src/core/image/model/stored-samples.ts';
import { keyOf } from '../../src/core/image/plan/cost.ts';
import { planImage } from '../../src/core/image/plan/plan.ts';
import type { Plan } from '../../src/core/image/plan/plan-types.ts';
import { Library } from '../../src/core/library/library.ts';
import { execute } from '../../src/core/render/execute.ts';
import { parseQuery } from '../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import { adobeRgb, lightGray } from '../fixtures/files/icc-profile.mjs';
import { flatMark } from './marks.ts';
import { quartered, type Rgb, temporaryFolder } from './pictures.ts';
import { adobeToSrgb, lightGrayToSrgb } from './profile-colors.ts';
import { quarteredLevel, uncompressedTiff } from './uncompressed-tiff.ts';

const folder = temporaryFolder();
const file = (name: string): string => path.join(folder, name);
const library = new Library({
  roots: [folder],
  followLinksOutside: false,
  orientation: 'apply',
  onUnreadable: () => undefined,
});
const admission = createAdmission(library, openAccess);

const [width, height] = [90, 70];

/** Colors that are in the gamut of sRGB. */
const stored: readonly Rgb[] = [
  [180, 70, 60],
  [150, 199, 110],
  [80, 90, 180],
  [210, 205, 90],
];
const grays: readonly Rgb[] = [
  [60, 60, 60],
  [120, 120, 120],
  [180, 180, 180],
  [240, 240, 240],
];

beforeAll(async () => {
  const data = await quartered(width, height, stored).raw().toBuffer();
  const wrapped = wrapPixels({ data, width, height, channels: 3 }, adobeRgb);
  const adobe = () => sharp(wrapped).keepIccProfile();
  await adobe().jpeg({ quality: 97, chromaSubsampling: '4:4:4' }).toFile(file('adobe.jpg'));
  await adobe().png().toFile(file('adobe.png'));
  await adobe().webp({ lossless: true }).toFile(file('adobe.webp'));
  await adobe().tiff({ compression: 'deflate' }).toFile(file('adobe.tif'));
  await adobe().toColourspace('rgb16').png().toFile(file('adobe-16.png'));
  await adobe().ensureAlpha(1).toColourspace('rgb16').png().toFile(file('adobe-16-alpha.png'));
  await adobe().ensureAlpha(1).png().toFile(file('adobe-alpha.png'));
  const one = await quartered(width, height, grays).extractChannel(0).raw().toBuffer();
  const gray = () => sharp(wrapPixels({ data: one, width, height, channels: 1 }, lightGray)).keepIccProfile();
  await gray().toColourspace('b-w').png().toFile(file('gray.png'));
  await gray().toColourspace('b-w').jpeg({ quality: 97 }).toFile(file('gray.jpg'));
  await gray().toColourspace('grey16').png().toFile(file('gray-16.png'));
  const two = Buffer.alloc(one.length * 2, 255);
  for (const [at, value] of one.entries()) two[at * 2] = value;
  const clear = () => sharp(wrapPixels({ data: two, width, height, channels: 2 }, lightGray)).keepIccProfile();
  await clear().toColourspace('grey16').png().toFile(file('gray-16-alpha.png'));
  await quartered(width, height).withIccProfile('p3').png().toFile(file('p3.png'));
  await quartered(width, height).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toFile(file('cmyk.jpg'));
  await quartered(width, height).png().toFile(file('plain.png'));
  const kind = { bits: 16, format: 1, photometric: 2, profile: adobeRgb } as const;
  const twelve = quarteredLevel(width, height, kind, [[255, 255, 255], ...stored.slice(1)], (value) => value * 16);
  await writeFile(file('adobe-12.tif'), uncompressedTiff([twelve], kind));
});

const iiif = (address: string): ImageRequest => {
  const [region = '', size = '', rotation = '', qualityAndFormat = ''] = address.split('/');
  return parseImagePath({ region, size, rotation, qualityAndFormat }, 3);
};
const scaler = (query: string): ImageRequest => toImageRequest(parseQuery(query));

async function plan(name: string, request: ImageRequest, profiles: Profiles): Promise<Plan> {
  const image = await admission.admit(name, 1, anyone);
  return planImage(request, image, { limits: { maxArea: 1e8 }, sendFile: true, profiles }).plan;
}

/** The picture's profile and its unconverted samples. */
async function picture(name: string, request: ImageRequest, profiles: Profiles) {
  const planned = await plan(name, request, profiles);
  if (planned.kind !== 'render') throw new Error('the file itself would be sent');
  const { bytes } = await execute(planned);
  const { icc, channels } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes, { ignoreIcc: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const quarters = [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.2, 0.8],
    [0.8, 0.8],
  ].map(([x = 0, y = 0]) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(at, at + 3)];
  });
  return { icc, channels, quarters };
}

function expectColors(seen: readonly number[][], expected: readonly Rgb[], tolerance: number): void {
  for (const [quarter, color] of expected.entries()) {
    for (const [channel, value] of color.entries()) {
      const text = `quarter ${quarter}: ${seen[quarter]?.join()} for ${color.map(Math.round).join()}`;
      expect(Math.abs((seen[quarter]?.[channel] ?? 0) - value), text).toBeLessThanOrEqual(tolerance);
    }
  }
}

const outputs = [
  ['jpg', 8],
  ['png', 4],
  ['webp', 8],
] as const;

/** The whole image, a region, and a tile that reaches beyond the edge. */
const addresses = ['full/45,/0/default', '10,10,70,50/50,/0/default', '0,0,89,69/45,35/0/default'] as const;

describe.each(outputs)('convert to %s', (format, tolerance) => {
  const colorful = ['adobe.jpg', 'adobe.png', 'adobe.webp', 'adobe.tif', 'adobe-alpha.png'];
  test.each([...colorful, 'adobe-16.png', 'adobe-16-alpha.png'])('%s is converted to sRGB', async (name) => {
    for (const address of addresses) {
      const { icc, quarters } = await picture(name, iiif(`${address}.${format}`), 'convert');
      expect(icc).toBeUndefined();
      expectColors(quarters, stored.map(adobeToSrgb), tolerance);
    }
  });

  test.each(['gray.png', 'gray.jpg', 'gray-16.png', 'gray-16-alpha.png'])(
    '%s is converted to sRGB’s gray',
    async (name) => {
      for (const address of addresses) {
        const { icc, quarters } = await picture(name, iiif(`${address}.${format}`), 'convert');
        expect(icc).toBeUndefined();
        expectColors(quarters, grays.map(lightGrayToSrgb), tolerance);
      }
    },
  );

  it('p3.png is converted to sRGB', async () => {
    const { icc, quarters } = await picture('p3.png', scaler(`dw=45&mo=${format}`), 'convert');
    expect(icc).toBeUndefined();
    expectColors(quarters.slice(1, 2), [[30, 200, 30]], tolerance);
  });

  it('12 bits in 16 are converted to sRGB too', async () => {
    const { quarters } = await picture('adobe-12.tif', scaler(`dw=45&mo=${format}`), 'convert');
    expectColors(quarters.slice(1), stored.slice(1).map(adobeToSrgb), tolerance);
  });
});

describe.each(outputs)('keep in %s', (format, tolerance) => {
  const colorful = ['adobe.jpg', 'adobe.png', 'adobe.webp', 'adobe.tif', 'adobe-alpha.png'];
  test.each([...colorful, 'adobe-16.png', 'adobe-16-alpha.png'])('%s stays as stored', async (name) => {
    for (const address of addresses) {
      const { icc, quarters } = await picture(name, iiif(`${address}.${format}`), 'keep');
      expect(icc).toEqual(adobeRgb);
      expectColors(quarters, stored, tolerance);
    }
  });

  test.each(['gray.png', 'gray.jpg', 'gray-16.png', 'gray-16-alpha.png'])('%s stays as stored', async (name) => {
    for (const address of addresses) {
      const { icc, quarters } = await picture(name, iiif(`${address}.${format}`), 'keep');
      // WebP has no gray, so a gray profile would be invalid.
      expect(icc).toEqual(format === 'webp' ? undefined : lightGray);
      expectColors(quarters, format === 'webp' ? grays.map(lightGrayToSrgb) : grays, tolerance);
    }
  });

  const turns: Readonly<Record<string, readonly number[]>> = {
    '90': [2, 0, 3, 1],
    '180': [3, 2, 1, 0],
    '270': [1, 3, 0, 2],
    '!0': [1, 0, 3, 2],
    '!180': [2, 3, 0, 1],
  };
  test.each(['adobe.png', 'adobe-16.png', 'adobe-16-alpha.png', 'gray-16.png', 'gray-16-alpha.png'])(
    '%s keeps its profile where it is turned or mirrored',
    async (name) => {
      const isGray = name.startsWith('gray');
      const colors = isGray ? (format === 'webp' ? grays.map(lightGrayToSrgb) : grays) : stored;
      for (const [turn, order] of Object.entries(turns)) {
        for (const size of ['max', '45,']) {
          const { icc, quarters } = await picture(name, iiif(`full/${size}/${turn}/default.${format}`), 'keep');
          expect(icc).toEqual(isGray ? (format === 'webp' ? undefined : lightGray) : adobeRgb);
          const expected = order.flatMap((quarter) => colors.slice(quarter, quarter + 1));
          expectColors(quarters, expected, tolerance);
        }
      }
    },
  );

  it('keeps the profile with rotated pixels and changed colors', async () => {
    const turned = await picture('adobe.png', iiif(`full/80,/1/default.${format}`), 'keep');
    expect(turned.icc).toEqual(adobeRgb);
    expectColors(turned.quarters, stored, tolerance);
    const brighter = await picture('adobe.png', scaler(`dw=45&brgt=20&mo=${format}`), 'keep');
    expect(brighter.icc).toEqual(adobeRgb);
    expectColors(
      brighter.quarters,
      stored.map((color) => color.map((value) => value + 20) as unknown as Rgb),
      tolerance,
    );
  });

  it('still converts CMYK, and gray that is colored by an operation', async () => {
    const printed = await picture('cmyk.jpg', scaler(`dw=45&mo=${format}`), 'keep');
    expect([printed.icc, printed.channels]).toEqual([undefined, 3]);
    const colored = await picture('gray.png', scaler(`dw=45&rgba=9/0/0&mo=${format}`), 'keep');
    expect(colored.icc).toBeUndefined();
  });
});

describe('the file itself', () => {
  const whole = iiif('full/max/0/default.png');
  test.each([
    ['adobe.png', 'convert', 'render'],
    ['adobe.png', 'keep', 'send-file'],
    ['plain.png', 'convert', 'send-file'],
    ['plain.png', 'keep', 'send-file'],
  ] as const)('%s, %s: %s', async (name, profiles, kind) => {
    expect((await plan(name, whole, profiles)).kind).toBe(kind);
  });

  it('has its own key if the setting matters', async () => {
    const key = async (name: string, profiles: Profiles) => keyOf(await plan(name, scaler('dw=45'), profiles));
    expect(await key('adobe.png', 'keep')).not.toBe(await key('adobe.png', 'convert'));
    expect(await key('plain.png', 'keep')).toBe(await key('plain.png', 'convert'));
  });
});

describe('beside redactions and watermarks, colors and profiles are what they are without', () => {
  const names = [
    'adobe.jpg',
    'adobe.png',
    'adobe.webp',
    'adobe.tif',
    'adobe-16.png',
    'adobe-16-alpha.png',
    'adobe-alpha.png',
    'gray.png',
    'gray.jpg',
    'gray-16.png',
    'gray-16-alpha.png',
    'p3.png',
    'cmyk.jpg',
    'plain.png',
    'adobe-12.tif',
  ];
  const redactions = [{ x: 3, y: 3, width: 11, height: 9 }];
  const watermark = {
    mark: flatMark(20, 10, '#20e0f0'),
    place: 'top-right',
    opacity: 1,
    width: 0.2,
    minSide: 1,
  } as const;
  const covers: readonly Covers[] = [
    { redactions, key: 'r' },
    { redactions: [], watermark, key: 'm' },
    { redactions, watermark, key: 'rm' },
  ];
  const requests = [
    'full/max/0/default.png',
    'full/45,/0/default.png',
    'full/max/90/default.png',
    'full/max/!0/default.jpg',
    'full/max/30/default.png',
    'full/max/0/gray.png',
  ];

  /** The profile, and the samples in the middle of each quarter but the first, as they are stored. */
  async function shown(name: string, address: string, profiles: Profiles, lying?: Covers) {
    const image = await admission.admit(name, 1, anyone);
    const covered = lying ? { ...image, covers: lying } : image;
    const found = planImage(iiif(address), covered, { limits: { maxArea: 1e8 }, sendFile: false, profiles }).plan;
    if (found.kind === 'send-tile') throw new Error('a tile');
    const bytes = found.kind === 'render' ? (await execute(found)).bytes : await readFile(found.file.path);
    const { icc, width: columns, height: rows } = await sharp(bytes).metadata();
    const { data, info } = await sharp(bytes, { ignoreIcc: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [
      ...data.subarray((Math.floor(y * rows) * columns + Math.floor(x * columns)) * info.channels).subarray(0, 4),
    ];
    return { icc: icc?.length, colors: [at(0.62, 0.62), at(0.4, 0.62), at(0.62, 0.4), at(0.4, 0.4)] };
  }

  test.each(names)('%s', async (name) => {
    for (const profiles of ['convert', 'keep'] as const) {
      for (const address of requests) {
        const plain = await shown(name, address, profiles);
        for (const lying of covers) {
          const own = await shown(name, address, profiles, lying);
          const words = `${profiles} ${address} ${lying.key}`;
          expect([words, own.icc]).toEqual([words, plain.icc]);
          const differences = own.colors.flatMap((color, index) =>
            color.map((value, channel) => Math.abs(value - (plain.colors[index]?.[channel] ?? 0))),
          );
          expect([words, Math.max(...differences) <= 3]).toEqual([words, true]);
        }
      }
    }
  });
});
