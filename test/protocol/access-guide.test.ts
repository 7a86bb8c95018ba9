/** Each configuration of “By task” in the guide of access: the server is started with it, and does what the guide says. */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { CookieClient } from '../sign-in/cookie-client.ts';
import { type Account, startProvider } from '../sign-in/provider.ts';
import { goldenFolders, type RunningApp, startApp } from './running-app.ts';

const guide = readFileSync(new URL('../../docs/guide/access.md', import.meta.url), 'utf8');
const [, tasksText = ''] = /\n## By task\n(.*?)\n## /s.exec(guide) ?? [];
const tasks = new Map(
  tasksText
    .split('\n### ')
    .slice(1)
    .map((section) => [section.split('\n')[0] ?? '', /```json\n(.*?)```/s.exec(section)?.[1] ?? ''] as const),
);

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-access-guide-'));
const sessionKeys = path.join(scratch, 'session-keys');
writeFileSync(sessionKeys, randomBytes(32).toString('base64url'));
const clientSecret = path.join(scratch, 'client-secret');
writeFileSync(clientSecret, 'secret');

const running: { close(): unknown }[] = [];
afterAll(async () => {
  for (const one of running) await one.close();
  rmSync(scratch, { recursive: true });
});
afterEach(() => vi.restoreAllMocks());

interface Given {
  /** What is at the place of `/srv/images`; the golden images by default. */
  readonly folders?: readonly string[];
  /** Replaces texts of the configuration, such as the address of a provider. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Whether this machine is a proxy that names the addresses of readers. */
  readonly isProxied?: boolean;
}

async function startTask(
  title: string,
  { folders = goldenFolders, replaced = {}, isProxied = false }: Given = {},
): Promise<RunningApp> {
  const files = { '/etc/lectern/session-keys': sessionKeys, '/etc/lectern/client-secret': clientSecret };
  let text = tasks.get(title) ?? '';
  for (const [from, to] of Object.entries({ ...files, ...replaced })) text = text.replaceAll(from, to);
  const settings = JSON.parse(text) as SettingsInput;
  expect(settings.library).toEqual({ folders: ['/srv/images'] });
  const http = isProxied ? { trustedProxies: ['127.0.0.1'] } : {};
  const app = await startApp({ ...settings, http: { ...http, ...settings.http }, library: { folders: [...folders] } });
  running.push(app);
  return app;
}

const page = '/iiif/3/books!book1!page0001.jpg/info.json';
const open = '/iiif/3/photos!odd1201x799.jpg/info.json';

const statusOf = async (app: RunningApp, target: string, headers: Readonly<Record<string, string>> = {}) =>
  (await app.get(target, { headers })).status;
const from = (address: string) => ({ 'x-forwarded-for': address });

it('has a test for each task', () => {
  expect([...tasks.keys()]).toEqual([
    'One closed folder',
    'Members see it large, everyone small',
    'On the computers of the reading room',
    'Closed until a date',
    'Keycloak',
    'Entra ID (Azure)',
    'Shibboleth by a proxy',
  ]);
});

it('One closed folder', async () => {
  const app = await startTask('One closed folder');
  expect([await statusOf(app, page), await statusOf(app, open)]).toEqual([401, 200]);
  const basic = (password: string) => ({ authorization: `Basic ${btoa(`anna:${password}`)}` });
  expect(await statusOf(app, page, basic('open sesame'))).toBe(200);
  expect(await statusOf(app, page, basic('open'))).toBe(401);
});

it('Members see it large, everyone small', async () => {
  const app = await startTask('Members see it large, everyone small', { isProxied: true });
  const widthFor = async (address: string) =>
    (
      JSON.parse(
        (await app.get('/api/dlInfo-json.jsp?fn=photos/land3000x2000.jpg', { headers: from(address) })).body.toString(),
      ) as Record<string, string>
    )['img.pix_x'];
  expect([await widthFor('192.0.2.1'), await widthFor('10.1.1.1')]).toEqual(['800', '3000']);
});

it('On the computers of the reading room', async () => {
  const app = await startTask('On the computers of the reading room');
  const statuses = await Promise.all(
    ['192.0.2.63', '192.0.2.64', '2001:db8:7::1', '2001:db8:8::1'].map((address) => statusOf(app, page, from(address))),
  );
  expect(statuses).toEqual([200, 401, 200, 401]);
  const readableBy = async (origin: string) =>
    (await app.get(page, { headers: { ...from('192.0.2.1'), origin } })).headers['access-control-allow-origin'];
  expect(await readableBy('https://catalogue.library.example')).toBe('https://catalogue.library.example');
  expect(await readableBy('https://evil.example')).toBeUndefined();
});

it('Closed until a date', async () => {
  const folder = path.join(scratch, 'library');
  cpSync(path.join(goldenFolders[0] ?? '', 'books/book1'), path.join(folder, 'books/book1'), { recursive: true });
  mkdirSync(path.join(folder, 'letters'));
  cpSync(path.join(folder, 'books/book1/page0001.jpg'), path.join(folder, 'letters/one.jpg'));
  writeFileSync(
    path.join(folder, 'letters/one.jpg.meta'),
    '<resource><meta><access-conditions><access type="estate"/></access-conditions></meta></resource>',
  );
  const setDate = (date: string) => vi.spyOn(Date, 'now').mockReturnValue(Date.parse(date));
  setDate('2031-06-30T23:59:59.999Z');
  const app = await startTask('Closed until a date', { folders: [folder], isProxied: true });
  const letter = '/iiif/3/letters!one.jpg/info.json';
  const everyone = async () => [await statusOf(app, page), await statusOf(app, letter)];
  expect(await everyone()).toEqual([401, 401]);
  expect([await statusOf(app, page, from('10.1.2.3')), await statusOf(app, letter, from('10.1.2.3'))]).toEqual([
    200, 200,
  ]);
  setDate('2031-07-01T00:00:00.000Z');
  expect(await everyone()).toEqual([401, 200]);
  expect((await app.get(letter)).headers['cache-control']).toContain('public');
  setDate('2045-01-01T00:00:00.000Z');
  expect(await everyone()).toEqual([200, 200]);
  // A clock that was wrong is set back.
  setDate('2031-06-30T00:00:00.000Z');
  expect(await everyone()).toEqual([401, 401]);
});

/** A provider of this machine at the place of that of the guide. */
async function startWithProvider(title: string, issuer: string, account: Account) {
  const provider = await startProvider({ account, secret: 'secret' });
  running.push(provider);
  const [from, to] = [issuer, provider.issuer];
  const app = await startTask(title, {
    replaced: { [`${from}/protocol/openid-connect/certs`]: `${to}/jwks`, [from]: to },
  });
  await provider.register({ redirectUris: [`${app.url}/sign-in/callback`] });
  return { app, provider };
}

describe.each([
  [
    'Keycloak',
    'https://login.example/realms/library',
    'scholar',
    (roles: readonly string[]) => ({ realm_access: { roles } }),
  ],
  [
    'Entra ID (Azure)',
    'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
    'Scholar',
    (roles: readonly string[]) => ({ roles }),
  ],
] as const)('%s', (title, issuer, role, claimsWith) => {
  it('lets in whom the provider gives the role, and nobody else', async () => {
    const anna = { id: 'anna', name: 'Anna Muster', groups: [], claims: claimsWith(['other', role]) };
    const { app, provider } = await startWithProvider(title, issuer, anna);
    const signedIn = async () => {
      const client = new CookieClient();
      await client.visit(`${app.url}/sign-in?to=browse/`);
      return (await client.visit(app.url + page)).status;
    };
    expect(await statusOf(app, page)).toBe(401);
    expect(await signedIn()).toBe(200);
    await provider.set({ account: { ...anna, claims: claimsWith(['other']) } });
    expect(await signedIn()).toBe(403);
  });
});

it('Shibboleth by a proxy', async () => {
  const app = await startTask('Shibboleth by a proxy');
  const withRoles = (roles: string) => statusOf(app, page, { 'x-lectern-roles': roles });
  expect(await withRoles('staff@library.example,member@library.example')).toBe(200);
  expect(await withRoles('staff@library.example')).toBe(403);
  expect(await statusOf(app, page)).toBe(401);
});
