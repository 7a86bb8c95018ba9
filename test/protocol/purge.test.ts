/** Proxies and CDNs are told what has changed: by whom, in which form, and again until they have taken it. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../src/app/settings/configuration.ts';
import { sourceSchema } from '../../src/app/settings/settings.ts';
import { purgeKeyOf } from '../../src/core/http/shared-caches.ts';
import { feature } from '../../src/features/purge/feature.ts';
import { type RunningApp, startApp } from './running-app.ts';

interface Taken {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-purge-'));
const at = (...names: readonly string[]): string => path.join(scratch, ...names);

/** What stands for the proxies and CDNs; Fastly’s answers with these statuses, all others with 200. */
let target: Server;
let port = 0;
let taken: Taken[] = [];
let statuses: number[] = [];
let app: RunningApp;

const writeScan = async (name: string, color: string): Promise<void> => {
  await sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .jpeg()
    .toFile(at('next'));
  renameSync(at('next'), at('library', name));
};

const secret = 'S3cret-token';

beforeAll(async () => {
  target = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      taken.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const status = url.startsWith('/service/') ? statuses.shift() : undefined;
      response.writeHead(status ?? 200, { location: '/elsewhere' }).end('ok');
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  ({ port } = target.address() as AddressInfo);
  mkdirSync(at('library', 'book'), { recursive: true });
  await writeScan('book/page.jpg', 'teal');
  await writeScan('book/other.jpg', 'teal');
  writeFileSync(at('secret'), `${secret}\n`);
  const address = `http://127.0.0.1:${port}`;
  app = await startApp({
    library: { folders: [at('library')] },
    http: { surrogateKeys: ['Surrogate-Key'] },
    purge: {
      watch: false,
      targets: [
        { name: 'fastly', template: 'fastly', address: `${address}/service/x/purge`, secretFile: at('secret') },
        { name: 'varnish', template: 'varnish', address: `${address}/varnish` },
        { name: 'cloudflare', template: 'cloudflare', address: `${address}/zones/x`, secretFile: at('secret') },
        { name: 'nginx', template: 'nginx', address: `${address}/nginx{url}`, secretFile: at('secret') },
        { name: 'own', address: `${address}/own/{key}`, method: 'DELETE', headers: { 'X-Own': 'yes' } },
      ],
    },
  });
});
/** What one test has caused arrives in no other one. */
afterEach(async () => {
  statuses = [];
  await vi.waitFor(
    async () => expect((await app.get('/metrics')).body.toString()).not.toMatch(/^lectern_purge_waiting\{.*\} [1-9]/m),
    { timeout: 20_000, interval: 50 },
  );
});
afterAll(async () => {
  await app.close();
  target.close();
  target.closeAllConnections();
  rmSync(scratch, { recursive: true });
});

const post = (paths: readonly string[], headers = {}, to: RunningApp = app) =>
  to.get('/api/purge', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ paths }),
  });

const keysOf = async (address: string): Promise<readonly string[]> =>
  String((await app.get(address)).headers['surrogate-key']).split(' ');

const takenBy = (prefix: string): readonly Taken[] => taken.filter(({ url }) => url.startsWith(prefix));

/** Waits until a target has taken requests that together have a text. */
const told = (prefix: string, text: string): Promise<readonly Taken[]> =>
  vi.waitFor(
    () => {
      const own = takenBy(prefix);
      expect(JSON.stringify(own)).toContain(text);
      return own;
    },
    { timeout: 20_000, interval: 50 },
  );

describe('POST /api/purge', () => {
  it('has each target forget an image, by a key that its answers have', async () => {
    taken = [];
    const [root = '', folder = '', page = ''] = await keysOf('/iiif/3/book!page.jpg/full/50,/0/default.jpg');
    const answer = await post(['book/page']);
    expect([answer.status, answer.headers['cache-control']]).toEqual([202, 'no-store']);
    expect(JSON.parse(answer.body.toString())).toEqual({
      targets: ['fastly', 'varnish', 'cloudflare', 'nginx', 'own'],
    });
    const [fastly] = await told('/service/x/purge', page);
    expect(fastly).toMatchObject({ method: 'POST', headers: { 'fastly-key': secret, accept: 'application/json' } });
    expect(String(fastly?.headers['surrogate-key']).split(' ')).toContain(page);
    const [varnish] = await told('/varnish', page);
    expect(varnish).toMatchObject({ method: 'PURGE' });
    expect(varnish?.headers['surrogate-key']).toMatch(/^l[0-9a-f]{16}(?:\|l[0-9a-f]{16})*$/);
    const [cloudflare] = await told('/zones/x', page);
    expect(cloudflare).toMatchObject({ method: 'POST', headers: { authorization: `Bearer ${secret}` } });
    expect(JSON.parse(cloudflare?.body ?? '').tags).toContain(page);
    const [own] = await told('/own/', page);
    expect(own).toMatchObject({ method: 'DELETE', headers: { 'x-own': 'yes' } });
    await told('/nginx', '/nginx/iiif/3/book!page.jpg/info.json');
    const nginx = await told('/nginx', '/nginx/presentation/3/book/manifest.json');
    expect(nginx[0]).toMatchObject({ method: 'GET', headers: { 'x-lectern-renew': secret } });
    // Neither its neighbors nor everything.
    for (const key of [root, folder]) expect(JSON.stringify(taken)).not.toContain(key);
  });

  it('has them forget a folder, and everything', async () => {
    const [root = '', folder = ''] = await keysOf('/presentation/3/book/manifest.json');
    taken = [];
    await post(['book/']);
    await told('/service/x/purge', folder);
    expect(JSON.stringify(taken)).not.toContain(root);
    await post(['/']);
    await told('/service/x/purge', root);
  });

  it.each([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of another site in an old browser', { origin: 'https://evil.example' }],
    ['a form', { 'content-type': 'text/plain' }],
    ['somebody behind a proxy', { 'x-forwarded-for': '203.0.113.1' }],
  ])('refuses %s', async (_who, headers) => {
    taken = [];
    const answer = await post(['book'], headers);
    expect([answer.status, answer.headers['cache-control']]).toEqual([403, 'no-store']);
    expect(taken).toEqual([]);
  });

  it.each([
    ['no JSON', 'x'],
    ['no paths', '{"paths":[]}'],
    ['a path outside of the library', '{"paths":["../etc"]}'],
    ['something else', '{"paths":["a"],"all":true}'],
  ])('refuses %s', async (_what, body) => {
    const headers = { 'content-type': 'application/json' };
    expect((await app.get('/api/purge', { method: 'POST', headers, body })).status).toBe(400);
  });

  it('is for the role admin where there are rules', async () => {
    const guarded = await startApp({
      library: { folders: [at('library')] },
      http: { trustedProxies: ['127.0.0.1'] },
      access: { rolesHeader: 'x-roles', paths: [{ path: 'book', roles: ['members'] }] },
      purge: {
        watch: false,
        targets: [{ name: 'v', template: 'varnish', address: `http://127.0.0.1:${port}/guarded` }],
      },
    });
    for (const [roles, status] of [
      ['members', 403],
      ['admin', 202],
    ] as const)
      expect((await post(['book'], { 'x-roles': roles }, guarded)).status).toBe(status);
    // Paths that there are not are answered as those that there are.
    expect((await post(['nowhere'], { 'x-roles': 'admin' }, guarded)).status).toBe(202);
    await guarded.close();
  });
});

describe('a target that fails', () => {
  it.each([
    ['an error', 500],
    ['a refusal', 403],
    ['a redirect, which is not followed', 302],
  ])(
    'is asked again after %s, and the log and the metrics say so without the secret',
    async (_what, status) => {
      taken = [];
      const [, , page = ''] = await keysOf('/iiif/3/book!page.jpg/info.json');
      const linesBefore = app.logLines.length;
      statuses = [status];
      await post(['book/page.jpg']);
      await vi.waitFor(() => expect(takenBy('/service/x/purge').length).toBe(2), { timeout: 30_000, interval: 50 });
      for (const { headers } of takenBy('/service/x/purge')) expect(String(headers['surrogate-key'])).toContain(page);
      expect(takenBy('/elsewhere')).toEqual([]);
      await vi.waitFor(async () => {
        const text = (await app.get('/metrics')).body.toString();
        expect(text).toMatch(/^lectern_purge_failures_total\{target="fastly"\} [1-9]/m);
        expect(text).toMatch(/^lectern_purge_waiting\{target="fastly"\} 0$/m);
        expect(text).toMatch(/^lectern_purged_total\{target="fastly"\} [1-9]/m);
      });
      const lines = app.logLines.slice(linesBefore).join('\n');
      expect(app.logLines.join('\n')).toContain('can’t be purged from fastly');
      expect(lines).not.toContain(secret);
    },
    60_000,
  );
});

describe('what has changed', () => {
  it('is purged when a request finds another file than the one before', async () => {
    const picture = '/iiif/3/book!page.jpg/full/50,/0/default.jpg';
    const [, , page = ''] = await keysOf(picture);
    taken = [];
    await writeScan('book/page.jpg', 'maroon');
    await vi.waitFor(
      async () => {
        await app.get(picture);
        expect(JSON.stringify(takenBy('/service/x/purge'))).toContain(page);
      },
      { timeout: 20_000, interval: 200 },
    );
    const [, , other = ''] = await keysOf('/iiif/3/book!other.jpg/info.json');
    expect(JSON.stringify(taken)).not.toContain(other);
  });

  it('is purged when a walk finds another manifest, or none', async () => {
    const [, folder = ''] = await keysOf('/presentation/3/book/manifest.json');
    mkdirSync(at('library', 'leaving'));
    await writeScan('leaving/page.jpg', 'teal');
    const [, leaving = ''] = await keysOf('/presentation/3/leaving/manifest.json');
    const own = `http://127.0.0.1:${port}/walked`;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const walking = await startApp({
      library: { folders: [at('library')] },
      changes: { refreshMinutes: 1 },
      purge: { targets: [{ name: 'v', template: 'varnish', address: own }] },
    });
    try {
      const walk = async () => {
        vi.setSystemTime(Date.now() + 61_000);
        expect((await walking.get('/activity/all-changes.json')).status).toBe(200);
      };
      await walk();
      taken = [];
      writeFileSync(at('library', 'book', 'metadata.yaml'), 'label: Another name\n');
      rmSync(at('library', 'leaving'), { recursive: true });
      await vi.waitFor(
        async () => {
          await walk();
          expect(JSON.stringify(takenBy('/walked'))).toContain(folder);
          expect(JSON.stringify(takenBy('/walked'))).toContain(leaving);
        },
        { timeout: 20_000, interval: 200 },
      );
    } finally {
      vi.useRealTimers();
      await walking.close();
    }
  }, 40_000);
});

describe('what others tell', () => {
  let settings: ReturnType<typeof readSettings>;
  beforeAll(() => {
    const target = { name: 'v', template: 'varnish', address: `http://127.0.0.1:${port}/told` } as const;
    settings = readSettings({ library: { folders: [at('library')] }, purge: { targets: [target] } }, {}, undefined);
  });
  const opening = () => {
    const library = { pathsOf: async () => [] };
    const logger = { warn: () => undefined, info: () => undefined };
    return feature.open({ settings, resources: { library }, logger } as never);
  };
  const addTo = async (opened: ReturnType<typeof opening>, access: unknown) =>
    (await opened.add({ settings: { ...settings, access }, callers: {} } as never)).ports;

  it('purges the images of objects and the paths that have changed', async () => {
    taken = [];
    const opened = opening();
    const ports = await addTo(opened, undefined);
    expect(ports?.watchesLibrary).toBe(true);
    ports?.libraryChanged?.({ stored: [at('library', 'book', 'page.jpg')], paths: ['other'] });
    await told('/told', purgeKeyOf('book/page.jpg'));
    await told('/told', purgeKeyOf('other'));
    expect(JSON.stringify(taken)).not.toContain(purgeKeyOf(''));
    await opened.close?.();
  });

  it('purges everything when other rules of access are read, and nothing for the same', async () => {
    taken = [];
    const opened = opening();
    const rules = { paths: [{ path: 'book', roles: ['members'] }] };
    await addTo(opened, rules);
    (await addTo(opened, structuredClone(rules)))?.libraryChanged?.({ paths: ['book'] });
    await told('/told', purgeKeyOf('book'));
    expect(JSON.stringify(taken)).not.toContain(purgeKeyOf(''));
    await addTo(opened, undefined);
    await told('/told', purgeKeyOf(''));
    await opened.close?.();
  });
});

describe('the guide', () => {
  const guide = readFileSync(fileURLToPath(new URL('../../docs/guide/caches.md', import.meta.url)), 'utf8');
  const examples = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);

  it('has examples', () => expect(examples.length).toBeGreaterThan(1));

  it.each(examples)('has settings that can be used: %#', (text) => {
    const { error } = sourceSchema.safeParse(JSON.parse(text));
    expect(error?.message).toBeUndefined();
  });
});
