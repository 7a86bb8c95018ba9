/** What robots are told: by the settings in robots.txt and llms.txt, on every answer, and on pages of which there is no end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/app/settings/configuration.ts';
import { mayVisit } from '../robots-reader.ts';
import { goldenFolders, type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-robots-'));
const list = path.join(folder, 'robots');
writeFileSync(list, 'date: 2026-10-01\nOwnBot\n');
afterAll(() => rmSync(folder, { recursive: true }));

const view = '/view/books/book1/page0001.jpg';
const picture = '/iiif/3/books!book1!page0001.jpg/full/20,/0/default.jpg';

const textAt = async (app: RunningApp, address: string): Promise<string> => (await app.get(address)).body.toString();

async function withApp(settings: Parameters<typeof startApp>[0], use: (app: RunningApp) => Promise<void>) {
  const app = await startApp(settings);
  try {
    await use(app);
  } finally {
    await app.close();
  }
}

describe('robots.txt', () => {
  it('keeps out robots of the list of this version', () =>
    withApp({ robots: { allow: 'all-but-training' } }, async (app) => {
      const robots = await textAt(app, '/robots.txt');
      expect([mayVisit(robots, 'GPTBot', view), mayVisit(robots, 'Googlebot', view)]).toEqual([false, true]);
    }));

  it('keeps out those of a site’s own list in place of ours', () =>
    withApp({ robots: { allow: 'all-but-training', trainingRobots: list } }, async (app) => {
      const robots = await textAt(app, '/robots.txt');
      expect([mayVisit(robots, 'OwnBot', view), mayVisit(robots, 'GPTBot', view)]).toEqual([false, true]);
      expect(robots).toContain('2026-10-01');
    }));

  it('has the same wishes at the root of the host', () =>
    withApp({ http: { contextPath: '/books' }, robots: { allow: 'none' } }, async (app) => {
      for (const address of ['/robots.txt', '/books/robots.txt'])
        expect(await textAt(app, address)).toBe('User-agent: *\nDisallow: /books/\n');
      expect((await app.get('/llms.txt')).status).toBe(200);
    }));

  it.each([
    [{ allow: 'own-lines' }, 'robots.lines'],
    [{ allow: 'none', lines: ['User-agent: *'] }, 'robots.lines'],
    [{ allow: 'own-lines', lines: ['a\nb'] }, 'robots.lines'],
    [{ tag: 'noai\r\nset-cookie: a=b' }, 'robots.tag'],
    [{ trainingRobots: path.join(folder, 'nothing') }, 'robots.trainingRobots'],
  ] as const)('is not made of %j', (robots, name) =>
    expect(() => readSettings({ library: { folders: [...goldenFolders] }, robots } as never, {}, undefined)).toThrow(
      name,
    ),
  );
});

describe('llms.txt', () => {
  it('names what is there in place of crawling', () =>
    withApp({ readingRoom: { name: 'A *fine* library' } }, async (app) => {
      const { headers, body } = await app.get('/llms.txt', { headers: { host: 'library.example' } });
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      const text = body.toString();
      expect(text).toMatch(/^# A \\\*fine\\\* library\n\n> /);
      for (const address of ['presentation/3/collection.json', 'sitemap.xml', 'openapi.json', 'robots.txt'])
        expect(text).toContain(`](http://library.example/${address})`);
    }));

  it('can be left out', () =>
    withApp({ robots: { llms: false } }, async (app) => expect((await app.get('/llms.txt')).status).toBe(404)));
});

describe('X-Robots-Tag', () => {
  const addresses = [
    view,
    picture,
    picture,
    '/iiif/3/books!book1!page0001.jpg/info.json',
    '/api/dlInfo-json.jsp',
    '/nowhere',
  ];

  it('is on every answer where the site has one, also on those before Fastify and on 304', () =>
    withApp({ robots: { tag: 'noai, noimageai' } }, async (app) => {
      for (const address of addresses)
        expect((await app.get(address)).headers['x-robots-tag'], address).toBe('noai, noimageai');
      const { etag } = (await app.get(picture)).headers;
      const again = await app.get(picture, { headers: { 'if-none-match': etag } });
      expect([again.status, again.headers['x-robots-tag']]).toEqual([304, 'noai, noimageai']);
    }));

  it('is on answers to callers with rules of access', () =>
    withApp({ robots: { tag: 'noindex' }, access: { paths: [{ path: 'books', roles: ['staff'] }] } }, async (app) => {
      for (const address of addresses)
        expect((await app.get(address)).headers['x-robots-tag'], address).toBe('noindex');
    }));

  it('is on none by default', () =>
    withApp({}, async (app) => {
      for (const address of addresses)
        expect((await app.get(address)).headers['x-robots-tag'], address).toBeUndefined();
    }));
});

describe('pages of which there is no end', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ library: { folders: [goldenFolders[0] ?? ''] } });
  });
  afterAll(() => app.close());

  const headOf = async (address: string): Promise<{ robots: readonly string[]; canonical: readonly string[] }> => {
    const html = await textAt(app, address);
    const all = (pattern: RegExp): readonly string[] => [...html.matchAll(pattern)].map(([, value = '']) => value);
    return {
      robots: all(/<meta name="robots" content="([^"]*)"/g),
      canonical: all(/<link rel="canonical" href="([^"]*)"/g).map((address) => address.replace(app.url, '')),
    };
  };

  it.each([
    ['/browse/books?q=page', '/browse/books'],
    ['/browse/books?from=2&q=page', '/browse/books?from=2'],
    ['/browse/books?layout=table', '/browse/books'],
    ['/?q=page', '/'],
    ['/compare?fn=books/book1&fn=books/book2', '/compare'],
  ])('%s is not listed, and its links are not followed', async (address, canonical) =>
    expect(await headOf(address)).toEqual({ robots: ['noindex, nofollow'], canonical: [canonical] }),
  );

  it.each([
    [`${view}?ww=0.2&wh=0.2`, view],
    ['/view?fn=books/book1/page0001.jpg&mk=0.1/0.2', view],
    ['/digilib.html?fn=books/book1/page0001.jpg&ww=0.5', view],
    [view, view],
    ['/browse/books', '/browse/books'],
  ])('%s is listed by the address of its page', async (address, canonical) =>
    expect(await headOf(address)).toEqual({ robots: [], canonical: [canonical] }),
  );
});
