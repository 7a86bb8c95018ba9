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

const information = async (address: string): Promise<Record<string, unknown>> =>
  JSON.parse((await app.get(address)).body.toString()) as Record<string, unknown>;

describe('info.json', () => {
  test.each([
    ['/iiif/3/photos!odd1201x799', 'id', 'http://iiif.io/api/image/3/context.json'],
    ['/iiif/2/photos%2Fodd1201x799.jpg', '@id', 'http://iiif.io/api/image/2/context.json'],
    ['/iiif/1/photos%21odd1201x799', '@id', 'http://library.stanford.edu/iiif/image-api/1.1/context.json'],
    ['/Scaler/IIIF/photos!odd1201x799', '@id', 'http://iiif.io/api/image/2/context.json'],
    ['/Scaler/IIIF/3/photos!odd1201x799', 'id', 'http://iiif.io/api/image/3/context.json'],
    ['/servlet/Scaler/IIIF/2/photos!odd1201x799', '@id', 'http://iiif.io/api/image/2/context.json'],
  ])('%s', async (address, idName, context) => {
    expect(await information(`${address}/info.json`)).toMatchObject({
      '@context': context,
      [idName]: `${app.url}${address}`,
      width: 1201,
      height: 799,
    });
  });

  it('is JSON-LD for clients that accept it', async () => {
    const { headers } = await app.get('/iiif/3/photos!odd1201x799/info.json', {
      headers: { accept: 'application/ld+json' },
    });
    expect(headers['content-type']).toBe('application/ld+json;profile="http://iiif.io/api/image/3/context.json"');
    expect(headers).toMatchObject({ vary: 'Accept', 'access-control-allow-origin': '*' });
  });

  it.each([
    ['application/ld+json;q=0', 'application/json; charset=utf-8'],
    ['application/ld+json;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, application/ld+json;q=0.6', 'application/ld+json;profile='],
    ['*/*', 'application/json; charset=utf-8'],
  ])('is negotiated by q values: %s, also when it is requested again', async (accept, mediaType) => {
    for (let repetition = 0; repetition < 3; repetition++) {
      const { headers } = await app.get('/iiif/3/photos!odd1201x799/info.json', { headers: { accept } });
      expect(headers['content-type']?.startsWith(mediaType)).toBe(true);
    }
  });

  it('is answered 304 to a matching If-None-Match, with an ETag for each media type', async () => {
    const address = '/iiif/3/photos!odd1201x799/info.json';
    const { headers } = await app.get(address);
    const { etag = '' } = headers;
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect((await app.get(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const linked = { accept: 'application/ld+json', 'if-none-match': etag };
    expect((await app.get(address, { headers: linked })).status).toBe(200);
  });

  it('is the target of the base address’s redirect', async () => {
    const { status, headers } = await app.get('/iiif/3/photos!odd1201x799');
    expect([status, headers.location]).toEqual([303, `${app.url}/iiif/3/photos!odd1201x799/info.json`]);
  });

  it('is served below a context path', async () => {
    const below = await startApp({ library: { folders }, http: { contextPath: '/digilib' } });
    const { body } = await below.get('/digilib/Scaler/IIIF/3/photos!tiny100x80/info.json');
    expect(JSON.parse(body.toString())).toMatchObject({ id: `${below.url}/digilib/Scaler/IIIF/3/photos!tiny100x80` });
    await below.close();
  });
});

describe('image requests', () => {
  test.each([
    ['/iiif/3/photos!odd1201x799/full/max/0/default.jpg', '1201x799', 'jpeg'],
    ['/iiif/3/photos!odd1201x799/full/300,/0/default.png', '300x200', 'png'],
    ['/iiif/3/photos!odd1201x799/square/!100,200/90/gray.webp', '100x100', 'webp'],
    ['/iiif/2/photos!odd1201x799/full/full/0/default.jpg', '1201x799', 'jpeg'],
    ['/iiif/1/photos!odd1201x799/full/,100/0/native.jpg', '150x100', 'jpeg'],
    ['/Scaler/IIIF/3/photos!odd1201x799/1024,512,177,287/89,144/0/default.jpg', '89x144', 'jpeg'],
    ['/iiif/3/photos!odd1201x799/0,0,10,10/1,1/0/default.jpg', '1x1', 'jpeg'],
    ['/iiif/3/books!book1/full/100,/0/default.jpg', '100x141', 'jpeg'],
    ['/iiif/3/names!a%26b%2Bc/full/32,/0/default.jpg', '32x20', 'jpeg'],
  ])('%s', async (address, size, format) => {
    const { status, body } = await app.get(address);
    expect(status).toBe(200);
    const picture = await decode(body);
    expect([`${picture.width}x${picture.height}`, picture.format]).toEqual([size, format]);
  });

  test.each([
    ['/iiif/3/photos!nosuch/info.json', 404],
    ['/iiif/3/photos!nosuch/full/max/0/default.jpg', 404],
    ['/iiif/3/photos/odd1201x799/info.json', 404],
    ['/iiif/3/', 404],
    ['/iiif/4/photos!odd1201x799/info.json', 404],
    ['/iiif/3/..!secret/info.json', 404],
    ['/iiif/3/photos!odd1201x799/full/2000,/0/default.jpg', 400],
    ['/iiif/3/photos!odd1201x799/full/full/0/default.jpg', 400],
    ['/iiif/3/photos!odd1201x799/5000,0,10,10/max/0/default.jpg', 400],
    ['/iiif/3/photos!odd1201x799/full/max/0/default.bmp', 400],
    ['/iiif/3/photos!odd1201x799/full/max/400/default.jpg', 400],
  ])('%s: %d with a helpful message', async (address, expected) => {
    const { status, headers, body } = await app.get(address);
    expect(status).toBe(expected);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(body.toString()).toMatch(/^.{10,300}\.\n$/);
  });
});
