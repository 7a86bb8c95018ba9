/** What shared caches are told: what they may keep and for how long, and on which headers of requests answers depend. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-caches-'));
const at = (...names: readonly string[]): string => path.join(scratch, ...names);
const library = at('library');

const roleHeader = 'x-roles';
const usual = 'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400';

let open: RunningApp;
/** `closed` is for members, `tiered` is small for everyone, some regions of `covered` are for members. */
let guarded: RunningApp;

const surrogateHeaders = ['Surrogate-Key', 'Cache-Tag'] as const;

beforeAll(async () => {
  const scan = sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } });
  for (const name of ['free', 'closed', 'tiered', 'covered']) {
    mkdirSync(at('library', name), { recursive: true });
    await scan
      .clone()
      .jpeg()
      .toFile(at('library', name, 'page.jpg'));
    writeFileSync(at('library', name, 'page.txt'), 'Wasser');
  }
  writeFileSync(
    at('library', 'covered', 'metadata.yaml'),
    'redactions: { page.jpg: { region: "0,0,100,100", roles: members } }\n',
  );
  writeFileSync(
    at('users.xml'),
    '<tomcat-users><user username="anna" password="tomcat!" roles="members"/></tomcat-users>',
  );
  writeFileSync(at('keys'), 'A'.repeat(43));
  const common = {
    library: { folders: [library] },
    http: { surrogateKeys: [...surrogateHeaders], cdnCacheControl: 'max-age=86400' },
  };
  open = await startApp(common);
  guarded = await startApp({
    ...common,
    http: { ...common.http, trustedProxies: ['127.0.0.1'] },
    signIn: { keysFile: at('keys'), usersFile: at('users.xml') },
    access: {
      rolesHeader: roleHeader,
      tiers: [{ name: 'small', maxSide: 100, documents: true }],
      paths: [
        { path: 'closed', roles: ['members'] },
        { path: 'tiered', roles: ['members'], everyone: 'small' },
      ],
    },
  });
});
afterAll(async () => {
  await open.close();
  await guarded.close();
  rmSync(scratch, { recursive: true });
});

/** Addresses of each kind of answer about a folder with one page, and the header on which its answers depend. */
const kindsOf = (folder: string): Readonly<Record<string, readonly [address: string, vary?: string]>> => ({
  'IIIF picture': [`/iiif/3/${folder}!page.jpg/full/90,/0/default.jpg`],
  'IIIF picture as PNG': [`/iiif/2/${folder}!page.jpg/full/90,/0/default.png`],
  'info.json': [`/iiif/3/${folder}!page.jpg/info.json`, 'Accept'],
  'info.json 2': [`/iiif/2/${folder}!page.jpg/info.json`, 'Accept'],
  'Scaler picture': [`/Scaler?fn=${folder}/page&dw=80`],
  'original file': [`/Scaler?fn=${folder}/page&mo=file,hires`],
  'info object': [`/api/dlInfo-json.jsp?fn=${folder}/page`],
  'info object as XML': [`/api/dlInfo-xml.jsp?fn=${folder}/page`],
  'folder in digilib': [`/api/dirInfo-json.jsp?fn=${folder}`],
  manifest: [`/presentation/3/${folder}/manifest.json`, 'Accept'],
  'manifest 2': [`/presentation/2/${folder}/manifest.json`, 'Accept'],
  'manifest of digilib': [`/Manifester/IIIF/${folder}`, 'Accept'],
  'folder list': [`/api/folder.json?fn=${folder}`],
  'text as JSON': [`/api/text/${folder}/page.jpg.json`],
  'text as text': [`/api/text/${folder}/page.jpg.txt`],
  Texter: [`/Texter?fn=${folder}`],
  'words of a folder': [`/txt/${folder}.txt`, 'Accept-Language'],
  'words in a language': [`/txt/${folder}.txt?lang=de`],
  archive: [`/zip/${folder}.zip?size=50`],
  'data set': [`/dataset/${folder}.zip`],
  PDF: [`/pdf/${folder}.pdf?size=50`, 'Accept-Language'],
  'PDF in a language': [`/pdf/${folder}.pdf?size=50&lang=de`],
  'page of an image': [`/view/${folder}/page.jpg`, 'Accept-Language'],
  'page of a folder': [`/browse/${folder}`, 'Accept-Language'],
});

/** Answers that are the same for everyone, with and without rules. */
const others: Readonly<Record<string, readonly [address: string, vary?: string]>> = {
  collection: ['/presentation/3/collection.json', 'Accept'],
  search: ['/api/search.json?q=page'],
  changes: ['/activity/all-changes.json', 'Accept'],
  units: ['/api/units.json'],
  robots: ['/robots.txt'],
  sitemap: ['/sitemap.xml'],
  'API description': ['/openapi.json'],
  health: ['/healthz'],
};

const folders = ['free', 'closed', 'tiered', 'covered', 'nowhere'] as const;

const cases = [
  ...folders.flatMap((folder) =>
    Object.entries(kindsOf(folder)).map(([kind, [address, vary]]) => [folder, kind, address, vary] as const),
  ),
  ...Object.entries(others).map(([kind, [address, vary]]) => ['others', kind, address, vary] as const),
];

const directive = ({ headers }: ReceivedResponse): string => headers['cache-control'] ?? '';

/** Whether a shared cache may keep an answer without asking (RFC 9111, section 3), or by other headers. */
const isKept = (answer: ReceivedResponse): boolean =>
  !/private|no-store/.test(directive(answer)) ||
  ['cdn-cache-control', 'surrogate-key', 'cache-tag'].some((name) => answer.headers[name] !== undefined);

const members: OutgoingHttpHeaders = { [roleHeader]: 'members' };
const anna: OutgoingHttpHeaders = { authorization: `Basic ${Buffer.from('anna:tomcat!').toString('base64')}` };

/** Waits for documents that are made: PDF and data sets are not kept by anyone before. */
async function made(app: RunningApp, address: string, headers: OutgoingHttpHeaders = {}): Promise<ReceivedResponse> {
  let answer = await app.get(address, { headers });
  if (!/^\/(?:pdf|dataset)\//.test(address) || answer.status === 404) return answer;
  await vi.waitFor(
    async () => {
      answer = await app.get(address, { headers });
      if (answer.status < 400) expect(answer.headers.etag).toBeDefined();
      expect([200, 401, 403]).toContain(answer.status);
    },
    { timeout: 30_000, interval: 100 },
  );
  return answer;
}

describe('a server for everyone', () => {
  it.each(cases)('%s: %s names in Vary what it depends on, and nothing else', async (_folder, _kind, address, vary) => {
    const answer = await made(open, address);
    if (answer.status === 200 && answer.headers['cache-control'] !== 'no-store') expect(answer.headers.vary).toBe(vary);
    if (answer.status >= 400) {
      expect(directive(answer)).toBe('no-store');
      expect(isKept(answer)).toBe(false);
    }
    if (!isKept(answer)) return;
    // It depends on nothing that is not in Vary.
    const accepts = vary !== 'Accept' && { accept: 'application/ld+json' };
    const languages = vary !== 'Accept-Language' && { 'accept-language': 'fr' };
    const other = await made(open, address, {
      ...accepts,
      ...languages,
      'accept-encoding': 'br, gzip',
      cookie: 'session=none',
      'user-agent': 'Mozilla/5.0 Chrome/140',
      origin: 'https://viewer.example',
    });
    const without = ({
      date: _date,
      'server-timing': _timing,
      'x-request-id': _id,
      ...rest
    }: ReceivedResponse['headers']) => rest;
    expect(without(other.headers)).toEqual(without(answer.headers));
    if (!/^\/(?:healthz|openapi)/.test(address)) expect(other.body.equals(answer.body)).toBe(true);
  });
});

describe('a server with rules, tiers and a sign-in', () => {
  const callers = {
    nobody: {},
    member: members,
    password: anna,
    'bad token': { authorization: 'Bearer eyJhbGciOi.x.y' },
  };

  it.each(cases)(
    '%s: %s is kept by shared caches only where everyone gets the same',
    async (_folder, _kind, address) => {
      const answers = await Promise.all(
        Object.values(callers).map((headers) =>
          made(guarded, address, headers).catch(() => guarded.get(address, { headers })),
        ),
      );
      const [first] = answers;
      for (const answer of answers) {
        if (answer.status >= 400) expect(directive(answer)).toBe('no-store');
        if (!isKept(answer)) continue;
        for (const other of answers) {
          expect([other.status, other.headers.etag]).toEqual([answer.status, answer.headers.etag]);
          expect(other.headers.vary).toBe(answer.headers.vary);
        }
        expect(first?.status).toBeLessThan(400);
      }
    },
  );

  it.each([
    ['an open image', '/iiif/3/free!page.jpg/full/90,/0/default.jpg', {}, true],
    ['an open image, to a member', '/iiif/3/free!page.jpg/full/90,/0/default.jpg', members, true],
    ['a closed image, to a member', '/iiif/3/closed!page.jpg/full/90,/0/default.jpg', members, false],
    ['a tier that everyone has', '/iiif/3/tiered!page.jpg;tier=small/full/90,/0/default.jpg', {}, true],
    ['the image of a tier, to a member', '/iiif/3/tiered!page.jpg/full/90,/0/default.jpg', members, false],
    ['an image with redactions, to nobody', '/iiif/3/covered!page.jpg/full/90,/0/default.jpg', {}, false],
    ['an image with redactions, to a member', '/iiif/3/covered!page.jpg/full/90,/0/default.jpg', members, false],
    [
      'an open image of digilib where a password is asked for',
      '/authenticated/servlet/Scaler?fn=free/page&dw=80',
      anna,
      false,
    ],
  ])('%s', async (_what, address, headers, isPublic) => {
    const answer = await guarded.get(address, { headers });
    expect(answer.status).toBe(200);
    expect(isKept(answer)).toBe(isPublic);
    if (isPublic) expect(directive(answer)).toBe(usual);
  });
});

describe('how long answers are kept', () => {
  it.each([
    ['/iiif/3/free!page.jpg/full/90,/0/default.jpg', {}],
    ['/iiif/3/free!page.jpg/info.json', {}],
    ['/iiif/3/free!page.jpg/info.json', { accept: 'application/ld+json' }],
    ['/presentation/3/free/manifest.json', {}],
    ['/Scaler?fn=free/page&mo=file,hires', {}],
    ['/txt/free.txt', {}],
  ])('%s, also by those that read CDN-Cache-Control', async (address, headers) => {
    // Answers of the fast path are written the same the first time, from its cache, and as 304.
    for (const _time of [1, 2, 3]) {
      const answer = await open.get(address, { headers });
      expect([directive(answer), answer.headers['cdn-cache-control']]).toEqual([usual, 'max-age=86400']);
      const etag = answer.headers.etag;
      if (etag === undefined) continue;
      const same = await open.get(address, { headers: { ...headers, 'if-none-match': etag } });
      expect([same.status, directive(same), same.headers['cdn-cache-control']]).toEqual([304, usual, 'max-age=86400']);
      expect(same.headers['surrogate-key']).toBe(answer.headers['surrogate-key']);
    }
  });

  it.each([
    ['a range behind the end', '/Scaler?fn=free/page&mo=file,hires', { headers: { range: 'bytes=999999999-' } }, 416],
    ['another version', '/Scaler?fn=free/page&mo=file,hires', { headers: { 'if-match': '"other"' } }, 412],
    ['another method', '/iiif/3/free!page.jpg/info.json', { method: 'DELETE' }, 405],
    ['a picture that can’t be', '/iiif/3/free!page.jpg/full/0,/0/default.jpg', {}, 400],
    ['an error with status 200', '/Scaler?fn=none&dw=9&mo=errimg', {}, 404],
  ])('%s is not kept', async (_what, address, options, status) => {
    const answer = await open.get(address, options);
    expect(answer.status).toBe(status);
    expect(isKept(answer)).toBe(false);
  });
});

describe('keys', () => {
  const keysOf = ({ headers }: ReceivedResponse): readonly string[] => String(headers['surrogate-key']).split(' ');
  const keys = async (address: string) => keysOf(await open.get(address));

  it('are those of the image and of the folders around it, for each address of it', async () => {
    const picture = await keys('/iiif/3/free!page.jpg/full/90,/0/default.jpg');
    expect(picture).toHaveLength(3);
    for (const address of [
      '/iiif/2/free!page/info.json',
      '/iiif/3/free!page.jpg;1/full/80,/0/default.jpg',
      '/Scaler?fn=free/page&dw=70',
      '/Scaler?fn=free&pn=1&dw=71',
      '/Scaler?fn=free/page&mo=file,hires',
    ])
      expect(await keys(address), address).toEqual(picture);
    const folder = await keys('/presentation/3/free/manifest.json');
    expect(folder).toEqual(picture.slice(0, 2));
    expect(await keys('/txt/free.txt')).toEqual(folder);
    expect(keysOf(await made(open, '/pdf/free.pdf?size=50'))).toEqual(folder);
    expect(await keys('/presentation/3/tiered/manifest.json')).not.toContain(folder[1]);
    expect(await keys('/presentation/3/collection.json')).toEqual(picture.slice(0, 1));
  });

  it('are written as each CDN reads them, and say no names', async () => {
    const { headers } = await open.get('/iiif/3/free!page.jpg/full/90,/0/default.jpg');
    expect(headers['surrogate-key']).toMatch(/^l[0-9a-f]{16}(?: l[0-9a-f]{16}){2}$/);
    expect(headers['cache-tag']).toBe(String(headers['surrogate-key']).replaceAll(' ', ','));
  });

  it('are not sent where no header is named', async () => {
    const plain = await startApp({ library: { folders: [library] } });
    const { headers } = await plain.get('/iiif/3/free!page.jpg/full/90,/0/default.jpg');
    await plain.close();
    expect(Object.keys(headers).filter((name) => /key|tag$|cdn/.test(name))).toEqual(['etag']);
  });
});

describe('addresses with a version', () => {
  const forever = 'public, max-age=31536000, immutable';
  const picture = '/iiif/3/versions!page.jpg/full/90,/0/default.jpg';
  const versionAt = async (app: RunningApp, name = 'versions!page.jpg'): Promise<string> =>
    String((await app.get(`/iiif/3/${name}/info.json`)).headers['lectern-version']);
  const write = async (color: string): Promise<void> => {
    const scan = sharp({ create: { width: 300, height: 200, channels: 3, background: color } });
    await scan.jpeg().toFile(at('library', 'versions', 'next'));
    renameSync(at('library', 'versions', 'next'), at('library', 'versions', 'page.jpg'));
  };
  beforeAll(async () => {
    mkdirSync(at('library', 'versions'));
    await write('navy');
  });

  it.each([
    ['IIIF', (v: string) => `${picture}?v=${v}`],
    ['IIIF 2', (v: string) => `/iiif/2/versions!page/0,0,50,50/50,/0/default.png?v=${v}`],
    ['the Scaler', (v: string) => `/Scaler?fn=versions/page&dw=80&v=${v}`],
    ['the Scaler, with semicolons', (v: string) => `/Scaler?fn=versions/page;dw=80;v=${v}`],
    ['an original file', (v: string) => `/Scaler?v=${v}&fn=versions/page&mo=file,hires`],
  ])('are kept for ever: %s', async (_what, address) => {
    const version = await versionAt(open);
    expect(version).toMatch(/^[\w-]{16}$/);
    const plain = await open.get(address('').replace(/[?&;]?v=&?/, (found) => (found.startsWith('?') ? '?' : '')));
    for (const _time of [1, 2, 3]) {
      const answer = await open.get(address(version));
      expect([answer.status, directive(answer)]).toEqual([200, forever]);
      expect(answer.headers['cdn-cache-control']).toBeUndefined();
      expect(answer.headers['surrogate-key']).toBe(plain.headers['surrogate-key']);
      expect(answer.body.equals(plain.body)).toBe(true);
    }
    const wrong = await open.get(address('AAAAAAAAAAAAAAAA'));
    expect([wrong.status, directive(wrong)]).toEqual([200, 'public, max-age=60']);
    expect(wrong.body.equals(plain.body)).toBe(true);
  });

  it('are of the file that was there: its picture is never sent for the next version, nor the other way round', async () => {
    const before = await versionAt(open);
    const old = await open.get(`${picture}?v=${before}`);
    await open.get(`${picture}?v=${before}`);
    await write('maroon');
    const now = await vi.waitFor(async () => {
      const version = await versionAt(open);
      expect(version).not.toBe(before);
      return version;
    });
    const stale = await open.get(`${picture}?v=${before}`);
    expect(directive(stale)).toBe('public, max-age=60');
    expect(stale.body.equals(old.body)).toBe(false);
    const fresh = await open.get(`${picture}?v=${now}`);
    expect([directive(fresh), fresh.body.equals(stale.body)]).toEqual([forever, true]);
  });

  it('change with what lies on the image', async () => {
    const before = await versionAt(open);
    writeFileSync(at('library', 'versions', 'metadata.yaml'), 'redactions: { page.jpg: { region: "0,0,100,100" } }\n');
    await vi.waitFor(async () => expect(await versionAt(open)).not.toBe(before));
    expect(directive(await open.get(`${picture}?v=${before}`))).toBe('public, max-age=60');
    rmSync(at('library', 'versions', 'metadata.yaml'));
    await vi.waitFor(async () => expect(await versionAt(open)).toBe(before));
  });

  it('of closed images stay private, and nobody else learns their version', async () => {
    const closed = '/iiif/3/closed!page.jpg';
    const info = await guarded.get(`${closed}/info.json`, { headers: members });
    expect(info.headers['lectern-version']).toBeUndefined();
    const version = await versionAt(open, 'closed!page.jpg');
    const address = `${closed}/full/90,/0/default.jpg?v=${version}`;
    expect(directive(await guarded.get(address, { headers: members }))).toBe('private, no-cache');
    const refused = await guarded.get(address);
    const without = await guarded.get(address.replace(/\?.*/, ''));
    expect([refused.status, directive(refused)]).toEqual([401, 'no-store']);
    expect(refused.body.equals(without.body)).toBe(true);
  });

  it('are of a tier, too', async () => {
    const tier = 'tiered!page.jpg;tier=small';
    const version = await versionAt(guarded, tier);
    expect(directive(await guarded.get(`/iiif/3/${tier}/full/90,/0/default.jpg?v=${version}`))).toBe(forever);
    const led = await guarded.get(`/iiif/3/tiered!page.jpg/full/90,/0/default.jpg?v=${version}`);
    expect([led.status, directive(led)]).toEqual([302, 'private, no-cache']);
  });

  it.each(['no-store', 'private, max-age=60', 'no-cache'])(
    'are not kept where the site says %s',
    async (cacheControl) => {
      const app = await startApp({ library: { folders: [library] }, http: { cacheControl } });
      const answer = await app.get(`${picture}?v=${await versionAt(app)}`);
      await app.close();
      expect(directive(answer)).toBe(cacheControl);
    },
  );
});

it('PDFs of digilib say that they depend on Accept, which asks for JSON', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'fn=free&pgs=1&dw=50';
  const begun = await open.get('/PDFCache', { method: 'POST', headers, body });
  const { pathname, search } = new URL(String(begun.headers.location));
  await vi.waitFor(
    async () => {
      const pdf = await open.get(pathname + search);
      expect([pdf.headers['content-type'], pdf.headers.vary]).toEqual(['application/pdf', 'Accept']);
    },
    { timeout: 30_000, interval: 100 },
  );
  const json = await open.get(pathname + search, { headers: { accept: 'application/json' } });
  expect([json.headers.vary, directive(json)]).toEqual(['Accept', 'no-store']);
});
