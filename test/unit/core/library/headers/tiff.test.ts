/** Which directories of a TIFF file are pages and which are levels, with the facts of each. */
import { expect, test } from 'vitest';
import type { LevelLocation, PageFacts } from '../../../../../src/core/image/model/image-set.ts';
import { bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { HeaderError, readHeader } from '../../../../../src/core/library/headers/header.ts';
import {
  buildTiff,
  type Directory,
  long,
  rational,
  rgbTags,
  short,
  type Tag,
} from '../../../../fixtures/files/tiff.mjs';
import { sample } from './build-files.ts';

const pagesOf = async (bytes: Buffer): Promise<readonly PageFacts[]> => (await readHeader(bufferSource(bytes))).pages;
const factsOf = async (tags: readonly Tag[]): Promise<PageFacts | undefined> =>
  (await pagesOf(buildTiff([{ tags }])))[0];

const placeOf = (location: LevelLocation): string =>
  location.kind === 'subifd'
    ? `${location.page}/${location.subifd}`
    : location.kind === 'page'
      ? `${location.page}`
      : location.kind;

/** Each page as its levels: size, and location as `page` or `page/subifd`. */
const outline = async (bytes: Buffer): Promise<string[]> =>
  (await pagesOf(bytes)).map((page) =>
    page.levels.map(({ width, height, location }) => `${width}x${height} at ${placeOf(location)}`).join(', '),
  );

const reduced: Tag = [254, long, [1]];
const oldReduced: Tag = [255, short, [2]];
const pageFlag: Tag = [254, long, [2]];
const oldPage: Tag = [255, short, [3]];
const mask: Tag = [254, long, [4]];
const profile: Tag = [34675, 7, Array.from({ length: 40 }, () => 1)];
const alpha: Tag = [338, short, [2]];

const at = (width: number, height: number, ...tags: Tag[]): Directory => ({ tags: rgbTags(width, height, tags) });

test.each<[string, Directory[], string[]]>([
  ['one page', [at(100, 80)], ['100x80 at 0']],
  ['two pages', [at(100, 80), at(100, 80)], ['100x80 at 0', '100x80 at 1']],
  [
    'a flagged pyramid',
    [at(1000, 751), at(500, 375, reduced), at(250, 187, reduced)],
    ['1000x751 at 0, 500x375 at 1, 250x187 at 2'],
  ],
  [
    'sides rounded up',
    [at(1000, 751), at(500, 376, reduced), at(250, 188, reduced)],
    ['1000x751 at 0, 500x376 at 1, 250x188 at 2'],
  ],
  [
    'levels out of order',
    [at(1000, 800), at(250, 200, reduced), at(500, 400, reduced)],
    ['1000x800 at 0, 500x400 at 2, 250x200 at 1'],
  ],
  [
    'levels of the same size',
    [at(1000, 800), at(500, 400, reduced), at(500, 400, reduced)],
    ['1000x800 at 0, 500x400 at 1'],
  ],
  ['the old flag', [at(1000, 800), at(500, 400, oldReduced)], ['1000x800 at 0, 500x400 at 1']],
  [
    'two pyramids',
    [at(1000, 800), at(500, 400, reduced), at(900, 600), at(450, 300, reduced)],
    ['1000x800 at 0, 500x400 at 1', '900x600 at 2, 450x300 at 3'],
  ],
  ['a preview of another aspect', [at(3000, 2000), at(160, 120, reduced)], ['3000x2000 at 0']],
  [
    'a reduced picture that is not smaller',
    [at(100, 80), at(100, 80, reduced), at(200, 160, reduced)],
    ['100x80 at 0'],
  ],
  ['a mask', [at(100, 80), at(100, 80, mask), at(60, 40)], ['100x80 at 0', '60x40 at 2']],
  ['a mask of a reduced picture', [at(100, 80), at(50, 40, [254, long, [5]])], ['100x80 at 0']],
  ['a preview before the page', [at(50, 40, reduced), at(100, 80)], ['100x80 at 1']],
  ['a preview alone', [at(50, 40, reduced)], ['50x40 at 0']],
  ['a level of other colors', [at(100, 80), at(50, 40, reduced, [262, short, [5]])], ['100x80 at 0']],
  ['a level of other bits', [at(100, 80), at(50, 40, reduced, [258, short, [16, 16, 16]])], ['100x80 at 0']],
  [
    'a level without the profile',
    [at(100, 80, profile), at(50, 40, reduced), at(25, 20, reduced, profile)],
    ['100x80 at 0, 25x20 at 2'],
  ],
  ['a level of other samples', [at(100, 80), at(50, 40, reduced, [339, short, [3, 3, 3]])], ['100x80 at 0']],
  ['a level with alpha', [at(100, 80), at(50, 40, reduced, alpha)], ['100x80 at 0']],
  ['YCbCr levels of an RGB page', [at(100, 80), at(50, 40, reduced, [262, short, [6]])], ['100x80 at 0, 50x40 at 1']],
  ['unflagged halves', [at(1001, 751), at(500, 375), at(250, 187)], ['1001x751 at 0, 500x375 at 1, 250x187 at 2']],
  [
    'unflagged, once not a half',
    [at(1000, 800), at(500, 400), at(200, 160)],
    ['1000x800 at 0', '500x400 at 1', '200x160 at 2'],
  ],
  ['halves flagged as pages', [at(1000, 800, pageFlag), at(500, 400, pageFlag)], ['1000x800 at 0', '500x400 at 1']],
  [
    'halves flagged as pages the old way',
    [at(1000, 800, oldPage), at(500, 400, oldPage)],
    ['1000x800 at 0', '500x400 at 1'],
  ],
  ['pages of one pixel', [at(1, 1), at(1, 1)], ['1x1 at 0', '1x1 at 1']],
  ['a line', [at(2000, 1), at(1000, 1, reduced), at(500, 1, reduced)], ['2000x1 at 0, 1000x1 at 1, 500x1 at 2']],
  ['the same width, one row less', [at(1000, 751), at(1000, 750, reduced)], ['1000x751 at 0']],
])('%s', async (_name, directories, pages) => {
  expect(await outline(buildTiff(directories))).toEqual(pages);
});

const withSubs: Directory[] = [
  {
    tags: rgbTags(1000, 751),
    subDirectories: [at(160, 160), at(500, 375, reduced), at(250, 187), at(500, 375, mask), at(2000, 1502)],
  },
  { tags: rgbTags(900, 600), subDirectories: [at(450, 300)] },
];

test.each([
  { littleEndian: true, big: false },
  { littleEndian: false, big: false },
  { littleEndian: true, big: true },
  { littleEndian: false, big: true },
])('SubIFDs of the same aspect are levels: %o', async (layout) => {
  expect(await outline(buildTiff(withSubs, layout))).toEqual([
    '1000x751 at 0, 500x375 at 0/1, 250x187 at 0/2',
    '900x600 at 1, 450x300 at 1/0',
  ]);
});

test('the encoder’s pyramid has its levels, tiles and dpi', async () => {
  const bytes = await sample(1000, 751)
    .tiff({
      tile: true,
      pyramid: true,
      compression: 'jpeg',
      tileWidth: 256,
      tileHeight: 128,
      xres: 11.811,
      yres: 5.9055,
    })
    .toBuffer();
  const [page, ...more] = await pagesOf(bytes);
  expect(more).toEqual([]);
  expect(page).toMatchObject({ color: 'rgb', bits: 8, dpi: { x: 299.9994, y: 149.9997 } });
  const tile = { width: 256, height: 128 };
  expect(page?.levels).toMatchObject([
    { width: 1000, height: 751, tile, location: { kind: 'page', page: 0 } },
    { width: 500, height: 375, tile, location: { kind: 'page', page: 1 } },
    { width: 250, height: 187, tile, location: { kind: 'page', page: 2 } },
    { width: 125, height: 93, tile, location: { kind: 'page', page: 3 } },
  ]);
});

test.each([
  ['BigTIFF', { bigtiff: true }],
  ['strips', {}],
  ['LZW', { compression: 'lzw' }],
] as const)('the encoder’s pages in %s', async (_name, options) => {
  expect(await outline(await sample(40, 30).tiff(options).toBuffer())).toEqual(['40x30 at 0']);
});

test.each<[string, Tag[], Partial<PageFacts>]>([
  [
    'no bits given',
    [
      [256, short, [9]],
      [257, short, [7]],
      [262, short, [0]],
    ],
    { color: 'bilevel', bits: 1 },
  ],
  [
    'black is zero',
    rgbTags(9, 7, [
      [258, short, [8]],
      [262, short, [1]],
    ]) as Tag[],
    { color: 'gray', bits: 8 },
  ],
  [
    'palette',
    rgbTags(9, 7, [
      [258, short, [4]],
      [262, short, [3]],
    ]) as Tag[],
    { color: 'palette', bits: 4 },
  ],
  ['CMYK', rgbTags(9, 7, [[262, short, [5]]]) as Tag[], { color: 'cmyk' }],
  ['YCbCr', rgbTags(9, 7, [[262, short, [6]]]) as Tag[], { color: 'rgb' }],
  ['Lab', rgbTags(9, 7, [[262, short, [8]]]) as Tag[], { color: 'lab' }],
  ['raw of a camera', rgbTags(9, 7, [[262, short, [32_803]]]) as Tag[], { color: 'other' }],
  [
    'no color given, three samples',
    [
      [256, short, [9]],
      [257, short, [7]],
      [258, short, [8]],
      [277, short, [3]],
    ],
    { color: 'rgb' },
  ],
  ['alpha', rgbTags(9, 7, [alpha]) as Tag[], { alpha: true }],
  ['an extra sample of no meaning', rgbTags(9, 7, [[338, short, [0]]]) as Tag[], { alpha: false }],
  ['a profile', rgbTags(9, 7, [profile]) as Tag[], { profile: true }],
  ['signed samples', rgbTags(9, 7, [[339, short, [2, 2, 2]]]) as Tag[], { samples: 'signed' }],
  ['float samples', rgbTags(9, 7, [[339, short, [3, 3, 3]]]) as Tag[], { samples: 'float' }],
  ['an orientation', rgbTags(9, 7, [[274, short, [7]]]) as Tag[], { orientation: 7 }],
  ['an unknown orientation', rgbTags(9, 7, [[274, short, [12]]]) as Tag[], { orientation: 1 }],
])('facts: %s', async (_name, tags, facts) => {
  expect(await factsOf(tags)).toMatchObject(facts);
});

test.each([1, 4])('sample format %i is not recorded', async (format) => {
  expect(await factsOf(rgbTags(9, 7, [[339, short, [format]]]))).not.toHaveProperty('samples');
});

test.each<[string, Tag[], { x: number; y: number } | undefined]>([
  ['inch', [[296, short, [2]]], { x: 300, y: 150 }],
  ['no unit given', [], { x: 300, y: 150 }],
  ['centimeter', [[296, short, [3]]], { x: 762, y: 381 }],
  ['none', [[296, short, [1]]], undefined],
])('resolution unit: %s', async (_name, unit, dpi) => {
  const resolution: Tag[] = [
    [282, rational, [300_000]],
    [283, rational, [150_000]],
  ];
  expect((await factsOf(rgbTags(9, 7, [...resolution, ...unit])))?.dpi).toEqual(dpi);
});

test.each<[string, Tag[]]>([
  [
    'zero',
    [
      [282, rational, [0]],
      [283, rational, [1000]],
    ],
  ],
  ['one axis only', [[282, rational, [1000]]]],
  [
    'negative',
    [
      [282, 11, [-5]],
      [283, 11, [5]],
    ],
  ],
  [
    'not finite',
    [
      [282, 12, [Number.NaN]],
      [283, 12, [Number.POSITIVE_INFINITY]],
    ],
  ],
  [
    'outside the file',
    [
      [282, rational, { count: 1, offset: 4_000_000_000 }],
      [283, rational, [1000]],
    ],
  ],
])('a resolution that is %s is ignored', async (_name, tags) => {
  expect(await factsOf(rgbTags(9, 7, tags))).not.toHaveProperty('dpi');
});

test.each<[string, Buffer]>([
  ['no directory', Buffer.from('II*\0\0\0\0\0', 'latin1')],
  ['a first directory at 4 GiB', Buffer.from('II*\0\xff\xff\xff\xff', 'latin1')],
  ['a first directory in its own header', Buffer.from('II*\0\x02\0\0\0', 'latin1')],
  ['an empty directory', Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1')],
  ['no width', buildTiff([{ tags: [[257, short, [7]]] }])],
  ['a height of zero', buildTiff([at(9, 0)])],
  ['bits outside the file', buildTiff([at(9, 7, [258, short, { count: 3, offset: 4_294_967_290 }])])],
  ['bits divided by zero', buildTiff([at(9, 7, [258, rational, [8, 0]])])],
  ['samples divided by zero', buildTiff([at(9, 7, [277, rational, [3, 0]])])],
  ['offsets of 4 bytes in BigTIFF', Buffer.from('II+\0\x04\0\0\0\x10\0\0\0\0\0\0\0', 'latin1')],
  [
    'a BigTIFF directory beyond any file',
    Buffer.concat([buildTiff([], { big: true }).subarray(0, 8), Buffer.alloc(8, 255)]),
  ],
  ['a mask alone', buildTiff([at(9, 7, mask)])],
])('a TIFF with %s is damaged', async (_name, bytes) => {
  await expect(readHeader(bufferSource(bytes))).rejects.toThrow(HeaderError);
});

test('a damaged later directory ends the pages', async () => {
  const directories = [at(9, 7), at(9, 0), at(9, 7)];
  expect(await outline(buildTiff(directories))).toEqual(['9x7 at 0']);
});

test('levels with page numbers, as ImageMagick writes them, show the whole image', async () => {
  const numbered = (page: number): Tag => [297, short, [page, 2]];
  const [plain] = await pagesOf(buildTiff([at(1001, 751), at(500, 375, reduced)]));
  const [magick] = await pagesOf(buildTiff([at(1001, 751, numbered(0)), at(500, 375, reduced, numbered(1))]));
  expect([plain?.levels[1]?.showsWhole, magick?.levels[1]?.showsWhole]).toEqual([undefined, true]);
});
