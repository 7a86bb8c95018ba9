/** A picture that is asked for again takes a shorter way; nobody can tell but by the clock. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedResponse, type RequestOptions, type RunningApp, startApp } from './running-app.ts';

const variable = new Set(['date', 'keep-alive', 'connection']);

const told = ({ status, headers, body }: ReceivedResponse) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !variable.has(name))),
  body: body.toString('latin1'),
});

const addresses = [
  '/digilib/Scaler?fn=photos/odd1201x799&dw=90',
  '/digilib/Scaler/photos?pn=5&dw=91',
  '/digilib/Scaler?fn=names/%C3%BCn%C3%AFc%C3%B6d%C3%A9%20%E6%BC%A2%E5%AD%97&dw=50',
  '/digilib/Scaler?fn=photos/odd1201x799&mo=file,hires',
  '/digilib/iiif/3/photos!odd1201x799/full/92,/0/default.jpg',
  '/digilib/iiif/3/photos!odd1201x799/info.json',
  '/digilib/iiif/1/photos%2Fodd1201x799.jpg/info.json',
  '/digilib/Scaler/IIIF/photos!odd1201x799/info.json',
  '/digilib/Scaler?fn=photos/odd1201x799&mo=info',
  '/digilib/iiif/2/photos%2Fodd1201x799.jpg/10,10,200,100/93,/90/gray.png',
  '/digilib/Scaler/IIIF/photos!odd1201x799/pct:10,10,50,50/!94,94/0/default.webp',
];

const manners: readonly (readonly [string, RequestOptions])[] = [
  ['plainly', {}],
  ['for another host', { headers: { host: 'library.example' } }],
  ['through a proxy', { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example' } }],
  ['with another tag', { headers: { 'if-none-match': '"other"' } }],
  ['as JSON-LD', { headers: { accept: 'application/ld+json' } }],
  ['by a date', { headers: { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' } }],
  ['for the head', { method: 'HEAD' }],
  ['for a part', { headers: { range: 'bytes=0-9' } }],
  ['with a malformed host', { headers: { host: 'a b' } }],
  ['by a method that writes', { method: 'POST' }],
];

describe('asking again', () => {
  let app: RunningApp;
  let fresh: RunningApp;
  beforeAll(async () => {
    const settings = { http: { contextPath: '/digilib', trustedProxies: ['127.0.0.1'] } };
    [app, fresh] = await Promise.all([startApp(settings), startApp(settings)]);
    for (const address of addresses) expect((await app.get(address)).status).toBe(200);
  });
  afterAll(() => Promise.all([app.close(), fresh.close()]));

  describe.each(addresses)('for %s', (address) => {
    it.each(manners)('%s is answered as the first time', async (_name, options) => {
      const first = await fresh.get(`${address}`, options);
      const again = await app.get(address, options);
      const here = ({ status, headers, body }: ReturnType<typeof told>) => ({
        status,
        headers: JSON.stringify(Object.entries(headers).sort()).replaceAll(fresh.url, app.url),
        body: body.replaceAll(fresh.url, app.url),
      });
      // A tag of what holds the address is another one for each.
      const isNamed = first.body.includes(fresh.url);
      const { etag, ...rest } = told(again).headers;
      const { etag: expected, ...others } = told(first).headers;
      expect(here({ ...told(again), headers: rest })).toEqual(here({ ...told(first), headers: others }));
      if (!isNamed && first.status === 200 && !address.includes('info')) expect(etag).toBe(expected);
    });

    it('with its own tag is answered 304', async () => {
      const { headers } = await app.get(address);
      const again = await app.get(address, { headers: { 'if-none-match': headers.etag } });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    });
  });
});

it('notices at once that a file is another one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-lane-'));
  const file = path.join(folder, 'a.png');
  const write = async (color: string, seconds: number): Promise<void> => {
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: color } })
      .png()
      .toBuffer();
    writeFileSync(file, picture);
    utimesSync(file, seconds, seconds);
  };
  const app = await startApp({ library: { folders: [folder] } });
  const tags = new Set<unknown>();
  for (const [index, color] of ['red', 'blue', 'red', 'green', 'blue'].entries()) {
    await write(color, 1_700_000_000 + index);
    for (let repetition = 0; repetition < 3; repetition++) {
      const { status, headers, body } = await app.get('/iiif/3/a.png/full/20,/0/default.png');
      const { data } = await sharp(body).raw().toBuffer({ resolveWithObject: true });
      const [r = 0, g = 0, b = 0] = data;
      expect([status, r > 200 ? 'red' : b > 200 ? 'blue' : g > 100 ? 'green' : '']).toEqual([200, color]);
      tags.add(headers.etag);
    }
  }
  expect(tags.size).toBe(5);
  rmSync(file);
  expect((await app.get('/iiif/3/a.png/full/20,/0/default.png')).status).toBe(404);
  await app.close();
  rmSync(folder, { recursive: true });
});
