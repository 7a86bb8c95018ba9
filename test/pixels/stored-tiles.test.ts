/** Stored tiles that are passed through, cropped or joined, when decoded, equal libvips’ own region of the level byte for byte. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { wrapPixels } from '@lectern/tiff';
import sharp, { type Sharp, type TiffOptions } from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createAdmission } from '../../src/core/access/admit.ts';
import { anyone, openAccess } from '../../src/core/access/policy.ts';
import type { Admitted, ImageSet, Level } from '../../src/core/image/model/image-set.ts';
import type { Profiles } from '../../src/core/image/model/stored-samples.ts';
import { planImage } from '../../src/core/image/plan/plan.ts';
import type { Plan } from '../../src/core/image/plan/plan-types.ts';
import { Library } from '../../src/core/library/library.ts';
import { execute } from '../../src/core/render/execute.ts';
import { withOpenedFile } from '../../src/core/render/sources/opened-file.ts';
import { openTiles } from '../../src/core/render/sources/tiled-source.ts';
import { createTileReader } from '../../src/core/render/tiles/tile-reader.ts';
import type { ReadSteps } from '../../src/core/storage/read-steps.ts';
import { Storages } from '../../src/core/storage/storages.ts';
import { parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import { adobeRgb, lightGray, srgb, srgbGray } from '../fixtures/files/icc-profile.mjs';
import { sampleOf } from '../sweep.ts';
import {
  levelOfFiles,
  levelsOf,
  type PyramidLayout,
  pyramid,
  type StoredPyramidLevel,
  scene,
  withOwnTables,
} from './jpeg-pyramid.ts';
import { temporaryFolder } from './pictures.ts';
import { chromaEdge, firstDifference, noIgnoredEdge } from './pixel-difference.ts';

const folder = temporaryFolder();
const [width, height] = [700, 530];
const storages = new Storages();
const tiles = createTileReader((file) => storages.handle(file));
const library = new Library({
  roots: [folder],
  followLinksOutside: false,
  orientation: 'apply',
  onUnreadable: (file, reason) => {
    throw new Error(`${file}: ${reason}`);
  },
});
const admission = createAdmission(library, openAccess);
const admit = (name: string): Promise<Admitted<ImageSet>> => admission.admit(name, 1, anyone);

const write = (name: string, bytes: Buffer): void => writeFileSync(path.join(folder, name), bytes);

const tiff = (image: Sharp, options: TiffOptions = {}): Promise<Buffer> =>
  image
    .tiff({ compression: 'jpeg', quality: 85, tile: true, tileWidth: 128, tileHeight: 96, pyramid: true, ...options })
    .toBuffer();

const written: Record<string, () => Promise<Buffer>> = {
  YCbCr: () => tiff(scene(width, height)),
  RGB: () => tiff(scene(width, height), { quality: 95 }),
  gray: () => tiff(scene(width, height, 1).toColourspace('b-w')),
  BigTIFF: () => tiff(scene(width, height), { bigtiff: true }),
  'BigTIFF in RGB': () => tiff(scene(width, height), { bigtiff: true, quality: 92 }),
  'a size of whole tiles': () => tiff(scene(512, 384)),
};

const orders: readonly (readonly [string, PyramidLayout])[] = [
  ['little-endian', { littleEndian: true }],
  ['big-endian', { littleEndian: false }],
  ['little-endian BigTIFF', { littleEndian: true, big: true }],
  ['big-endian BigTIFF', { littleEndian: false, big: true }],
];

const filesInTiles = async (chroma: '4:2:0' | '4:4:4'): Promise<readonly StoredPyramidLevel[]> => {
  const image = scene(width, height);
  const half = sharp(await image.clone().resize(350, 265).png().toBuffer());
  return [
    await levelOfFiles(image, { width, height }, 128, chroma),
    await levelOfFiles(half, { width: 350, height: 265 }, 64, chroma),
  ];
};

const laidOut: Record<string, () => Promise<Buffer>> = {};
for (const kind of ['YCbCr', 'RGB', 'gray']) {
  const source = async (): Promise<readonly StoredPyramidLevel[]> =>
    levelsOf((await written[kind]?.()) ?? Buffer.alloc(0));
  for (const [order, layout] of orders) {
    laidOut[`${kind}, ${order}`] = async () => pyramid(await source(), layout);
    laidOut[`${kind}, ${order}, SubIFDs`] = async () => pyramid(await source(), { ...layout, subDirectories: true });
  }
  laidOut[`${kind}, tables in the tiles`] = async () =>
    pyramid((await source()).map((level) => withOwnTables(level, 'none')));
  laidOut[`${kind}, tables split`] = async () =>
    pyramid((await source()).map((level) => withOwnTables(level, 'quantization')));
}
laidOut['whole files in the tiles'] = async () => pyramid(await filesInTiles('4:2:0'));
laidOut['whole files in the tiles, full chroma'] = async () => pyramid(await filesInTiles('4:4:4'));

/** The pixels of a level that are in a tile, which at the edges is larger, or in `count` by `count` of them. */
function cellOf({ width, height, tile }: Level, column: number, row: number, count = 1) {
  const { width: w, height: h } = tile ?? { width, height };
  const [left, top] = [column * w, row * h];
  return { left, top, width: Math.min(count * w, width - left), height: Math.min(count * h, height - top) };
}

/** The pixels of a tile, decoded by libvips. */
async function region(file: string, level: Level, column: number, row: number): Promise<Buffer> {
  const { location } = level;
  if (location.kind !== 'page' && location.kind !== 'subifd') throw new Error('a level of tiles');
  const options = { page: location.page, ...(location.kind === 'subifd' ? { tiff: { subifd: location.subifd } } : {}) };
  const cut = sharp(file, { ...options, ignoreIcc: true }).extract(cellOf(level, column, row));
  return cut.raw().toBuffer();
}

/** The plan for a tile of a level, as viewers request it. */
function planTile(
  image: Admitted<ImageSet>,
  level: Level,
  column: number,
  row: number,
  profiles: Profiles = 'convert',
  count = 1,
) {
  const [full] = image.resolutions[0].levels;
  const { left, top, width: w, height: h } = cellOf(level, column, row, count);
  const [fx, fy] = [Math.round(full.width / level.width), Math.round(full.height / level.height)];
  const query = { region: `${left * fx},${top * fy},${w * fx},${h * fy}`, size: `${w},${h}`, rotation: '0' };
  const request = parseImagePath({ ...query, qualityAndFormat: 'default.jpg' }, 3);
  return planImage(request, image, { limits: { maxArea: 1e8 }, sendFile: true, profiles }).plan;
}

async function splice(plan: Plan): Promise<Buffer> {
  if (plan.kind !== 'send-tile') throw new Error(`a tile was to be spliced, not ${plan.kind}`);
  const read = await tiles.read(plan);
  if (read.kind !== 'tile') throw new Error(read.reason);
  return read.bytes;
}

/** Whether a rendering of the bytes of its tiles equals the one for which libvips opens the file. */
async function isSameFromFile(
  image: Admitted<ImageSet>,
  region: string,
  size: string,
  profiles: Profiles = 'convert',
): Promise<boolean> {
  const request = parseImagePath({ region, size, rotation: '0', qualityAndFormat: 'color.png' }, 3);
  const { plan } = planImage(request, image, { limits: { maxArea: 1e8 }, sendFile: false, profiles });
  if (plan.kind !== 'render' || plan.tiles === undefined) throw new Error(`a rendering of tiles, not ${plan.kind}`);
  const { tiles: _, ...fromFile } = plan;
  const { width, height } = plan.level;
  const read = plan.read ?? { x: 0, y: 0, width, height };
  expect(await withOpenedFile(plan, (opened) => openTiles(opened, read))).toBeDefined();
  const [one, other] = [await execute(plan), await execute(fromFile)];
  return one.bytes.equals(other.bytes);
}

describe.each(sampleOf([...Object.entries(written), ...Object.entries(laidOut)], 14))(
  '%s',
  { tags: 'sampled' },
  (kind, make) => {
    const name = `${kind.replaceAll(/[^A-Za-z0-9]+/g, '-')}.tif`;
    const file = path.join(folder, name);
    let image: Admitted<ImageSet>;
    beforeAll(async () => {
      write(name, await make());
      image = await admit(name);
    });

    it('has all inner tiles of all levels spliced, equal to libvips’ own regions', async () => {
      let compared = 0;
      const { levels } = image.resolutions[0];
      expect(levels.length).toBeGreaterThan(1);
      for (const level of levels) {
        const { width: w = 0, height: h = 0 } = level.tile ?? {};
        for (let row = 0; (row + 1) * h <= level.height; row++) {
          for (let column = 0; (column + 1) * w <= level.width; column++) {
            const bytes = await splice(planTile(image, level, column, row));
            const pixels = await sharp(bytes).raw().toBuffer();
            const label = `${level.width} x ${level.height}, column ${column}, row ${row}`;
            expect(pixels.equals(await region(file, level, column, row)), label).toBe(true);
            compared++;
          }
        }
      }
      expect(compared).toBeGreaterThan(20);
    });

    const ignoredEdge = /gray|RGB|full chroma/.test(kind) ? noIgnoredEdge : chromaEdge;
    const isPadded = kind !== 'a size of whole tiles';

    it(`has ${isPadded ? 'all tiles at the right and bottom edge cropped, without padding' : 'no tiles to crop'}`, async () => {
      let compared = 0;
      // Smaller levels are not the full size divided by an integer, so the edge pixels must be repeated.
      for (const level of image.resolutions[0].levels.slice(0, 2)) {
        const { width: w = 1, height: h = 1 } = level.tile ?? {};
        const [columns, rows] = [Math.ceil(level.width / w), Math.ceil(level.height / h)];
        for (let index = 0; index < columns * rows; index++) {
          const [column, row] = [index % columns, Math.floor(index / columns)];
          const cell = cellOf(level, column, row);
          if (cell.width === w && cell.height === h) continue;
          const pixels = await sharp(await splice(planTile(image, level, column, row)), { failOn: 'warning' })
            .raw()
            .toBuffer();
          const label = `${level.width} x ${level.height}, column ${column}, row ${row}`;
          expect(
            firstDifference(ignoredEdge, pixels, await region(file, level, column, row), cell),
            label,
          ).toBeUndefined();
          compared++;
        }
      }
      expect(compared > 10).toBe(isPadded);
    });

    // Each of these has Huffman tables of its own, so that a picture of several is rendered.
    it.runIf(kind.startsWith('whole files'))('has tiles that can’t be joined, and says why', async () => {
      const [level] = image.resolutions[0].levels;
      const plan = planTile(image, level, 0, 0, 'convert', 2);
      if (plan.kind !== 'send-tile') throw new Error(`tiles were to be joined, not ${plan.kind}`);
      expect(await tiles.read(plan)).toMatchObject({ kind: 'uncut', reason: 'the tiles have other headers' });
    });

    it.runIf(!kind.startsWith('whole files'))(
      'has tiles beside each other joined, equal but for chroma that is smoothed across their edges',
      async () => {
        const [level] = image.resolutions[0].levels;
        const { width: w = 1, height: h = 1 } = level.tile ?? {};
        const [columns, rows] = [Math.ceil(level.width / w), Math.ceil(level.height / h)];
        let compared = 0;
        for (let index = 0; index < columns * rows; index++) {
          const [column, row] = [index % columns, Math.floor(index / columns)];
          const [first, own] = [{ column: column - (column % 2), row: row - (row % 2) }, cellOf(level, column, row)];
          const block = cellOf(level, first.column, first.row, 2);
          const joined = await splice(planTile(image, level, first.column, first.row, 'convert', 2));
          const [pixels, alone] = [await sharp(joined).raw().toBuffer(), await region(file, level, column, row)];
          const channels = alone.length / (own.width * own.height);
          // Of chroma, the pixels beside the other tiles are smoothed with theirs.
          const edge = ignoredEdge.right;
          const rowsOf = (samples: Buffer, from: { left: number; top: number; width: number }): readonly Buffer[] =>
            Array.from({ length: own.height - 2 * edge }, (_, y) => {
              const start = ((from.top + edge + y) * from.width + from.left + edge) * channels;
              return samples.subarray(start, start + (own.width - 2 * edge) * channels);
            });
          const inBlock = { left: own.left - block.left, top: own.top - block.top, width: block.width };
          const [shown, stored] = [
            Buffer.concat(rowsOf(pixels, inBlock)),
            Buffer.concat(rowsOf(alone, { left: 0, top: 0, width: own.width })),
          ];
          expect(shown.equals(stored), `column ${column}, row ${row}`).toBe(true);
          compared++;
        }
        expect(compared).toBeGreaterThan(10);
      },
    );

    it('has regions of each level rendered from the bytes of their tiles as from the whole file', async () => {
      for (const level of image.resolutions[0].levels) {
        const factor = Math.round(width / level.width);
        const region = '90,70,333,222';
        expect(await isSameFromFile(image, region, `${Math.ceil(333 / factor)},`)).toBe(true);
        expect(await isSameFromFile(image, 'full', `${level.width},`)).toBe(true);
      }
    });
  },
);

it('of a row that lie one behind the other in the file are one read', async () => {
  write('runs.tif', await tiff(scene(width, height)));
  const image = await admit('runs.tif');
  const [level] = image.resolutions[0].levels;
  const plan = planTile(image, level, 1, 2, 'convert', 2);
  let reads = 0;
  const counting = createTileReader((file) => {
    const handle = storages.handle(file);
    const readSteps = <T>(steps: () => ReadSteps<T>): Promise<T> => handle.readSteps(() => counted(steps()));
    return { ...handle, readSteps };
  });
  function* counted<T>(steps: ReadSteps<T>): ReadSteps<T> {
    for (let step = steps.next(); ; ) {
      if (step.done) return step.value;
      if (step.value.arePixels) reads++;
      step = steps.next(yield step.value);
    }
  }
  if (plan.kind !== 'send-tile') throw new Error(plan.kind);
  const read = await counting.read(plan);
  expect(read).toEqual({ kind: 'tile', bytes: await splice(plan) });
  expect(reads).toBe(2);
});

it('of a small level are rendered, though libvips refuses files whose tiles are so much larger', async () => {
  const render = async (side: number): Promise<Buffer> => {
    const name = `small-${side}.tif`;
    const options = { quality: 95, tileWidth: side, tileHeight: side, pyramid: false };
    write(name, await tiff(scene(96, 64), options));
    const { plan } = planImage(
      parseImagePath({ region: '40,9,50,51', size: '30,', rotation: '0', qualityAndFormat: 'default.png' }, 3),
      await admit(name),
      { limits: { maxArea: 1e8 }, sendFile: false },
    );
    if (plan.kind !== 'render') throw new Error(plan.kind);
    return (await execute(plan)).bytes;
  };
  expect((await render(512)).equals(await render(32))).toBe(true);
});

describe('profiles', () => {
  const withProfile = async (icc: Buffer, channels: 1 | 3): Promise<Buffer> => {
    const raw = await scene(width, height, channels).raw().toBuffer();
    const image = sharp(wrapPixels({ data: raw, width, height, channels }, icc)).keepIccProfile();
    return tiff(channels === 1 ? image.toColourspace('b-w') : image);
  };
  const large = Buffer.concat([srgb, Buffer.alloc(150_000, 1)]);
  large.writeUInt32BE(large.length);

  beforeAll(async () => {
    write('srgb.tif', await withProfile(srgb, 3));
    write('srgb-large.tif', pyramidWithProfile(await levelsOf(await tiff(scene(width, height))), large));
    write('srgb-gray.tif', await withProfile(srgbGray, 1));
    write('adobe.tif', await withProfile(adobeRgb, 3));
    write('light-gray.tif', await withProfile(lightGray, 1));
    const byOther = sharp(await scene(width, height).png().toBuffer()).withIccProfile('srgb');
    write('srgb-by-libvips.tif', await tiff(byOther));
  });

  const pyramidWithProfile = (levels: readonly StoredPyramidLevel[], icc: Buffer): Buffer =>
    pyramid(levels, { tags: [[34_675, 7, [...icc]]] });

  const planOf = async (name: string, profiles: Profiles): Promise<Plan> => {
    const image = await admit(name);
    return planTile(image, image.resolutions[0].levels[0], 1, 1, profiles);
  };

  test.each([
    ['srgb.tif', 'convert', 'send-tile'],
    ['srgb.tif', 'keep', 'send-tile'],
    ['srgb-by-libvips.tif', 'convert', 'send-tile'],
    ['srgb-large.tif', 'convert', 'send-tile'],
    ['srgb-large.tif', 'keep', 'send-tile'],
    ['srgb-gray.tif', 'convert', 'send-tile'],
    ['srgb-gray.tif', 'keep', 'send-tile'],
    ['adobe.tif', 'convert', 'render'],
    ['adobe.tif', 'keep', 'send-tile'],
    ['light-gray.tif', 'convert', 'render'],
    ['light-gray.tif', 'keep', 'send-tile'],
  ] as const)('%s, %s: %s', async (name, profiles, kind) => expect((await planOf(name, profiles)).kind).toBe(kind));

  test.each([
    ['srgb.tif', srgb],
    ['srgb-large.tif', large],
    ['srgb-gray.tif', srgbGray],
    ['adobe.tif', adobeRgb],
    ['light-gray.tif', lightGray],
  ])('%s: with profiles kept, the spliced tile has the profile, as the rendered one does', async (name, icc) => {
    const plan = await planOf(name, 'keep');
    const spliced = await splice(plan);
    const { icc: sent } = await sharp(spliced).metadata();
    expect(sent?.equals(icc)).toBe(true);
    if (plan.kind !== 'send-tile') throw new Error('not spliced');
    const rendered = await sharp((await execute(plan.fallback)).bytes).metadata();
    expect(rendered.icc?.equals(icc)).toBe(true);
  });

  test.each(['srgb.tif', 'srgb-large.tif', 'srgb-gray.tif'])(
    '%s: without the profile the tile has the stored values, and so has its rendering',
    async (name) => {
      const plan = await planOf(name, 'convert');
      const spliced = await splice(plan);
      expect((await sharp(spliced).metadata()).icc).toBeUndefined();
      if (plan.kind !== 'send-tile') throw new Error('not spliced');
      const png = await execute({ ...plan.fallback, format: 'png' });
      const pixels = await sharp(spliced).raw().toBuffer();
      expect((await sharp(png.bytes).raw().toBuffer()).equals(pixels)).toBe(true);
    },
  );

  test.each(['srgb.tif', 'srgb-large.tif', 'srgb-gray.tif', 'adobe.tif', 'light-gray.tif'])(
    '%s: a rendering of the bytes of its tiles has the same colors as one of the file',
    async (name) => {
      const image = await admit(name);
      for (const profiles of ['convert', 'keep'] as const) {
        expect(await isSameFromFile(image, '90,70,333,222', '200,', profiles), profiles).toBe(true);
      }
    },
  );
});
