/** The reading room's HTML over HTTP, as programs without scripts read it: its head, its plain body, and the sitemap. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SaxesParser } from 'saxes';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReceivedResponse, type RequestOptions, type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-pages-'));

const herbal = `label: { en: A herbal, de: Ein Kräuterbuch }
summary: { en: Ten leaves & a cover., de: Zehn Blätter. }
metadata:
  Author: ["Merian, Maria Sibylla", Unknown]
  Date: around 1705
  Publisher: Valk
  Language: la
  Shelfmark: Ms. 12
  DOI: doi:10.1000/182
rights: https://creativecommons.org/publicdomain/mark/1.0/
requiredStatement: { label: Source, value: Museum of Example }
homepage: { url: https://example.org/herbal, label: In our catalog }
behavior: paged
pages:
  - b: Cover
  - a: 1r
`;

async function makeLibrary(): Promise<void> {
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#7a3b1d' } })
      .jpeg()
      .toBuffer();
  for (const name of ['herbal', 'closed/inner', 'typed']) mkdirSync(path.join(folder, name), { recursive: true });
  for (const name of ['herbal/a.jpg', 'closed/inner/secret.jpg', 'typed/free.jpg', 'typed/staff.jpg'])
    writeFileSync(path.join(folder, name), await picture(200, 100));
  writeFileSync(path.join(folder, 'herbal/b.jpg'), await picture(3000, 2000));
  writeFileSync(path.join(folder, 'herbal/c"><i>&.jpg'), await picture(20, 10));
  writeFileSync(path.join(folder, 'herbal/torn.jpg'), 'no picture');
  writeFileSync(path.join(folder, 'herbal/metadata.yaml'), herbal);
  writeFileSync(path.join(folder, 'closed/metadata.yaml'), 'label: A secret label\n');
  writeFileSync(
    path.join(folder, 'typed/metadata.yaml'),
    'contents:\n  - { label: A chapter, pages: [staff, free] }\n  - { label: A closed chapter, pages: staff }\n',
  );
  writeFileSync(path.join(folder, 'metadata.yaml'), 'label: { en: The Library, de: Die Bibliothek }\n');
  const types = '<resource><meta><access-conditions><access type="staff"/></access-conditions></meta></resource>';
  writeFileSync(path.join(folder, 'typed/staff.jpg.meta'), types);
  symlinkSync('../closed', path.join(folder, 'typed/link'));
}

const rules = {
  paths: [{ path: 'closed', roles: ['staff'] }],
  types: [{ type: 'staff', roles: ['staff'] }],
  rolesHeader: 'X-Roles',
};
const base = 'https://library.example/images/books/';

let open: RunningApp;
let guarded: RunningApp;
beforeAll(async () => {
  await makeLibrary();
  const http = { contextPath: '/books', trustedProxies: ['127.0.0.1'] };
  open = await startApp({ library: { folders: [folder] }, http });
  guarded = await startApp({ library: { folders: [folder] }, http, access: rules });
});
afterAll(async () => {
  await open.close();
  await guarded.close();
  rmSync(folder, { recursive: true });
});

/** Requests an address as a proxy forwards it. */
const get = (app: RunningApp, address: string, headers: RequestOptions['headers'] = {}): Promise<ReceivedResponse> =>
  app.get(`/books/${address}`, {
    headers: {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'library.example',
      'x-forwarded-prefix': '/images',
      ...headers,
    },
  });

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => references[name] ?? '');

interface ReadPage {
  readonly html: string;
  readonly title: string;
  /** The contents of `meta` elements by `name` or `property`, in order. */
  readonly meta: Readonly<Record<string, readonly string[]>>;
  /** The addresses of `link` elements by `rel`. */
  readonly links: Readonly<Record<string, readonly string[]>>;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON.
  readonly graph: readonly any[];
}

/** Values by name, in order. */
function grouped(matches: Iterable<RegExpMatchArray>): Readonly<Record<string, readonly string[]>> {
  const groups = new Map<string, string[]>();
  for (const [, name = '', value = ''] of matches) groups.set(name, [...(groups.get(name) ?? []), unescaped(value)]);
  return Object.fromEntries(groups);
}

function read(html: string): ReadPage {
  const meta = grouped(html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)" \/>/g));
  const links = grouped(html.matchAll(/<link rel="([^"]*)"(?: type="[^"]*")? href="([^"]*)" \/>/g));
  const data = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)?.[1];
  const graph = data === undefined ? [] : JSON.parse(data)['@graph'];
  return { html, title: unescaped(/<title>([^<]*)</.exec(html)?.[1] ?? ''), meta, links, graph };
}

const pageAt = async (address: string, headers: RequestOptions['headers'] = {}, app = open): Promise<ReadPage> =>
  read((await get(app, address, headers)).body.toString());

describe('the page of an image', () => {
  it('names itself, its picture, its manifest and its image service, as the client sees them', async () => {
    const { title, meta, links } = await pageAt('view/herbal/b?wx=0.1&ww=0.5&id_token=secret');
    expect(title).toBe('Cover – A herbal – The Library');
    expect(meta['description']).toEqual(['A herbal, Cover (1/4). Ten leaves & a cover.']);
    expect(links).toMatchObject({
      canonical: [`${base}view/herbal/b.jpg`],
      next: [`${base}view/herbal/a.jpg`],
      license: ['https://creativecommons.org/publicdomain/mark/1.0/'],
      alternate: [`${base}presentation/3/herbal/manifest.json`, `${base}iiif/3/herbal!b.jpg/info.json`],
    });
    expect(links['prev']).toBeUndefined();
    // Browsers would take it for the manifest of a web application.
    expect(links['manifest']).toBeUndefined();
  });

  it('has a small rendering as its picture, which the server really gives in that size', async () => {
    for (const [name, width, height] of [
      ['b', 1200, 800],
      ['a', 200, 100],
    ] as const) {
      const { meta } = await pageAt(`view/herbal/${name}.jpg`);
      expect([meta['og:image:width'], meta['og:image:height']]).toEqual([[String(width)], [String(height)]]);
      const address = meta['og:image']?.[0] ?? '';
      const picture = await get(open, address.slice(base.length));
      expect(picture.headers['content-type']).toBe('image/jpeg');
      expect(await sharp(picture.body).metadata()).toMatchObject({ width, height });
    }
  });

  it('has what Zotero’s documented fields and Google Scholar take for a citation', async () => {
    const { meta, links } = await pageAt('view/herbal/b.jpg');
    expect(meta).toMatchObject({
      citation_title: ['A herbal, Cover'],
      citation_author: ['Merian, Maria Sibylla'],
      citation_publication_date: ['around 1705'],
      citation_publisher: ['Valk'],
      citation_language: ['la'],
      citation_doi: ['10.1000/182'],
      citation_abstract: ['Ten leaves & a cover.'],
      citation_public_url: [`${base}view/herbal/b.jpg`],
      'DC.title': ['A herbal, Cover'],
      'DC.creator': ['Merian, Maria Sibylla'],
      'DC.date': ['around 1705'],
      'DC.publisher': ['Valk'],
      'DC.rights': ['https://creativecommons.org/publicdomain/mark/1.0/'],
      'DC.coverage': ['Ms. 12'],
      'DC.identifier': [`${base}view/herbal/b.jpg`],
      'z:itemType': ['book'],
      'z:callNumber': ['Ms. 12'],
      'z:archive': ['Museum of Example'],
    });
    expect(links).toMatchObject({
      'schema.DC': ['http://purl.org/dc/elements/1.1/'],
      'schema.z': ['http://www.zotero.org/namespaces/export#'],
    });
  });

  it('is described in the terms of schema.org', async () => {
    const { graph } = await pageAt('view/herbal/b.jpg');
    expect(graph.map((one) => one['@type'])).toEqual(['WebSite', 'ImageObject', 'BreadcrumbList']);
    expect(graph[1]).toMatchObject({
      '@id': `${base}view/herbal/b.jpg`,
      name: 'A herbal, Cover',
      width: 3000,
      height: 2000,
      position: 1,
      license: 'https://creativecommons.org/publicdomain/mark/1.0/',
      creditText: 'Museum of Example',
      isPartOf: {
        '@type': 'Book',
        '@id': `${base}browse/herbal`,
        name: 'A herbal',
        author: ['Merian, Maria Sibylla'],
        identifier: ['https://doi.org/10.1000/182', 'Ms. 12'],
        sameAs: ['https://example.org/herbal'],
      },
    });
    expect(graph[2].itemListElement.map((item: { item: string }) => item.item)).toEqual([
      base,
      `${base}browse/herbal`,
      `${base}view/herbal/b.jpg`,
    ]);
  });

  it('is in the reader’s language, which caches know', async () => {
    const answer = await get(open, 'view/herbal/a.jpg', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' });
    const { html, title, links } = read(answer.body.toString());
    expect(answer.headers['vary']).toContain('Accept-Language');
    expect(html).toContain('<html lang="de">');
    expect(title).toBe('1r – Ein Kräuterbuch – Die Bibliothek');
    expect(html).toContain('← Zurück: Cover');
    expect(links['prev']).toEqual([`${base}view/herbal/b.jpg`]);
  });

  it('escapes names that look like HTML', async () => {
    const { html, meta, links, graph } = await pageAt('view/herbal/c%22%3E%3Ci%3E&.jpg');
    expect(html).not.toContain('<i>');
    expect(meta['citation_title']).toEqual(['A herbal, c"><i>&']);
    expect(graph[1].name).toBe('A herbal, c"><i>&');
    expect(links['canonical']).toEqual([`${base}view/herbal/c%22%3E%3Ci%3E%26.jpg`]);
  });

  it.each([
    'view/herbal/torn.jpg',
    'view/herbal/nowhere',
    'view/nowhere?pn=3',
    'view/herbal?pn=9',
    'browse/herbal/b.jpg',
  ])('is 404 where nothing can be shown, and says nothing of it: %s', async (address) => {
    const { status, headers, body } = await get(open, address);
    expect([status, headers['cache-control'], headers['etag']]).toEqual([404, 'no-store', undefined]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const { html, meta, links, graph } = read(body.toString());
    expect([meta['robots'], links['canonical'], graph]).toEqual([['noindex'], undefined, []]);
    expect(html).toContain('There is nothing at this address.');
    expect(html).not.toMatch(/herbal|nowhere|torn/);
    // The scripts explain what can be done.
    expect(html).toMatch(/<script type="module"[^>]* src="/);
  });
});

describe('the page of a folder', () => {
  it('is cited as the work that it is', async () => {
    const { title, meta, links, graph } = await pageAt('browse/herbal');
    expect(title).toBe('A herbal – The Library');
    expect(links['canonical']).toEqual([`${base}browse/herbal`]);
    expect(links['alternate']).toEqual([`${base}presentation/3/herbal/manifest.json`]);
    expect(meta['citation_title']).toEqual(['A herbal']);
    expect(meta['og:image']).toEqual([`${base}iiif/3/herbal!b.jpg/full/1200,800/0/default.jpg`]);
    expect(graph[1]).toMatchObject({ '@type': 'Book', name: 'A herbal', image: meta['og:image']?.[0] });
  });

  it('is the library itself at its start', async () => {
    const { title, meta, links, graph } = await pageAt('');
    expect(title).toBe('The Library');
    expect(links['canonical']).toEqual([base]);
    expect(links['alternate']).toEqual([`${base}presentation/3/collection.json`]);
    expect(meta['citation_title']).toBeUndefined();
    expect(graph[0]).toMatchObject({ '@type': 'WebSite', url: base, name: 'The Library' });
    expect(graph[0].potentialAction.target.urlTemplate).toBe(`${base}browse/?q={search_term_string}`);
  });

  it('has the name of the settings where these give one', async () => {
    const app = await startApp({ library: { folders: [folder] }, readingRoom: { name: 'Bibliotheca <Ficta>' } });
    const { title, html } = read((await app.get('/browse/herbal')).body.toString());
    expect(title).toBe('A herbal – Bibliotheca <Ficta>');
    expect(html).toContain('<header><a href="./">Bibliotheca &lt;Ficta&gt;</a></header>');
    await app.close();
  });
});

describe('the pages of closed images', () => {
  const closed = [
    'view/closed/inner/secret.jpg',
    'browse/closed',
    'browse/closed/inner',
    'view/typed/link/inner/secret',
  ];

  it.each([...closed, 'view/typed/staff.jpg', 'digilib.html?fn=typed/staff'])('say nothing: %s', async (address) => {
    const { status, headers, body } = await get(guarded, address);
    expect([status, headers['cache-control']]).toEqual([401, 'no-store']);
    const { html, meta, links, graph } = read(body.toString());
    expect([meta['robots'], links['canonical'], meta['og:image'], graph]).toEqual([
      ['noindex'],
      undefined,
      undefined,
      [],
    ]);
    expect(html).not.toMatch(/secret|inner|staff|typed/);
    const denied = await get(guarded, address, { 'x-roles': 'guests' });
    expect([denied.status, denied.body.toString()]).toEqual([403, html]);
  });

  it('are the same as of what is not there in a closed folder', async () => {
    const [there, missing] = [
      await get(guarded, 'view/closed/inner/secret.jpg'),
      await get(guarded, 'view/closed/no.jpg'),
    ];
    expect(missing.body.equals(there.body)).toBe(true);
    expect(missing.status).toBe(there.status);
  });

  it('are no neighbors, no covers, and in no list', async () => {
    for (const address of ['', 'browse/typed', 'view/typed/free.jpg']) {
      const { html } = await pageAt(address, {}, guarded);
      expect(html).not.toMatch(/secret|staff|closed/);
    }
  });

  it('begin no chapter that a search finds', async () => {
    const found = async (headers: RequestOptions['headers']) => {
      const { body } = await get(guarded, 'api/search.json?q=chapter', headers);
      return JSON.parse(body.toString()).found.map(({ name, path: first }: Record<string, string>) => [name, first]);
    };
    expect(await found({})).toEqual([['A chapter', 'typed/free.jpg']]);
    expect(await found({ 'x-roles': 'staff' })).toEqual([
      ['A chapter', 'typed/staff.jpg'],
      ['A closed chapter', 'typed/staff.jpg'],
    ]);
  });

  it('are shown to who may see them, for nobody else', async () => {
    const { status, headers, body } = await get(guarded, 'view/typed/staff.jpg', { 'x-roles': 'staff' });
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(read(body.toString()).links['canonical']).toEqual([`${base}view/typed/staff.jpg`]);
  });
});

describe('robots.txt and the sitemap', () => {
  /** The addresses of an XML document that is well-formed. */
  function addressesIn(xml: string): readonly string[] {
    const found: string[] = [];
    const parser = new SaxesParser();
    parser.on('error', (error) => expect.fail(error.message));
    parser.on('text', (text) => {
      if (text.trim() !== '') found.push(text);
    });
    parser.write(xml).close();
    return found;
  }

  async function sitemapOf(app: RunningApp): Promise<readonly string[]> {
    const index = await get(app, 'sitemap.xml');
    expect([index.status, index.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    const parts = addressesIn(index.body.toString());
    const texts = await Promise.all(
      parts.map(async (part) => (await get(app, part.slice(base.length))).body.toString()),
    );
    return texts.flatMap(addressesIn);
  }

  it('names it, also at the root of the host', async () => {
    for (const address of ['/books/robots.txt', '/robots.txt']) {
      const { status, headers, body } = await open.get(address, { headers: { 'x-forwarded-host': 'library.example' } });
      expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(body.toString()).toContain('\nSitemap: http://library.example/books/sitemap.xml\n');
    }
  });

  it('holds every page once, each of which can be opened', async () => {
    const addresses = await sitemapOf(open);
    expect(addresses).toEqual([
      base,
      `${base}browse/closed`,
      `${base}browse/closed/inner`,
      `${base}view/closed/inner/secret.jpg`,
      `${base}browse/herbal`,
      `${base}view/herbal/a.jpg`,
      `${base}view/herbal/b.jpg`,
      `${base}view/herbal/c%22%3E%3Ci%3E%26.jpg`,
      `${base}view/herbal/torn.jpg`,
      `${base}browse/typed`,
      `${base}view/typed/free.jpg`,
      `${base}view/typed/staff.jpg`,
    ]);
    for (const address of addresses.filter((one) => !one.includes('torn'))) {
      const { links } = await pageAt(address.slice(base.length));
      expect(links['canonical']).toEqual([address]);
    }
  });

  it('holds only what everyone may see, whoever asks', async () => {
    const seen = [base, `${base}browse/herbal`];
    for (const headers of [{}, { 'x-roles': 'staff' }]) {
      const { body } = await get(guarded, 'sitemap-part.xml?folder=&from=0', headers);
      const addresses = addressesIn(body.toString());
      expect(addresses).toEqual(expect.arrayContaining(seen));
      expect(addresses.join()).not.toMatch(/closed|secret|staff|link/);
      expect(addresses).toContain(`${base}view/typed/free.jpg`);
    }
  });

  it.each(['closed', 'closed/inner', 'nowhere', '../..'])('has no part that begins in %s', async (name) => {
    const { status, body } = await get(guarded, `sitemap-part.xml?folder=${encodeURIComponent(name)}`, {
      'x-roles': 'staff',
    });
    expect([status, body.toString()]).toEqual([404, 'There is nothing at this address.\n']);
  });

  it('continues in the middle of a folder, and after it', async () => {
    const { body } = await get(open, 'sitemap-part.xml?folder=herbal&from=3');
    expect(addressesIn(body.toString()).map((address) => address.slice(base.length))).toEqual([
      'view/herbal/c%22%3E%3Ci%3E%26.jpg',
      'view/herbal/torn.jpg',
      'browse/typed',
      'view/typed/free.jpg',
      'view/typed/staff.jpg',
    ]);
  });

  it('is empty where the library is closed', async () => {
    const app = await startApp({ library: { folders: [folder] }, access: { paths: [{ path: '', roles: ['staff'] }] } });
    const { status, body } = await app.get('/sitemap.xml');
    expect([status, addressesIn(body.toString())]).toEqual([200, []]);
    expect(body.toString()).toMatch(/<\/sitemapindex>\n$/);
    await app.close();
  });

  it('gives way to a site’s own files', async () => {
    const pages = mkdtempSync(path.join(tmpdir(), 'lectern-own-'));
    writeFileSync(path.join(pages, 'robots.txt'), 'User-agent: *\nDisallow: /\n');
    const app = await startApp({ http: { webapp: pages } });
    expect((await app.get('/robots.txt')).body.toString()).toBe('User-agent: *\nDisallow: /\n');
    await app.close();
    rmSync(pages, { recursive: true });
  });
});

it('pages and sitemaps make no picture', async () => {
  const app = await startApp({ library: { folders: [folder] } });
  const asked = async (): Promise<string | undefined> =>
    /^lectern_cache_misses_total (\d+)$/m.exec((await app.get('/metrics')).body.toString())?.[1];
  for (const address of ['/', '/browse/herbal', '/view/herbal/b.jpg', '/sitemap.xml', '/view/nowhere'])
    await app.get(address);
  expect(await asked()).toBe('0');
  await app.get('/Scaler?fn=herbal/b.jpg&dw=50');
  expect(await asked()).toBe('1');
  await app.close();
});
