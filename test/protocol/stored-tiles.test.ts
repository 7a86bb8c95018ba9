/** Stored tiles over HTTP: sent as stored, with the headers of other pictures; and how ?explain=1 describes them. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { levelsOf, pyramid, type StoredPyramidLevel, scene } from '../pixels/jpeg-pyramid.ts';
import { type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-tiles-'));
const pathOf = (name: string): string => path.join(folder, 'book', name);
const [width, height, side] = [1100, 900, 128];

/** A YCbCr tile with a marker that declares it RGB, which TIFF readers ignore. */
const contradicted = (tile: Buffer): Buffer =>
  Buffer.concat([tile.subarray(0, 2), Buffer.from('\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0', 'latin1'), tile.subarray(2)]);

let app: RunningApp;
let explaining: RunningApp;
let file: Buffer;
let levels: readonly StoredPyramidLevel[];

const tiled = {
  compression: 'jpeg',
  quality: 85,
  tile: true,
  tileWidth: side,
  tileHeight: side,
  pyramid: true,
} as const;

beforeAll(async () => {
  mkdirSync(path.join(folder, 'book'));
  file = await scene(width, height).tiff(tiled).toBuffer();
  levels = await levelsOf(file);
  writeFileSync(pathOf('x.tif'), file);
  const withFirst = (change: (tile: Buffer) => Buffer): Buffer =>
    pyramid(
      levels.map((level) => ({ ...level, tiles: level.tiles.map((tile, at) => (at === 0 ? change(tile) : tile)) })),
    );
  writeFileSync(pathOf('contradicting.tif'), withFirst(contradicted));
  writeFileSync(
    pathOf('sparse.tif'),
    withFirst(() => Buffer.alloc(0)),
  );
  app = await startApp({ library: { folders: [folder] } });
  explaining = await startApp({ library: { folders: [folder] }, http: { explain: true } });
});
afterAll(async () => {
  await Promise.all([app.close(), explaining.close()]);
  rmSync(folder, { recursive: true });
});

/** Whether a body ends like one of the file's tiles, which no encoder would reproduce. */
const isStored = (body: Buffer): boolean =>
  levels.some(({ tiles }) => tiles.some((tile) => body.subarray(-500).equals(tile.subarray(-500))));

const regionOf = (page: number, column: number, row: number): Promise<Buffer> =>
  sharp(file, { page })
    .extract({ left: column * side, top: row * side, width: side, height: side })
    .raw()
    .toBuffer();

describe('a request for a stored tile', () => {
  const tileAddresses = ['/iiif/3/book!x.tif', '/iiif/2/book!x.tif', '/iiif/1/book%2Fx', '/Scaler/IIIF/3/book!x.tif'];

  test.each(tileAddresses)('at %s is spliced at every scale factor that info.json advertises', async (base) => {
    const info = JSON.parse((await app.get(`${base}/info.json`)).body.toString()) as Record<string, never>;
    const [tiles] = (info['tiles'] as unknown as { width: number; scaleFactors: number[] }[] | undefined) ?? [
      { width: info['tile_width'] as unknown as number, scaleFactors: info['scale_factors'] as unknown as number[] },
    ];
    expect(tiles).toEqual({
      width: side,
      ...(tiles && 'height' in tiles ? { height: side } : {}),
      scaleFactors: [1, 2, 4, 8, 16],
    });
    const seen: number[] = [];
    for (const [page, factor] of [1, 2, 4, 8, 16].entries()) {
      const column = Math.floor(width / (side * factor)) - 1;
      const row = Math.floor(height / (side * factor)) - 1;
      // The smallest levels have no complete tile.
      if (column < 0 || row < 0) continue;
      const span = side * factor;
      const quality = base.startsWith('/iiif/1') ? 'native' : 'default';
      const { status, body } = await app.get(
        `${base}/${column * span},${row * span},${span},${span}/${side},${side}/0/${quality}.jpg`,
      );
      expect(status).toBe(200);
      expect(isStored(body)).toBe(true);
      expect((await sharp(body).raw().toBuffer()).equals(await regionOf(page, column, row))).toBe(true);
      seen.push(factor);
    }
    expect(seen).toEqual([1, 2, 4]);
  });

  test.each([
    `/Scaler?fn=book/x.tif&mo=pxarea,jpg&wx=${side}&wy=0&ww=${side}&wh=${side}&dw=${side}`,
    `/Scaler/book/x?mo=pxarea,clip,jpg&wx=${side}&wy=0&dw=${side}&dh=${side}`,
  ])('%s is spliced', async (address) => {
    const { body } = await app.get(address);
    expect(isStored(body)).toBe(true);
    expect((await sharp(body).raw().toBuffer()).equals(await regionOf(0, 1, 0))).toBe(true);
  });

  const tile = '/iiif/3/book!x.tif/128,256,128,128/128,128/0/default.jpg';

  it('has the headers of other pictures', async () => {
    const { headers, body } = await app.get(tile);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(body.length),
      'content-disposition': 'inline; filename="x.jpg"',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400',
      'access-control-allow-origin': '*',
    });
    expect(headers.etag).toMatch(/^"[\w-]{24}"$/);
    expect(Date.parse(headers['last-modified'] ?? '')).toBeGreaterThan(0);
    expect(headers['link']).toContain('rel="canonical"');
  });

  it('is answered 304 to a matching If-None-Match, and with headers only to HEAD', async () => {
    const { headers } = await app.get(tile);
    const { etag = '', 'last-modified': modified = '' } = headers;
    expect((await app.get(tile, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await app.get(tile, { headers: { 'if-modified-since': modified } })).status).toBe(304);
    const other = await app.get(tile.replace('128,256', '256,256'), { headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
    const head = await app.get(tile, { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, etag]);
  });

  it('is answered with the new tile and another ETag when the file is replaced, also during requests', async () => {
    writeFileSync(pathOf('busy.tif'), file);
    const negative = await scene(width, height).negate().tiff(tiled).toBuffer();
    const busy = '/iiif/3/book!busy.tif/128,256,128,128/128,128/0/default.jpg';
    const pictures = [
      await regionOf(0, 1, 2),
      await sharp(negative)
        .extract({ left: side, top: 2 * side, width: side, height: side })
        .raw()
        .toBuffer(),
    ];
    const tags = [new Set<string>(), new Set<string>()];
    for (let version = 1; version <= 12; version++) {
      const responses = Array.from({ length: 20 }, () => app.get(busy));
      writeFileSync(pathOf('next.tif'), version % 2 === 1 ? negative : file);
      renameSync(pathOf('next.tif'), pathOf('busy.tif'));
      for (const { status, headers, body } of await Promise.all(responses)) {
        if (status === 503) continue;
        expect(status).toBe(200);
        const pixels = await sharp(body).raw().toBuffer();
        const which = pictures.findIndex((picture) => picture.equals(pixels));
        expect(which).not.toBe(-1);
        tags[which]?.add(headers.etag ?? '');
        expect(tags[1 - which]?.has(headers.etag ?? '')).toBe(false);
      }
    }
    expect(tags[0]?.size).toBeGreaterThan(0);
    expect(tags[1]?.size).toBeGreaterThan(0);
  });

  it('for a tile that can’t be sent as stored is rendered, and its neighbor is sent', async () => {
    const { status, body } = await app.get('/iiif/3/book!contradicting.tif/0,0,128,128/128,128/0/default.jpg');
    expect(status).toBe(200);
    expect(isStored(body)).toBe(false);
    const pixels = await sharp(body).raw().toBuffer();
    const stored = await regionOf(0, 0, 0);
    const difference = pixels.reduce((sum, value, at) => sum + Math.abs(value - (stored[at] ?? 0)), 0) / pixels.length;
    expect(difference).toBeLessThan(8);
    const next = await app.get('/iiif/3/book!contradicting.tif/128,0,128,128/128,128/0/default.jpg');
    expect(isStored(next.body)).toBe(true);
  });

  it('for a tile that is not stored is rendered, as is the same tile as PNG', async () => {
    const tileOf = (format: string) => app.get(`/iiif/3/book!sparse.tif/0,0,128,128/128,128/0/default.${format}`);
    const [jpeg, png] = [await tileOf('jpg'), await tileOf('png')];
    expect([jpeg.status, jpeg.body.toString()]).toEqual([png.status, png.body.toString()]);
    const next = await app.get('/iiif/3/book!sparse.tif/128,0,128,128/128,128/0/default.jpg');
    expect(isStored(next.body)).toBe(true);
  });
});

const openFiles = '/proc/self/fd';

it.runIf(existsSync(openFiles))('leaves no file open when the server is closed', async () => {
  const isOpen = (name: string): boolean =>
    readdirSync(openFiles).some((fd) => {
      try {
        return readlinkSync(path.join(openFiles, fd)) === pathOf(name);
      } catch {
        return false;
      }
    });
  writeFileSync(pathOf('closed.tif'), file);
  const other = await startApp({ library: { folders: [folder] } });
  expect((await other.get('/iiif/3/book!closed.tif/128,256,128,128/128,128/0/default.jpg')).status).toBe(200);
  expect(isOpen('closed.tif')).toBe(true);
  await other.close();
  while (isOpen('closed.tif')) await new Promise((resolve) => setTimeout(resolve, 5));
});

describe('?explain=1', () => {
  interface Explanation {
    readonly lines: readonly { readonly name: string; readonly text: string }[];
  }
  const ask = async (address: string) => {
    const answer = await explaining.get(address);
    const { lines } = answer.status === 200 ? (JSON.parse(answer.body.toString()) as Explanation) : { lines: [] };
    return {
      ...answer,
      lines,
      of: (name: string) => lines.filter((line) => line.name === name).map(({ text }) => text),
    };
  };
  const tile = '/iiif/3/book!x.tif/128,256,128,128/128,128/0/default.jpg';

  it('explains how a tile is spliced, as JSON that is not cached', async () => {
    const { headers, of } = await ask(`${tile}?explain=1`);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(of('splice a stored tile')).toEqual(['yes']);
    expect(of('file')).toEqual([`book/x.tif, ${file.length} bytes`]);
    expect(of('level')).toEqual(['1 of 5: 1100 x 900 pixels, tiles of 128 x 128, directory 0 of the file']);
    const { headers: ofPicture } = await explaining.get(tile);
    expect(ofPicture['content-type']).toBe('image/jpeg');
    expect(`"${of('cache key')[0]}"`).toBe(ofPicture.etag);
  });

  it('explains why a tile can’t be spliced, because of its position or its bytes', async () => {
    const { of } = await ask('/iiif/3/book!x.tif/100,256,128,128/128,128/0/default.jpg?explain=1');
    expect(of('splice a stored tile')[0]).toContain('no: the region begins at column 100');
    expect(of('render')).toEqual(['yes']);
    const sparse = await ask('/iiif/3/book!sparse.tif/0,0,128,128/128,128/0/default.jpg?explain=1');
    expect(sparse.of('splice a stored tile')).toEqual(['no: the tile is not stored: the file leaves it empty']);
    expect(sparse.of('read')).toEqual(['128 x 128 pixels from 0, 0']);
  });

  test.each([
    '/Scaler?fn=book/x.tif&dw=100&explain=1',
    '/Scaler?explain=1&fn=book/x.tif&dw=100&mo=errtxt',
    '/Scaler/book/x?dw=100;explain=1',
    '/Scaler/IIIF/2/book!x.tif/full/100,/0/default.png?explain=1',
  ])('%s is explained, and discloses nothing of the host', async (address) => {
    const { of, body, headers } = await ask(address);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(of('render')).toEqual(['yes']);
    expect(body.toString()).not.toContain(folder);
    expect(body.toString()).not.toContain(tmpdir());
  });

  test.each([
    [`${tile}?explain=0`, 200, 'image/jpeg'],
    [`${tile}?explain`, 200, 'image/jpeg'],
    [`${tile}?unexplain=1`, 200, 'image/jpeg'],
    ['/iiif/3/book!nosuch/full/max/0/default.jpg?explain=1', 404, 'text/plain; charset=utf-8'],
    ['/iiif/3/book!x.tif/0,0,0,0/max/0/default.jpg?explain=1', 400, 'text/plain; charset=utf-8'],
    ['/Scaler?fn=book/x.tif&explain=1', 400, 'image/png'],
    ['/iiif/3/book!x.tif/info.json?explain=1', 200, 'application/json; charset=utf-8'],
  ])('%s: %d, %s', async (address, status, mediaType) => {
    const answer = await explaining.get(address);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, mediaType]);
  });

  it('has no effect if the settings don’t allow it', async () => {
    const plain = await app.get(tile);
    const response = await app.get(`${tile}?explain=1`);
    expect(response.body.equals(plain.body)).toBe(true);
    expect(response.headers.etag).toBe(plain.headers.etag);
  });
});
