/** The caches of `deploy`, by the programs themselves: what nginx and Varnish keep of Lectern's answers, and forget. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findProgram } from '../../scripts/test-needs.mjs';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { startNginx } from '../fixtures/nginx.ts';
import { freePort } from '../fixtures/redis-server.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-caching-'));
const at = (...names: readonly string[]): string => path.join(scratch, ...names);
const members = { 'x-roles': 'members' };
const picture = '/iiif/3/open!page.jpg/full/50,/0/default.jpg';
const info = '/iiif/3/open!page.jpg/info.json';
const closed = '/iiif/3/closed!page.jpg/full/50,/0/default.jpg';

/** Each would be in the addresses of a document that everyone gets from the cache. */
const foreignOrigins = [
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-prefix': '/evil' },
  { forwarded: 'host=evil.example;proto=https' },
];

async function writeScan(name: string, width: number): Promise<void> {
  mkdirSync(path.dirname(at('library', name)), { recursive: true });
  await sharp({ create: { width, height: 60, channels: 3, background: 'teal' } })
    .jpeg()
    .toFile(at('next'));
  renameSync(at('next'), at('library', name));
}

beforeAll(async () => {
  await writeScan('open/page.jpg', 90);
  await writeScan('closed/page.jpg', 90);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const startBehind = (purge: SettingsInput['purge']): Promise<RunningApp> =>
  startApp({
    library: { folders: [at('library')] },
    http: {
      trustedProxies: ['127.0.0.1'],
      cacheControl: 'public, max-age=60, s-maxage=2592000',
      surrogateKeys: ['Surrogate-Key'],
    },
    access: { rolesHeader: 'x-roles', paths: [{ path: 'closed', roles: ['members'] }] },
    ...(purge && { purge: { watch: false, ...purge } }),
  });

const purge = (app: RunningApp, paths: readonly string[]) =>
  app.get('/api/purge', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-roles': 'admin' },
    body: JSON.stringify({ paths }),
  });

interface Proxied {
  readonly status: number;
  readonly width: number | undefined;
  readonly isKept: boolean;
  readonly headers: Headers;
}

describe('nginx', { tags: 'nginx' }, () => {
  let app: RunningApp;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  let base = '';
  beforeAll(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    writeFileSync(at('secret'), 'a-secret-of-the-test');
    app = await startBehind({
      targets: [{ name: 'nginx', template: 'nginx', address: `${base}{url}`, secretFile: at('secret') }],
    });
    const edit = (text: string): string =>
      text
        .replace('/var/cache/nginx/lectern', at('nginx-cache'))
        .replace('REPLACE-BY-A-LONG-RANDOM-WORD', 'a-secret-of-the-test');
    nginx = await startNginx({ example: 'nginx-cache.conf', edit, port, servers: [app.port] });
  });
  afterAll(async () => {
    nginx.close();
    await app.close();
  });

  const ask = async (address: string, headers = {}): Promise<Proxied> => {
    const answer = await fetch(base + address, { headers });
    const text = await answer.text();
    const { width } = address === info ? (JSON.parse(text) as { width: number }) : { width: undefined };
    return { status: answer.status, width, isKept: answer.headers.get('x-cache') === 'HIT', headers: answer.headers };
  };

  it('keeps what everyone may see, and nothing else', async () => {
    for (const address of [picture, info, '/txt/none.txt', closed]) await ask(address, members);
    expect(await ask(picture)).toMatchObject({ status: 200, isKept: true });
    expect(await ask(info)).toMatchObject({ status: 200, isKept: true });
    expect(await ask(closed)).toMatchObject({ status: 401, isKept: false });
    expect(await ask(closed, members)).toMatchObject({ status: 200, isKept: false });
    expect(await ask('/txt/none.txt')).toMatchObject({ status: 404, isKept: false });
    expect(await ask(info, { accept: 'application/ld+json' })).toMatchObject({ isKept: false });
  });

  it('stores documents anew that are purged, so that pictures have another version', async () => {
    expect(await ask(info)).toMatchObject({ width: 90, isKept: true });
    const before = (await ask(info)).headers.get('lectern-version');
    await writeScan('open/page.jpg', 80);
    await vi.waitFor(async () => expect(JSON.parse((await app.get(info)).body.toString()).width).toBe(80));
    expect((await purge(app, ['open/page.jpg'])).status).toBe(202);
    const after = await vi.waitFor(
      async () => {
        const answer = await ask(info);
        expect(answer).toMatchObject({ width: 80, isKept: true });
        return answer;
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(after.headers.get('lectern-version')).not.toBe(before);
  });

  it.each(foreignOrigins)('keeps no addresses that a client chose by %j', async (headers) => {
    const address = `${info}?by=${Object.keys(headers)[0]}`;
    for (const sent of [headers, {}])
      expect(await (await fetch(base + address, { headers: sent })).json()).toMatchObject({
        id: `${base}/iiif/3/open!page.jpg`,
      });
  });

  it('lets nobody renew without the secret', async () => {
    await ask(picture);
    expect(await ask(picture, { 'x-lectern-renew': 'guess' })).toMatchObject({ isKept: true });
    expect(await ask(picture, { 'x-lectern-renew': 'a-secret-of-the-test' })).toMatchObject({ isKept: false });
  });
});

describe('Varnish', { tags: 'varnish' }, () => {
  let app: RunningApp;
  let varnish: ChildProcess;
  let base = '';
  beforeAll(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    app = await startBehind({ targets: [{ name: 'varnish', template: 'varnish', address: `${base}/` }] });
    const example = fileURLToPath(new URL('../../deploy/varnish.vcl', import.meta.url));
    const text = readFileSync(example, 'utf8').replace(/\.port = "808\d";/g, `.port = "${app.port}";`);
    writeFileSync(at('example.vcl'), text);
    const args = [
      '-F',
      '-a',
      `127.0.0.1:${port}`,
      '-f',
      at('example.vcl'),
      '-n',
      at('varnish'),
      '-s',
      'malloc,32m',
      '-j',
      'none',
    ];
    varnish = spawn(findProgram('varnishd') ?? 'varnishd', args, { stdio: 'ignore' });
    const isReady = async () => expect((await fetch(base + info)).status).toBe(200);
    await vi.waitFor(isReady, { timeout: 60_000, interval: 200 });
  }, 90_000);
  afterAll(async () => {
    varnish.kill('SIGTERM');
    await app.close();
  });

  /** Varnish names two transactions of an answer that it has kept. */
  const ask = async (address: string, headers = {}): Promise<Proxied> => {
    const answer = await fetch(base + address, { headers });
    await answer.arrayBuffer();
    const isKept = /\d \d/.test(answer.headers.get('x-varnish') ?? '');
    return { status: answer.status, width: undefined, isKept, headers: answer.headers };
  };

  it('keeps what everyone may see, and nothing else, and tells no keys', async () => {
    for (const address of [picture, info, closed]) await ask(address, members);
    expect(await ask(picture)).toMatchObject({ status: 200, isKept: true });
    expect((await ask(picture)).headers.get('surrogate-key')).toBeNull();
    expect(await ask(closed)).toMatchObject({ status: 401, isKept: false });
    expect(await ask(closed, members)).toMatchObject({ status: 200, isKept: false });
  });

  it('forgets an image that is purged, and no other', async () => {
    await writeScan('open/other.jpg', 90);
    const other = picture.replace('page', 'other');
    for (const address of [picture, other, picture, other]) await ask(address);
    expect((await purge(app, ['open/page.jpg'])).status).toBe(202);
    await vi.waitFor(async () => expect(await ask(picture)).toMatchObject({ isKept: false }), {
      timeout: 20_000,
      interval: 100,
    });
    expect(await ask(picture)).toMatchObject({ isKept: true });
    expect(await ask(other)).toMatchObject({ isKept: true });
  });

  it.each(foreignOrigins)('keeps no addresses that a client chose by %j', async (headers) => {
    const address = `${info}?by=${Object.keys(headers)[0]}`;
    for (const sent of [headers, {}])
      expect(await (await fetch(base + address, { headers: sent })).json()).toMatchObject({
        id: `${base}/iiif/3/open!page.jpg`,
      });
  });

  it.each([[undefined], ['.*'], ['l0123456789abcdef|.'], ['l0123456789abcdef && req.url ~ .']])(
    'purges by keys alone, not by %j',
    async (key) => {
      const answer = await fetch(base, { method: 'PURGE', headers: key === undefined ? {} : { 'surrogate-key': key } });
      expect(answer.status).toBe(400);
    },
  );
});
