/** What does not go through the render queue and costs has budgets; who meets one is told when to come again, and what else there is. */
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { Holds } from '../../src/features/shield/holds.ts';
import { mmdb } from '../fixtures/mmdb.ts';
import { makeTemporaryLibrary, type TemporaryLibrary } from '../unit/temporary-library.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const library: TemporaryLibrary = makeTemporaryLibrary();
const apps: RunningApp[] = [];

beforeAll(async () => {
  const scan = sharp({ create: { width: 900, height: 600, channels: 3, background: '#a06030' } });
  const jpeg = await scan.clone().jpeg().toBuffer();
  for (const folder of ['herbal', 'atlas', 'closed'])
    for (const page of [1, 2]) library.write(`scans/${folder}/${page}.jpg`, jpeg);
  const tiff = await scan.tiff({ compression: 'jpeg', tile: true, tileWidth: 256, tileHeight: 256 }).toBuffer();
  library.write('scans/herbal/3.tif', tiff);
  library.write('systems.mmdb', mmdb('GeoLite2-ASN', { '198.51.0.0/16': { autonomous_system_number: 64500 } }));
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  for (const app of apps) await app.close();
  library.remove();
});

type Get = (address: string, client: string, headers?: Record<string, string>) => Promise<ReceivedResponse>;

async function start(shield: SettingsInput['shield'], others: SettingsInput = {}): Promise<Get> {
  const app = await startApp({
    ...others,
    library: { folders: [path.join(library.around, 'scans')] },
    http: { trustedProxies: ['127.0.0.1'] },
    shield: { contact: 'images@library.example', ...shield },
  });
  apps.push(app);
  return (address, client, headers = {}) => app.get(address, { headers: { 'X-Forwarded-For': client, ...headers } });
}

/** A caller can have some documents of two pages, and its network twice as much. */
const small = { budgets: { processorSeconds: 0.02, networkTimes: 2, systemTimes: 4 } };

/** That a refusal has all that it must have; returns its body. */
function expectRefused({ status, headers, body }: ReceivedResponse, type = 'text/plain'): string {
  expect(status).toBe(429);
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-type']).toContain(type);
  return body.toString();
}

describe('a budget', () => {
  it('refuses a document that has to be made, and none that is kept', async () => {
    const get = await start(small);
    const made = await get('/pdf/herbal.pdf', '198.51.100.7');
    expect(made.status).toBe(200);
    const text = expectRefused(await get('/pdf/atlas.pdf', '198.51.100.7'));
    expect(text).toMatch(
      /^You have asked for as much as one caller can have at once; ask again in \d+ s\.\nAll of this folder in one request: http:\S+\/dataset\/atlas\.zip\nAll manifests, with what has changed: http:\S+\/activity\/all-changes\.json\nWhom to ask: images@library\.example\n$/,
    );
    const kept = await get('/pdf/herbal.pdf', '198.51.100.7');
    expect([kept.status, kept.headers['accept-ranges']]).toEqual([200, 'bytes']);
    expect((await get('/pdf/atlas.pdf', '198.51.101.7')).status).toBe(200);
  });

  it('is that of the network, too', async () => {
    const get = await start(small);
    // Each has 10 ms of its 20, and the network 40.
    for (const client of ['1', '2', '3', '4'])
      expect((await get('/zip/atlas.zip', `198.51.100.${client}`)).status).toBe(200);
    expect(expectRefused(await get('/zip/atlas.zip', '198.51.100.5'))).toMatch(/^Your network has asked/);
    expect((await get('/zip/atlas.zip', '198.51.101.5')).status).toBe(200);
  });

  it('is that of the autonomous system, where the site gives a table', async () => {
    const systemsFile = path.join(library.around, 'systems.mmdb');
    const get = await start({ budgets: { ...small.budgets, systemTimes: 1, networkTimes: 1 }, systemsFile });
    expect((await get('/zip/herbal.zip', '198.51.100.7')).status).toBe(200);
    const refused = expectRefused(await get('/zip/herbal.zip', '198.51.200.7'));
    expect(refused).toMatch(/^The networks of your provider/);
    expect((await get('/zip/herbal.zip', '203.0.113.7')).status).toBe(200);
  });

  it('says it as JSON to whoever reads that, and never as a page', async () => {
    const get = await start({ budgets: { processorSeconds: 0.001 } });
    const html = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };
    await get('/pdf/atlas.pdf?at=1', '198.51.100.7');
    for (const [address, headers, type] of [
      ['/api/pdf.json?fn=herbal&make=1', {}, 'application/json'],
      ['/api/search.json?q=x&from=5000', html, 'application/json'],
      ['/api/folder.json?fn=&order=date', html, 'application/json'],
      ['/content-search/2/presentation/3/herbal?q=x', html, 'application/json'],
      ['/zip/herbal.zip', { Accept: 'application/json' }, 'application/json'],
      ['/dataset/herbal.zip', {}, 'text/plain'],
      ['/txt/herbal.txt', html, 'text/plain'],
      ['/zip/herbal.zip', html, 'text/plain'],
    ] as const) {
      const body = expectRefused(await get(address, '198.51.100.7', headers), type);
      if (type !== 'application/json') continue;
      expect(JSON.parse(body), address).toMatchObject({
        error: 'over-budget',
        retryAfterSeconds: expect.any(Number),
        changes: expect.stringMatching(/\/activity\/all-changes\.json$/),
        contact: 'images@library.example',
      });
    }
    const begun = await get('/api/pdf.json?fn=herbal&make=1', '198.51.100.7');
    expect(JSON.parse(begun.body.toString())).toMatchObject({
      dataSet: expect.stringMatching(/\/dataset\/herbal\.zip$/),
    });
    expect((await get('/api/pdf.json?fn=herbal', '198.51.100.7')).status).toBe(200);
  });

  it('of originals is in bytes that are sent', async () => {
    const get = await start({ budgets: { originalBytes: 9000 } });
    const original = '/Scaler?fn=herbal/1.jpg&mo=rawfile';
    const first = await get(original, '198.51.100.7');
    expect(first.status).toBe(200);
    const { etag = '' } = first.headers;
    for (let time = 0; time < 4; time++) await get(original, '198.51.100.7', { Range: 'bytes=0-3999' });
    const refused = await get(`${original},errtxt`, '198.51.100.7');
    expect(expectRefused(refused)).toContain('/dataset/herbal.zip');
    expect(expectRefused(await get(original, '198.51.100.7'), 'image/')).not.toBe('');
    expect((await get(original, '198.51.100.7', { 'If-None-Match': etag })).status).toBe(304);
    expect((await get('/Scaler?fn=herbal/1.jpg&dw=100', '198.51.100.7')).status).toBe(200);
  });

  it('is not that of readers, nor of partners', async () => {
    const get = await start({ ...small, partners: [{ name: 'Harvest', addresses: ['203.0.113.7'] }] });
    const tile = '/iiif/3/herbal%2F3.tif/0,0,256,256/256,/0/default.jpg';
    for (const status of [200, 200, 429]) expect((await get('/zip/atlas.zip', '198.51.100.7')).status).toBe(status);
    await get('/iiif/3/herbal%2F3.tif/info.json', '198.51.100.7');
    for (const side of [128, 64, 32]) await get(tile.replace('256,/', `${side},/`), '198.51.100.7');
    expect((await get('/zip/atlas.zip', '198.51.100.7')).status).toBe(200);
    for (let time = 0; time < 10; time++) expect((await get('/zip/atlas.zip', '203.0.113.7')).status).toBe(200);
  });

  it('names no data set of what not everyone may see', async () => {
    const access = {
      addresses: [{ address: '203.0.113.0/24', roles: ['staff'] }],
      paths: [{ path: 'closed', roles: ['staff'] }],
    };
    const get = await start(small, { access });
    const json = { Accept: 'application/json' };
    const adviceOn = async (folder: string, client: string) => {
      for (let time = 0; time < 3; time++) await get(`/zip/${folder}.zip`, client);
      return JSON.parse(expectRefused(await get(`/zip/${folder}.zip`, client, json), 'application/json'));
    };
    expect(await adviceOn('closed', '203.0.113.7')).not.toHaveProperty('dataSet');
    expect(await adviceOn('atlas', '203.0.113.8')).toHaveProperty('dataSet');
    expect((await get('/zip/closed.zip', '198.51.100.7')).status).toBe(401);
  });

  it('leaves a person with a book, ten originals and searches alone', async () => {
    const get = await start({});
    const client = '198.51.100.7';
    expect((await get('/pdf/herbal.pdf', client)).status).toBe(200);
    expect((await get('/dataset/herbal.zip', client)).status).toBe(200);
    for (let time = 0; time < 10; time++) {
      expect((await get('/Scaler?fn=herbal/1.jpg&mo=rawfile', client)).status).toBe(200);
      expect((await get(`/api/search.json?q=rosa${time}&fn=herbal`, client)).status).toBe(200);
    }
  });
});

it('A held network gets what is there, and nothing that has to be made', async () => {
  const get = await start({ partners: [{ name: 'Harvest', addresses: ['198.51.100.99'] }] });
  const cached = '/iiif/3/herbal%2F1.jpg/full/300,/0/default.jpg';
  const { headers } = await get(cached, '203.0.113.1');
  vi.spyOn(Holds.prototype, 'until').mockImplementation((network) =>
    network === '198.51.100.0/24' ? Date.now() + 90_000 : undefined,
  );
  const held = '198.51.100.7';
  for (const address of [
    cached,
    '/iiif/3/herbal%2F1.jpg/info.json',
    '/iiif/3/herbal%2F3.tif/256,256,256,256/256,256/0/default.jpg',
    '/presentation/3/herbal/manifest.json',
    '/api/folder.json?fn=herbal',
  ])
    expect((await get(address, held)).status, address).toBe(200);
  expect((await get(cached, held, { 'If-None-Match': headers.etag ?? '' })).status).toBe(304);
  for (const address of [
    '/iiif/3/herbal%2F1.jpg/full/301,/0/default.jpg',
    '/pdf/herbal.pdf',
    '/api/search.json?q=x',
    '/zip/herbal.zip',
    '/Scaler?fn=herbal/1.jpg&mo=rawfile,errtxt',
  ]) {
    const answer = await get(address, held);
    expect([answer.status, answer.headers['retry-after']], address).toEqual([429, '90']);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  }
  const made = '/iiif/3/herbal%2F1.jpg/full/301,/0/default.jpg';
  expect(JSON.parse((await get(made, held, { Accept: 'application/json' })).body.toString())).toMatchObject({
    error: 'over-budget',
    dataSet: expect.stringContaining('/dataset/herbal.zip'),
  });
  for (const client of ['198.51.100.99', '203.0.113.1']) expect((await get(made, client)).status).toBe(200);
  expect((await get(made, held)).status).toBe(200);
});

it('A server does not start with a table of systems that can’t be read', async () => {
  const systemsFile = path.join(library.around, 'scans/herbal/1.jpg');
  await expect(startApp({ shield: { systemsFile } })).rejects.toThrow('shield.systemsFile');
});
