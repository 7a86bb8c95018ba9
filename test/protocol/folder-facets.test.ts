/** Folders ordered and chosen by date, author and language: in lists, in searches, and in pages without scripts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from './running-app.ts';

let folder: string;
let app: RunningApp;

const books = [
  ['a', 'Herbarum icones', 'Brunfels', 'Latin', '1530'],
  ['b', 'Kreuterbuch herbal', 'Bock', 'German', '1539'],
  ['c', 'New herbal', 'Fuchs', 'German', '1543'],
  ['d', 'Undated herbal', '', '', ''],
  ['secret', 'Closed herbal', 'Nobody may know', 'Hidden', '1666'],
] as const;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-facets-'));
  const picture = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#c8b890' } })
    .png()
    .toBuffer();
  for (const [name, title, author, language, date] of books) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'p1.png'), picture);
    const pairs = Object.entries({ Author: author, Language: language, Date: date }).filter(
      ([, value]) => value !== '',
    );
    const metadata =
      pairs.length === 0 ? '' : `metadata:\n${pairs.map(([label, value]) => `  ${label}: "${value}"`).join('\n')}\n`;
    writeFileSync(path.join(folder, name, 'metadata.yaml'), `label: ${title}\n${metadata}`);
  }
  app = await startApp({
    library: { folders: [folder] },
    access: { paths: [{ path: 'secret', roles: ['staff'] }], addresses: [{ address: '10.9.9.9', roles: ['staff'] }] },
    http: { trustedProxies: ['127.0.0.1'] },
  });
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const staff = { 'x-forwarded-for': '10.9.9.9' };

interface Listing {
  readonly folders: readonly { readonly path: string }[];
  readonly totalFolders: number;
  readonly facets?: object | null;
}

const list = async (query: string, headers = {}): Promise<Listing> =>
  JSON.parse((await app.get(`/api/folder.json?${query}`, { headers })).body.toString());

/** The books of this file: the golden folders are in the library too. */
const ownOf = ({ folders }: Listing): readonly string[] =>
  folders.map((one) => one.path).filter((one) => books.some(([name]) => name === one));

describe('a list of folders', () => {
  it.each([
    ['order=date', ['a', 'b', 'c', 'd']],
    ['order=date-down', ['c', 'b', 'a', 'd']],
    ['order=author', ['b', 'a', 'c', 'd']],
    ['order=title', ['a', 'b', 'c', 'd']],
    ['language=german&order=date-down', ['c', 'b']],
    ['author=Brunfels', ['a']],
    ['after=1535&before=1540', ['b']],
  ])('%s', async (query, expected) => expect(ownOf(await list(query))).toEqual(expected));

  it('counts and parts what was chosen', async () => {
    const first = await list('language=German&count=1');
    expect([ownOf(first), first.totalFolders]).toEqual([['b'], 2]);
    expect(ownOf(await list('language=German&count=1&from=2'))).toEqual(['c']);
  });

  it('tells what can be chosen on wish alone, and nothing of what is closed', async () => {
    expect(await list('')).not.toHaveProperty('facets');
    const { facets } = await list('facets=1');
    expect(facets).toMatchObject({ years: { from: 1530, to: 1543 } });
    expect(JSON.stringify(facets)).not.toMatch(/Nobody may know|Hidden|1666/);
    expect(ownOf(await list('author=Nobody%20may%20know'))).toEqual([]);
    expect(JSON.stringify((await list('facets=1', staff)).facets)).toContain('Nobody may know');
    expect(ownOf(await list('author=Nobody%20may%20know', staff))).toEqual(['secret']);
  });
});

describe('a search', () => {
  const search = async (query: string) => {
    const { body } = await app.get(`/api/search.json?q=herbal&${query}`);
    const answer = JSON.parse(body.toString()) as { found: { path: string; kind: string }[]; facets?: object };
    return { ...answer, paths: answer.found.filter(({ kind }) => kind === 'folder').map((one) => one.path) };
  };

  it.each([
    ['order=date-down', ['c', 'b', 'd']],
    ['language=German&order=date', ['b', 'c']],
    ['before=1540', ['b']],
  ])('%s', async (query, expected) => expect((await search(query)).paths).toEqual(expected));

  it('tells what can be chosen among what was found', async () => {
    expect(await search('')).not.toHaveProperty('facets');
    expect((await search('facets=1')).facets).toMatchObject({
      languages: [{ value: 'German', count: 2 }],
      years: { from: 1539, to: 1543 },
    });
  });
});

describe('a page without scripts', () => {
  const page = async (query: string): Promise<string> => (await app.get(`/browse/?${query}`)).body.toString();

  const linked = (html: string): readonly string[] =>
    [...html.matchAll(/<a href="browse\/(\w+)"/g)].flatMap(([, name]) =>
      books.some(([one]) => one === name) ? [name ?? ''] : [],
    );

  it('has the folders in the order and choice of its address', async () => {
    expect(linked(await page('order=date-down&language=German'))).toEqual(['c', 'b']);
    expect(linked(await page('order=author'))).toEqual(['b', 'a', 'c', 'd']);
  });

  it('has a form that leads there, and keeps what was chosen', async () => {
    const html = await page('order=author&after=1500&author=%22%3E%3Cscript');
    expect(html).toMatch(/<form action="[^"]*" method="get">/);
    expect(html).toContain('<option value="author" selected="selected">');
    expect(html).toMatch(/<input name="after" value="1500"/);
    expect(html).not.toContain('"><script');
    expect(await page('')).toContain('<select name="order">');
  });

  it('is none for robots: there is no end of them', async () => {
    expect((await app.get('/browse/?order=date')).body.toString()).toMatch(/<meta name="robots" content="noindex/);
    expect((await app.get('/robots.txt')).body.toString()).toContain('Disallow: /*?order=');
  });
});
