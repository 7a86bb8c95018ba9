/** The fast path and the Fastify routes give the same responses: status, headers and bytes. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type ReceivedResponse, type RequestOptions, type RunningApp, startApp } from './running-app.ts';

/** Headers that differ from response to response. */
const variable = new Set(['date', 'keep-alive', 'connection', 'x-request-id', 'server-timing']);

/** The members of an info object that are random. */
const requestId = /\)@[0-9a-f]{8}/g;

const comparable = ({ status, headers, body }: ReceivedResponse) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !variable.has(name))),
  body: body.toString('latin1').replace(requestId, ')@'),
});

/** The response of the Fastify route: a target in absolute form is never answered by the fast path. */
function throughFastify(app: RunningApp, address: string, options: RequestOptions): Promise<ReceivedResponse> {
  const host = options.headers?.['host'] ?? `127.0.0.1:${app.port}`;
  return app.get(`http://${String(host)}${address}`, options);
}

const addresses: readonly (readonly [string, status: number])[] = [
  ['/digilib/Scaler?fn=photos/odd1201x799&dw=90', 200],
  ['/digilib/Scaler/photos?pn=5&dw=91', 200],
  ['/digilib/servlet/Scaler/photos/odd1201x799?dw=92', 200],
  ['/digilib/Sc%61ler?fn=photos/odd1201x799&dw=90', 200],
  ['/digilib/Scaler?fn=names/%C3%BCn%C3%AFc%C3%B6d%C3%A9%20%E6%BC%A2%E5%AD%97&dw=50', 200],
  ['/digilib/Scaler?fn=photos/odd1201x799&mo=file,hires', 200],
  ['/digilib/Scaler?fn=photos/odd1201x799&mo=rawfile', 200],
  ['/digilib/Scaler?fn=photos/odd1201x799&mo=info', 200],
  ['/digilib/Scaler?fn=photos/odd1201x799&mo=redirect_info', 303],
  ['/digilib/Scaler?fn=photos/odd1201x799&dw=40&explain=1', 200],
  ['/digilib/Scaler?fn=photos/nothing&dw=90', 404],
  ['/digilib/Scaler?fn=photos/nothing&dw=90&mo=errtxt', 404],
  ['/digilib/Scaler?fn=broken/garbage&dw=90&mo=errcode', 404],
  ['/digilib/Scaler/photos/%ff?dw=90', 404],
  [`/digilib/Scaler?fn=photos/odd1201x799&mo=errtxt${'&a=b'.repeat(100)}`, 400],
  ['/digilib/iiif/3/photos!odd1201x799/full/92,/0/default.jpg', 200],
  ['/digilib/iiif/3/photos!odd1201x799/full/92,/0/default.jpg?cache=no', 200],
  ['/digilib/iiif/3/photos!odd1201x799/full/92,/0/default.jpg?explain=1', 200],
  ['/digilib/iiif/2/photos%2Fodd1201x799.jpg/10,10,200,100/93,/90/gray.png', 200],
  ['/digilib/Scaler/IIIF/photos!odd1201x799/pct:10,10,50,50/!94,94/0/default.webp', 200],
  ['/digilib/iiif/3/photos!odd1201x799/info.json', 200],
  ['/digilib/iiif/3/photos!odd1201x799/info.json?a', 200],
  ['/digilib/iiif/1/photos%2Fodd1201x799.jpg/info.json', 200],
  ['/digilib/Scaler/IIIF/photos!odd1201x799/info.json', 200],
  ['/digilib/iiif/3/photos!odd1201x799', 303],
  ['/digilib/iiif/3/photos!nothing/full/92,/0/default.jpg', 404],
  ['/digilib/iiif/3/photos!nothing/info.json', 404],
  ['/digilib/iiif/3/photos!nothing/no/region/0/default.jpg', 404],
  ['/digilib/iiif/3/photos!odd1201x799/no/92,/0/default.jpg', 400],
  ['/digilib/iiif/3/photos!odd1201x799/5000,0,10,10/92,/0/default.jpg', 400],
  ['/digilib/iiif/3/photos/odd1201x799/info.json', 404],
  ['/digilib/api/dlInfo-json.jsp', 200],
  ['/digilib/api/dlInfo-json.jsp?', 200],
  ['/digilib/api/dlInfo-json.jsp?dw=5&x=%C3%A9', 200],
  ['/digilib/api/dlInfo-json.jsp?fn=photos/odd1201x799&pn=1', 200],
  ['/digilib/api/dlInfo-json.jsp?fn=photos/nothing', 200],
  ['/digilib/api/dlInfo-json.jsp?fn=/', 200],
  [`/digilib/api/dlInfo-json.jsp?a=b${'&a=b'.repeat(100)}`, 400],
  ['/digilib/dlInfo-json.jsp?fn=photos/odd1201x799', 200],
];

const variants: readonly (readonly [string, RequestOptions])[] = [
  ['without further headers', {}],
  ['for another host', { headers: { host: 'library.example' } }],
  ['through a proxy', { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example' } }],
  ['with another tag', { headers: { 'if-none-match': '"other"' } }],
  ['with any tag', { headers: { 'if-none-match': '*' } }],
  ['for JSON-LD', { headers: { accept: 'application/ld+json' } }],
  ['for anything but JSON-LD', { headers: { accept: 'application/ld+json;q=0, */*' } }],
  ['rather for JSON than for JSON-LD', { headers: { accept: 'application/ld+json;q=0.5, application/json' } }],
  ['if modified since a later date', { headers: { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' } }],
  ['if modified since an earlier date', { headers: { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:01 GMT' } }],
  ['if modified since no date', { headers: { 'if-modified-since': 'yesterday' } }],
  ['for a range', { headers: { range: 'bytes=0-9' } }],
  ['by HEAD', { method: 'HEAD' }],
  ['by a method that writes', { method: 'POST' }],
];

/** Rules that leave the images above open; `names` and `broken` are closed but for one network. */
const access: SettingsInput['access'] = {
  addresses: [{ address: '192.0.2.0/24', roles: ['staff'] }],
  paths: [
    { path: 'names', roles: ['staff'] },
    { path: 'broken', roles: ['staff'] },
  ],
};

const credentials: readonly (readonly [string, RequestOptions])[] = [
  ['from a network with a role', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
  ['with a token that does not count', { headers: { authorization: 'Bearer a.b.c' } }],
  ['with a cookie', { headers: { cookie: 'id_token=a.b.c' } }],
];

describe.each([
  ['without rules of access', undefined],
  ['with rules of access', access],
])('both ways, %s,', (_rules, access) => {
  let app: RunningApp;
  const isClosed = (address: string): boolean => access !== undefined && /fn=(?:names|broken)/.test(address);
  beforeAll(async () => {
    app = await startApp({
      http: { contextPath: '/digilib', trustedProxies: ['127.0.0.1'], explain: true },
      access,
    });
  });
  afterAll(() => app.close());

  describe.each(addresses)('for %s', (address, status) => {
    it.each([...variants, ...(access ? credentials : [])])('are the same %s', async (_name, options) => {
      const expected = comparable(await throughFastify(app, address, options));
      if (options.headers === undefined)
        expect(expected.status).toBe(options.method === 'POST' ? 405 : isClosed(address) ? 403 : status);
      for (let repetition = 0; repetition < 3; repetition++) {
        expect(comparable(await app.get(address, options))).toEqual(expected);
      }
    });

    it('answer 304 to a client that has the response', async () => {
      const { headers, status } = await app.get(address);
      if (status !== 200 || headers.etag === undefined) return;
      const options = { headers: { 'if-none-match': `"x", W/${headers.etag}` } };
      const again = await app.get(address, options);
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
      expect(comparable(again)).toEqual(comparable(await throughFastify(app, address, options)));
    });

    it('refuse a malformed host', async () => {
      const options = { headers: { host: 'a b' } };
      const [once, again] = [await app.get(address, options), await app.get(address, options)];
      expect(once.status).toBe(400);
      expect(comparable(again)).toEqual(comparable(once));
    });
  });
});

/** The color that dominates a picture. */
async function colorOf(picture: Buffer): Promise<string> {
  const [r = 0, g = 0, b = 0] = await sharp(picture).raw().toBuffer();
  return r > 200 ? 'red' : b > 200 ? 'blue' : g > 100 ? 'green' : '';
}

it.each(['/iiif/3/a.png/full/20,/0/default.png', '/Scaler?fn=a&dw=20'])(
  'a replaced file is noticed at the next request of %s',
  async (address) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lectern-fast-path-'));
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
        const { status, headers, body } = await app.get(address);
        expect([status, await colorOf(body)]).toEqual([200, color]);
        tags.add(headers.etag);
      }
    }
    expect(tags.size).toBe(5);
    rmSync(file);
    expect((await app.get(address)).status).toBe(404);
    await app.close();
    rmSync(folder, { recursive: true });
  },
);

describe('with rules of access', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-fast-path-'));
  let app: RunningApp;
  beforeAll(async () => {
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    for (const name of ['open', 'closed']) writeFileSync(path.join(folder, `${name}.png`), picture);
    app = await startApp({
      library: { folders: [folder] },
      http: { trustedProxies: ['127.0.0.1'] },
      access: {
        addresses: [{ address: '192.0.2.0/24', roles: ['staff'] }],
        types: [{ type: 'staff only', roles: ['staff'] }],
        paths: [{ path: 'closed.png', roles: ['staff'] }],
      },
    });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  const statusFor = async (name: string, from: string): Promise<number> => {
    const address = `/iiif/3/${name}.png/full/20,/0/default.png`;
    return (await app.get(address, { headers: { 'x-forwarded-for': from } })).status;
  };
  const [stranger, staff] = ['198.51.100.7', '192.0.2.7'];

  it('nobody gets what was answered to somebody else', async () => {
    for (let repetition = 0; repetition < 4; repetition++) {
      expect(await statusFor('closed', stranger)).toBe(401);
      expect(await statusFor('closed', staff)).toBe(200);
    }
    for (let repetition = 0; repetition < 4; repetition++) expect(await statusFor('open', stranger)).toBe(200);
  });

  it('an image that its metadata closes is closed at the next request', async () => {
    for (let repetition = 0; repetition < 3; repetition++) expect(await statusFor('open', stranger)).toBe(200);
    const access = '<access type="staff only"/>';
    const meta = `<resource><meta><access-conditions>${access}</access-conditions></meta></resource>`;
    writeFileSync(path.join(folder, 'open.png.meta'), meta);
    expect(await statusFor('open', stranger)).toBe(401);
    expect(await statusFor('open', staff)).toBe(200);
    expect(await statusFor('open', stranger)).toBe(401);
  });
});
