/** Stored tiles at the edge of a level over HTTP: sent without the padding with which they are stored. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { levelsOf, scene } from '../pixels/jpeg-pyramid.ts';
import { chromaEdge, firstDifference } from '../pixels/pixel-difference.ts';
import { type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-edges-'));
const pathOf = (name: string): string => path.join(folder, 'book', name);
const side = { tileWidth: 128, tileHeight: 128 } as const;
const tiled = { compression: 'jpeg', quality: 85, tile: true, pyramid: true, ...side } as const;

let app: RunningApp;
let file: Buffer;

beforeAll(async () => {
  mkdirSync(path.join(folder, 'book'));
  file = await scene(1100, 900).tiff(tiled).toBuffer();
  writeFileSync(pathOf('x.tif'), file);
  app = await startApp({ library: { folders: [folder] }, http: { explain: true } });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe('a request for a tile at the edge', () => {
  // The full size is 1100 x 900 and the next level 550 x 450, in tiles of 128 x 128.
  test.each([
    ['1024,128,76,128/76,128', 0, { left: 1024, top: 128, width: 76, height: 128 }],
    ['1024,128,128,128/max', 0, { left: 1024, top: 128, width: 76, height: 128 }],
    ['128,896,128,4/128,4', 0, { left: 128, top: 896, width: 128, height: 4 }],
    ['1024,896,76,4/76,4', 0, { left: 1024, top: 896, width: 76, height: 4 }],
    ['1024,768,76,132/38,66', 1, { left: 512, top: 384, width: 38, height: 66 }],
  ])('%s has it without its padding, and its own pixels', async (regionAndSize, page, rect) => {
    const address = `/iiif/3/book!x.tif/${regionAndSize}/0/default.jpg`;
    const { lines } = JSON.parse((await app.get(`${address}?explain=1`)).body.toString());
    expect(lines).toContainEqual({
      name: 'step',
      text: 'cut off the padding of the tile, 128 x 128, without decoding it',
    });
    const { status, headers, body } = await app.get(address);
    expect([status, headers['content-type']]).toEqual([200, 'image/jpeg']);
    const picture = sharp(body, { failOn: 'warning' });
    expect(await picture.metadata()).toMatchObject({ width: rect.width, height: rect.height });
    const region = await sharp(file, { page }).extract(rect).raw().toBuffer();
    expect(firstDifference(chromaEdge, await picture.raw().toBuffer(), region, rect)).toBeUndefined();
  });

  it('never shows the padding, which is black', async () => {
    const size = { width: 171, height: 151 };
    const create = { ...size, channels: 3, background: 'white' } as const;
    const white = await sharp({ create }).tiff(tiled).toBuffer();
    const darkest = async (picture: Buffer): Promise<number> => Math.min(...(await sharp(picture).raw().toBuffer()));
    writeFileSync(pathOf('white.tif'), white);
    const [first] = await levelsOf(white);
    const stored = Buffer.concat([first?.tables?.subarray(0, -2) ?? white, first?.tiles[3]?.subarray(2) ?? white]);
    expect(await darkest(stored)).toBe(0);
    for (const rect of [
      { left: 128, top: 0, width: 43, height: 128 },
      { left: 0, top: 128, width: 128, height: 23 },
      { left: 128, top: 128, width: 43, height: 23 },
    ]) {
      const region = Object.values(rect).join(',');
      const { body } = await app.get(`/iiif/3/book!white.tif/${region}/max/0/default.jpg`);
      expect(await darkest(body)).toBe(await darkest(await sharp(white).extract(rect).png().toBuffer()));
      expect(await darkest(body)).toBeGreaterThan(230);
    }
  });
});
