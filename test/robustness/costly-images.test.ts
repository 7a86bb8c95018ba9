/** Files of some kB that decode to gigabytes are refused at every request; large scans that libvips streams are served. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfinedServer, startConfinedServer } from '../fixtures/confined-server.ts';
import {
  blackPng,
  deflatedTiff,
  hugeGif,
  losslessWebp,
  progressiveJpeg,
  sameTilesTiff,
  writeStripTiff,
} from '../fixtures/files/costly.ts';

const gibibyte = 2 ** 30;

const rows = 1;

/** Each would take a gigabyte or more, whatever is asked of it. */
const attacks: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  'wide.png': () => blackPng(14_900_000, 50),
  'interlaced.png': () => blackPng(40_000, 40_000, { interlaced: true, rows }),
  'progressive.jpg': () => progressiveJpeg(65_500),
  'lossless.webp': () => losslessWebp(16_383),
  'huge.gif': () => hugeGif(65_535),
  'tile.tif': () => deflatedTiff(30_000, 'tile', 1_000_000),
};

const requestsFor = (name: string): readonly string[] => [
  `Scaler?fn=${name}&dw=200&dh=40&mo=squeeze`,
  `Scaler?fn=${name}&dw=200&dh=40&mo=squeeze,errtxt`,
  `iiif/3/${name}/0,0,40,40/20,/0/default.jpg`,
  `iiif/3/${name}/full/max/0/default.jpg`,
];

const times = 20;

describe('a server of 1 GB with its render processes', { tags: 'memory-cgroup' }, () => {
  let folder = '';
  let server: ConfinedServer;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'lectern-costly-'));
    for (const [name, make] of Object.entries(attacks)) writeFileSync(path.join(folder, name), await make());
    const plain = sharp({ create: { width: 10_000, height: 8000, channels: 3, background: 'teal' } });
    await plain.jpeg().toFile(path.join(folder, 'scan.jpg'));
    await plain.clone().jpeg({ progressive: true }).toFile(path.join(folder, 'progressive-scan.jpg'));
    const wide = { width: 30_000, height: 20_000, channels: 3, background: 'teal' } as const;
    await sharp({ create: wide, limitInputPixels: false }).jpeg().toFile(path.join(folder, 'large.jpg'));
    writeStripTiff(path.join(folder, 'strips.tif'), 30_000, 20_000);
    writeFileSync(path.join(folder, 'tiles.tif'), sameTilesTiff(32_768));
    writeFileSync(path.join(folder, 'one-strip.tif'), await deflatedTiff(10_000, 'strip', 10_000 * 10_000 * 3));
    server = await startConfinedServer({ memoryBytes: gibibyte, folders: [folder] });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = async (request: string): Promise<{ status: number; text: string; bytes: number; ms: number }> => {
    const began = performance.now();
    const answer = await fetch(`${server.url}/${request}`);
    const body = Buffer.from(await answer.arrayBuffer());
    const text = body.subarray(0, 300).toString();
    return { status: answer.status, text, bytes: body.length, ms: performance.now() - began };
  };

  it.each(Object.keys(attacks))('refuses %s at every request, and says why', async (name) => {
    for (let time = 0; time < times; time++) {
      for (const request of requestsFor(name)) {
        const { status, text, ms } = await get(request);
        expect(status, `${request}: ${text}`).toBe(413);
        expect(ms, request).toBeLessThan(5000);
        if (!request.endsWith('squeeze')) expect(text).toMatch(/would take about \d+ MB of memory; at most \d+ MB/);
      }
    }
    expect(server.isUnharmed()).toBe(true);
    expect((await get('Scaler?fn=scan.jpg&dw=300')).status).toBe(200);
  });

  it('refuses them all at once, and goes on serving others', async () => {
    const requests = Object.keys(attacks).flatMap(requestsFor);
    const answers = await Promise.all([...requests, ...requests, ...requests].map(get));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]));
    expect((await get('Scaler?fn=scan.jpg&dw=301')).status).toBe(200);
    expect(server.isUnharmed()).toBe(true);
  });

  it.each([
    ['a thumbnail of an 80 MP JPEG', 'Scaler?fn=scan.jpg&dw=200'],
    ['a part of an 80 MP JPEG', 'iiif/3/scan.jpg/9000,7000,1000,1000/500,/0/default.jpg'],
    ['most of an 80 MP JPEG', 'iiif/3/scan.jpg/full/9000,/0/default.jpg'],
    ['a thumbnail of an 80 MP progressive JPEG', 'Scaler?fn=progressive-scan.jpg&dw=200'],
    ['a thumbnail of a 600 MP JPEG', 'Scaler?fn=large.jpg&dw=200'],
    ['a 600 MP JPEG at 4000 px', 'iiif/3/large.jpg/full/4000,/0/default.jpg'],
    ['a 600 MP JPEG as large as the limits allow', 'iiif/3/large.jpg/full/max/0/default.jpg'],
    ['a thumbnail of a 600 MP TIFF in strips', 'Scaler?fn=strips.tif&dw=200'],
    ['a part of a TIFF of 10^9 pixels in tiles', 'iiif/3/tiles.tif/20000,20000,1024,1024/512,/0/default.jpg'],
    ['a thumbnail of a TIFF of one strip', 'Scaler?fn=one-strip.tif&dw=200'],
  ])('serves %s', async (_name, request) => {
    const { status, text, bytes } = await get(request);
    expect(status, text).toBe(200);
    expect(bytes).toBeGreaterThan(100);
    expect(server.isUnharmed()).toBe(true);
  });

  it('names in info.json what it makes of an image', async () => {
    const info = JSON.parse(await (await fetch(`${server.url}/iiif/3/large.jpg/info.json`)).text());
    const largest = await fetch(`${server.url}/iiif/3/large.jpg/full/max/0/default.jpg`);
    const picture = sharp(Buffer.from(await largest.arrayBuffer()), { limitInputPixels: false });
    const { width, height } = await picture.metadata();
    expect(width * height).toBeLessThanOrEqual(info.maxArea);
    expect(width * height).toBeGreaterThan(info.maxArea * 0.98);
  });

  it('has taken less than its memory in the end', () => {
    expect(server.group.kills()).toBe(0);
    expect(server.group.anonymousBytes()).toBeLessThan(0.8 * gibibyte);
  });
});
