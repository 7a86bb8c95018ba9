import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { decode } from '../pixels/pictures.ts';
import { type RunningApp, startApp } from './running-app.ts';

const images = fileURLToPath(new URL('../fixtures/golden/images/', import.meta.url));
const folders = ['hires', 'scaled'].map((name) => path.join(images, name));

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ library: { folders } });
});
afterAll(() => app.close());

async function sizeOf(address: string): Promise<string> {
  const { status, body } = await app.get(address);
  expect(status, body.subarray(0, 200).toString()).toBe(200);
  const { width, height } = await decode(body);
  return `${width}x${height}`;
}

describe('addresses', () => {
  test.each([
    '/Scaler?fn=photos/tiny100x80&dw=50',
    '/servlet/Scaler?fn=photos/tiny100x80&dw=50',
    '/Scaler/photos/tiny100x80?dw=50',
    '/servlet/Scaler/photos/tiny100x80.jpg?dw=50',
    '/Scaler/photos/?fn=tiny100x80&dw=50',
    '/Scaler/photos?pn=8&dw=50',
    '/Scaler?fn=photos&pn=8&dw=50',
    '/Scaler?fn=./photos//tiny100x80/&dw=50',
    '/Scaler?fn=photos/tiny100x80.tif&dw=50',
    '/Scaler?fn=photos/tiny100x80;dw=50',
    '/Scaler/ph%6ftos/tiny100x80?dw=50',
  ])('%s', async (address) => expect(await sizeOf(address)).toBe('50x40'));

  it('counts pages by files, also unreadable ones', async () => {
    expect((await app.get('/Scaler?fn=broken&pn=1&dw=50&mo=errtxt')).status).toBe(404);
    expect(await sizeOf('/Scaler?fn=broken&pn=4&dw=50')).toBe('50x40');
  });
});

describe('the original file', () => {
  const original = readFileSync(path.join(images, 'hires/photos/tiny100x80.jpg'));

  it('is sent under its own type, or as a download', async () => {
    const file = await app.get('/Scaler?fn=photos/tiny100x80&mo=file');
    expect(file.body.equals(original)).toBe(true);
    expect(file.headers).toMatchObject({ 'content-type': 'image/jpeg', 'content-length': String(original.length) });
    expect(file.headers['content-disposition']).toBe('inline; filename="tiny100x80.jpg"');
    const download = await app.get('/Scaler?fn=photos/tiny100x80&mo=rawfile,file');
    expect(download.headers['content-type']).toBe('application/octet-stream');
    expect(download.headers['content-disposition']).toBe('attachment; filename="tiny100x80.jpg"');
  });

  it('has a name that is valid in headers, whatever the file is called', async () => {
    const { headers } = await app.get(`/Scaler?fn=${encodeURIComponent('names/ünïcödé 漢字')}&mo=rawfile`);
    expect(headers['content-disposition']).toBe(
      'attachment; filename="_n_c_d_ __.jpg"; filename*=UTF-8\'\'%C3%BCn%C3%AFc%C3%B6d%C3%A9%20%E6%BC%A2%E5%AD%97.jpg',
    );
  });

  it('is that of the smallest resolution, unless more is needed', async () => {
    const length = async (query: string): Promise<string | undefined> =>
      (await app.get(`/Scaler?fn=photos/land3000x2000&mo=file${query}`)).headers['content-length'];
    expect(await length('')).toBe('73579');
    expect(await length('&dw=1501')).toBe('567810');
    expect(await length(',hires')).toBe('567810');
  });

  it('is not sent if the configuration forbids it', async () => {
    const closed = await startApp({ library: { folders }, digilib: { sendFile: false } });
    expect((await closed.get('/Scaler?fn=photos/tiny100x80&mo=file')).status).toBe(400);
    expect((await decode((await closed.get('/Scaler?fn=photos/tiny100x80&mo=file&dw=9&dh=8')).body)).width).toBe(9);
    await closed.close();
  });
});

describe('an image that is smaller than the size that is requested', () => {
  const image = '/Scaler?fn=photos/odd1201x799';
  test.each([
    ['dw=1800', '1800x1198'],
    ['dw=1800&mo=lores', '1201x799'],
    ['dw=1800&dh=1000&mo=crop', '1800x1000'],
    ['dw=1800&dh=1000&mo=crop,lores', '1201x799'],
    ['dw=1800&dh=1000&mo=squeeze', '1800x1000'],
    ['dw=1800&dh=1000&mo=squeeze,lores', '1201x799'],
    ['dw=1800&ww=0.5&wh=0.5&mo=lores', '1800x1198'],
  ])('has the size of %s: %s', async (query, size) => expect(await sizeOf(`${image}&${query}`)).toBe(size));
});

describe('errors', () => {
  test.each([
    ['fn=photos/nosuch&dw=100', 404],
    ['fn=broken/garbage&dw=100', 404],
    ['fn=broken/truncated&dw=100', 404],
    ['fn=photos/tiny100x80', 400],
    ['fn=photos/tiny100x80&dw=100000000', 400],
  ])('%s: %d as picture, text and code', async (query, status) => {
    const picture = await app.get(`/Scaler?${query}`);
    expect([picture.status, picture.headers['content-type']]).toEqual([status, 'image/png']);
    expect((await decode(picture.body)).width).toBeGreaterThan(199);
    const text = await app.get(`/Scaler?${query}&mo=errtxt`);
    expect([text.status, text.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8']);
    expect(text.body.toString()).toMatch(/^[A-Z].{15,200}\.\n$/);
    const code = await app.get(`/Scaler?${query}&mo=errcode`);
    expect([code.status, code.body.length]).toEqual([status, 0]);
    for (const answer of [picture, text, code]) expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('have digilib’s status if so configured', async () => {
    const legacy = await startApp({ library: { folders }, digilib: { legacyErrorStatus: true } });
    const statusOf = async (options: string): Promise<number> =>
      (await legacy.get(`/Scaler?fn=nosuch&dw=9&mo=${options}`)).status;
    expect([await statusOf('errimg'), await statusOf('errtxt'), await statusOf('errcode')]).toEqual([200, 200, 404]);
    await legacy.close();
  });
});

describe('conditional requests', () => {
  const address = '/Scaler?fn=photos/tiny100x80&dw=50';

  it('are answered 304 as long as the picture is the same', async () => {
    const { headers } = await app.get(address);
    const { etag = '', 'last-modified': modified = '' } = headers;
    expect(etag).toMatch(/^"[\w-]{24}"$/);
    const ask = async (conditions: Record<string, string>): Promise<number> =>
      (await app.get(address, { headers: conditions })).status;
    expect(await ask({ 'if-none-match': etag })).toBe(304);
    expect(await ask({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
    expect(await ask({ 'if-none-match': '*' })).toBe(304);
    expect(await ask({ 'if-none-match': '"x"' })).toBe(200);
    expect(await ask({ 'if-modified-since': modified })).toBe(304);
    expect(await ask({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200);
    expect(await ask({ 'if-modified-since': 'yesterday' })).toBe(200);
  });

  it('distinguish different pictures', async () => {
    const tags = await Promise.all(
      ['', '&mo=png', '&rot=1', '&brgt=1'].map(async (more) => (await app.get(address + more)).headers.etag),
    );
    expect(new Set(tags).size).toBe(4);
  });

  it('HEAD has the same headers and renders nothing', async () => {
    const whole = await app.get(address);
    const head = await app.get(address, { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['etag', 'content-type', 'last-modified', 'content-disposition'])
      expect(head.headers[name]).toBe(whole.headers[name]);
  });
});

it('refuses requests beyond its queue with 503, and serves again afterwards', async () => {
  const small = await startApp({ library: { folders }, render: { processes: 1, maxWaiting: 2 } });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => small.get(`/Scaler?fn=photos/land3000x2000&dw=${1600 + i}&mo=errtxt`)),
  );
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(answers.filter(({ status }) => status === 200).length).toBe(answers.length - refused.length);
  expect((await small.get('/Scaler?fn=photos/land3000x2000&dw=100')).status).toBe(200);
  await small.close();
});

it('sends info.json for mo=info, and redirects to it for mo=redirect_info', async () => {
  const app = await startApp({ http: { contextPath: '/digilib' } });
  const id = `${app.url}/digilib/Scaler/IIIF/photos!odd1201x799.jpg`;
  const info = await app.get('/digilib/Scaler?fn=photos/odd1201x799&mo=info');
  expect([info.status, info.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(JSON.parse(info.body.toString())).toMatchObject({ '@id': id, width: 1201, height: 799 });
  const { status, headers } = await app.get('/digilib/Scaler/photos/odd1201x799?mo=redirect_info');
  expect([status, headers.location]).toEqual([303, `${id}/info.json`]);
  await app.close();
});
