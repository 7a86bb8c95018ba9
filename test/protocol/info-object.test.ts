import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { quartered } from '../pixels/pictures.ts';
import { type RequestOptions, type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-info-'));
const images = fileURLToPath(new URL('../fixtures/golden/images/hires', import.meta.url));

/** The 31 members and their defaults (info-endpoint.md, section 2.1). */
const defaults = {
  brgt: '0.0',
  colop: '',
  cont: '0.0',
  ddpi: '0.0',
  ddpix: '0.0',
  ddpiy: '0.0',
  dh: '0',
  'docu.image': '',
  dw: '0',
  fn: '',
  id_token: '',
  'img.dpix': '0',
  'img.dpiy': '0',
  'img.fn': '',
  'img.pix_x': '0',
  'img.pix_y': '0',
  mo: '',
  pn: '1',
  'request.iiif.elements': '',
  'request.path': '',
  rgba: '0/0/0',
  rgbm: '0/0/0',
  rot: '0.0',
  scale: '1.0',
  wh: '1.0',
  ws: '1.0',
  ww: '1.0',
  wx: '0.0',
  wy: '0.0',
};

const endpoint = '/api/dlInfo-json.jsp';
let app: RunningApp;

beforeAll(async () => {
  await quartered(30, 20).withMetadata({ density: 300 }).jpeg().toFile(path.join(folder, 'root.jpg'));
  app = await startApp({ library: { folders: [images] } });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function ask(query: string, options?: RequestOptions, server = app): Promise<Record<string, string>> {
  const { status, body } = await server.get(`${endpoint}${query}`, options);
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as Record<string, string>;
}

/** The members whose values are not the defaults, without the two that hold the address. */
async function changed(query: string, server = app): Promise<Record<string, string>> {
  const { 'base.url': _base, 'servlet.request': _request, ...others } = await ask(query, {}, server);
  const defaultOf = defaults as Record<string, string>;
  return Object.fromEntries(Object.entries(others).filter(([name, value]) => value !== defaultOf[name]));
}

describe('the info object', () => {
  it('has exactly its 31 members, all strings, sorted, with their defaults', async () => {
    const object = await ask('');
    const address = `${app.url}${endpoint}`;
    const { 'base.url': base, 'servlet.request': request, ...others } = object;
    expect(others).toEqual(defaults);
    expect(base).toBe(address);
    expect(request).toMatch(/^Request\(GET http:\/\/127\.0\.0\.1:\d+\/api\/dlInfo-json\.jsp\)@[0-9a-f]+$/);
    expect(Object.keys(object)).toHaveLength(31);
    expect(Object.keys(object)).toEqual(Object.keys(object).sort());
  });

  it('is sent with the headers that clients rely on', async () => {
    const { headers } = await app.get(endpoint);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('has another id for each request', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask(''))['servlet.request']?.split('@')[1]),
    );
    expect(new Set(ids).size).toBe(20);
  });

  test.each([
    '?',
    '?dw=5&x=%C3%A9&y=%c3%a9',
    '?fn=a/../b&&',
    '?a=1#not-a-fragment',
    '?q=%41%2e%2E/../x//y',
    '?%3Cscript%3E"\'<>',
    '/?fn=x'.slice(1),
    '?a?b=c',
  ])('holds the address byte for byte: %s', async (query) => {
    const object = await ask(query);
    expect(object['base.url']).toBe(`${app.url}${endpoint}${query}`);
    expect(object['servlet.request']).toContain(`(GET ${app.url}${endpoint}${query})@`);
  });

  it('keeps the path’s own spelling', async () => {
    const { body } = await app.get('/api/dlInfo%2Djson.jsp?dw=5');
    const object = JSON.parse(body.toString()) as Record<string, string>;
    expect(object['base.url']).toBe(`${app.url}/api/dlInfo%2Djson.jsp?dw=5`);
  });

  test.each([
    ['example.org', 'http://example.org'],
    ['Example.ORG:8080', 'http://Example.ORG:8080'],
    ['[::1]:80', 'http://[::1]:80'],
    ['under_score.example', 'http://under_score.example'],
  ])('takes scheme and host from Host: %s', async (host, origin) => {
    const headers = { host, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'forged.example' };
    expect((await ask('?dw=5', { headers }))['base.url']).toBe(`${origin}${endpoint}?dw=5`);
  });

  it('takes them from X-Forwarded-* only of a trusted proxy', async () => {
    const behind = await startApp({ library: { folders: [images] }, http: { trustedProxies: ['127.0.0.0/8'] } });
    const headers = { host: 'inner:1', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'library.example' };
    expect((await ask('', { headers }, behind))['base.url']).toBe(`https://library.example${endpoint}`);
    const odd = { host: 'inner:1', 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'a b' };
    expect((await ask('', { headers: odd }, behind))['base.url']).toBe(`http://inner:1${endpoint}`);
    await behind.close();
  });

  it('has the facts of the image', async () => {
    const object = await ask('?fn=photos/odd1201x799&dw=7');
    expect(object).toMatchObject({
      'img.fn': 'odd1201x799.jpg',
      'img.pix_x': '1201',
      'img.pix_y': '799',
      'img.dpix': '200',
      'img.dpiy': '100',
      dw: '7',
    });
    expect(await changed('?fn=photos/exif6_800x533')).toMatchObject({
      'img.pix_x': '533',
      'img.pix_y': '800',
      'img.dpix': '240',
    });
    expect(await changed('?fn=books/book1&pn=4')).toMatchObject({
      'img.fn': 'page0004.jpg',
      'img.pix_x': '1023',
      'img.pix_y': '1417',
    });
    expect(await changed('?fn=/photos/odd1201x799.bogus/&img.fn=sent&img.pix_x=1')).toMatchObject({
      'img.fn': 'odd1201x799.jpg',
      'img.pix_x': '1201',
    });
  });

  test.each([
    ['?fn=photos/nosuch', { fn: 'photos/nosuch' }],
    ['?fn=nested/a', { fn: 'nested/a' }],
    ['?fn=broken/garbage', { fn: 'broken/garbage' }],
    ['?fn=broken/empty.jpg', { fn: 'broken/empty.jpg' }],
    ['?fn=books/book1&pn=13', { fn: 'books/book1', pn: '13' }],
    ['?fn=books/book1&pn=0', { fn: 'books/book1', pn: '0' }],
    ['?fn=..&img.fn=sent', { fn: '..', 'img.fn': 'sent' }],
    ['?fn=%00', { fn: '\0' }],
  ])('has the defaults if nothing is found: %s', async (query, expected) => {
    expect(await changed(query)).toEqual(expected);
  });

  it('names no image without fn, even if the root contains images', async () => {
    const flat = await startApp({ library: { folders: [folder] } });
    for (const query of ['', '?fn=', '?pn=1', '?fn=/', '?fn=.']) {
      expect((await ask(query, {}, flat))['img.fn'], query).toBe('');
    }
    expect(await changed('?fn=root', flat)).toMatchObject({
      'img.fn': 'root.jpg',
      'img.dpix': '300',
      'img.dpiy': '300',
    });
    await flat.close();
  });

  it('is served below a context path, and only there', async () => {
    const below = await startApp({ library: { folders: [images] }, http: { contextPath: '/digilib/' } });
    const { status, body } = await below.get(`/digilib${endpoint}?dw=1`);
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({ 'base.url': `${below.url}/digilib${endpoint}?dw=1`, dw: '1' });
    expect((await below.get(endpoint)).status).toBe(404);
    await below.close();
  });
});

describe('methods', () => {
  it('HEAD has the headers and no body', async () => {
    const { status, headers, body } = await app.get(endpoint, { method: 'HEAD' });
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(headers['content-length'])).toBeGreaterThan(500);
  });

  it('OPTIONS lists the allowed methods', async () => {
    const headers = { origin: 'http://o.example', 'access-control-request-method': 'GET' };
    const answer = await app.get(endpoint, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    });
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])('%s is refused', async (method) => {
    const { status, headers } = await app.get(endpoint, { method });
    expect(status).toBe(405);
    expect(headers['allow']).toBe('GET, HEAD, OPTIONS');
  });
});
