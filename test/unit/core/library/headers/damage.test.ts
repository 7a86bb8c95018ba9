/** Whatever the bytes are, a header reader returns a header or throws a HeaderError, within a short time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { HeaderError, readHeader } from '../../../../../src/core/library/headers/header.ts';
import { buildTiff, long, rational, rgbTags, short } from '../../../../fixtures/files/tiff.mjs';
import { isWhole, runsOf } from '../../../../sweep.ts';
import {
  box,
  codeStream,
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
  u32,
  webp,
  webpChunk,
} from './build-files.ts';

/** The size that is read, or undefined for a HeaderError; other errors are rethrown. */
async function sizeOf(bytes: Buffer): Promise<string | undefined> {
  try {
    const { width, height } = (await readHeader(bufferSource(bytes))).pages[0].levels[0];
    expect(width > 0 && height > 0).toBe(true);
    return `${width}x${height}`;
  } catch (error) {
    if (!(error instanceof HeaderError)) throw error;
    expect(error.message).toMatch(/^[A-Z][^/\\]*\.$/);
    return undefined;
  }
}

const exif = buildTiff([
  {
    tags: [
      [274, short, [6]],
      [282, rational, [300_000]],
      [283, rational, [300_000]],
    ],
  },
]);
const tiffPages = [
  {
    tags: rgbTags(30, 20, [
      [282, rational, [300_000]],
      [283, rational, [300_000]],
    ]),
    subDirectories: [{ tags: rgbTags(15, 10) }],
  },
  { tags: rgbTags(15, 10, [[254, long, [1]]]) },
];

const files: readonly (readonly [string, Buffer])[] = [
  ['JPEG', jpeg(jfif(1, 300, 300), exifSegment(exif), profileSegment(), frame(30, 20))],
  ['PNG', png({}, pngChunk('pHYs', u32(1), u32(1), Buffer.of(1)), pngChunk('eXIf', exif), pngChunk('tRNS', u32(0)))],
  ['GIF', gif({ screen: [30, 20], image: [0, 0, 30, 20], extensions: [graphicControl(1)] })],
  ['WebP', webp(extended(0x38, 30, 20), webpChunk('VP8 ', Buffer.alloc(20)), webpChunk('EXIF', exif))],
  ['JP2', jp2(ihdr(30, 20), enumeratedColor(16), profileColor('RGB '), box('res ', resolutionBox('resc', [1, 1, 1])))],
  ['a code-stream', codeStream(30, 20)],
  ['TIFF', buildTiff(tiffPages)],
  ['big-endian TIFF', buildTiff(tiffPages, { littleEndian: false })],
  ['BigTIFF', buildTiff(tiffPages, { big: true })],
  ['big-endian BigTIFF', buildTiff(tiffPages, { littleEndian: false, big: true })],
];

test.each(files)('%s cut at every length', async (_name, bytes) => {
  expect(await sizeOf(bytes)).toBe('30x20');
  for (let length = 0; length < bytes.length; length++) {
    expect([undefined, '30x20']).toContain(await sizeOf(bytes.subarray(0, length)));
  }
});

test.each(['jpeg', 'png', 'gif', 'webp', 'tiff'] as const)(
  'a %s of the encoder cut at every length',
  { tags: 'sampled' },
  async (format) => {
    const bytes = await sample(30, 20).withMetadata({ orientation: 6, density: 300 })[format]().toBuffer();
    for (let length = 0; length < bytes.length; length += isWhole ? 1 : 5) {
      expect([undefined, '30x20']).toContain(await sizeOf(bytes.subarray(0, length)));
    }
  },
);

test.each(files)('%s with any few bytes changed', { tags: 'sampled' }, async (_name, bytes) => {
  const change = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const changed = Buffer.from(bytes);
      for (const [at, value] of changes) changed[at] = value;
      await sizeOf(changed);
    }),
    { numRuns: runsOf(500) },
  );
});

test.each([
  ['JPEG', '\xff\xd8\xff'],
  ['PNG', '\x89PNG\r\n\x1a\n'],
  ['PNG header', '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR'],
  ['GIF', 'GIF89a'],
  ['TIFF', 'II*\0\x08\0\0\0'],
  ['big-endian TIFF', 'MM\0*\0\0\0\x08'],
  ['BigTIFF', 'II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0'],
  ['WebP', 'RIFF\0\0\0\0WEBP'],
  ['extended WebP', 'RIFF\0\0\0\0WEBPVP8X'],
  ['JP2', '\0\0\0\x0cjP  \r\n\x87\n'],
  ['a code-stream', '\xff\x4f\xff\x51'],
  ['no signature', ''],
])('random bytes after the signature of %s', { tags: 'sampled' }, async (_name, magic) => {
  const start = Buffer.from(magic, 'latin1');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), async (rest) => {
      await sizeOf(Buffer.concat([start, rest]));
    }),
    { numRuns: runsOf(400) },
  );
});

test('an error of the source itself is rethrown', async () => {
  const failing = { size: 100, read: async () => Promise.reject(new Error('EIO')) };
  await expect(readHeader(failing)).rejects.toThrow('EIO');
});
