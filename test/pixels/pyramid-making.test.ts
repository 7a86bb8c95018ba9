/** Building pyramids: each is verified and has one writer, and a failed build leaves no files. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Resolution } from '../../src/core/image/model/image-set.ts';
import { pyramidTile } from '../../src/core/image/plan/slow-sources.ts';
import { type OrientationRule, Prober } from '../../src/core/library/file-facts.ts';
import { createListing, noEntries } from '../../src/core/library/listings/listing.ts';
import { type BuildOptions, buildPyramid } from '../../src/core/pyramids/build.ts';
import { compareWithSource } from '../../src/core/pyramids/compare-pixels.ts';
import { headerFault } from '../../src/core/pyramids/maker.ts';
import { LocalPyramidStore } from '../../src/core/pyramids/store.ts';
import { type ImagePart, setUpright, writeParts } from '../../src/core/pyramids/striped-tiff.ts';
import { Storages } from '../../src/core/storage/storages.ts';
import { blobs } from '../protocol/blob-image.ts';
import { quartered, temporaryFolder } from './pictures.ts';

const folder = realpathSync(temporaryFolder());
const file = (name: string): string => path.join(folder, name);

async function probe(name: string, rule: OrientationRule = 'apply'): Promise<Resolution> {
  const prober = new Prober({ isContained: () => true, orientation: rule, onUnreadable: () => undefined });
  const [resolution] = await prober.probe(createListing(path.dirname(name), noEntries()), path.basename(name));
  if (resolution === undefined) throw new Error(`${name} can’t be read`);
  return resolution;
}

interface Workbench {
  readonly store: LocalPyramidStore;
  readonly directory: string;
  readonly options: BuildOptions;
}

function openStore(more: Partial<BuildOptions> = {}): Workbench {
  const directory = mkdtempSync(file('store-'));
  const store = new LocalPyramidStore({ directory, maxBytes: 1e9 });
  const probePages = async (name: string) => [await probe(name)];
  const { signal } = new AbortController();
  const options = {
    store,
    quality: 85,
    probe: probePages,
    storages: new Storages(),
    deadlineMs: 60_000,
    maxMemoryBytes: 2 ** 30,
    signal,
    ...more,
  };
  return { store, directory, options };
}

/** All files below the store. */
const filesIn = ({ directory }: Workbench): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(directory, name)).isFile(),
  );

beforeAll(async () => {
  await blobs(2500, 1700).png({ compressionLevel: 1 }).toFile(file('plain.png'));
  await quartered(2500, 1700).png({ compressionLevel: 1 }).toFile(file('other.png'));
  await blobs(3400, 2500).jpeg().withMetadata({ orientation: 6 }).toFile(file('turned.jpg'));
  await blobs(3400, 2500).jpeg().toFile(file('short.jpg'));
  truncateSync(file('short.jpg'), Math.floor(statSync(file('short.jpg')).size / 2));
});

describe('a pyramid', () => {
  it('is made once, and leaves one file', async () => {
    const opened = openStore();
    const source = await probe(file('plain.png'));
    const outcome = await buildPyramid(source, opened.options);
    if (outcome.kind !== 'made') throw new Error(JSON.stringify(outcome));
    expect(filesIn(opened)).toEqual([outcome.name]);
    const pyramid = await probe(opened.store.pathOf(outcome.name));
    expect(pyramid.levels.map(({ width, height }) => `${width} x ${height}`)).toEqual([
      '2500 x 1700',
      '1250 x 850',
      '625 x 425',
      '312 x 212',
    ]);
    expect(pyramid).toMatchObject({ orientation: 1, profile: false, bits: 8, alpha: false, color: 'rgb' });
    expect(statSync(opened.store.pathOf(outcome.name)).size).toBe(outcome.bytes);
    expect(await buildPyramid(source, opened.options)).toEqual({ kind: 'exists', name: outcome.name });
  });

  it('of a gray image is gray', async () => {
    await blobs(2300, 1500).toColourspace('b-w').png().toFile(file('gray.png'));
    const opened = openStore();
    const outcome = await buildPyramid(await probe(file('gray.png')), opened.options);
    if (outcome.kind !== 'made') throw new Error(JSON.stringify(outcome));
    expect(await probe(opened.store.pathOf(outcome.name))).toMatchObject({
      color: 'gray',
      levels: [{ stored: { samples: 'gray' } }, {}, {}, {}],
    });
  });

  test.each<[OrientationRule, string]>([
    ['apply', '2500 x 3400'],
    ['ignore', '3400 x 2500'],
  ])('of a turned JPEG, with the rule %s, is %s', async (rule, size) => {
    const opened = openStore();
    const outcome = await buildPyramid(await probe(file('turned.jpg'), rule), opened.options);
    if (outcome.kind !== 'made') throw new Error(JSON.stringify(outcome));
    const { width, height, orientation } = await probe(opened.store.pathOf(outcome.name));
    expect([`${width} x ${height}`, orientation]).toEqual([size, 1]);
  });

  it('is made by one of two concurrent builds', async () => {
    const opened = openStore();
    const source = await probe(file('plain.png'));
    const outcomes = await Promise.all([buildPyramid(source, opened.options), buildPyramid(source, opened.options)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['busy', 'made']);
    expect(filesIn(opened)).toHaveLength(1);
  });
});

describe('no file is left', () => {
  it('of a source that is damaged', async () => {
    const opened = openStore();
    const outcome = await buildPyramid(await probe(file('short.jpg')), opened.options);
    expect(outcome.kind).toBe('failed');
    expect(filesIn(opened)).toEqual([]);
  });

  it('of a source that was replaced meanwhile', async () => {
    const name = file('replaced.png');
    writeFileSync(name, readFileSync(file('plain.png')));
    const source = await probe(name);
    const probeAndReplace = async (made: string) => {
      writeFileSync(name, readFileSync(file('other.png')));
      return [await probe(made)];
    };
    const opened = openStore({ probe: probeAndReplace });
    expect(await buildPyramid(source, opened.options)).toEqual({ kind: 'changed' });
    expect(filesIn(opened)).toEqual([]);
  });

  it('of a build that is aborted', async () => {
    const ending = new AbortController();
    const opened = openStore({ signal: ending.signal });
    const building = buildPyramid(await probe(file('plain.png')), opened.options);
    setTimeout(() => ending.abort(), 150);
    expect(await building).toEqual({ kind: 'given-up' });
    expect(filesIn(opened)).toEqual([]);
  });

  it('of a build that takes too long', async () => {
    const opened = openStore({ deadlineMs: 1 });
    const outcome = await buildPyramid(await probe(file('plain.png')), opened.options);
    expect(outcome).toEqual({ kind: 'failed', reason: 'It took longer than 1 s.' });
    expect(filesIn(opened)).toEqual([]);
  });

  it('of a build that takes more memory than it may', async () => {
    const name = file('interlaced.png');
    const create = { width: 5000, height: 5000, channels: 3, background: '#345678' } as const;
    await sharp({ create }).png({ progressive: true, compressionLevel: 1 }).toFile(name);
    const opened = openStore({ maxMemoryBytes: 80 * 2 ** 20 });
    const outcome = await buildPyramid(await probe(name), opened.options);
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/memory/) });
    expect(filesIn(opened)).toEqual([]);
  });

  it('of a build whose file can’t be read', async () => {
    const opened = openStore({ probe: async () => [] });
    const outcome = await buildPyramid(await probe(file('plain.png')), opened.options);
    expect(outcome).toEqual({ kind: 'failed', reason: 'The file that was written can’t be read.' });
    expect(filesIn(opened)).toEqual([]);
  });

  it('if the store is full', async () => {
    const opened = openStore();
    const store = new LocalPyramidStore({ directory: opened.directory, maxBytes: 1000 });
    const outcome = await buildPyramid(await probe(file('plain.png')), { ...opened.options, store });
    expect(outcome).toEqual({ kind: 'no-space', reason: 'The store of 1 MB is full of pyramids that are in use.' });
    expect(filesIn(opened)).toEqual([]);
  });
});

describe('the comparison with the source', () => {
  it('detects another picture of the same size', async () => {
    const opened = openStore();
    const source = await probe(file('plain.png'));
    const outcome = await buildPyramid(source, opened.options);
    if (outcome.kind !== 'made') throw new Error(JSON.stringify(outcome));
    const pyramid = await probe(opened.store.pathOf(outcome.name));
    expect(await compareWithSource(source, pyramid)).toBeUndefined();
    expect(await compareWithSource(await probe(file('other.png')), pyramid)).toMatch(
      /^The pyramid shows something else/,
    );
    expect(headerFault(pyramid, source, pyramidTile(source))).toBeUndefined();
  });

  it('detects a wrong tile in a corner', async () => {
    const black = {
      input: { create: { width: 452, height: 164, channels: 3, background: 'black' } },
      left: 2048,
      top: 1536,
    } as const;
    await sharp(file('plain.png'))
      .composite([black])
      .removeAlpha()
      .png({ compressionLevel: 1 })
      .toFile(file('corner.png'));
    const opened = openStore();
    const outcome = await buildPyramid(await probe(file('corner.png')), opened.options);
    if (outcome.kind !== 'made') throw new Error(JSON.stringify(outcome));
    const pyramid = await probe(opened.store.pathOf(outcome.name));
    expect(await compareWithSource(await probe(file('plain.png')), pyramid)).toMatch(
      /something else .* at 1988,1188,512,512/,
    );
  });
});

describe('the header of a pyramid', () => {
  const tile = { width: 512, height: 512 };
  let source: Resolution;
  let pyramid: Resolution;
  beforeAll(async () => {
    source = await probe(file('plain.png'));
    const tiff = { compression: 'jpeg', tile: true, tileWidth: 512, tileHeight: 512, pyramid: true } as const;
    await sharp(file('plain.png')).tiff(tiff).toFile(file('pyramid.tif'));
    pyramid = await probe(file('pyramid.tif'));
  });

  test.each<[string, (right: Resolution) => Resolution, RegExp]>([
    [
      'of another size',
      (right) => ({ ...right, levels: [{ ...right.levels[0], width: 2499 }, ...right.levels.slice(1)] }),
      /Level 1/,
    ],
    [
      'with a level too few',
      (right) => ({ ...right, levels: [right.levels[0], ...right.levels.slice(1, -1)] }),
      /3 levels, and should have 4/,
    ],
    [
      'with other tiles',
      (right) => ({
        ...right,
        levels: [{ ...right.levels[0], tile: { width: 256, height: 256 } }, ...right.levels.slice(1)],
      }),
      /Level 1/,
    ],
    [
      'with tiles that can’t be sent',
      (right) => ({
        ...right,
        levels: [
          right.levels[0],
          { ...right.levels[0], width: 1250, height: 850, stored: { kind: 'opaque', reason: 'x' } },
          ...right.levels.slice(2),
        ],
      }),
      /Level 2/,
    ],
    ['with a profile', (right) => ({ ...right, profile: true }), /without profile/],
    ['that is turned', (right) => ({ ...right, orientation: 3 }), /upright/],
    ['of another format', (right) => ({ ...right, format: 'jpeg' }), /TIFF/],
  ])('%s is refused', (_, change, fault) => {
    expect(headerFault(pyramid, source, tile)).toBeUndefined();
    expect(headerFault(change(pyramid), source, tile)).toMatch(fault);
  });
});

describe('samples that are written part by part', () => {
  test.each<[number, number, 1 | 3, number, number]>([
    [40, 33, 3, 40, 10],
    [40, 33, 1, 40, 33],
    [40, 33, 3, 17, 10],
    [7, 5, 1, 3, 2],
    [7, 5, 3, 7, 1],
    [1, 200, 1, 1, 17],
    [300, 16, 3, 300, 16],
  ])(
    '%d x %d of %d channels, %d x %d at once, are the same when they are read',
    async (width, height, channels, columns, rows) => {
      const pixels = Buffer.from(Uint8Array.from({ length: width * height * channels }, (_, at) => (at * 37) % 251));
      const name = file(`parts-${width}-${channels}-${columns}.tif`);
      async function* parts(): AsyncGenerator<ImagePart> {
        for (let y = 0; y < height; y += rows) {
          for (let x = 0; x < width; x += columns) {
            const rect = { x, y, width: Math.min(columns, width - x), height: Math.min(rows, height - y) };
            const rowsOfPart = Array.from({ length: rect.height }, (_, row) => {
              const start = ((y + row) * width + x) * channels;
              return pixels.subarray(start, start + rect.width * channels);
            });
            yield { rect, samples: Buffer.concat(rowsOfPart) };
          }
        }
      }
      await writeParts(name, { width, height, channels }, parts());
      const read = await sharp(name)
        .toColourspace(channels === 1 ? 'b-w' : 'srgb')
        .raw()
        .toBuffer();
      expect(read.equals(pixels)).toBe(true);
    },
  );
});

test.each([false, true])('the orientation of a TIFF file is upright on all levels, BigTIFF: %s', async (bigtiff) => {
  const name = file(`tag-${bigtiff}.tif`);
  const tiff = { compression: 'jpeg', tile: true, tileWidth: 128, tileHeight: 128, pyramid: true, bigtiff } as const;
  await blobs(600, 400).withMetadata({ orientation: 5 }).tiff(tiff).toFile(name);
  expect((await probe(name)).orientation).toBe(5);
  await setUpright(name);
  expect((await probe(name)).orientation).toBe(1);
  for (const page of [0, 1, 2]) expect((await sharp(name, { page }).metadata()).orientation ?? 1).toBe(1);
});
