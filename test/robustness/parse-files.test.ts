/** The readers of image files: any bytes give a header or a HeaderError, in bounded time and of bounded reads. */
import { equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cutJpeg, whyUnusable } from '@lectern/jpeg';
import type { Jpeg2000 } from '@lectern/jpeg2000/model';
import { describe, it } from 'vitest';
import type { PageFacts } from '../../src/core/image/model/image-set.ts';
import { costOf } from '../../src/core/image/plan/cost.ts';
import { planPart } from '../../src/core/image/plan/plan-render.ts';
import { type ByteSource, bufferSource } from '../../src/core/library/headers/byte-source.ts';
import { HeaderError, readHeader } from '../../src/core/library/headers/header.ts';
import { isSrgbProfile } from '../../src/core/library/headers/icc.ts';
import { adobeRgb, formula, rgbProfile, srgb, srgbGray, srgbPrimaries } from '../fixtures/files/icc-profile.mjs';
import { buildTiff, long, rational, rgbTags, short } from '../fixtures/files/tiff.mjs';
import {
  box,
  coc,
  cod,
  codeStream,
  codeStreamOf,
  enumeratedColor,
  exifSegment,
  extended,
  frame,
  gif,
  graphicControl,
  ihdr,
  jfif,
  jp2,
  jpeg,
  png,
  pngChunk,
  profileColor,
  profileSegment,
  resolutionBox,
  sample,
  siz,
  u32,
  webp,
  webpChunk,
} from '../unit/core/library/headers/build-files.ts';
import { damagedBytes, expectFiniteNumbers, holdsForEach } from './random-inputs.ts';

const exif = buildTiff([
  {
    tags: [
      [274, short, [6]],
      [282, rational, [300_000]],
      [283, rational, [300_000]],
    ],
  },
]);
const tiled = rgbTags(300, 200, [
  [322, short, [128]],
  [323, short, [128]],
  [324, long, [1000, 2000, 3000, 4000, 5000, 6000]],
  [325, long, [10, 10, 10, 10, 10, 10]],
  [259, short, [7]],
]);
const pages = [
  {
    tags: rgbTags(30, 20, [
      [282, rational, [300_000]],
      [283, rational, [300_000]],
    ]),
    subDirectories: [{ tags: rgbTags(15, 10) }],
  },
  { tags: rgbTags(15, 10, [[254, long, [1]]]) },
  { tags: tiled },
];
const jpeg2000Folder = fileURLToPath(new URL('../fixtures/jpeg2000', import.meta.url));
const encoded = async (format: 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff', options = {}): Promise<Buffer> =>
  sample(40, 30).withMetadata({ orientation: 6, density: 300 })[format](options).toBuffer();

const files: Readonly<Record<string, () => Promise<readonly Buffer[]>>> = {
  JPEG: async () => [
    jpeg(jfif(1, 300, 300), exifSegment(exif), profileSegment(), frame(30, 20)),
    await encoded('jpeg'),
    await encoded('jpeg', { progressive: true }),
  ],
  PNG: async () => [
    png({}, pngChunk('pHYs', u32(1), u32(1), Buffer.of(1)), pngChunk('eXIf', exif), pngChunk('tRNS', u32(0))),
    await encoded('png'),
  ],
  GIF: async () => [
    gif({ screen: [30, 20], image: [0, 0, 30, 20], extensions: [graphicControl(1)] }),
    await encoded('gif'),
  ],
  WebP: async () => [
    webp(extended(0x38, 30, 20), webpChunk('VP8 ', Buffer.alloc(20)), webpChunk('EXIF', exif)),
    await encoded('webp'),
    await encoded('webp', { lossless: true }),
  ],
  'JPEG 2000': async () => [
    jp2(ihdr(30, 20), enumeratedColor(16), profileColor('RGB '), box('res ', resolutionBox('resc', [1, 1, 1]))),
    Buffer.concat([jp2(profileColor('RGB ')), box('uuid', Buffer.from('JpgTiffExif->JP2', 'latin1'), exif)]),
    codeStream(30, 20),
    codeStreamOf(
      [
        siz({ width: 300, height: 200, left: 9, top: 5, tile: [3, 4, 64, 32] }),
        cod({ levels: 5, precincts: [0x44, 0x44, 0x55, 0x66, 0x77, 0x88] }),
        coc(1, { levels: 3 }),
      ],
      [cod({ levels: 4 })],
    ),
    ...['gray.jp2', 'palette.jp2', 'ppt.j2k', 'rgb-alpha.jp2', 'tile-offset.jp2'].map((name) =>
      readFileSync(path.join(jpeg2000Folder, name)),
    ),
  ],
  TIFF: async () => [
    buildTiff(pages),
    buildTiff(pages, { littleEndian: false }),
    buildTiff(pages, { big: true }),
    buildTiff(pages, { littleEndian: false, big: true }),
    await encoded('tiff', { tile: true, tileWidth: 16, tileHeight: 16, compression: 'jpeg', pyramid: true }),
    await encoded('tiff', { compression: 'lzw' }),
  ],
};

/** Reads of one header: directories and tables are bounded, so that no file makes thousands of reads. */
const maxReads = 3000;

/** What a plan hands to the decoder lies in the file, and names components that are there. */
function requireInside({ codeStream: stream, color }: Jpeg2000, length: number): void {
  const { colors, alpha, profile, palette } = color;
  for (const part of [stream, profile, palette?.values]) ok(part === undefined || part.at + part.bytes <= length);
  ok(stream.headerBytes < stream.bytes && stream.reductions >= 0 && stream.reductions <= 32 && stream.layers > 0);
  for (const { component, column } of alpha ? [...colors, alpha] : colors) {
    ok(component < stream.components.length);
    ok(column === undefined || (palette !== undefined && column < palette.columns.length));
  }
}

/** Whatever a header says, what its pictures cost is known at once. */
function requireCost(page: PageFacts): void {
  const { width, height } = page.levels[0];
  const file = { path: '/image', bytes: 1000, modifiedMs: 0, fingerprint: '' };
  const resolution = { ...page, orientation: 1 as const, width, height, file, format: 'jp2' as const, complete: true };
  for (const part of [
    { x: 0, y: 0, width, height },
    { x: width - 1, y: height - 1, width: 1, height: 1 },
  ]) {
    const { bytes, ms } = costOf(planPart(resolution, part, { width: 1, height: 1 }, 'jpeg'));
    ok(bytes > 0 && Number.isFinite(bytes) && ms > 0 && Number.isFinite(ms));
  }
}

async function readCounted(bytes: Buffer): Promise<void> {
  const source = bufferSource(bytes);
  let reads = 0;
  const counted: ByteSource = {
    size: source.size,
    read: (offset, length) => {
      reads++;
      ok(Number.isSafeInteger(offset) && offset >= 0 && length >= 0);
      return source.read(offset, length);
    },
  };
  try {
    const { pages } = await readHeader(counted);
    expectFiniteNumbers(pages);
    for (const page of pages) {
      const { levels, jpeg2000 } = page;
      if (jpeg2000) {
        requireInside(jpeg2000, bytes.length);
        requireCost(page);
      }
      for (const { width, height } of levels)
        ok(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0);
    }
  } catch (error) {
    if (!(error instanceof HeaderError)) throw error;
    match(error.message, /^[A-Z][^/\\]*\.$/);
  }
  ok(reads < maxReads);
}

describe('the header of a damaged file', () => {
  it.each(Object.keys(files))('of the format %s is read, or refused in one sentence', async (name) => {
    await holdsForEach(damagedBytes((await files[name]?.()) ?? []), readCounted);
  });

  it('has an ICC profile that is recognized or not', async () => {
    const profiles = [
      srgb,
      srgbGray,
      adobeRgb,
      rgbProfile(srgbPrimaries, formula(3, [2.4, 0.948, 0.052, 0.077, 0.04])),
    ];
    await holdsForEach(damagedBytes(profiles), (profile) => {
      equal(typeof isSrgbProfile(profile), 'boolean');
    });
  });
});

describe('a damaged tile', () => {
  it('is cut to its part, or a sentence says why not', async () => {
    const tiles = [
      await encoded('jpeg'),
      await encoded('jpeg', { chromaSubsampling: '4:4:4' }),
      await sample(64, 64).grayscale().jpeg().toBuffer(),
    ];
    await holdsForEach(damagedBytes(tiles), (tile) => {
      const cut = cutJpeg(tile, { width: 33, height: 17 });
      if (typeof cut === 'string') match(cut, /^\S.*\w$/);
      else equal(cut.readUInt16BE(0), 0xffd8);
      match(whyUnusable(tile, { width: 40, height: 30 }, 'ycbcr') ?? 'the tile', /^the tile/);
    });
  });
});
