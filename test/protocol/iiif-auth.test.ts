/** IIIF Authorization Flow 2.0 and Authentication 1.0: services, windows, tokens and probes, and that nothing closed is told. */
import { randomBytes, scryptSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { CookieClient } from '../sign-in/cookie-client.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-iiif-auth-'));
const library = path.join(folder, 'scans');
const [width, height] = [1000, 728];
const viewer = 'https://viewer.example';
const houseViewer = 'https://house.example';

function hash(password: string): string {
  const salt = randomBytes(16);
  const cost = { N: 1024, r: 8, p: 1 };
  return `scrypt:1024:8:1:${salt.toString('base64url')}:${scryptSync(password, salt, 32, cost).toString('base64url')}`;
}

const keysFile = path.join(folder, 'keys');
const hashed = hash('secret');

const settings = (more: SettingsInput = {}): SettingsInput => ({
  library: { folders: [library] },
  http: { trustedProxies: ['127.0.0.1'], ...more.http },
  readingRoom: { name: 'The Library' },
  access: {
    allowedOrigins: [houseViewer],
    addresses: [{ address: '10.0.4', roles: ['members'] }],
    tiers: [
      { name: 'medium', maxSide: 500 },
      { name: 'known', maxSide: 125, wholeInfo: true },
      { name: 'small', maxSide: 125 },
    ],
    paths: [
      { path: 'closed', roles: ['members'] },
      { path: 'tiered', roles: ['members'], tiers: [{ tier: 'medium', roles: ['some'] }], everyone: 'small' },
      { path: 'known', roles: ['members'], everyone: 'known' },
    ],
  },
  signIn: {
    keysFile,
    crossSite: true,
    users: [
      { name: 'anna', password: hashed, roles: ['members'] },
      { name: 'gast', password: hashed, roles: [] },
    ],
  },
  ...(more.iiifAuth && { iiifAuth: more.iiifAuth }),
});

let app: RunningApp;
const opened: RunningApp[] = [];
async function start(more?: SettingsInput): Promise<RunningApp> {
  const started = await startApp(settings(more));
  opened.push(started);
  return started;
}

beforeAll(async () => {
  writeFileSync(keysFile, randomBytes(32).toString('base64url'));
  for (const name of ['closed', 'tiered', 'known', 'open']) {
    mkdirSync(path.join(library, name), { recursive: true });
    await sharp({ create: { width, height, channels: 3, background: 'teal' } })
      .jpeg()
      .toFile(path.join(library, name, 'p1.jpg'));
  }
  writeFileSync(path.join(library, 'closed', 'p1.txt'), 'Geheimnis');
  symlinkSync('../closed', path.join(library, 'open', 'link'));
  app = await start();
});
afterAll(async () => {
  for (const one of opened) await one.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => vi.restoreAllMocks());

const jsonOf = ({ body }: ReceivedResponse) => JSON.parse(body.toString());

/** A browser by HTTPS behind a proxy. */
const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'library.example' } as const;
const base = 'https://library.example';

const tokenAddress = (version: 1 | 2, origin = viewer, messageId = '7'): string =>
  `/iiif-auth/token/${version}?${new URLSearchParams({ messageId, origin })}`;

const characters: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** What the page of a token service sends, and where to. */
function sentBy(html: string): { message: Record<string, unknown>; origin: string; asksForCookies: boolean } {
  const facts = /data-facts="([^"]*)"/.exec(html)?.[1] ?? '';
  return JSON.parse(facts.replace(/&(?:quot|#39|lt|gt|amp);/g, (name) => characters[name] ?? name));
}

let client: CookieClient;
beforeEach(() => {
  client = new CookieClient();
});

const visit = (address: string, options: Parameters<CookieClient['visit']>[1] = {}, at = app) =>
  client.visit(at.url + address, options);

async function signIn(name = 'anna', to = '', at = app) {
  return visit(
    '/sign-in',
    {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ name, password: 'secret', to }).toString(),
    },
    at,
  );
}

const allow = (origin = viewer, at = app) =>
  visit(
    `/iiif-auth/login?${new URLSearchParams({ origin })}`,
    { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } },
    at,
  );

async function tokenOf(version: 1 | 2 = 2, origin = viewer, at = app): Promise<string> {
  const { message } = sentBy((await visit(tokenAddress(version, origin), {}, at)).text);
  return String(message['accessToken']);
}

/** A token of somebody who has just signed in. */
async function freshToken(name = 'anna', at = app): Promise<string> {
  await signIn(name, '', at);
  await allow(viewer, at);
  return tokenOf(2, viewer, at);
}

const get = (address: string, token?: string, headers: OutgoingHttpHeaders = {}, at = app) =>
  at.get(address, { headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers } });

const infoOf = (name: string, version = 3): string => `/iiif/${version}/${name}/info.json`;
const probeOf = (name: string, version = 3): string =>
  `/iiif-auth/probe/iiif/${version}/${name}/full/max/0/default.jpg`;

const wholeNumbers = new RegExp(`\\b(?:${width}|${height})\\b`);

type Service = Record<string, unknown> & { readonly service?: Service[] };

describe('info.json of a closed image', () => {
  it('is 401 with the services of both versions, and tells nothing of the image', async () => {
    const { status, headers, body } = await get(infoOf('closed!p1.jpg'), undefined, https);
    expect([status, headers['content-type'], headers['cache-control'], headers['access-control-allow-origin']]).toEqual(
      [401, 'application/json; charset=utf-8', 'no-store', '*'],
    );
    const info = JSON.parse(body.toString());
    expect(body.toString()).not.toMatch(wholeNumbers);
    expect(info).toMatchObject({
      '@context': ['http://iiif.io/api/auth/2/context.json', 'http://iiif.io/api/image/3/context.json'],
      id: `${base}/iiif/3/closed!p1.jpg`,
      type: 'ImageService3',
      width: 1,
      height: 1,
    });
    const [probe, login] = info.service as Service[];
    expect(probe).toMatchObject({
      id: `${base}${probeOf('closed!p1.jpg')}`,
      type: 'AuthProbeService2',
      errorHeading: { en: ['You may not see this'], de: [expect.any(String)], fr: [expect.any(String)] },
    });
    expect(probe?.service?.map(({ profile }) => profile)).toEqual(['external', 'active']);
    const [external, active] = probe?.service ?? [];
    expect(external).not.toHaveProperty('id');
    const word = { en: [expect.any(String)], de: [expect.any(String)], fr: [expect.any(String)] };
    expect(active).toEqual({
      id: `${base}/iiif-auth/login`,
      type: 'AuthAccessService2',
      profile: 'active',
      label: { ...word, en: ['Sign in at The Library'] },
      heading: word,
      note: word,
      confirmLabel: word,
      service: [
        { id: `${base}/iiif-auth/token/2`, type: 'AuthAccessTokenService2', errorHeading: word, errorNote: word },
        {
          id: `${base}/iiif-auth/logout`,
          type: 'AuthLogoutService2',
          label: { ...word, en: ['Sign out from The Library'] },
        },
      ],
    });
    expect(login).toEqual({
      '@context': 'http://iiif.io/api/auth/1/context.json',
      '@id': `${base}/iiif-auth/login`,
      '@type': 'AuthCookieService1',
      profile: 'http://iiif.io/api/auth/1/login',
      label: 'Sign in at The Library',
      header: 'This needs a login',
      description: expect.any(String),
      confirmLabel: 'Sign in',
      failureHeader: expect.any(String),
      failureDescription: expect.any(String),
      service: [
        {
          '@id': `${base}/iiif-auth/token/1`,
          '@type': 'AuthTokenService1',
          profile: 'http://iiif.io/api/auth/1/token',
        },
        {
          '@id': `${base}/iiif-auth/logout`,
          '@type': 'AuthLogoutService1',
          profile: 'http://iiif.io/api/auth/1/logout',
          label: 'Sign out from The Library',
        },
      ],
    });
  });

  it('of 2.1 has the same services', async () => {
    const answer = await get(infoOf('closed!p1.jpg', 2));
    expect(answer.status).toBe(401);
    const { '@id': id, service } = jsonOf(answer);
    expect(id).toBe(`${app.url}/iiif/2/closed!p1.jpg`);
    expect(service.map((one: Service) => one['profile'] ?? one['type'])).toEqual([
      'http://iiif.io/api/auth/1/login',
      'probe',
    ]);
    expect(service[1]['@context']).toBe('http://iiif.io/api/auth/2/context.json');
  });

  it.each([1, 2, 3])('of version %i is the same for names that do not exist', async (version) => {
    const [real, none] = await Promise.all(
      ['closed!p1.jpg', 'closed!p9.jpg'].map((name) => get(infoOf(name, version))),
    );
    if (real === undefined || none === undefined) throw new Error('no answers');
    expect(none.status).toBe(real.status);
    expect(none.body.toString().replaceAll('p9', 'p1')).toBe(real.body.toString());
    const headersOf = ({ headers }: ReceivedResponse) => ({ ...headers, date: '', 'x-request-id': '' });
    expect(headersOf(none)).toEqual(headersOf(real));
  });

  it('is 403 with the services for who has signed in without the role', async () => {
    const token = await freshToken('gast');
    const answer = await get(infoOf('closed!p1.jpg'), token);
    expect([answer.status, jsonOf(answer).width]).toEqual([403, 1]);
  });

  it('is reached from the base address', async () => {
    const { status, headers } = await get('/iiif/3/closed!p1.jpg');
    expect([status, headers.location]).toEqual([303, `${app.url}/iiif/3/closed!p1.jpg/info.json`]);
  });

  it('is whole with a token, and names the services then too', async () => {
    const token = await freshToken();
    const answer = await get(infoOf('closed!p1.jpg'), token, { origin: viewer });
    expect([answer.status, answer.headers['access-control-allow-origin'], answer.headers['cache-control']]).toEqual([
      200,
      '*',
      'private, no-cache',
    ]);
    expect(jsonOf(answer)).toMatchObject({ width, height });
    expect(jsonOf(answer).service).toHaveLength(2);
  });
});

describe('images that everyone sees whole', () => {
  it('have no services, and neither has a server where nobody signs in', async () => {
    expect((await get(infoOf('open!p1.jpg'))).body.toString()).not.toMatch(/auth/);
    const { signIn: _none, ...others } = settings();
    const without = await startApp(others);
    opened.push(without);
    const answer = await without.get(infoOf('closed!p1.jpg'));
    expect([answer.status, answer.headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8']);
    expect((await without.get(infoOf('tiered!p1.jpg;tier=small'))).body.toString()).not.toMatch(/auth/);
    expect((await without.get('/iiif-auth/logout')).status).toBe(404);
  });
});

describe('an image in a tier', () => {
  it('has the services of Authentication 1.0 in the info.json to which that of the whole leads', async () => {
    const redirect = await get(infoOf('tiered!p1.jpg', 2));
    expect([redirect.status, redirect.headers.location]).toEqual([
      302,
      `${app.url}/iiif/2/tiered!p1.jpg;tier=small/info.json`,
    ]);
    const info = await get(infoOf('tiered!p1.jpg;tier=small', 2));
    expect([info.status, info.headers['cache-control']]).toEqual([
      200,
      'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400',
    ]);
    expect(jsonOf(info).service.map(({ profile }: Service) => profile)).toEqual(['http://iiif.io/api/auth/1/login']);
    const info3 = jsonOf(await get(infoOf('tiered!p1.jpg;tier=small')));
    expect([info3['@context'], info3.service.length, info3.service[0]['@type']]).toEqual([
      'http://iiif.io/api/image/3/context.json',
      1,
      'AuthCookieService1',
    ]);
  });

  it('that not everyone sees has a probe of its own', async () => {
    const answer = await get(infoOf('tiered!p1.jpg;tier=medium'));
    expect([answer.status, jsonOf(answer).service[0].id]).toEqual([
      401,
      `${app.url}${probeOf('tiered!p1.jpg;tier=medium')}`,
    ]);
  });

  it('leads to the whole with a token', async () => {
    const token = await freshToken();
    expect(jsonOf(await get(infoOf('tiered!p1.jpg'), token))).toMatchObject({ width, height });
  });

  it('with wholeInfo tells the size of the whole in 3.0 alone, and no pixel of it', async () => {
    const info = await get(infoOf('known!p1.jpg'));
    expect([info.status, info.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(jsonOf(info)).toMatchObject({ id: `${app.url}/iiif/3/known!p1.jpg`, width, height });
    expect(jsonOf(info).service[0].type).toBe('AuthProbeService2');
    expect((await get(infoOf('known!p1.jpg', 2))).status).toBe(302);
    expect((await get('/iiif/3/known!p1.jpg/0,0,256,256/256,256/0/default.jpg')).status).toBe(401);
    const full = await get('/iiif/3/known!p1.jpg/full/max/0/default.jpg');
    expect([full.status, full.headers.location]).toEqual([
      302,
      `${app.url}/iiif/3/known!p1.jpg;tier=known/full/max/0/default.jpg`,
    ]);
    expect((await get('/api/dlInfo-json.jsp?fn=known/p1.jpg')).body.toString()).not.toMatch(wholeNumbers);
  });
});

describe('a manifest', () => {
  const bodyOf = (manifest: { items: { items: { items: { body: Service }[] }[] }[] }) =>
    manifest.items[0]?.items[0]?.items[0]?.body;

  it('of Presentation 3 names the whole images, whose services have probes, with pictures of the tier', async () => {
    const answer = await get('/presentation/3/tiered/manifest.json');
    const manifest = jsonOf(answer);
    expect(manifest['@context']).toEqual([
      'http://iiif.io/api/auth/2/context.json',
      'http://iiif.io/api/presentation/3/context.json',
    ]);
    const body = bodyOf(manifest);
    const [service3, service2] = body?.service ?? [];
    expect(body?.['id']).toBe(`${app.url}/iiif/3/tiered!p1.jpg;tier=small/full/max/0/default.jpg`);
    expect(service3?.['id']).toBe(`${app.url}/iiif/3/tiered!p1.jpg`);
    expect(service3?.service).toEqual([
      {
        id: `${app.url}${probeOf('tiered!p1.jpg')}`,
        type: 'AuthProbeService2',
        profile: 'probe',
        service: [{ id: `${app.url}/iiif-auth/login`, type: 'AuthAccessService2' }],
      },
    ]);
    expect(manifest.services).toEqual([
      expect.objectContaining({ id: `${app.url}/iiif-auth/login`, profile: 'active' }),
    ]);
    expect(service2?.['@id']).toBe(`${app.url}/iiif/2/tiered!p1.jpg`);
    expect(service2?.service?.[0]?.['profile']).toBe('http://iiif.io/api/auth/1/login');
    expect(answer.body.toString()).not.toMatch(wholeNumbers);
  });

  it('of Presentation 2 has the services of Authentication 1.0', async () => {
    const manifest = jsonOf(await get('/presentation/2/tiered/manifest.json'));
    const { service } = manifest.sequences[0].canvases[0].images[0].resource;
    expect([service['@id'], service.service.profile]).toEqual([
      `${app.url}/iiif/2/tiered!p1.jpg`,
      'http://iiif.io/api/auth/1/login',
    ]);
  });

  it('of a closed folder is for tokens, with probes of its PDF and texts', async () => {
    const address = '/presentation/3/closed/manifest.json';
    expect((await get(address)).status).toBe(401);
    const manifest = jsonOf(await get(address, await freshToken()));
    expect(manifest.rendering[0].service[0].id).toBe(`${app.url}/iiif-auth/probe/pdf/closed.pdf`);
    expect(manifest.items[0].rendering[0].service[0].id).toBe(`${app.url}/iiif-auth/probe/api/text/closed/p1.jpg.txt`);
    expect(bodyOf(manifest)?.service?.[0]?.service).toHaveLength(1);
  });

  it('of open images names no services', async () => {
    const text = (await get('/presentation/3/open/manifest.json')).body.toString();
    expect(text).not.toMatch(/auth/i);
  });
});

describe('the probe', () => {
  const probe = async (address: string, token?: string, headers: OutgoingHttpHeaders = {}) => {
    const answer = await get(address, token, headers);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    return jsonOf(answer);
  };
  const result = { '@context': 'http://iiif.io/api/auth/2/context.json', type: 'AuthProbeResult2' };
  const word = { en: [expect.any(String)], de: [expect.any(String)], fr: [expect.any(String)] };

  it('says what the image would answer with the session', async () => {
    expect(await probe(probeOf('closed!p1.jpg'))).toEqual({ ...result, status: 401, heading: word, note: word });
    expect(await probe(probeOf('closed!p1.jpg'), await freshToken())).toEqual({ ...result, status: 200 });
    expect((await probe(probeOf('closed!p1.jpg'), await freshToken('gast'))).status).toBe(403);
    expect(await probe(probeOf('open!p1.jpg'))).toEqual({ ...result, status: 200 });
  });

  it('names the tier as substitute', async () => {
    const substitute = [{ id: `${base}/iiif/3/tiered!p1.jpg;tier=small`, type: 'ImageService3' }];
    expect(await probe(probeOf('tiered!p1.jpg'), undefined, https)).toEqual({
      ...result,
      status: 401,
      substitute,
      heading: { ...word, en: ['You see this smaller only'] },
      note: word,
    });
    expect(await probe(probeOf('tiered!p1.jpg', 2))).toMatchObject({
      substitute: [{ id: `${app.url}/iiif/2/tiered!p1.jpg;tier=small`, type: 'ImageService2' }],
    });
    expect(await probe(probeOf('tiered!p1.jpg;tier=small'))).toEqual({ ...result, status: 200 });
    expect(await probe(probeOf('tiered!p1.jpg'), await freshToken())).toEqual({ ...result, status: 200 });
  });

  it('is the same for names that do not exist in a closed folder', async () => {
    expect(await probe(probeOf('closed!p9.jpg'))).toEqual(await probe(probeOf('closed!p1.jpg')));
    expect((await probe(probeOf('open!p9.jpg'))).status).toBe(404);
  });

  it('tells of PDF documents and texts', async () => {
    const token = await freshToken();
    for (const address of ['/pdf/closed.pdf', '/api/text/closed/p1.jpg.txt', '/zip/closed.zip']) {
      expect((await probe(`/iiif-auth/probe${address}`)).status, address).toBe(401);
      expect((await probe(`/iiif-auth/probe${address}`, token)).status, address).toBe(200);
    }
  });

  it.each(['/iiif-auth/probe/healthz', '/iiif-auth/probe/sign-out', '/iiif-auth/probe/iiif/3/open!p1.jpg'])(
    'asks for nothing else: %s',
    async (address) => expect((await get(address)).status).toBe(404),
  );

  it('asks no probe, of which one address has room for hundreds', async () => {
    const picture = '/iiif/3/open!p1.jpg/full/max/0/default.jpg';
    for (const one of ['/iiif-auth/probe', '/%69iif-auth/probe', '/iiif-auth/probe'.repeat(300)])
      expect((await probe(`/iiif-auth/probe${one}${picture}`)).status, one.slice(0, 40)).toBe(404);
  });

  it('marks its own requests, and nobody else can', async () => {
    const token = await freshToken();
    const picture = '/iiif/3/closed!p1.jpg/full/max/0/default.jpg';
    for (const mark of ['', 'true', 'A'.repeat(32)])
      expect((await get(picture, token, { 'lectern-probe': mark })).status).toBe(401);
  });
});

describe('the window of a viewer', () => {
  const login = `/iiif-auth/login?${new URLSearchParams({ origin: viewer })}`;

  it('leads to the sign-in and back, asks its reader once for each origin, and closes itself', async () => {
    const first = await visit(login, { redirects: 0 });
    expect(first.status).toBe(303);
    const to = new URL(String(first.headers.get('location'))).searchParams.get('to') ?? '';
    expect(to).toBe(login.slice(1));
    const asking = await signIn('anna', to);
    expect([asking.url, asking.status]).toEqual([app.url + login, 200]);
    expect(asking.text).toContain(`Let ${viewer} show it?`);
    expect(asking.text).not.toContain('window.close');
    expect(asking.headers.get('content-security-policy')).toMatch(/form-action 'self'; frame-ancestors 'self'/);
    const done = await allow();
    expect([done.status, done.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(done.text).toContain('window.close();');
    expect((await visit(login)).text).toContain('window.close();');
    expect((await visit(login.replace('viewer', 'other'))).text).not.toContain('window.close');
  });

  it('closes itself for viewers of the house right after a password was typed, and asks later', async () => {
    const address = `/iiif-auth/login?origin=${houseViewer}`;
    expect((await signIn('anna', address.slice(1))).text).toContain('window.close();');
    const later = Date.now() + 120_000;
    vi.spyOn(Date, 'now').mockImplementation(() => later);
    expect((await visit(address)).text).not.toContain('window.close');
  });

  it.each([
    ['', 400],
    ['javascript:alert(1)', 400],
    ['null', 400],
    ['https://viewer.example/page', 400],
    ['https://user@viewer.example', 400],
    ['//viewer.example', 400],
    ['file:///etc', 400],
  ])('takes no other origin: %s', async (origin, status) => {
    expect((await visit(`/iiif-auth/login?${new URLSearchParams({ origin })}`, { redirects: 0 })).status).toBe(status);
  });

  it('takes a consent from its own page alone', async () => {
    await signIn();
    const sent = (headers: Readonly<Record<string, string>>) => visit(login, { method: 'POST', headers });
    expect((await sent({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await sent({ origin: viewer })).status).toBe(403);
    expect(sentBy((await visit(tokenAddress(2))).text).message['profile']).toBe('invalidOrigin');
  });

  it('has no button that a key presses which its reader holds already', async () => {
    await signIn();
    const { text } = await visit(login);
    expect(text).toContain('<button');
    expect(text).not.toContain('autofocus');
  });

  it('is in the language of its reader', async () => {
    await signIn();
    const { text } = await visit(login, { headers: { 'accept-language': 'fr' } });
    expect(text).toContain(`Laisser ${viewer} l’afficher\u202f?`);
  });

  it('that is a kiosk closes itself at once, where the house has such devices', async () => {
    expect((await visit(`/iiif-auth/kiosk?origin=${viewer}`)).status).toBe(404);
    const house = await start({ iiifAuth: { kiosk: true } });
    expect((await visit(`/iiif-auth/kiosk?origin=${viewer}`, {}, house)).text).toContain('window.close();');
    const info = jsonOf(await house.get(infoOf('closed!p1.jpg')));
    expect(info.service[0].service.map(({ profile }: Service) => profile)).toEqual(['external', 'kiosk', 'active']);
    expect(info.service[1].profile).toBe('http://iiif.io/api/auth/1/kiosk');
  });
});

describe('the token service', () => {
  it('sends a token to pages of the origin alone', async () => {
    await signIn();
    await allow();
    const { text, status, headers } = await visit(tokenAddress(2));
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'.*frame-ancestors \*/);
    const { message, origin } = sentBy(text);
    expect(origin).toBe(viewer);
    expect(message).toEqual({
      '@context': 'http://iiif.io/api/auth/2/context.json',
      type: 'AuthAccessToken2',
      messageId: '7',
      accessToken: expect.stringMatching(/^[\w-]*(?:\.[\w-]*){4}$/),
      expiresIn: 1800,
    });
    const one = sentBy((await visit(tokenAddress(1, `${viewer}/`, 'a"<b>'))).text);
    expect(one.origin).toBe(viewer);
    expect(one.message).toEqual({ messageId: 'a"<b>', accessToken: expect.any(String), expiresIn: 1800 });
  });

  it('has a token of nobody for an origin that its reader did not agree to', async () => {
    await signIn();
    await allow();
    const { message } = sentBy((await visit(tokenAddress(2, 'https://evil.example'))).text);
    expect(message).toMatchObject({ type: 'AuthAccessTokenError2', profile: 'invalidOrigin', messageId: '7' });
    expect(message).toMatchObject({
      heading: { en: ['This site gets no access'] },
      note: { de: [expect.any(String)] },
    });
    expect(sentBy((await visit(tokenAddress(1, 'https://evil.example'))).text).message).toEqual({
      error: 'invalidOrigin',
      description: expect.stringContaining('https://evil.example'),
      messageId: '7',
    });
  });

  it('names what is missing', async () => {
    const profileOf = async (address: string) => sentBy((await visit(address)).text).message['profile'];
    expect(await profileOf(tokenAddress(2))).toBe('missingAspect');
    expect(sentBy((await visit(tokenAddress(2))).text).asksForCookies).toBe(true);
    expect(await profileOf(`/iiif-auth/token/2?origin=${viewer}`)).toBe('invalidRequest');
    expect((await visit('/iiif-auth/token/2?messageId=1')).status).toBe(400);
    expect((await visit('/iiif-auth/token/2?messageId=1&origin=*')).status).toBe(400);
    await signIn();
    await allow();
    const later = Date.now() + 11 * 3_600_000;
    vi.spyOn(Date, 'now').mockImplementation(() => later);
    expect(await profileOf(tokenAddress(2))).toBe('expiredAspect');
    expect(sentBy((await visit(tokenAddress(1))).text).message['error']).toBe('invalidCredentials');
  });

  it('is unavailable where sessions can’t be checked', async () => {
    await signIn();
    await allow();
    const keys = `${keysFile}-moved`;
    const { renameSync } = await import('node:fs');
    renameSync(keysFile, keys);
    try {
      expect(sentBy((await visit(tokenAddress(2))).text).message['profile']).toBe('unavailable');
    } finally {
      renameSync(keys, keysFile);
    }
  });

  it('of 1.0 is JSON for programs that are no browsers', async () => {
    const none = await visit('/iiif-auth/token/1');
    expect([none.status, JSON.parse(none.text)]).toEqual([
      401,
      { error: 'missingCredentials', description: expect.any(String) },
    ]);
    await signIn();
    const { status, text, headers } = await visit('/iiif-auth/token/1');
    expect([status, headers.get('access-control-allow-credentials')]).toEqual([200, null]);
    const { accessToken } = JSON.parse(text);
    expect((await get(infoOf('closed!p1.jpg'), accessToken)).status).toBe(200);
  });

  it('asks nobody where only viewers of the house get tokens', async () => {
    const strict = await start({ iiifAuth: { viewers: 'allowed' } });
    await signIn('anna', '', strict);
    expect((await allow(viewer, strict)).status).toBe(403);
    expect(sentBy((await visit(tokenAddress(2), {}, strict)).text).message['profile']).toBe('invalidOrigin');
    const token = await tokenOf(2, houseViewer, strict);
    expect((await get(infoOf('closed!p1.jpg'), token, {}, strict)).status).toBe(200);
  });

  it('gives viewers of the house a token for the address of their reader, and no others', async () => {
    const inHouse = { 'x-forwarded-for': '10.0.4.4' };
    const sent = async (origin: string) =>
      sentBy((await visit(tokenAddress(2, origin), { headers: inHouse })).text).message;
    expect(await sent(viewer)).toMatchObject({ profile: 'missingAspect' });
    const token = String((await sent(houseViewer))['accessToken']);
    const read = (origin: string) => get(infoOf('closed!p1.jpg'), token, { ...inHouse, origin });
    const [house, foreign] = [await read(houseViewer), await read(viewer)];
    expect([house.status, house.headers['access-control-allow-origin']]).toEqual([200, houseViewer]);
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    expect((await get(infoOf('closed!p1.jpg'), token)).status).toBe(401);
  });
});

describe('a token', () => {
  it('opens descriptions, and no picture, file or page', async () => {
    const token = await freshToken();
    const opens = [
      infoOf('closed!p1.jpg'),
      infoOf('closed!p1.jpg', 2),
      '/presentation/3/closed/manifest.json',
      '/presentation/2/closed/manifest.json',
      '/presentation/3/closed/text/p1-jpg',
      '/Manifester/IIIF/closed/manifest',
      '/content-search/2/presentation/3/closed?q=Geheimnis',
    ];
    const opensNot = [
      '/iiif/3/closed!p1.jpg/full/max/0/default.jpg',
      '/iiif/3/closed!p1.jpg/full/max/0/default.jpg/../info.json',
      '/Scaler?fn=closed/p1.jpg&dw=50&info.json',
      '/Scaler?fn=closed/p1.jpg&mo=file,code',
      '/pdf/closed.pdf',
      '/zip/closed.zip',
      '/api/text/closed/p1.jpg.txt',
    ];
    for (const address of opens) expect([address, (await get(address, token)).status]).toEqual([address, 200]);
    for (const address of opensNot)
      expect([address, (await get(address, token)).status > 400]).toEqual([address, true]);
    const info = await get('/api/ImgInfo-json.jsp?fn=closed/p1.jpg', token);
    expect(info.body.toString()).not.toMatch(wholeNumbers);
    const { body } = await get('/api/session.json', token);
    expect(body.toString()).not.toMatch(/anna|members/);
  });

  it('is over after its time', async () => {
    const token = await freshToken();
    const now = Date.now();
    const at = (minutes: number) => vi.spyOn(Date, 'now').mockImplementation(() => now + minutes * 60_000);
    at(29);
    expect((await get(infoOf('closed!p1.jpg'), token)).status).toBe(200);
    at(31);
    expect((await get(infoOf('closed!p1.jpg'), token)).status).toBe(401);
  });

  it('ends with its session, and with the rights of the person', async () => {
    const token = await freshToken();
    expect((await get(infoOf('closed!p1.jpg'), token)).status).toBe(200);
    await visit('/sign-out', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
    expect((await get(infoOf('closed!p1.jpg'), token)).status).toBe(401);
    expect(sentBy((await visit(tokenAddress(2))).text).message['profile']).toBe('missingAspect');
  });

  it('counts on all servers with the same keys, and on none with others', async () => {
    const token = await freshToken();
    const second = await start();
    expect((await get(infoOf('closed!p1.jpg'), token, {}, second)).status).toBe(200);
    const { keysFile: _same, ...signInSettings } = settings().signIn ?? { keysFile };
    const otherKeys = `${keysFile}-other`;
    writeFileSync(otherKeys, randomBytes(32).toString('base64url'));
    const foreign = await startApp({ ...settings(), signIn: { ...signInSettings, keysFile: otherKeys } });
    opened.push(foreign);
    expect((await get(infoOf('closed!p1.jpg'), token, {}, foreign)).status).toBe(401);
  });

  it('is no cookie, and a cookie is no token', async () => {
    const token = await freshToken();
    const cookie = String(client.value('lectern_session'));
    const asCookie = await app.get(infoOf('closed!p1.jpg'), { headers: { cookie: `lectern_session=${token}` } });
    expect(asCookie.status).toBe(401);
    expect((await get(infoOf('closed!p1.jpg'), cookie)).status).toBe(401);
    const changed = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    expect((await get(infoOf('closed!p1.jpg'), changed)).status).toBe(401);
  });

  it('of a page reads nothing that the address of its reader opens', async () => {
    const token = await freshToken('gast');
    const answer = await get(infoOf('closed!p1.jpg'), token, { 'x-forwarded-for': '10.0.4.4', origin: viewer });
    expect(answer.status).toBe(403);
  });

  it('may be sent by pages of all origins: their browsers ask first', async () => {
    for (const address of [infoOf('closed!p1.jpg'), probeOf('closed!p1.jpg'), '/presentation/3/closed/manifest.json']) {
      const headers = {
        origin: viewer,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      };
      const { status, headers: sent } = await app.get(address, { method: 'OPTIONS', headers });
      expect([status, sent['access-control-allow-origin'], sent['access-control-allow-credentials']]).toEqual([
        204,
        '*',
        undefined,
      ]);
      expect(sent['access-control-allow-headers']).toMatch(/authorization/);
    }
  });
});

describe('cookies', () => {
  const cookieLines = async (): Promise<readonly string[]> => {
    const sent = await app.get('/sign-in', {
      method: 'POST',
      headers: { ...https, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=anna&password=secret',
    });
    return sent.headers['set-cookie'] ?? [];
  };

  it('of sessions go with pages of other sites, and a copy is for those of the site of the token’s frame alone', async () => {
    const [session = ''] = await cookieLines();
    expect(session).toMatch(/^lectern_session=[\w.-]+; Max-Age=3\d{4}; Path=\/; HttpOnly; Secure; SameSite=None$/);
    const cookie = session.split(';')[0];
    const sent = await app.get(tokenAddress(2, base), { headers: { ...https, cookie } });
    const [copy = ''] = sent.headers['set-cookie'] ?? [];
    expect(copy).toMatch(
      /^lectern_embedded=[\w.-]+; Max-Age=3\d{4}; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/,
    );
    const embedded = copy.split(';')[0];
    const picture = '/iiif/3/closed!p1.jpg/full/64,/0/default.jpg';
    expect((await app.get(picture, { headers: { ...https, cookie: embedded } })).status).toBe(200);
    await app.get('/sign-out', { method: 'POST', headers: { ...https, cookie, 'sec-fetch-site': 'same-origin' } });
    expect((await app.get(picture, { headers: { ...https, cookie: embedded } })).status).toBe(401);
  });
});

describe('the logout service', () => {
  it('is a page that signs out at once whom a click has led there, and asks others', async () => {
    await signIn();
    const factsOf = ({ text }: { readonly text: string }) => sentBy(text) as unknown;
    const facts = { address: `${app.url}/sign-out`, home: `${app.url}/` };
    expect(factsOf(await visit('/iiif-auth/logout'))).toEqual({ ...facts, isAsked: false });
    expect(factsOf(await visit('/iiif-auth/logout', { headers: { 'sec-fetch-user': '?1' } }))).toEqual({
      ...facts,
      isAsked: true,
    });
    expect((await visit('/iiif-auth/logout')).headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self'",
    );
  });
});

describe('below a context path', () => {
  it('all addresses are below it', async () => {
    const below = await start({ http: { contextPath: '/lib' } });
    const info = jsonOf(await below.get('/lib/iiif/3/closed!p1.jpg/info.json'));
    const [probe] = info.service;
    expect(probe.id).toBe(`${below.url}/lib${probeOf('closed!p1.jpg')}`);
    expect(probe.service[1].id).toBe(`${below.url}/lib/iiif-auth/login`);
    expect(jsonOf(await below.get(new URL(probe.id).pathname)).status).toBe(401);
    const { headers } = await below.get(`/lib/iiif-auth/login?origin=${viewer}`);
    expect(headers.location).toMatch(`${below.url}/lib/sign-in?to=iiif-auth%2Flogin`);
  });
});

describe('who has a token without the role', () => {
  const aliases = [
    'closed!p1.jpg',
    'closed!p1',
    'CLOSED!p1.jpg',
    'closed!!p1.jpg',
    'closed%2Fp1.jpg',
    'open!link!p1.jpg',
  ];
  const addresses: readonly ((name: string) => string)[] = [
    (name) => infoOf(name),
    (name) => infoOf(name, 2),
    (name) => infoOf(name, 1),
    (name) => `/Scaler/IIIF/3/${name}/info.json`,
    (name) => probeOf(name),
    (name) => `/Manifester/IIIF/${name}/manifest`,
    (name) => `/presentation/3/${name.split(/!|%2F/)[0]}/manifest.json`,
    (name) => `/content-search/2/presentation/3/${name.split(/!|%2F/)[0]}?q=Geheimnis`,
    (name) => `/presentation/3/${name.split(/!|%2F/)[0]}/text/p1-jpg`,
  ];

  it.each(aliases)('learns nothing of %s, also right after it was told to another', async (name) => {
    const [anna, gast] = [await freshToken(), await freshToken('gast')];
    for (const addressOf of addresses) {
      const address = addressOf(name);
      const isClosed = /closed|link/i.test(address);
      const told = await get(address, anna);
      const { etag } = told.headers;
      for (const token of [gast, undefined]) {
        const answer = await get(address, token, etag === undefined ? {} : { 'if-none-match': etag });
        const text = `${answer.body} ${JSON.stringify({ ...answer.headers, date: '', 'content-length': '' })}`;
        expect([
          address,
          isClosed && answer.status === 304,
          wholeNumbers.test(text),
          text.includes('Geheimnis'),
        ]).toEqual([address, false, false, false]);
      }
    }
  });
});
