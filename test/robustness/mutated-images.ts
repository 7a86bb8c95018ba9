/** Image files of every format that is read, and damaged copies of them: flipped bits, cuts, foreign parts, extreme headers. */
import { readdirSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp, type TiffOptions } from 'sharp';
import type { SourceFormat } from '../../src/core/image/model/formats.ts';
import { randomIntegers, randomNumbers } from '../fixtures/files/random.mjs';

/** Files of every kind of JPEG 2000, but for the larger ones. */
const jpeg2000Folder = new URL('../fixtures/jpeg2000/', import.meta.url);

const width = 160;
const height = 120;

/** A picture with smooth parts and noise, so that encoders use all of their tables. */
function picture(channels: 1 | 3 | 4 = 3): Sharp {
  const random = randomIntegers(7);
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0; at < pixels.length; at++) {
    const x = Math.floor(at / channels) % width;
    pixels[at] = x < 80 ? (x * 3 + at / width) % 256 : random() % 256;
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

const tiff = (options: TiffOptions, image = picture()): Promise<Buffer> => image.tiff(options).toBuffer();
const frames = (channels: 3 | 4): Sharp => {
  const random = randomIntegers(3);
  const pixels = Buffer.from(Uint8Array.from({ length: 40 * 90 * channels }, () => random() % 256));
  return sharp(pixels, { raw: { width: 40, height: 90, channels, pageHeight: 30 } });
};

/** Whole files of a format: its compressions, layouts, sample formats and color spaces. */
export const wholeFiles: Readonly<Record<SourceFormat, () => Promise<readonly Buffer[]>>> = {
  jpeg: () =>
    Promise.all([
      picture().jpeg().toBuffer(),
      picture().withMetadata({ orientation: 6, density: 300 }).withIccProfile('p3').jpeg().toBuffer(),
      picture().jpeg({ progressive: true }).toBuffer(),
      picture().jpeg({ chromaSubsampling: '4:4:4', optimiseCoding: true }).toBuffer(),
      picture(1).toColourspace('b-w').jpeg().toBuffer(),
      picture().toColourspace('cmyk').jpeg().toBuffer(),
    ]),
  png: () =>
    Promise.all([
      picture().png().toBuffer(),
      picture(4).png({ progressive: true }).toBuffer(),
      picture().toColourspace('rgb16').png().toBuffer(),
      picture().png({ palette: true, colors: 17 }).toBuffer(),
      picture(1).threshold().png({ palette: true, colors: 2 }).toBuffer(),
      picture().withIccProfile('p3').withMetadata({ orientation: 5 }).png().toBuffer(),
    ]),
  gif: () =>
    Promise.all([
      picture().gif().toBuffer(),
      picture(4).gif({ interFrameMaxError: 0 }).toBuffer(),
      frames(4).gif().toBuffer(),
    ]),
  webp: () =>
    Promise.all([
      picture().webp().toBuffer(),
      picture().webp({ lossless: true }).toBuffer(),
      picture(4).webp().toBuffer(),
      picture().withMetadata({ orientation: 8 }).webp().toBuffer(),
      frames(3).webp().toBuffer(),
    ]),
  tiff: () =>
    Promise.all([
      tiff({ compression: 'none' }),
      tiff({ compression: 'lzw', predictor: 'horizontal' }),
      tiff({ compression: 'deflate' }, picture(4)),
      tiff({ compression: 'packbits' }),
      tiff({ compression: 'jpeg' }),
      tiff({ compression: 'ccittfax4', bitdepth: 1 }, picture(1).threshold().toColourspace('b-w')),
      tiff({ compression: 'lzw' }, picture().toColourspace('rgb16')),
      tiff({ compression: 'deflate', predictor: 'float' }, picture().toColourspace('scrgb')),
      tiff({ compression: 'lzw' }, picture().toColourspace('cmyk')),
      tiff({ compression: 'deflate' }, picture().toColourspace('lab')),
      tiff({ compression: 'lzw', bigtiff: true }),
      tiff({ compression: 'jpeg', tile: true, tileWidth: 64, tileHeight: 64, pyramid: true }),
      tiff({ compression: 'deflate', tile: true, tileWidth: 64, tileHeight: 64, pyramid: true }),
      tiff({ compression: 'lzw' }, frames(3)),
    ]),
  jp2: async () =>
    readdirSync(jpeg2000Folder)
      .filter((name) => /\.j(?:p2|2k|px|2c|ph|hc)$/.test(name) && !name.startsWith('large'))
      .map((name) => readFileSync(new URL(name, jpeg2000Folder))),
};

type Chance = (below: number) => number;
type Mutation = (file: Buffer, chance: Chance, others: readonly Buffer[]) => Buffer;

const wordExtremes = [
  0, 1, 2, 0x7f, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
];

/** Writes a number of 1, 2 or 4 bytes, as far as there is room. */
function put(file: Buffer, at: number, length: 1 | 2 | 4, isLittle: boolean, value: number): void {
  const word = Buffer.alloc(4);
  if (isLittle) word.writeUInt32LE(value >>> 0);
  else word.writeUInt32BE(value >>> 0);
  (isLittle ? word.subarray(0, length) : word.subarray(4 - length)).copy(file, at);
}

const extreme = (chance: Chance): number => wordExtremes[chance(wordExtremes.length)] ?? 0;

/** The numbers in a header that say sizes, counts and offsets: [offset, length in bytes]. */
function headerFields(file: Buffer): {
  readonly isLittle: boolean;
  readonly fields: readonly (readonly [number, 1 | 2 | 4])[];
} {
  const start = file.toString('latin1', 0, 4);
  if (start === '\x89PNG')
    return {
      isLittle: false,
      fields: [
        [16, 4],
        [20, 4],
        [24, 1],
        [25, 1],
        [28, 1],
        [33, 4],
      ],
    };
  if (start === 'GIF8')
    return {
      isLittle: true,
      fields: [
        [6, 2],
        [8, 2],
        [10, 1],
        [file.indexOf(0x2c, 13) + 5, 2],
        [file.indexOf(0x2c, 13) + 7, 2],
      ],
    };
  if (start === 'RIFF')
    return {
      isLittle: true,
      fields: [
        [4, 4],
        [16, 4],
        [20, 4],
        [24, 4],
        [26, 2],
        [28, 2],
        [21, 4],
        [27, 4],
      ],
    };
  if (start.startsWith('\xff\xd8')) {
    const frame = Math.max(file.indexOf(Buffer.of(0xff, 0xc0)), file.indexOf(Buffer.of(0xff, 0xc2)));
    const table = file.indexOf(Buffer.of(0xff, 0xc4));
    return {
      isLittle: false,
      fields: [
        [frame + 5, 2],
        [frame + 7, 2],
        [frame + 4, 1],
        [frame + 9, 1],
        [frame + 11, 1],
        [table + 2, 2],
        [table + 5, 1],
        [4, 2],
      ],
    };
  }
  const isLittle = start.startsWith('II');
  const [read16, read32] = isLittle ? [file.readUInt16LE, file.readUInt32LE] : [file.readUInt16BE, file.readUInt32BE];
  if (start !== 'II*\0' && start !== 'MM\0*') return { isLittle: false, fields: jpeg2000Fields(file) };
  const directory = Math.min(read32.call(file, 4), file.length - 2);
  const count = Math.min(read16.call(file, directory), 40);
  const entries = Array.from({ length: count }, (_, index) => directory + 2 + index * 12);
  return {
    isLittle,
    fields: entries.flatMap(
      (entry) =>
        [
          [entry + 8, 4],
          [entry + 8, 2],
          [entry + 4, 4],
          [entry + 2, 2],
        ] as const,
    ),
  };
}

/**
 * Of JPEG 2000: image, tiles and components (SIZ), layers, levels, code-blocks and their style (COD), lengths of the segments, and the
 * tile and the length of the first tile-part (SOT).
 */
function jpeg2000Fields(file: Buffer): readonly (readonly [number, 1 | 2 | 4])[] {
  const [size, style, part] = [0x51, 0x52, 0x90].map((marker) => Math.max(0, file.indexOf(Buffer.of(0xff, marker))));
  const fieldsAt = (at = 0, fields: readonly (readonly [number, 1 | 2 | 4])[]) =>
    fields.map(([offset, length]) => [at + offset, length] as const);
  const words = Array.from({ length: 8 }, (_, index) => [6 + 4 * index, 4] as const);
  return [
    ...fieldsAt(size, [[2, 2], ...words, [38, 2], [40, 1], [41, 1], [42, 1]]),
    ...fieldsAt(style, [
      [2, 2],
      [4, 1],
      [5, 1],
      [6, 2],
      [8, 1],
      [9, 1],
      [10, 1],
      [11, 1],
      [12, 1],
      [13, 1],
      [14, 1],
    ]),
    ...fieldsAt(part, [
      [4, 2],
      [6, 4],
      [10, 1],
      [11, 1],
    ]),
  ];
}

/** PNG readers refuse a header whose checksum is wrong, so a changed one gets its right checksum. */
function mendChecksum(file: Buffer): Buffer {
  if (file.toString('latin1', 12, 16) === 'IHDR' && file.length > 33)
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}

const mutations: readonly (readonly [string, Mutation])[] = Object.entries<Mutation>({
  'flipped bits': (file, chance) => {
    for (let flips = 1 + chance(8); flips > 0; flips--) {
      const at = chance(file.length);
      file[at] = (file[at] ?? 0) ^ (1 << chance(8));
    }
    return file;
  },
  cut: (file, chance) => file.subarray(0, chance(file.length)),
  'a part of another file': (file, chance, others) => {
    const other = others[chance(others.length)] ?? file;
    const [at, from, length] = [chance(file.length), chance(other.length), 1 + chance(2000)];
    const behind = chance(2) === 0 ? at : Math.min(file.length, at + length);
    return Buffer.concat([file.subarray(0, at), other.subarray(from, from + length), file.subarray(behind)]);
  },
  'an extreme header': (file, chance) => {
    const { isLittle, fields } = headerFields(file);
    for (let changes = 1 + chance(3); changes > 0; changes--) {
      const [at, length] = fields[chance(fields.length)] ?? [0, 1];
      put(file, at, length, isLittle, extreme(chance));
    }
    return mendChecksum(file);
  },
  'an extreme word anywhere': (file, chance) => {
    put(file, chance(file.length), [1, 2, 4][chance(3)] as 1 | 2 | 4, chance(2) === 0, extreme(chance));
    return file;
  },
  'a hole': (file, chance) => file.fill(chance(2) * 255, chance(file.length), chance(file.length) + 1),
  'an end put behind a cut': (file, chance) => {
    const kept = file.subarray(0, chance(file.length));
    return Buffer.concat([kept, file.subarray(-12)]);
  },
});

export interface MutatedImage {
  /** What was done to it, for the message of a failure. */
  readonly kind: string;
  readonly bytes: Buffer;
}

/** So many damaged files, the same for the same seed. */
export function mutatedImages(files: readonly Buffer[], count: number, seed: number): readonly MutatedImage[] {
  const random = randomNumbers(seed);
  const chance: Chance = (below) => Math.floor(random() * below);
  return Array.from({ length: count }, (_, index) => {
    const file = files[index % files.length] ?? Buffer.alloc(0);
    const [kind, mutate] = mutations[Math.floor(index / files.length) % mutations.length] ?? [];
    return {
      kind: `file ${index % files.length} with ${kind}`,
      bytes: Buffer.from(mutate?.(Buffer.from(file), chance, files) ?? file),
    };
  });
}
