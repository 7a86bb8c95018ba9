/** Sources of every kind of sample are rendered in their colors, and with the size in their header. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { bufferSource } from '../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../src/core/library/headers/header.ts';
import {
  createRenderer,
  type Picture,
  quartered,
  quarters,
  quartersOf,
  type Rgb,
  temporaryFolder,
} from './pictures.ts';
import { levelOf, quarteredLevel, type TiffKind, uncompressedTiff } from './uncompressed-tiff.ts';

const folder = temporaryFolder();
const { scaler, iiif } = createRenderer(folder);
const file = (name: string): string => path.join(folder, name);

const [width, height] = [90, 60];

const grays: readonly Rgb[] = [
  [0, 0, 0],
  [255, 255, 255],
  [100, 100, 100],
  [200, 200, 200],
];

/** Quarters that use the full range, so that scaling by the range of the samples does not change them. */
const fullRange: readonly Rgb[] = [
  [255, 0, 0],
  [30, 200, 30],
  [0, 0, 255],
  [230, 220, 30],
];

interface Kind extends TiffKind {
  readonly store: (value: number) => number;
  readonly opaque?: number;
}

const unsigned16 = { bits: 16, format: 1 } as const;
const unsigned32 = { bits: 32, format: 1 } as const;
const signed8 = { bits: 8, format: 2 } as const;
const signed16 = { bits: 16, format: 2 } as const;
const signed32 = { bits: 32, format: 2 } as const;
const float = { bits: 32, format: 3 } as const;

/** Each kind of sample, with the conversion of an 8-bit value to it. */
const kinds: Readonly<Record<string, Omit<Kind, 'photometric'>>> = {
  '16 bits': { ...unsigned16, store: (value) => value * 257 },
  '12 bits in 16': { ...unsigned16, store: (value) => (value * 4095) / 255 },
  '10 bits in 16': { ...unsigned16, store: (value) => (value * 1023) / 255 },
  '8 bits in 16': { ...unsigned16, store: (value) => value },
  '32 bits': { ...unsigned32, store: (value) => value * 16_843_009 },
  '32 bits of a part of the range': { ...unsigned32, store: (value) => 1000 + value * 10 },
  'signed 8 bits': { ...signed8, store: (value) => value - 128 },
  'signed 16 bits': { ...signed16, store: (value) => (value - 128) * 200 },
  'signed 32 bits': { ...signed32, store: (value) => (value - 128) * 8_000_000 },
  'float to 1': { ...float, store: (value) => value / 255 },
  'float to 255': { ...float, store: (value) => value },
  'float to 65535': { ...float, store: (value) => value * 257 },
  'float from -7 to 3': { ...float, store: (value) => (value * 10) / 255 - 7 },
};
const named = Object.keys(kinds);
const nameOfFile = (kind: string, variant: string): string => `${kind.replaceAll(' ', '-')}-${variant}.tif`;

beforeAll(async () => {
  for (const [name, { store, ...kind }] of Object.entries(kinds)) {
    const write = (variant: string, tiff: TiffKind, colors: readonly Rgb[]): Promise<void> =>
      writeFile(
        file(nameOfFile(name, variant)),
        uncompressedTiff([quarteredLevel(width, height, tiff, colors, store)], tiff),
      );
    await write('rgb', { ...kind, photometric: 2 }, fullRange);
    await write('gray', { ...kind, photometric: 1 }, grays);
    await write('rgba', { ...kind, photometric: 2, alpha: true }, fullRange);
    await write('gray-alpha', { ...kind, photometric: 1, alpha: true }, grays);
  }
});

type Pixel = readonly number[];

const corners = [
  [0.2, 0.2],
  [0.8, 0.2],
  [0.2, 0.8],
  [0.8, 0.8],
] as const;

function expectQuarters(picture: Picture, expected: readonly Pixel[], tolerance: number): void {
  for (const [quarter, [x, y]] of corners.entries()) {
    const seen = picture.at(x, y);
    for (const [channel, value] of (expected[quarter] ?? []).entries()) {
      const text = `quarter ${quarter}: ${seen.join()} for ${expected[quarter]?.join()}`;
      expect(Math.abs((seen[channel] ?? 0) - value), text).toBeLessThanOrEqual(tolerance);
    }
  }
}

/** The tolerance of JPEG: adjacent saturated colors bleed. */
const tolerances = [
  ['png', 3],
  ['jpg', 12],
] as const;

const opaque = (colors: readonly Rgb[]): readonly Pixel[] => colors.map((color) => [...color, 255]);

describe.each(named)('TIFF of %s', (kind) => {
  test.each(tolerances)('is rendered in its colors as %s', async (format, tolerance) => {
    for (const [variant, colors] of [
      ['rgb', fullRange],
      ['gray', grays],
      ['rgba', fullRange],
      ['gray-alpha', grays],
    ] as const) {
      const name = nameOfFile(kind, variant);
      expectQuarters(await scaler(name, `dw=45&mo=${format}`), opaque(colors), tolerance);
      expectQuarters(await iiif(name, `full/max/0/default.${format}`), opaque(colors), tolerance);
      expectQuarters(await iiif(name, `30,20,30,20/^60,/0/default.${format}`), opaque(colors), tolerance);
      const turned = [colors[2], colors[0], colors[3], colors[1]].map((color) => [...(color ?? []), 255]);
      expectQuarters(await iiif(name, `full/60,/90/default.${format}`), turned, tolerance);
    }
  });

  it('has the size and the samples of its header', async () => {
    for (const variant of ['rgb', 'gray', 'rgba', 'gray-alpha']) {
      const name = nameOfFile(kind, variant);
      const header = await readHeader(bufferSource(readFileSync(file(name))));
      const { bits, format } = kinds[kind] ?? float;
      const samples = format === 1 ? undefined : format === 2 ? 'signed' : 'float';
      expect(header.pages[0].levels[0]).toMatchObject({ width, height });
      expect([header.pages[0].bits, header.pages[0].samples]).toEqual([bits, samples]);
      expect(await iiif(name, 'full/max/0/default.png')).toMatchObject({ width, height });
    }
  });
});

describe('a region looks as in the whole image', () => {
  test.each(named)('%s: a dark quarter stays dark', async (kind) => {
    const [r, g, b] = (await iiif(nameOfFile(kind, 'gray'), '0,0,40,25/20,/0/default.png')).at(0.5, 0.5);
    expect([r, g, b]).toEqual([0, 0, 0]);
    expect((await iiif(nameOfFile(kind, 'gray'), '0,35,40,25/20,/0/default.png')).at(0.5, 0.5)[0]).toBeCloseTo(100, -1);
  });
});

describe('no seams between the tiles of a pyramid', () => {
  const [side, levels] = [256, 3];
  /** A ramp from dark to bright, so that each tile has a range of its own. */
  const ramp = (kind: Kind) =>
    Array.from({ length: levels }, (_, index) =>
      levelOf((2 * side) >> index, side >> index, kind, (x, y) => {
        const [column, row] = [(x + 0.5) * 2 ** index, (y + 0.5) * 2 ** index];
        return kind.store((column / (2 * side)) * 200 + (row / side) * 55);
      }),
    );

  test.each(['16 bits', '12 bits in 16', 'signed 16 bits', 'float to 1', 'float from -7 to 3'])('%s', async (name) => {
    const kind: Kind = { ...(kinds[name] ?? { ...float, store: (value) => value }), photometric: 1 };
    const pyramid = nameOfFile(name, 'pyramid');
    await writeFile(file(pyramid), uncompressedTiff(ramp(kind), kind));
    for (const scale of [1, 2, 4]) {
      for (let x = 0; x < 2 * side; x += 64 * scale) {
        const tile = await iiif(pyramid, `${x},0,${64 * scale},${64 * scale}/64,64/0/default.png`);
        for (const [column, row] of [
          [0, 32],
          [32, 0],
          [63, 63],
        ] as const) {
          const expected = ((x + (column + 0.5) * scale) / (2 * side)) * 200 + (((row + 0.5) * scale) / side) * 55;
          expect(Math.abs((tile.pixels[(row * 64 + column) * 4] ?? 0) - expected), `${x}/${scale}`).toBeLessThanOrEqual(
            2.5,
          );
        }
      }
    }
  });
});

describe('CMYK, Lab, 1 bit, palettes, alpha', () => {
  beforeAll(async () => {
    const cmyk = quartered(width, height).toColourspace('cmyk');
    await cmyk.clone().jpeg({ quality: 100 }).toFile(file('cmyk.jpg'));
    await cmyk.clone().withIccProfile('cmyk').jpeg({ quality: 100 }).toFile(file('cmyk-profile.jpg'));
    await cmyk.clone().tiff({ compression: 'deflate' }).toFile(file('cmyk.tif'));
    await writeFile(file('cmyk-plain.jpg'), withoutAdobe(readFileSync(file('cmyk.jpg'))));
    await quartered(width, height).toColourspace('lab').tiff({ compression: 'none' }).toFile(file('lab.tif'));
    await quartered(width, height).toColourspace('labs').tiff({ compression: 'none' }).toFile(file('labs.tif'));
    await quartered(width, height).png({ palette: true }).toFile(file('palette.png'));
    await quartered(width, height).gif().toFile(file('palette.gif'));
    await quartered(width, height).ensureAlpha(0.5).toColourspace('rgb16').png().toFile(file('half.png'));
    await quartered(width, height).toColourspace('rgb16').png().toFile(file('sixteen.png'));
    await writeFile(file('palette.tif'), paletteTiff());
    for (const photometric of [0, 1] as const) {
      const rows = Buffer.alloc(12 * height);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const isWhite = x * 2 >= width;
          if (isWhite === (photometric === 1))
            rows[y * 12 + (x >> 3)] = (rows[y * 12 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
        }
      }
      const kind = { bits: 1, format: 1, photometric } as const;
      await writeFile(file(`bilevel-${photometric}.tif`), uncompressedTiff([{ width, height, bytes: rows }], kind));
    }
  });

  /** Four plain colors by a table of 256 entries. */
  function paletteTiff(): Buffer {
    const table = [0, 1, 2].flatMap((channel) =>
      Array.from({ length: 256 }, (_, index) => (quarters[index as 0]?.[channel] ?? 0) * 257),
    );
    const kind = { bits: 8, format: 1, photometric: 1 } as const;
    const level = levelOf(width, height, kind, (x, y) => (y * 2 >= height ? 2 : 0) + (x * 2 >= width ? 1 : 0));
    return uncompressedTiff([level], { ...kind, palette: table });
  }

  /** Without the APP14 marker it is unknown whether a CMYK JPEG is inverted; libvips assumes so, since most are. */
  function withoutAdobe(jpeg: Buffer): Buffer {
    const at = jpeg.indexOf(Buffer.from([0xff, 0xee]));
    return Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + 2 + jpeg.readUInt16BE(at + 2))]);
  }

  const names = ['palette.png', 'palette.gif', 'palette.tif', 'lab.tif', 'labs.tif', 'sixteen.png'];
  test.each(names)('%s', async (name) => {
    for (const format of ['png', 'jpg']) {
      expect(quartersOf(await scaler(name, `dw=45&mo=${format}`))).toBe('red green blue yellow');
      expect(quartersOf(await iiif(name, `full/89,59/0/default.${format}`))).toBe('red green blue yellow');
      expect(quartersOf(await iiif(name, `30,20,30,20/^60,/0/default.${format}`))).toBe('red green blue yellow');
      expect(quartersOf(await iiif(name, `full/60,/90/default.${format}`))).toBe('blue red yellow green');
    }
  });

  /** Not all colors are printable: the quarters converted to libvips' CMYK profile and back. */
  const printed: readonly Rgb[] = [
    [222, 26, 0],
    [116, 178, 12],
    [30, 55, 136],
    [231, 217, 1],
  ];
  /** Converted through the profile twice. */
  const profiled: readonly Rgb[] = [
    [217, 42, 22],
    [113, 160, 37],
    [36, 59, 120],
    [231, 207, 0],
  ];
  test.each([
    ['cmyk.jpg', printed],
    ['cmyk-plain.jpg', printed],
    ['cmyk.tif', printed],
    ['cmyk-profile.jpg', profiled],
  ])('%s', async (name, expected) => {
    for (const format of ['png', 'jpg']) {
      expectQuarters(await scaler(name, `dw=45&mo=${format}`), opaque(expected), 12);
      expectQuarters(await iiif(name, `30,20,30,20/^60,/0/default.${format}`), opaque(expected), 12);
    }
  });

  test.each([0, 1])('1 bit, photometric %i', async (photometric) => {
    for (const format of ['png', 'jpg']) {
      const name = `bilevel-${photometric}.tif`;
      expect(quartersOf(await scaler(name, `dw=45&mo=${format}`))).toBe('black white black white');
      expect(quartersOf(await iiif(name, `30,20,30,20/^60,/0/default.${format}`))).toBe('black white black white');
    }
  });

  it('keeps 16-bit alpha in PNG and WebP, and blends with white in JPEG', async () => {
    for (const format of ['png', 'webp']) {
      const picture = await scaler('half.png', `dw=45&mo=${format}`);
      expect(Math.abs(picture.at(0.2, 0.2)[3] - 128)).toBeLessThanOrEqual(1);
    }
    expectQuarters(await scaler('half.png', 'dw=45&mo=jpg'), [[238, 142, 142, 255]], 12);
  });

  it('has the size in the header', async () => {
    for (const name of [...names, 'cmyk.jpg', 'cmyk.tif', 'bilevel-0.tif', 'bilevel-1.tif', 'half.png']) {
      const header = await readHeader(bufferSource(readFileSync(file(name))));
      expect(header.pages[0].levels[0]).toMatchObject({ width, height });
      expect(await iiif(name, 'full/max/0/default.webp')).toMatchObject({ width, height });
    }
  });
});

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('EXIF orientation %i', (orientation) => {
  test.each(['jpeg', 'png', 'webp', 'tiff'] as const)('of %s', async (format) => {
    const name = `turned-${orientation}.${format === 'jpeg' ? 'jpg' : format === 'tiff' ? 'tif' : format}`;
    await quartered(width, height).withMetadata({ orientation })[format]().toFile(file(name));
    const upright = await sharp(file(name)).autoOrient().png().toBuffer({ resolveWithObject: true });
    await writeFile(file(`upright-${name}.png`), upright.data);
    const expected = quartersOf(await scaler(`upright-${name}.png`, 'dw=45'));
    const header = await readHeader(bufferSource(readFileSync(file(name))));
    expect(header.pages[0]).toMatchObject({ orientation, levels: [{ width, height }] });
    for (const output of ['jpg', 'webp']) {
      const whole = await iiif(name, `full/max/0/default.${output === 'jpg' && format === 'jpeg' ? 'png' : output}`);
      expect([whole.width, whole.height]).toEqual([upright.info.width, upright.info.height]);
      expect(quartersOf(whole)).toBe(expected);
    }
    expect(quartersOf(await iiif(name, 'pct:10,10,80,80/max/0/default.png'))).toBe(expected);
  });
});
