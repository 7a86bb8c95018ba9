/** Pictures of a tier are made of derived pyramids and prescaled versions, too, and show no more of them. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-tiers-files-'));
const at = (name: string): string => path.join(scratch, name);

/** Black and white cells of so many pixels; the tier has one pixel for eight of the largest. */
function checkerboard(width: number, height: number, cell: number): Sharp {
  const data = Buffer.alloc(width * height);
  for (let index = 0; index < data.length; index++) {
    const [x, y] = [index % width, Math.floor(index / width)];
    data[index] = (Math.floor(x / cell) + Math.floor(y / cell)) % 2 === 0 ? 0 : 255;
  }
  return sharp(data, { raw: { width, height, channels: 1 } });
}

let app: RunningApp;

beforeAll(async () => {
  for (const name of ['hires', 'lores', 'pyramids']) mkdirSync(at(name));
  await checkerboard(2400, 1600, 4).png({ compressionLevel: 1 }).toFile(at('hires/slow.png'));
  await checkerboard(2400, 1600, 4).jpeg({ quality: 95 }).toFile(at('hires/photo.jpg'));
  await checkerboard(1200, 800, 2).jpeg({ quality: 95 }).toFile(at('lores/photo.jpg'));
  app = await startApp({
    library: { folders: [at('hires'), at('lores')] },
    cache: { memoryBytes: 0, directory: false },
    pyramids: { directory: at('pyramids') },
    http: { trustedProxies: ['127.0.0.1'] },
    access: {
      rolesHeader: 'x-roles',
      tiers: [{ name: 'small', maxSide: 300 }],
      paths: [{ path: '', roles: ['staff'], everyone: 'small' }],
    },
  });
});
afterAll(async () => {
  await app.close();
  rmSync(scratch, { recursive: true });
});

async function contrastAt(address: string, role = ''): Promise<number> {
  const { status, body } = await app.get(address, { headers: { 'x-roles': role } });
  expect([address, status]).toEqual([address, 200]);
  const { data } = await sharp(body).greyscale().raw().toBuffer({ resolveWithObject: true });
  const inner = [...data].sort((a, b) => a - b).slice(data.length / 20, -data.length / 20);
  return (inner.at(-1) ?? 0) - (inner[0] ?? 0);
}

const requests = [
  '/iiif/3/NAME;tier=small/full/max/0/default.jpg',
  '/iiif/3/NAME;tier=small/full/150,/0/default.jpg',
  '/iiif/3/NAME;tier=small/20,20,100,100/max/0/default.jpg',
  '/iiif/3/NAME;tier=small/20,20,100,100/^300,/0/default.jpg',
  '/iiif/3/NAME;tier=small/21,22,33,34/27,/0/default.png',
  '/Scaler?fn=NAME&dw=600&dh=600',
  '/Scaler?fn=NAME&dw=100&mo=q0&ww=0.2&wh=0.2&wx=0.3',
  '/Scaler?fn=NAME&dw=100&mo=lores',
];

it('a picture of a tier shows no more of prescaled versions that are larger', async () => {
  for (const request of requests) expect(await contrastAt(request.replace('NAME', 'photo.jpg'))).toBeLessThan(30);
  expect(await contrastAt('/Scaler?fn=photo.jpg&dw=1200', 'staff')).toBeGreaterThan(150);
});

it('regions of a tier have a pyramid built of the whole image, and show no more of it', async () => {
  const all = async () => {
    for (const request of requests) expect(await contrastAt(request.replace('NAME', 'slow.png'))).toBeLessThan(30);
  };
  await all();
  await all();
  const built = (): boolean => readdirSync(at('pyramids')).some((name) => name.endsWith('.tif'));
  for (let attempt = 0; attempt < 600 && !built(); attempt++) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(built()).toBe(true);
  await all();
  const whole = '/iiif/3/slow.png/0,0,512,512/max/0/default.jpg';
  expect(await contrastAt(whole, 'staff')).toBeGreaterThan(150);
});
