/** The reading room over HTTP: its page at every address, its scripts and styles, and the configuration of a site. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { type ReadingRoomParts, readingRoomRoutes } from '../../src/features/reading-room/page-routes.ts';
import { readWebAssets } from '../../src/features/reading-room/web-assets.ts';
import { type RunningApp, startApp } from './running-app.ts';

const base = '/digilib';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({
    http: { contextPath: base, trustedProxies: ['127.0.0.1'] },
    limits: { maxWidth: 5000 },
    iiif: { slash: '~' },
  });
});
afterAll(() => app.close());

const oldAddresses: readonly string[] = [
  '/digilib.html?fn=photos&pn=2&ww=0.5',
  '/jquery/digilib.html?photos+2',
  '/embedded.html?fn=photos&mk=0.1/0.2;0.3/0.4',
  '/jquery/digicat.html?fn=photos&rows=3',
  '/digicat.html?photos+2',
  '/digicat.jsp?fn=photos&mx=6x4',
  '/greyskin/digilib.html?fn=photos',
  '/greyskin/diginew.jsp?fn=photos',
  '/oldskin/digilib.html?fn=photos',
  '/oldskin/digilib.jsp?fn=photos',
  '/oldskin/digimage.jsp?fn=photos',
  '/oldskin/digicat.jsp?fn=photos',
];

const addresses: readonly (readonly [address: string, status: number])[] = [
  ['/', 200],
  ['/browse', 200],
  ['/browse/', 200],
  ['/browse/books/book1', 200],
  ['/browse/no%20such%20folder', 404],
  ['/browse/books/book1?from=13', 404],
  ['/view/photos/odd1201x799.jpg?wx=0.1&ww=0.5', 200],
  ['/view/photos/odd1201x799', 200],
  ['/view/photos?pn=2', 200],
  ['/view/photos?pn=2000', 404],
  ['/view/books', 200],
  ['/view/books%2Fbook2/leaf01.tif;2', 404],
  ['/view/%ff%', 404],
  ['/view/', 200],
  ['/view/../../etc/passwd', 404],
  ['/view/iiif/3/photos!tiny100x80/full/max/0/default.jpg', 404],
  ['/digilib.html?fn=nowhere', 404],
  ['/digicat.html?fn=nowhere', 404],
  ['/embed/photos/odd1201x799', 200],
  ...oldAddresses.map((address) => [address, 200] as const),
];

const factsOf = (html: string): unknown =>
  JSON.parse((/<meta name="lectern" content="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"'));

describe('the page', () => {
  test.each(addresses)('is sent at %s with status %d and the base of its addresses', async (address, expected) => {
    const isDescribed = expected === 200 && !address.startsWith('/embed/');
    const page = () => app.get(base + address);
    // A page is sent without its description where that takes long, as on a busy machine.
    if (isDescribed)
      await vi.waitFor(async () => expect(String((await page()).body)).toContain('rel="canonical"'), 10_000);
    const { status, headers, body } = await page();
    expect([status, headers['content-type']]).toEqual([expected, 'text/html; charset=utf-8']);
    const html = body.toString();
    expect(html).toContain('<base href="/digilib/" />');
    expect(html).toContain('<div id="room">');
    expect(html.indexOf('<base')).toBeLessThan(html.search(/<(?:script|link)/));
    // Where there is nothing, it says nothing, not even the address.
    expect(html.includes('<link rel="canonical"')).toBe(isDescribed);
    expect(html.includes('content="noindex"')).toBe(status === 404 || address.startsWith('/embed/'));
    expect(html).not.toMatch(/nowhere|passwd/);
  });

  it('has the settings that it needs, and discloses nothing of the host', async () => {
    expect(factsOf((await app.get(`${base}/`)).body.toString())).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      iiifSlash: '~',
      tokenCookie: 'id_token',
      maxArea: 100_000_000,
      maxWidth: 5000,
      maxHeight: 5000,
      showsTruncated: false,
      signsIn: false,
      name: {},
      logo: null,
      accent: null,
      paper: null,
      typefaces: { headings: null, text: null },
      footer: { text: {}, links: [] },
      manifests: [],
      viewers: ['Mirador', 'Universal Viewer', 'Theseus', 'Clover'].map((name) => ({
        name,
        address: expect.stringMatching(/^https:.*\{(?:start|manifest|state)\}/),
      })),
    });
  });

  it('may load only resources of this server, and is framed only by its own pages', async () => {
    const { headers } = await app.get(`${base}/view/photos/odd1201x799.jpg`);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; media-src 'self'; font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
    );
    expect(headers).toMatchObject({
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      vary: 'Accept-Language',
      'access-control-allow-origin': '*',
    });
  });

  it('has no inline script or style that the policy forbids', async () => {
    const html = (await app.get(`${base}/`)).body.toString();
    // A data block is no script.
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)(?! type="application\/ld\+json">)/);
  });

  it('has the base of a trusted proxy or of the public address', async () => {
    const proxied = { headers: { 'x-forwarded-prefix': '/images', 'x-forwarded-host': 'library.example' } };
    const { body } = await app.get(`${base}/view/photos/odd1201x799.jpg`, proxied);
    expect(body.toString()).toContain('<base href="/images/digilib/" />');
    const other = await startApp({ http: { publicAddress: 'https://library.example/a"b' } });
    const html = (await other.get('/')).body.toString();
    expect(html).toContain('<base href="/a&quot;b/" />');
    expect(html).toContain('<link rel="canonical" href="https://library.example/a&quot;b/" />');
    await other.close();
  });

  it('is answered 304 to a matching If-None-Match; HEAD has the same headers without the body', async () => {
    const get = await app.get(`${base}/view/photos/odd1201x799.jpg`);
    const head = await app.get(`${base}/view/photos/odd1201x799.jpg`, { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      get.headers['content-length'],
    ]);
    const revalidated = await app.get(`${base}/view/photos/odd1201x799.jpg?ww=0.5`, {
      headers: { 'if-none-match': get.headers.etag ?? '' },
    });
    expect([revalidated.status, revalidated.body.length]).toEqual([304, 0]);
  });

  it('is redirected to from the context path without its slash, and names the API description', async () => {
    const { status, headers } = await app.get(base);
    expect([status, headers.location]).toEqual([303, `${base}/`]);
    expect((await app.get(`${base}/`)).headers['link']).toContain('rel="service-desc"');
  });
});

describe('an address without a route', () => {
  const atRoot = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test.each([
    ['/digilib.html?fn=photos', '/digilib/'],
    ['/digitallibrary/jquery/digilib.html?fn=photos', '/digilib/'],
    ['/digilib/digitallibrary/digicat.jsp?fn=photos&pg=2', '/digilib/'],
  ])('opens an old link below any path: %s', async (address, library) => {
    const { status, body } = await app.get(address);
    expect(status).toBe(200);
    expect(body.toString()).toContain(`<base href="${library}" />`);
    expect(body.toString()).toContain('<div id="room">');
  });

  test.each(['/nowhere', '/digilib/nowhere', '/digilib/not-digilib.html'])(
    'leads people to the library: %s',
    async (to) => {
      const { status, headers, body } = await app.get(to, { headers: atRoot });
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        404,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(body.toString()).toContain('<a href="/digilib/">Look for it in the library</a>');
      expect(body.toString()).not.toContain('nowhere');
    },
  );

  it('is answered with one line for programs', async () => {
    const { status, headers, body } = await app.get('/digilib/nowhere', { headers: { accept: '*/*' } });
    expect([status, headers['content-type'], body.toString()]).toEqual([
      404,
      'text/plain; charset=utf-8',
      'There is nothing at this address.\n',
    ]);
  });
});

describe('the parts of the page', () => {
  const partsOf = (html: string): readonly string[] =>
    [...html.matchAll(/(?:href|src)="\.\/(room\/[^"]+)"/g)].map(([, part = '']) => part);

  it('all exist, may be cached forever, and are compressed for clients that accept it, where that makes them shorter', async () => {
    const parts = partsOf((await app.get(`${base}/`)).body.toString());
    expect(parts.length).toBeGreaterThanOrEqual(2);
    for (const part of parts) {
      const plain = await app.get(`${base}/${part}`);
      expect([part, plain.status, plain.headers['content-encoding']]).toEqual([part, 200, undefined]);
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(plain.headers['vary']).toBe('Accept-Encoding');
      expect(plain.headers['content-type']).toMatch(/^(?:text\/javascript|text\/css|image\/svg\+xml)/);
      if (brotliCompressSync(plain.body).length >= plain.body.length) continue;
      const request = (accepts: string) => app.get(`${base}/${part}`, { headers: { 'accept-encoding': accepts } });
      const [br, gzip] = [await request('gzip, deflate, br'), await request('gzip, br;q=0')];
      expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
      expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      expect(new Set([br, gzip, plain].map(({ headers }) => headers.etag)).size).toBe(3);
      const revalidation = { headers: { 'accept-encoding': 'br', 'if-none-match': br.headers.etag ?? '' } };
      expect((await app.get(`${base}/${part}`, revalidation)).status).toBe(304);
    }
  });

  test.each(['/room/nothing.js', '/room/', '/room/../index.html', '/room/%2e%2e/index.html', '/room/%ff'])(
    '%s is not there',
    async (address) => expect((await app.get(base + address)).status).toBe(404),
  );
});

describe('embedAncestors', () => {
  test.each([
    [undefined, '*'],
    [['https://library.example', '*.museum.example:8443'], 'https://library.example *.museum.example:8443'],
    [[], "'none'"],
  ])('%j names the sites that may frame the viewer', async (embedAncestors, sources) => {
    const other = await startApp(embedAncestors === undefined ? {} : { readingRoom: { embedAncestors } });
    const policyAt = async (address: string) => (await other.get(address)).headers['content-security-policy'];
    expect(await policyAt('/embed/photos')).toMatch(
      new RegExp(`; frame-ancestors ${sources.replace(/[*.]/g, '\\$&')}$`),
    );
    for (const address of ['/', '/view/photos', '/embedded.html?fn=photos'])
      expect(await policyAt(address)).toMatch(/; frame-ancestors 'self'$/);
    await other.close();
  });

  test.each(['a b', "https://a.example; script-src 'unsafe-inline'", 'https://a.example,b', "'unsafe-inline'", ''])(
    'may not hold “%s”',
    async (source) => {
      await expect(startApp({ readingRoom: { embedAncestors: [source] } })).rejects.toThrow(
        /embedAncestors\[0\]: must be a source/,
      );
    },
  );
});

describe('the settings of the start page', () => {
  const files = mkdtempSync(path.join(tmpdir(), 'lectern-logo-'));
  afterAll(() => rmSync(files, { recursive: true }));
  const logo = (name: string, text: string | Buffer): string => {
    writeFileSync(path.join(files, name), text);
    return path.join(files, name);
  };

  it('are what the page gets: the name, the logo and the accent of both themes', async () => {
    const svg = '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
    const readingRoom = { name: 'Ours', logo: logo('ours.svg', svg), accent: '#FFD23C' };
    const other = await startApp({ readingRoom });
    const facts = factsOf((await other.get('/browse')).body.toString()) as { logo: string };
    expect(facts).toMatchObject({ name: { none: ['Ours'] }, accent: { dark: '#ffd23c' } });
    const { status, headers, body } = await other.get(`/${facts.logo}`);
    expect([status, headers['content-type'], body.toString()]).toEqual([200, 'image/svg+xml', svg]);
    await other.close();
  });

  const typeface = fileURLToPath(new URL('../../web/src/styles/fonts/sans.woff2', import.meta.url));

  it('are its typefaces, and what is said at the end of pages, for readers without scripts too', async () => {
    const footer = {
      text: { en: 'A library of the coast', de: 'Eine Bibliothek der Küste' },
      links: [
        { label: { en: 'Imprint', de: 'Impressum' }, address: '/imprint.html' },
        { label: 'Mail', address: 'mailto:ours@library.example' },
      ],
    };
    const other = await startApp({ readingRoom: { typefaces: { text: typeface }, footer } });
    const html = (await other.get('/browse', { headers: { 'accept-language': 'de' } })).body.toString();
    const facts = factsOf(html) as { typefaces: { text: string } };
    expect(facts).toMatchObject({
      typefaces: { headings: null, text: expect.stringMatching(/^room\/typeface-\w+\.woff2$/) },
      footer: { text: { de: ['Eine Bibliothek der Küste'] }, links: [{ label: { en: ['Imprint'] } }, {}] },
    });
    const { status, headers, body } = await other.get(`/${facts.typefaces.text}`);
    expect([status, headers['content-type'], body.equals(readFileSync(typeface))]).toEqual([200, 'font/woff2', true]);
    const footerHtml = /<footer>[\s\S]*?<\/footer>/.exec(html)?.[0] ?? '';
    expect(footerHtml).toContain('<p>Eine Bibliothek der Küste</p>');
    expect(footerHtml).toContain('<a href="/imprint.html" rel="noopener">Impressum</a>');
    expect(footerHtml).toContain('<a href="mailto:ours@library.example" rel="noopener">Mail</a>');
    await other.close();
  });

  test.each([
    [{ typefaces: { text: logo('d.woff2', 'no font') } }, /readingRoom\.typefaces\.text: .*d\.woff2 is no WOFF2 font/],
    [
      { footer: { links: [{ label: 'Imprint', address: 'javascript:alert(1)' }] } },
      /readingRoom\.footer\.links\[0\]\.address: must begin with https/,
    ],
    [{ logo: logo('a.svg', '<html><svg></svg></html>') }, /readingRoom\.logo: .*a\.svg is no SVG picture/],
    [{ logo: logo('b.png', 'no picture') }, /readingRoom\.logo: .*b\.png is no SVG, PNG/],
    [{ logo: logo('c.svg', `<svg>${' '.repeat(600_000)}</svg>`) }, /readingRoom\.logo: .*is larger than 512 KiB/],
    [{ logo: path.join(files, 'nowhere.svg') }, /readingRoom\.logo: there is no file/],
    [{ accent: 'red; background: url(x)' }, /readingRoom\.accent: must be a color such as #7a3b1d/],
    [{ frontPicture: '?wx=0.1' }, /readingRoom\.frontPicture: must be what follows view\//],
    [{ name: '  ' }, /readingRoom\.name: must be a name/],
  ])('may not be %j', async (readingRoom, fault) => {
    await expect(startApp({ readingRoom })).rejects.toThrow(fault);
  });

  const frontOf = async (other: RunningApp, headers = {}) =>
    JSON.parse((await other.get('/api/folder.json', { headers })).body.toString()).front;

  it('can name the picture, of which only those learn who may see it', async () => {
    const other = await startApp({
      readingRoom: { frontPicture: 'photos/odd1201x799.jpg?wx=0.5&wy=0.25&ww=0.5&wh=0.5' },
      access: { rolesHeader: 'X-Roles', paths: [{ path: 'photos', roles: ['staff'] }] },
      http: { trustedProxies: ['127.0.0.1'] },
    });
    expect(await frontOf(other, { 'x-roles': 'staff' })).toEqual({
      path: 'photos/odd1201x799.jpg',
      title: '',
      region: { x: 0.5, y: 0.25, width: 0.5, height: 0.5 },
      width: 601,
      height: 400,
    });
    expect((await frontOf(other))?.path).not.toMatch(/photos/);
    await other.close();
  });

  it('need not be there: then it is a detail of the largest cover, and other folders have none', async () => {
    const other = await startApp();
    const front = await frontOf(other);
    expect(front.width).toBeGreaterThanOrEqual(800);
    expect(front.width / front.height).toBeCloseTo(2.5, 1);
    expect(JSON.parse((await other.get('/api/folder.json?fn=photos')).body.toString()).front).toBeNull();
    await other.close();
  });
});

describe('a site’s own pages', () => {
  const pages = mkdtempSync(path.join(tmpdir(), 'lectern-room-'));
  afterAll(() => rmSync(pages, { recursive: true }));

  it('with the names of old viewers are sent in place of the reading room, and so is the start page', async () => {
    for (const name of ['digilib.html', 'jquery/digicat.html', 'index.html', 'oldskin/digilib.jsp']) {
      mkdirSync(path.dirname(path.join(pages, name)), { recursive: true });
      writeFileSync(path.join(pages, name), 'the site');
    }
    const site = await startApp({ http: { contextPath: base, webapp: pages } });
    const bodyAt = async (address: string) => (await site.get(base + address)).body.toString();
    for (const address of ['/digilib.html?fn=a', '/jquery/digicat.html', '/'])
      expect([address, await bodyAt(address)]).toEqual([address, 'the site']);
    // The sources of pages are never sent.
    for (const address of ['/oldskin/digilib.jsp', '/embedded.html', '/browse', '/view/a'])
      expect([address, await bodyAt(address)]).toEqual([address, expect.stringContaining('<div id="room">')]);
    await site.close();
  });
});

describe('the output of the build', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-built-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('can be missing: then the response says what to do', async () => {
    const assets = readWebAssets(path.join(folder, 'nowhere'));
    const server = Fastify();
    const parts = { webAssets: assets, contextPath: '', about: {}, embedAncestors: [] };
    void server.register(readingRoomRoutes, parts as unknown as ReadingRoomParts);
    for (const url of ['/browse', '/view/a.jpg', '/embed/a.jpg', '/digilib.html']) {
      const { statusCode, body } = await server.inject(url);
      expect([url, statusCode, body]).toEqual([url, 501, expect.stringContaining('npm run build')]);
    }
    await server.close();
  });

  it('can have a page for other sites, files in subfolders, and the script of the element', async () => {
    mkdirSync(path.join(folder, 'room/fonts'), { recursive: true });
    for (const [name, text] of Object.entries({
      'index.html': 'whole',
      'embed.html': 'part',
      'lectern-viewer.js': 'script',
      'room/fonts/a.woff2': 'font',
      'room/a.css': 'style',
      'room/a.css.br': 'compressed with brotli',
      'room/a.css.gz': 'compressed with gzip',
    }))
      writeFileSync(path.join(folder, name), text);
    const { page, embedded, assets, element } = readWebAssets(folder);
    expect([page, embedded, [...assets.keys()].sort()]).toEqual(['whole', 'part', ['a.css', 'fonts/a.woff2']]);
    expect(assets.get('fonts/a.woff2')).toMatchObject({ mediaType: 'font/woff2', codings: ['identity'] });
    expect(element?.codings).toEqual(['identity']);
    expect(element?.bytesIn('identity').toString()).toBe('script');
    const style = assets.get('a.css');
    expect(style?.codings).toEqual(['br', 'gzip', 'identity']);
    expect(style?.codings.map((coding) => style.bytesIn(coding).toString())).toEqual([
      'compressed with brotli',
      'compressed with gzip',
      'style',
    ]);
  });
});
