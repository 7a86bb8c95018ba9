/** Stored tiles that are missing, damaged or hostile are never sent; what can be decoded is rendered instead. */
import { appendFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createAdmission } from '../../src/core/access/admit.ts';
import { anyone, openAccess } from '../../src/core/access/policy.ts';
import type { Admitted, ImageSet } from '../../src/core/image/model/image-set.ts';
import { planImage } from '../../src/core/image/plan/plan.ts';
import type { SendTile } from '../../src/core/image/plan/plan-types.ts';
import { Library } from '../../src/core/library/library.ts';
import { createTileReader, type ReadTile, type TileReader } from '../../src/core/render/tiles/tile-reader.ts';
import { DiskStorage } from '../../src/core/storage/disk/disk-storage.ts';
import { LocalDisks } from '../../src/core/storage/disk/known-stats.ts';
import { OpenFiles, type OpenFilesOptions } from '../../src/core/storage/disk/open-files.ts';
import { parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import type { Tag } from '../fixtures/files/tiff.mjs';
import { levelsOf, type PyramidLayout, pyramid, type StoredPyramidLevel, scene } from './jpeg-pyramid.ts';
import { temporaryFolder } from './pictures.ts';

const folder = temporaryFolder();
const pathOf = (name: string): string => path.join(folder, name);
const library = new Library({
  roots: [folder],
  followLinksOutside: false,
  orientation: 'apply',
  onUnreadable: () => undefined,
});
const admission = createAdmission(library, openAccess);

let level: StoredPyramidLevel;
beforeAll(async () => {
  const options = { compression: 'jpeg', tile: true, tileWidth: 128, tileHeight: 128, quality: 85 } as const;
  const [first] = await levelsOf(await scene(512, 384).tiff(options).toBuffer());
  if (first === undefined) throw new Error('sharp wrote no level');
  level = first;
});

/** The image as if its header did not show that a part of the file is missing: a file can also be cut later. */
function takenAsWhole(image: Admitted<ImageSet>): Admitted<ImageSet> {
  const [{ truncated: _, ...full }, ...others] = image.resolutions;
  return { ...image, resolutions: [full, ...others] };
}

/** The plan for a tile, by default for the second one of the second row. */
async function planOf(name: string, region = '128,128,128,128'): Promise<SendTile> {
  const address = { region, size: 'max', rotation: '0', qualityAndFormat: 'default.jpg' };
  const image = takenAsWhole(await admission.admit(name, 1, anyone));
  const { plan } = planImage(parseImagePath(address, 3), image, { limits: { maxArea: 1e8 }, sendFile: true });
  if (plan.kind !== 'send-tile') throw new Error(`planned as ${plan.kind}`);
  return plan;
}

/** What is read by threads, which has to be the same as what is read at once. */
async function readBothWays(plan: SendTile): Promise<ReadTile> {
  const disk = new DiskStorage();
  const reader = createTileReader((file) => disk.handle(file));
  await disk.lstat(plan.file.path);
  expect(reader.readAtOnce(plan), 'before the file is open').toBeUndefined();
  const read = await reader.read(plan);
  // A busy machine can make a read slow, which pauses those at once.
  await expect.poll(() => reader.readAtOnce(plan)).toEqual(read);
  await disk.close();
  return read;
}

const index = 5;
let count = 0;

async function readDamaged(damage: (tile: Buffer) => Buffer, layout: PyramidLayout = {}): Promise<ReadTile> {
  const name = `damaged-${count++}.tif`;
  const tiles = level.tiles.map((tile, at) => (at === index ? damage(Buffer.from(tile)) : tile));
  writeFileSync(pathOf(name), pyramid([{ ...level, tiles }], layout));
  return readBothWays(await planOf(name));
}

const list = (tag: 324 | 325, value: number, type = 4): Tag => [
  tag,
  type,
  Array.from({ length: 12 }, (_, at) => (at === index ? value : 100)),
];

/** The tile with a segment inserted after its start. */
const withSegment =
  (marker: number, content: string) =>
  (tile: Buffer): Buffer =>
    Buffer.concat([
      tile.subarray(0, 2),
      Buffer.from([0xff, marker, 0, content.length + 2]),
      Buffer.from(content, 'latin1'),
      tile.subarray(2),
    ]);

const frameAt = (tile: Buffer): number => tile.indexOf(Buffer.from([0xff, 0xc0]));

/** The tile with a changed byte, at an offset from the marker of its frame. */
const withFrameByte =
  (offset: number, value: number) =>
  (tile: Buffer): Buffer => {
    tile[frameAt(tile) + offset] = value;
    return tile;
  };

const same = (tile: Buffer): Buffer => tile;

const otherKind = 'the tile’s bytes are not a picture of the tile’s size and kind';

describe('a tile is not sent', () => {
  const [begins, damaged] = ['the tile’s bytes don’t begin as a JPEG does', 'the tile’s bytes are damaged'];
  const otherColors = 'the tile’s bytes say other colors than the file';
  const [empty, outside] = ['the tile is not stored: the file leaves it empty', 'the tile lies outside the file'];

  test.each<[string, string, (tile: Buffer) => Buffer, PyramidLayout?]>([
    ['an offset and a length of 0', empty, () => Buffer.alloc(0)],
    ['an offset of 0', empty, same, { tags: [list(324, 0)] }],
    ['a length of 0', empty, same, { tags: [list(325, 0)] }],
    ['an offset behind the file', outside, same, { tags: [list(324, 4_000_000_000)] }],
    ['a length behind the file', outside, same, { tags: [list(325, 120_000)] }],
    ['an offset of 2^63', outside, same, { big: true, tags: [list(324, 2 ** 63, 16)] }],
    ['an offset just below 2^53', outside, same, { big: true, tags: [list(324, 2 ** 53 - 1, 16)] }],
    [
      'a length of 4 GB',
      'the file says that the tile has 4294967295 bytes, more than a tile can have',
      same,
      { tags: [list(325, 4_294_967_295)] },
    ],
    ['other bytes', begins, () => Buffer.from('GIF89a and so on')],
    ['a byte', begins, () => Buffer.from([0xff])],
    ['the header of the file', begins, same, { tags: [list(324, 8)] }],
    ['a start alone', damaged, () => Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['no scan', damaged, (tile) => tile.subarray(0, frameAt(tile) + 19)],
    ['endless fill bytes', damaged, () => Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(5000, 0xff)])],
    [
      'many segments',
      damaged,
      (tile) => Array.from({ length: 120 }).reduce((all: Buffer) => withSegment(0xfe, 'x')(all), tile),
    ],
    ['another width', otherKind, withFrameByte(8, 64)],
    ['another height', otherKind, withFrameByte(6, 64)],
    ['another number of components', otherKind, withFrameByte(9, 1)],
    ['12 bits', otherKind, withFrameByte(4, 12)],
    ['arithmetic coding', otherKind, withFrameByte(1, 0xc9)],
    ['lossless coding', otherKind, withFrameByte(1, 0xc3)],
    ['no frame', otherKind, withFrameByte(1, 0xfe)],
    ['an Adobe marker of other colors', otherColors, withSegment(0xee, 'Adobe\0\x64\0\0\0\0\0')],
    ['no end', 'the tile’s bytes are cut short', (tile) => tile.subarray(0, -200)],
  ])('with %s: %s', async (_name, reason, damage, layout) => {
    const isCutShort = reason === outside || reason.endsWith('cut short');
    expect(await readDamaged(damage, layout)).toEqual({ kind: 'unusable', reason, isCutShort });
  });

  it('of RGB samples with a JFIF marker, which declares it YCbCr', async () => {
    const options = { compression: 'jpeg', tile: true, tileWidth: 128, tileHeight: 128, quality: 95 } as const;
    const [rgb] = await levelsOf(await scene(512, 384).tiff(options).toBuffer());
    if (rgb === undefined) throw new Error('sharp wrote no level');
    const jfif = withSegment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0');
    writeFileSync(pathOf('rgb.tif'), pyramid([{ ...rgb, tiles: rgb.tiles.map((tile) => jfif(tile)) }]));
    expect(await readBothWays(await planOf('rgb.tif'))).toMatchObject({ kind: 'unusable', reason: otherColors });
  });
});

describe('a tile is sent', () => {
  test.each<[string, (tile: Buffer) => Buffer]>([
    ['as it is', same],
    ['with an Adobe marker that says the same', withSegment(0xee, 'Adobe\0\x64\0\0\0\0\x01')],
    ['with a JFIF marker', withSegment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0')],
    ['with a comment', withSegment(0xfe, 'hello')],
    ['with padding behind its end', (tile) => Buffer.concat([tile, Buffer.alloc(3)])],
    ['with a fill byte', (tile) => Buffer.concat([tile.subarray(0, 2), Buffer.from([0xff]), tile.subarray(2)])],
  ])('%s', async (_name, damage) => {
    const read = await readDamaged(damage);
    if (read.kind !== 'tile') throw new Error(read.reason);
    const { width, height } = await sharp(read.bytes, { failOn: 'warning' }).metadata();
    expect([width, height]).toEqual([128, 128]);
  });
});

describe('a tile at the edge', () => {
  /** Reads the last tile of the second row, of a level that is 22 columns narrower than its tiles. */
  async function readLast(change: (tile: Buffer) => Buffer | Promise<Buffer>): Promise<ReadTile> {
    const name = `edge-${count++}.tif`;
    const tiles = await Promise.all(level.tiles.map((tile, at) => (at === 7 ? change(Buffer.from(tile)) : tile)));
    writeFileSync(pathOf(name), pyramid([{ ...level, width: 490, tiles }]));
    const read = await readBothWays(await planOf(name, '384,128,106,128'));
    return read;
  }
  const progressive = () => scene(128, 128).jpeg({ progressive: true }).toBuffer();

  it('is sent without its padding', async () => {
    const read = await readLast(same);
    if (read.kind !== 'tile') throw new Error(read.reason);
    const { width, height } = await sharp(read.bytes, { failOn: 'warning' }).metadata();
    expect([width, height]).toEqual([106, 128]);
  });

  test.each<[string, string, string, (tile: Buffer) => Buffer | Promise<Buffer>]>([
    [
      'progressive',
      'uncut',
      'the tile’s bytes are a progressive JPEG, which can’t be cut without decoding',
      progressive,
    ],
    ['damaged', 'uncut', 'the tile’s bytes are damaged', (tile) => tile.fill(0xfe, 700, 800)],
    ['empty', 'unusable', 'the tile is not stored: the file leaves it empty', () => Buffer.alloc(0)],
    ['stored without padding', 'unusable', otherKind, () => scene(106, 128).jpeg().toBuffer()],
  ])('that is %s is not sent', async (_, kind, reason, change) => {
    expect(await readLast(change)).toMatchObject({ kind, reason });
  });
});

describe('open files', () => {
  const write = (name: string): void => writeFileSync(pathOf(name), pyramid([level]));
  /** Runs the work with the open files of a disk, which by default is none of this machine. */
  async function withTiles(
    options: OpenFilesOptions,
    work: (tiles: TileReader & { lstat(plan: SendTile): Promise<unknown> }, files: OpenFiles) => Promise<void>,
    disks: LocalDisks = new (class extends LocalDisks {
      override readsOf(): undefined {}
    })(),
  ): Promise<void> {
    const files = new OpenFiles({ disks, ...options });
    const disk = new DiskStorage([], undefined, { disks, openFiles: files });
    const lstat = (plan: SendTile) => disk.lstat(plan.file.path);
    try {
      await work({ ...createTileReader((file) => disk.handle(file)), lstat }, files);
    } finally {
      await disk.close();
    }
  }

  it('are opened once for many requests, and closed at the end', async () => {
    write('once.tif');
    const plan = await planOf('once.tif');
    await withTiles({}, async (tiles, files) => {
      const read = await Promise.all(Array.from({ length: 50 }, () => tiles.read(plan)));
      expect(new Set(read.map((one) => (one.kind === 'tile' ? one.bytes.toString('base64') : one.reason))).size).toBe(
        1,
      );
      expect(files.size).toBe(1);
      files.close();
      expect(files.size).toBe(0);
      expect((await tiles.read(plan)).kind).toBe('tile');
    });
  });

  it('on a disk that is not known to be local are never read at once', async () => {
    write('remote.tif');
    const plan = await planOf('remote.tif');
    await withTiles({}, async (tiles) => {
      expect((await tiles.read(plan)).kind).toBe('tile');
      expect(tiles.readAtOnce(plan)).toBeUndefined();
    });
  });

  it('that changed are not read at once', async () => {
    write('changed.tif');
    const plan = await planOf('changed.tif');
    const work: Parameters<typeof withTiles>[1] = async (tiles) => {
      await tiles.lstat(plan);
      await tiles.read(plan);
      await expect.poll(() => tiles.readAtOnce(plan)?.kind).toBe('tile');
      appendFileSync(pathOf('changed.tif'), 'x');
      for (let times = 0; times < 20; times++) expect(tiles.readAtOnce(plan)).toBeUndefined();
    };
    await withTiles({}, work, new LocalDisks());
  });

  it('are limited in number, and all requests are answered nevertheless', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `few-${at}.tif`);
    for (const name of names) write(name);
    const plans = await Promise.all(names.map((name) => planOf(name)));
    await withTiles({ maxFiles: 3 }, async (tiles, files) => {
      for (let round = 0; round < 5; round++) {
        const read = await Promise.all(plans.map((plan) => tiles.read(plan)));
        expect(read.map(({ kind }) => kind)).toEqual(names.map(() => 'tile'));
        expect(files.size).toBeLessThanOrEqual(3);
      }
    });
  });

  it('are closed when they have not been read for a while', async () => {
    write('idle.tif');
    const plan = await planOf('idle.tif');
    // Long enough for a busy machine to count the open file before it is closed.
    await withTiles({ idleMs: 1000 }, async (tiles, files) => {
      expect((await tiles.read(plan)).kind).toBe('tile');
      expect(files.size).toBe(1);
      while (files.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      expect((await tiles.read(plan)).kind).toBe('tile');
    });
  });

  const changes: Record<string, (name: string) => void> = {
    replaced: (name) => {
      write(`new-${name}`);
      renameSync(pathOf(`new-${name}`), pathOf(name));
    },
    'written to': (name) => appendFileSync(pathOf(name), 'x'),
    'given another time': (name) => utimesSync(pathOf(name), 1_600_000_000, 1_600_000_000),
    deleted: (name) => renameSync(pathOf(name), pathOf(`deleted-${name}`)),
  };

  test.each(Object.entries(changes))('are detected as %s', async (kind, change) => {
    const name = `${kind.replaceAll(' ', '-')}.tif`;
    write(name);
    const plan = await planOf(name);
    await withTiles({}, async (opened, files) => {
      await opened.read(plan);
      change(name);
      await expect(opened.read(plan)).rejects.toMatchObject({ code: 'changed' });
      await withTiles({}, (closed) => expect(closed.read(plan)).rejects.toMatchObject({ code: 'changed' }));
      if (kind === 'deleted') return;
      expect((await opened.read(await planOf(name))).kind).toBe('tile');
      expect(files.size).toBe(1);
    });
  });
});
