/** Which tiles of a TIFF can be sent unchanged, and why the others can't. */
import { expect, it, test } from 'vitest';
import type { PageFacts } from '../../../../../src/core/image/model/image-set.ts';
import { bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../../../../src/core/library/headers/header.ts';
import { adobeRgb, srgb, srgbGray } from '../../../../fixtures/files/icc-profile.mjs';
import { buildTiff, long, rgbTags, short, type Tag } from '../../../../fixtures/files/tiff.mjs';

const page = async (bytes: Buffer): Promise<PageFacts> => (await readHeader(bufferSource(bytes))).pages[0];

/** A stream of one table for quantization. */
const tables = [0xff, 0xd8, 0xff, 0xdb, 0, 4, 1, 2, 0xff, 0xd9];

/** 3 x 2 tiles of JPEG. */
const tiled = (...tags: readonly Tag[]): readonly Tag[] => {
  const given = new Set(tags.map(([tag]) => tag));
  const plain: readonly Tag[] = [
    [259, short, [7]],
    [322, short, [128]],
    [323, short, [96]],
    [324, long, [1, 2, 3, 4, 5, 6]],
    [325, long, [9, 9, 9, 9, 9, 9]],
    [347, 7, tables],
  ];
  return rgbTags(300, 190, [...plain.filter(([tag]) => !given.has(tag)), ...tags]);
};

const stored = async (...tags: readonly Tag[]) => (await page(buildTiff([{ tags: tiled(...tags) }]))).levels[0].stored;

test.each<[string, readonly Tag[], object]>([
  ['RGB', [], { samples: 'rgb', columns: 3, rows: 2 }],
  ['YCbCr', [[262, short, [6]]], { samples: 'ycbcr' }],
  [
    'gray',
    [
      [262, short, [1]],
      [277, short, [1]],
      [258, short, [8]],
    ],
    { samples: 'gray' },
  ],
  ['offsets of 16 bits', [[324, short, [1, 2, 3, 4, 5, 6]]], { offsets: { count: 6, bytesEach: 2 } }],
  ['lengths of 64 bits', [[325, 16, [9, 9, 9, 9, 9, 9]]], { lengths: { count: 6, bytesEach: 8 } }],
  ['interleaved samples', [[284, short, [1]]], { kind: 'jpeg' }],
])('%s can be spliced', async (_name, tags, facts) =>
  expect(await stored(...tags)).toMatchObject({ kind: 'jpeg', ...facts }),
);

it('returns the offsets of the lists, even of those in the directory itself', async () => {
  for (const littleEndian of [true, false]) {
    const one: Tag[] = [
      [322, short, [304]],
      [323, short, [192]],
      [324, long, [77]],
      [325, short, [99]],
    ];
    const bytes = buildTiff([{ tags: tiled(...one) }], { littleEndian });
    const found = (await page(bytes)).levels[0].stored;
    if (found?.kind !== 'jpeg') throw new Error('no JPEG tiles');
    const { offsets, lengths } = found;
    expect(offsets).toMatchObject({ count: 1, bytesEach: 4, littleEndian });
    expect(littleEndian ? bytes.readUInt32LE(offsets.at) : bytes.readUInt32BE(offsets.at)).toBe(77);
    expect(littleEndian ? bytes.readUInt16LE(lengths.at) : bytes.readUInt16BE(lengths.at)).toBe(99);
    expect(bytes.subarray(found.tables?.at).subarray(0, found.tables?.bytes)).toEqual(Buffer.from(tables));
  }
});

const unusable = 'the JPEG tables that its tiles share are damaged or unusual';

test.each<[string, readonly Tag[]]>([
  ['its tiles are stored without compression', [[259, short, [1]]]],
  ['its tiles are stored with LZW compression', [[259, short, [5]]]],
  ['its tiles are stored with the old JPEG compression of TIFF 6.0', [[259, short, [6]]]],
  ['its tiles are stored with JPEG 2000 compression', [[259, short, [33_005]]]],
  ['its tiles are stored with compression 999', [[259, short, [999]]]],
  ['its tiles hold one color each', [[284, short, [2]]]],
  ['its samples have 12, 12, 12 bits, not 8', [[258, short, [12, 12, 12]]]],
  [
    'its tiles are stored as negatives: white is zero',
    [
      [262, short, [0]],
      [277, short, [1]],
      [258, short, [8]],
    ],
  ],
  [
    'its 4 samples a pixel are of a kind that a JPEG can’t name (photometric 5)',
    [
      [262, short, [5]],
      [277, short, [4]],
    ],
  ],
  [
    'its 4 samples a pixel are of a kind that a JPEG can’t name (photometric 2)',
    [
      [277, short, [4]],
      [338, short, [2]],
    ],
  ],
  ['its 3 samples a pixel are of a kind that a JPEG can’t name (photometric 8)', [[262, short, [8]]]],
  ['the file lists 5 tiles with 6 lengths, and its size needs 6', [[324, long, [1, 2, 3, 4, 5]]]],
  ['the file lists 6 tiles with 1 lengths, and its size needs 6', [[325, long, [9]]]],
  ['the file does not say rightly where its tiles lie', [[324, long, { count: 6, offset: 1_000_000 }]]],
  ['the file does not say rightly where its tiles lie', [[324, 11, [1, 2, 3, 4, 5, 6]]]],
  ['the file does not say rightly where its tiles lie', [[325, long, { count: 4_000_000_000, offset: 8 }]]],
  [unusable, [[347, 7, [0xff, 0xd8, 0xff, 0xdb]]]],
  [unusable, [[347, 7, [0xff, 0xd8, 0xff, 0xdb, 0, 9, 1, 2, 0xff, 0xd9]]]],
  [unusable, [[347, 7, [0xff, 0xd8, 0xff, 0xdb, 0, 0, 1, 2, 0xff, 0xd9]]]],
  [unusable, [[347, 7, [0xff, 0xd8, 0xff, 0xee, 0, 4, 1, 2, 0xff, 0xd9]]]],
  // A restart interval, which the start of each tile disables.
  [unusable, [[347, 7, [0xff, 0xd8, 0xff, 0xdd, 0, 4, 0, 3, 0xff, 0xd9]]]],
  [unusable, [[347, 7, { count: 10, offset: 1_000_000 }]]],
  [unusable, [[347, 7, { count: 1_000_000_000, offset: 8 }]]],
])('%s', async (reason, tags) => expect(await stored(...tags)).toEqual({ kind: 'opaque', reason }));

const deflate = (...tags: readonly Tag[]) => stored([259, short, [8]], ...tags);
const deflateReason = 'its tiles are stored with deflate compression';

test.each<[string, readonly Tag[], object]>([
  ['RGB', [], { channels: 3, areDifferences: false, columns: 3, rows: 2 }],
  ['differences', [[317, short, [2]]], { channels: 3, areDifferences: true }],
  ['unsigned samples', [[339, short, [1, 1, 1]]], { channels: 3 }],
  [
    'gray',
    [
      [262, short, [1]],
      [277, short, [1]],
      [258, short, [8]],
    ],
    { channels: 1 },
  ],
])('Deflate tiles are found: %s', async (_name, tags, facts) =>
  expect(await deflate(...tags)).toMatchObject({ kind: 'deflate', reason: deflateReason, ...facts }),
);

test.each<[string, readonly Tag[]]>([
  ['another predictor', [[317, short, [3]]]],
  ['signed samples', [[339, short, [2, 2, 2]]]],
  ['16 bits', [[258, short, [16, 16, 16]]]],
  ['single planes', [[284, short, [2]]]],
  ['YCbCr', [[262, short, [6]]]],
  ['transparency', [[277, short, [4]]]],
  ['too few offsets', [[324, long, [1, 2, 3]]]],
  ['a damaged predictor', [[317, long, { count: 2, offset: 1_000_000 }]]],
])('libvips decodes Deflate tiles: %s', async (_name, tags) =>
  expect(await deflate(...tags)).toEqual({ kind: 'opaque', reason: deflateReason }),
);

it('ignores strips', async () => {
  const { levels } = await page(buildTiff([{ tags: rgbTags(300, 190, [[259, short, [7]]]) }]));
  expect(levels[0]).not.toHaveProperty('stored');
});

const profileTag = (icc: Buffer): Tag => [34_675, 7, [...icc]];
const gray: readonly Tag[] = [
  [262, short, [1]],
  [277, short, [1]],
  [258, short, [8]],
];

test.each<[string, readonly Tag[], 'srgb' | undefined, boolean]>([
  ['sRGB', [profileTag(srgb)], 'srgb', true],
  ['Adobe RGB', [profileTag(adobeRgb)], undefined, true],
  ['gray with sRGB’s curve', [...gray, profileTag(srgbGray)], 'srgb', true],
  ['a gray profile on colors', [profileTag(srgbGray)], undefined, false],
  ['a color profile on gray', [...gray, profileTag(srgb)], undefined, false],
  ['no profile at all', [profileTag(Buffer.alloc(500))], undefined, false],
  ['outside the file', [[34_675, 7, { count: 4000, offset: 900_000 }]], undefined, false],
  ['of 4 GB', [[34_675, 7, { count: 4_000_000_000, offset: 8 }]], undefined, false],
])('a profile: %s', async (_name, tags, space, isUsed) => {
  const facts = await page(buildTiff([{ tags: tiled(...tags) }]));
  expect([facts.profile, facts.profileSpace]).toEqual([true, space]);
  const found = facts.levels[0].stored;
  expect(found?.kind === 'jpeg' && found.profile !== undefined).toBe(isUsed);
});

it('is sRGB only where the profiles of all levels are', async () => {
  const level = (width: number, height: number, icc: Buffer, reduced: number) => ({
    tags: rgbTags(width, height, [...tiled(profileTag(icc)).slice(5), [254, long, [reduced]]]),
  });
  const lists: readonly Tag[] = [
    [324, long, [1, 2]],
    [325, long, [9, 9]],
  ];
  const half = (icc: Buffer) => ({
    tags: rgbTags(150, 95, [...tiled(...lists, profileTag(icc)).slice(5), [254, long, [1]]]),
  });
  const spaces: (string | undefined)[] = [];
  for (const icc of [srgb, adobeRgb]) {
    const facts = await page(buildTiff([level(300, 190, srgb, 0), half(icc)]));
    expect(facts.levels).toHaveLength(2);
    spaces.push(facts.profileSpace);
  }
  expect(spaces).toEqual(['srgb', undefined]);
});
