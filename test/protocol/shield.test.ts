/** A swarm of addresses asks for more than can be made: readers do not notice, partners are not hindered, refusals are well-formed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-shield-'));
let app: RunningApp;

beforeAll(async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const scan = sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'gray', noise } });
  await scan.clone().jpeg({ quality: 90 }).toFile(path.join(folder, 'page.jpg'));
  await scan.tiff({ compression: 'jpeg', tile: true, pyramid: true }).toFile(path.join(folder, 'book.tif'));
  app = await startApp({
    library: { folders: [folder] },
    http: { trustedProxies: ['127.0.0.1'] },
    render: { processes: 1 },
    limits: { deadlineMs: 8000 },
    shield: { partners: [{ name: 'harvester', addresses: ['203.0.113.7'] }] },
  });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (address: string, client: string): Promise<ReceivedResponse> =>
  app.get(address, { headers: { 'X-Forwarded-For': client } });

const countsOf = async (): Promise<Readonly<Record<string, number>>> => {
  const text = (await app.get('/metrics')).body.toString();
  const found = text.matchAll(/^lectern_pictures_made_for_total\{standing="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, standing = '', count]) => [standing, Number(count)]));
};

it('A crowd gets what readers leave', async () => {
  const swarm = Array.from({ length: 240 }, (_, index) =>
    get(`/iiif/3/page.jpg/full/${3900 - index},/0/default.jpg`, `198.51.${index % 100}.${index}`),
  );
  // A reader in one of their networks, as OpenSeadragon asks, and a second view of it.
  const reader = '198.51.7.250';
  expect((await get('/iiif/3/book.tif/info.json', reader)).status).toBe(200);
  const statuses: number[] = [];
  for (const size of [128, 64]) {
    const tiles = Array.from({ length: 12 }, (_, index) =>
      get(`/iiif/3/book.tif/${index * 256},512,256,256/${size},/0/default.jpg`, reader),
    );
    statuses.push(...(await Promise.all(tiles)).map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  const harvested = await get('/iiif/3/page.jpg/full/2100,/0/default.jpg', '203.0.113.7');
  expect(harvested.status).toBe(200);

  const answers = await Promise.all(swarm);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(60);
  // How many depends on what else the machine does: what yields gets the processors that all others leave.
  expect(answers.length - refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) {
    expect([503, 504]).toContain(status);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['content-type']).toMatch(/^text\/plain/);
  }
  expect(await countsOf()).toEqual({ known: 1, reader: 24, stranger: 240 });
}, 60_000);
