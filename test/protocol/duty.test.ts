/** The page for the person on duty: who may see it, what it says, and what it holds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DutyReport } from '../../src/features/duty/report.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-duty-'));
/** Without rules of access, and with some behind a proxy on this machine. */
let open: RunningApp;
let guarded: RunningApp;

beforeAll(async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  await sharp({ create: { width: 2000, height: 1500, channels: 3, background: 'gray', noise } })
    .jpeg({ quality: 90 })
    .toFile(path.join(folder, 'page.jpg'));
  const library = { folders: [folder] };
  open = await startApp({ library });
  guarded = await startApp({
    library,
    http: { trustedProxies: ['127.0.0.1'] },
    access: { addresses: [{ address: '10.0.2', roles: ['admin'] }] },
  });
});
afterAll(async () => {
  await open.close();
  await guarded.close();
  rmSync(folder, { recursive: true });
});

const admin = { 'x-forwarded-for': '10.0.2.2' };

async function costsOf(app: RunningApp, query = '', headers = {}): Promise<DutyReport> {
  const { status, body } = await app.get(`/admin/costs.json${query}`, { headers });
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as DutyReport;
}

const post = (app: RunningApp, form: Record<string, string>, headers = {}, query = ''): Promise<ReceivedResponse> =>
  app.get(`/admin${query}`, {
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

const addresses = ['/admin', '/admin/costs.json'];

describe('the page for the person on duty', () => {
  it.each(addresses)('%s is for the machine itself, and not for pages of other origins', async (address) => {
    const { status, headers } = await open.get(address);
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    for (const denied of [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { 'x-real-ip': '127.0.0.1' },
      { host: 'evil.example' },
    ]) {
      const answer = await open.get(address, { headers: denied });
      expect([denied, answer.status, answer.body.toString()]).toEqual([
        denied,
        404,
        'There is nothing at this address.\n',
      ]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each(addresses)(
    '%s is for the role admin where there are rules, and for nobody else behind the proxy',
    async (address) => {
      const statusOf = async (headers = {}) => (await guarded.get(address, { headers })).status;
      expect(await statusOf()).toBe(404);
      expect(await statusOf({ 'x-forwarded-for': '127.0.0.1' })).toBe(404);
      expect(await statusOf({ 'x-forwarded-for': '10.0.3.2' })).toBe(404);
      expect(await statusOf(admin)).toBe(200);
    },
  );

  it('is not for what reaches the machine itself under another name, or by a proxy that is not trusted', async () => {
    const local = await startApp({
      library: { folders: [folder] },
      access: { addresses: [{ address: '127.0.0.1', roles: ['admin'] }], rolesHeader: 'x-roles' },
    });
    const statusOf = async (headers = {}) => (await local.get('/admin/costs.json', { headers })).status;
    expect(await statusOf()).toBe(200);
    for (const headers of [{ host: 'evil.example' }, { 'x-forwarded-for': '10.0.2.2' }, { via: '1.1 proxy' }])
      expect([headers, await statusOf(headers)]).toEqual([headers, 404]);
    const form = { network: '198.51.100.0/24', do: 'hold' };
    const rebound = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' };
    expect((await post(local, form, rebound)).status).toBe(404);
    expect((await post(local, form, { origin: local.url })).status).toBe(303);
    await local.close();
  });

  it('has a policy by which it loads nothing', async () => {
    const { headers } = await open.get('/admin');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; .*form-action 'self'; frame-ancestors 'self'$/,
    );
  });

  it.each([
    ['de-AT,de', 'de', 'Wer kostet was'],
    ['fr', 'fr', 'Qui coûte quoi'],
    ['nl', 'en', 'Who costs what'],
  ])('is in the language of %s', async (tags, language, title) => {
    const { body } = await open.get('/admin', { headers: { 'accept-language': tags } });
    expect(body.toString()).toContain(`<html lang="${language}">`);
    expect(body.toString()).toContain(`<h1>${title}</h1>`);
  });
});

describe('costs', () => {
  it('are counted of each network, with and without the fast path', async () => {
    for (const app of [open, guarded]) {
      const headers = { ...admin, 'user-agent': 'GPTBot/1.2' };
      const own = app === open ? { 'user-agent': 'GPTBot/1.2' } : headers;
      const before = await costsOf(app, '', app === open ? {} : admin);
      const requests = (report: DutyReport, agent: string) =>
        report.agents.find(({ name }) => name === agent)?.requests ?? 0;
      const picture = await app.get('/iiif/3/page.jpg/full/1800,/0/default.jpg', { headers: own });
      expect(picture.status).toBe(200);
      for (let count = 0; count < 4; count++)
        await app.get('/iiif/3/page.jpg/full/1800,/0/default.jpg', { headers: own });
      const report = await costsOf(app, '?over=600', app === open ? {} : admin);
      expect(requests(report, 'GPTBot 1.2') - requests(before, 'GPTBot 1.2')).toBe(5);
      const network = report.networks.find(({ name }) => name === (app === open ? '127.0.0.0/24' : '10.0.2.0/24'));
      expect(network).toMatchObject({ refused: 0, agent: expect.any(String) });
      expect(network?.bytes).toBeGreaterThan(5 * picture.body.length);
      expect(report.kinds.find(({ name }) => name === 'picture')).toMatchObject({ requests: 5 });
      expect(report.total.ms).toBeGreaterThan(1);
    }
  });

  it('name the files that took longest, without what the addresses ask of them', async () => {
    const sizes = [1999, 1998, 1997, 1996];
    for (const size of sizes) await open.get(`/Scaler?fn=page&dw=${size}&mo=q2&rot=7&id_token=secret`);
    const { files } = await costsOf(open);
    for (const { name, ms } of files) {
      expect(name).toMatch(/^page(\.jpg)?$/);
      expect(ms).toBeGreaterThan(49);
    }
    expect(JSON.stringify(await costsOf(open))).not.toMatch(/secret|127\.0\.0\.1/);
  });

  it('say what they are sorted by, and over which window', async () => {
    expect(await costsOf(open, '?over=3600&by=bytes')).toMatchObject({ over: 3600, by: 'bytes' });
    expect(await costsOf(open, '?over=5&by=evil')).toMatchObject({ over: 60, by: 'ms' });
    const { networks } = await costsOf(open, '?by=requests');
    expect(networks.map(({ requests }) => requests)).toEqual(
      networks.map(({ requests }) => requests).toSorted((one, other) => other - one),
    );
  });
});

describe('a network', () => {
  const page = (name: string) => open.get(`/iiif/3/page.jpg/full/${name},/0/default.jpg`);

  it('is held for an hour by a form of the page, and released', async () => {
    const own = { origin: open.url };
    expect((await page('1700')).status).toBe(200);
    const held = await post(open, { network: '127.0.0.0/24', do: 'hold' }, own, '?over=600&by=bytes');
    expect([held.status, held.headers.location]).toEqual([303, `${open.url}/admin?over=600&by=bytes`]);
    expect((await page('1701')).status).toBe(429);
    expect((await page('1700')).status).toBe(200);
    const report = await costsOf(open);
    expect(report.holds).toMatchObject([{ network: '127.0.0.0/24' }]);
    const minutes = (Date.parse(report.holds?.[0]?.until ?? '') - Date.parse(report.at)) / 60_000;
    expect(minutes).toBeGreaterThan(50);
    expect(minutes).toBeLessThanOrEqual(60);
    expect(report.refusals).toMatchObject([{ name: 'over-budget picture', requests: 1, refused: 1 }]);
    expect((await open.get('/admin')).body.toString()).toContain('Release: 127.0.0.0/24');
    const metrics = (await open.get('/metrics')).body.toString();
    expect(metrics).toMatch(/^lectern_held_networks 1$/m);
    expect(metrics).toMatch(/^lectern_refused_requests_total\{standing="stranger"\} 1$/m);

    const released = await post(open, { network: '127.0.0.1', do: 'release' }, { ...own, accept: 'application/json' });
    expect([released.status, JSON.parse(released.body.toString())]).toEqual([
      200,
      { message: '127.0.0.1 is released.' },
    ]);
    expect((await page('1701')).status).toBe(200);
    const lines = open.logLines.map((line) => JSON.parse(line) as { msg: string; network?: string });
    expect(lines.filter(({ msg }) => msg.startsWith('a network')).map(({ msg, network }) => [msg, network])).toEqual([
      ['a network is held for an hour', '127.0.0.0/24'],
      ['a network is no longer held', '127.0.0.1'],
    ]);
  });

  it('is not held by pages of other sites, nor by anything that does not say where it is from', async () => {
    const form = { network: '198.51.100.0/24', do: 'hold' };
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: open.url },
      { 'sec-fetch-site': 'same-site', origin: open.url },
      { 'sec-fetch-site': 'none' },
    ])
      expect([headers, (await post(open, form, headers)).status]).toEqual([headers, 403]);
    expect((await open.get('/admin?network=198.51.100.0/24&do=hold')).status).toBe(200);
    expect((await costsOf(open)).holds).toEqual([]);
  });

  it('is held by those alone who may see the page', async () => {
    const form = { network: '198.51.100.0/24', do: 'hold' };
    const own = { origin: guarded.url };
    expect((await post(guarded, form, own)).status).toBe(404);
    expect((await post(guarded, form, { ...own, 'x-forwarded-for': '10.0.3.2' })).status).toBe(404);
    expect((await post(open, form, { origin: open.url, via: '1.1 proxy' })).status).toBe(404);
    expect((await costsOf(guarded, '', admin)).holds).toEqual([]);
    expect((await post(guarded, form, { ...own, ...admin })).status).toBe(303);
    expect((await costsOf(guarded, '', admin)).holds).toMatchObject([{ network: '198.51.100.0/24' }]);
    await post(guarded, { ...form, do: 'release' }, { ...own, ...admin });
  });

  it.each([
    { network: 'everyone', do: 'hold' },
    { network: '198.51.100.0/8', do: 'hold' },
    { do: 'hold' },
    { network: '198.51.100.0/24', do: 'delete' },
    { network: '198.51.100.0/24' },
  ])('is not %j', async (form: Record<string, string>) => {
    const { status, body } = await post(open, form, { origin: open.url, accept: 'application/json' });
    expect(status).toBe(400);
    expect(JSON.parse(body.toString())).toMatchObject({ error: 'bad-request' });
  });

  it.each(['text/plain', 'application/json'])('is not held by a form that is too long (%s)', async (accept) => {
    const lines = open.logLines.length;
    const { status, body } = await post(open, { network: 'a'.repeat(5000) }, { 'x-forwarded-for': '10.0.3.2', accept });
    expect([status, body.toString()]).toEqual([413, expect.stringContaining('longer than this address takes')]);
    expect(open.logLines.slice(lines).join()).not.toContain('"level":50');
  });

  it('can’t be held where the shield is left out, and costs are counted', async () => {
    const app = await startApp({ library: { folders: [folder] }, withoutFeatures: ['shield'] });
    const report = await costsOf(app);
    expect([report.holds, report.budgets]).toEqual([undefined, undefined]);
    expect((await post(app, { network: '198.51.100.0/24', do: 'hold' }, { origin: app.url })).status).toBe(404);
    const text = (await app.get('/admin')).body.toString();
    expect(text).toContain('The shield is left out');
    expect(text).not.toContain('<button');
    expect((await costsOf(app)).total.requests).toBeGreaterThan(2);
    await app.close();
  });
});

it('The page is below the context path', async () => {
  const app = await startApp({ library: { folders: [folder] }, http: { contextPath: '/digilib' } });
  expect((await app.get('/digilib/admin')).status).toBe(200);
  expect((await app.get('/admin')).status).toBe(404);
  const form = { network: '198.51.100.0/24', do: 'hold' };
  const body = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.url };
  const held = await app.get('/digilib/admin', { method: 'POST', body, headers });
  expect(held.headers.location).toBe(`${app.url}/digilib/admin?over=60&by=ms`);
  await app.close();
});
