/** People sign in at a provider of OpenID Connect, and sign out here, there, and by the provider itself. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { CookieClient, type Visit } from '../sign-in/cookie-client.ts';
import { type Account, startProvider, type TestProvider } from '../sign-in/provider.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-sign-in-'));
const newKey = (): string => randomBytes(32).toString('base64url');
const anna: Account = { id: 'anna', name: 'Anna Muster', groups: ['staff'] };
const guest: Account = { id: 'gast', name: 'Gast', groups: [] };

const realNow = Date.now;
/** Sets the server's clock ahead, until the end of the test; the provider is a process of its own. */
const setClockAhead = (minutes: number): void => {
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + minutes * 60_000);
};
afterEach(() => vi.restoreAllMocks());

/** Sites that tests share, by their options. */
const sites = new Map<string, Promise<Site>>();
afterAll(async () => {
  for (const site of sites.values()) {
    const { app, provider } = await site;
    await app.close();
    await provider.close();
  }
  rmSync(scratch, { recursive: true });
});

type ProviderOptions = Partial<Parameters<typeof startProvider>[0]>;
type SignInInput = Partial<NonNullable<SettingsInput['signIn']>>;

interface Site {
  readonly app: RunningApp;
  readonly provider: TestProvider;
  readonly base: string;
  readonly keysFile: string;
  readonly client: CookieClient;
}

const access = {
  claims: [{ claim: 'groups', value: 'staff', roles: ['members'] }],
  paths: [{ path: 'books', roles: ['members'] }],
};

type Options = [given?: ProviderOptions, signIn?: SignInInput, settings?: SettingsInput];

/** A site with these options, to which a new browser comes. */
async function startSite(...options: Options): Promise<Site> {
  const key = JSON.stringify(options);
  const site = sites.get(key) ?? start(...options);
  sites.set(key, site);
  const shared = await site;
  const { account = anna } = options[0] ?? {};
  await shared.provider.set({ account, fault: null });
  return { ...shared, client: new CookieClient() };
}

async function start(
  given: ProviderOptions = {},
  signIn: SignInInput = {},
  settings: SettingsInput = {},
): Promise<Site> {
  const keysFile = path.join(scratch, `keys-${sites.size}`);
  writeFileSync(keysFile, newKey());
  const provider = await startProvider({ account: anna, ...given });
  const { provider: ofProvider, ...others } = signIn;
  const app = await startApp({
    access,
    ...settings,
    signIn: {
      keysFile,
      provider: { issuer: provider.issuer, clientId: 'lectern', ...ofProvider },
      ...others,
    },
  });
  const contextPath = settings.http?.contextPath ?? '';
  const base = `${app.url}${contextPath}`;
  await provider.register({
    redirectUris: [`${base}/sign-in/callback`],
    logoutUris: [`${base}/`],
    backChannelUri: `${base}/sign-in/backchannel-logout`,
  });
  return { app, provider, base, keysFile, client: new CookieClient() };
}

const closed = '/iiif/3/books!book1!page0001.jpg/info.json';

const signIn = ({ client, base }: Site, to = ''): Promise<Visit> =>
  client.visit(`${base}/sign-in?to=${encodeURIComponent(to)}`);

const sessionOf = async ({ client, base }: Site): Promise<unknown> =>
  JSON.parse((await client.visit(`${base}/api/session.json`)).text);

const statusOf = async ({ client, base }: Site, target = closed): Promise<number> =>
  (await client.visit(base + target)).status;

const signOut = ({ client, base }: Site): Promise<Visit> =>
  client.visit(`${base}/sign-out`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });

const pauseUntil = async (isDone: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 100 && !(await isDone()); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
};

describe('a sign-in', () => {
  it('leads to the provider and back to the page, and opens what its claims open', async () => {
    const site = await startSite();
    expect(await statusOf(site)).toBe(401);
    expect(await sessionOf(site)).toEqual({ name: null, roles: [] });
    const { url, status, way } = await signIn(site, 'view/books/book1?pn=2');
    expect([url, status]).toEqual([`${site.base}/view/books/book1?pn=2`, 200]);
    expect(way[1]).toMatch(/code_challenge_method=S256/);
    expect(await statusOf(site)).toBe(200);
    expect(await sessionOf(site)).toEqual({ name: 'Anna Muster', roles: ['members'] });
  });

  it('opens nothing to whom no rule gives a role, and says 403 then', async () => {
    const site = await startSite({ account: guest });
    await signIn(site);
    expect(await sessionOf(site)).toEqual({ name: 'Gast', roles: [] });
    expect(await statusOf(site)).toBe(403);
  });

  it('takes roles from a claim, and claims from the other address where the ID token has none', async () => {
    const site = await startSite(
      { claimsInToken: false },
      { provider: { rolesClaim: 'groups', roles: ['known'] } as never },
    );
    await signIn(site);
    expect(await sessionOf(site)).toEqual({ name: 'Anna Muster', roles: ['known', 'staff', 'members'] });
  });

  it('works with a secret of the client, below a context path', async () => {
    const clientSecretFile = path.join(scratch, 'secret');
    writeFileSync(clientSecretFile, 'geheim:%+ ?\n');
    const given = { secret: 'geheim:%+ ?' };
    const site = await startSite(
      given,
      { provider: { clientSecretFile } as never },
      { http: { contextPath: '/digilib' } },
    );
    const { url, setCookies } = await signIn(site, 'browse/');
    expect(url).toBe(`${site.base}/browse/`);
    expect(setCookies.find((cookie) => cookie.startsWith('lectern_session='))).toContain('Path=/digilib/;');
    expect(await statusOf(site)).toBe(200);
  });

  it.each([120_000, -120_000])('works with a provider whose clock differs by %i ms', async (clockMs) => {
    const site = await startSite({ clockMs });
    await signIn(site);
    expect(await statusOf(site)).toBe(200);
  });

  it('works after the provider has rotated its keys, without a pause', async () => {
    const site = await startSite();
    await signIn(site);
    await site.provider.rotateKeys();
    const other = { ...site, client: new CookieClient() };
    await signIn(other);
    expect(await statusOf(other)).toBe(200);
    expect(await statusOf(site)).toBe(200);
  });

  it('of two tabs at the same time works in both', async () => {
    const site = await startSite();
    const begun = await site.client.visit(`${site.base}/sign-in?to=view/books`, { redirects: 0 });
    await signIn(site, 'browse/books');
    const { url } = await site.client.visit(String(begun.headers.get('location')));
    expect(url).toBe(`${site.base}/view/books`);
    expect(await statusOf(site)).toBe(200);
  });

  it('is finished in the browser alone that began it, and once', async () => {
    const site = await startSite();
    const begun = await site.client.visit(`${site.base}/sign-in`, { redirects: 0 });
    const atProvider = await site.client.visit(String(begun.headers.get('location')), { redirects: 2 });
    const callback = String(atProvider.headers.get('location'));
    expect(callback).toContain(`${site.base}/sign-in/callback?code=`);
    const victim = { ...site, client: new CookieClient() };
    expect((await victim.client.visit(callback)).status).toBe(400);
    expect(victim.client.names()).toEqual([]);
    const thief = site.client.copy();
    expect((await site.client.visit(callback)).status).toBe(200);
    expect((await thief.visit(callback)).status).toBe(403);
    expect(thief.value('lectern_session')).toBeUndefined();
  });

  it.each([
    ['//evil.example/', ''],
    ['https://evil.example/x', ''],
    ['/\\evil.example', ''],
    ['\\\\evil.example', ''],
    ['javascript:alert(1)', ''],
    ['browse/../../x', ''],
    ['http://user@evil.example', ''],
    ['view/a%20b?x=1#y', 'view/a%20b?x=1#y'],
  ])('leads to %s nowhere but to this server', async (to, expected) => {
    const site = await startSite({}, {}, { http: { contextPath: '/lib' } });
    const { way } = await signIn(site, to);
    const end = way[way.findIndex((one) => one.includes('/sign-in/callback')) + 1];
    expect(end).toBe(`${site.base}/${expected}`);
  });

  it('says so where the provider does not answer, and works once it does', async () => {
    // Nothing is known of the provider yet.
    const site = await startSite({}, { maxHours: 8 });
    await site.provider.set({ fault: 'fails' });
    const { status, text } = await signIn(site);
    expect([status, text]).toEqual([504, 'The provider of the sign-in does not answer; try it again later.\n']);
    await site.provider.set({ fault: null });
    await signIn(site);
    expect(await statusOf(site)).toBe(200);
  });
});

describe('tokens of a sign-in', () => {
  it('count for this client and of this provider alone', async () => {
    const site = await startSite();
    // The provider of another server, at which the same person has an account: its codes are not taken.
    const other = await startSite({ account: { ...anna, id: 'mallory' } });
    const begun = await site.client.visit(`${site.base}/sign-in`, { redirects: 0 });
    const state = new URL(String(begun.headers.get('location'))).searchParams.get('state');
    const there = await other.client.visit(`${other.base}/sign-in`, { redirects: 3 });
    const code = new URL(String(there.headers.get('location'))).searchParams.get('code');
    for (const issuer of [site.provider.issuer, other.provider.issuer]) {
      const query = new URLSearchParams({ code: String(code), state: String(state), iss: issuer });
      expect((await site.client.copy().visit(`${site.base}/sign-in/callback?${query}`)).status).toBe(403);
    }
    expect(await statusOf(site)).toBe(401);
  });
});

describe('a session', () => {
  it('has a cookie that scripts and other sites do not get, and HTTPS alone where the reader uses that', async () => {
    const site = await startSite({}, {}, { http: { trustedProxies: ['127.0.0.1'] } });
    const { setCookies } = await signIn(site);
    const cookie = setCookies.find((line) => line.startsWith('lectern_session='));
    expect(cookie).toMatch(/^lectern_session=[\w.-]+; Max-Age=3\d{4}; Path=\/; HttpOnly; SameSite=Lax$/);
    const secure = await site.client.visit(`${site.base}/sign-in`, {
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'library.example' },
      redirects: 0,
    });
    expect(secure.setCookies[0]).toMatch(/; Path=\/sign-in; HttpOnly; Secure; SameSite=Lax$/);
    expect(secure.headers.get('location')).toContain(encodeURIComponent('https://library.example/sign-in/callback'));
  });

  it('tells nothing of itself, and is not opened by another server or after a change', async () => {
    const site = await startSite();
    await signIn(site);
    const value = String(site.client.value('lectern_session'));
    expect(Buffer.from(value.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toMatch(/anna|staff/i);
    const changed = `${value.slice(0, -4)}${value.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const thief = { ...site, client: new CookieClient() };
    thief.client.set('lectern_session', changed, site.base);
    expect(await statusOf(thief)).toBe(401);
    expect(await sessionOf(thief)).toEqual({
      name: null,
      roles: [],
      fault: 'The session is over; sign in again.',
    });
  });

  it('of a chosen cookie is not taken on: nobody can fix one before the sign-in', async () => {
    const site = await startSite();
    site.client.set('lectern_session', 'chosen', site.base);
    await signIn(site);
    expect(site.client.value('lectern_session')).not.toBe('chosen');
    const first = site.client.value('lectern_session');
    await signIn(site);
    expect(site.client.value('lectern_session')).not.toBe(first);
  });

  it('goes on when its key is rotated, and ends when that is deleted', async () => {
    const site = await startSite({}, { maxHours: 9 });
    const { keysFile } = site;
    await signIn(site);
    const first = readFileSync(keysFile, 'utf8');
    writeFileSync(keysFile, `${newKey()}\n${first}\n`);
    utimesSync(keysFile, 1, 1);
    expect(await statusOf(site)).toBe(200);
    writeFileSync(keysFile, `${newKey()}\n`);
    utimesSync(keysFile, 2, 2);
    expect(await statusOf(site)).toBe(401);
  });

  it('ends after its time', async () => {
    const site = await startSite({}, { maxHours: 1 });
    await signIn(site);
    setClockAhead(59);
    expect(await statusOf(site)).toBe(200);
    setClockAhead(61);
    expect(await statusOf(site)).toBe(401);
  });

  it('sent with an answer that everyone may see is never in its headers', async () => {
    const site = await startSite({}, { refreshMinutes: 1 / 60_000 });
    await signIn(site);
    const open = await site.client.visit(`${site.base}/iiif/3/photos!odd1201x799.jpg/info.json`);
    expect([open.status, open.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400',
    ]);
    expect(open.setCookies).toEqual([]);
    const own = await site.client.visit(site.base + closed);
    expect(own.status).toBe(200);
    expect(own.setCookies.some((cookie) => cookie.startsWith('lectern_session='))).toBe(true);
  });
});

describe('a session that the provider is asked about', () => {
  const often = { refreshMinutes: 1 / 60_000 };

  it('has the roles that the person has now', async () => {
    const site = await startSite({}, often);
    await signIn(site);
    expect(await statusOf(site)).toBe(200);
    await site.provider.set({ account: { ...anna, groups: [] } });
    expect(await statusOf(site)).toBe(403);
    expect(await sessionOf(site)).toEqual({ name: 'Anna Muster', roles: [] });
  });

  it('is over where the account is gone', async () => {
    const site = await startSite({}, often);
    await signIn(site);
    await site.provider.set({ account: guest });
    expect(await statusOf(site)).toBe(401);
    await site.provider.set({ account: anna });
    expect(await statusOf(site)).toBe(401);
  });

  it('goes on for a while where the provider does not answer', async () => {
    const site = await startSite({}, { refreshMinutes: 2 });
    await signIn(site);
    await site.provider.set({ fault: 'fails' });
    setClockAhead(3);
    expect(await statusOf(site)).toBe(200);
    setClockAhead(13);
    expect(await statusOf(site)).toBe(401);
    expect(site.app.logLines.some((line) => line.includes('provider of the sign-in does not answer'))).toBe(true);
  });

  it('asks once for many requests, with each token once', async () => {
    const site = await startSite({ rotates: true }, { refreshMinutes: 2 });
    await signIn(site);
    await site.provider.takeRequests();
    setClockAhead(3);
    const many = await Promise.all(Array.from({ length: 12 }, () => site.client.copy().visit(site.base + closed)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    const asked = await site.provider.takeRequests();
    expect(asked.filter((request) => request === 'POST /token')).toHaveLength(1);
    setClockAhead(6);
    // The browser still has the first cookie.
    expect(await statusOf(site)).toBe(200);
  });
});

describe('a sign-out', () => {
  it('ends the session here and there, also for a copy of the cookie', async () => {
    const site = await startSite();
    await signIn(site);
    const thief = { ...site, client: site.client.copy() };
    const { status, text } = await signOut(site);
    const { address } = JSON.parse(text) as { address: string };
    expect([status, address]).toEqual([200, expect.stringContaining(`${site.provider.issuer}/session/end?`)]);
    expect(site.client.names().filter((name) => name.startsWith('lectern'))).toEqual([]);
    expect(await statusOf(site)).toBe(401);
    expect(await statusOf(thief)).toBe(401);
    expect((await site.client.visit(address)).status).toBe(200);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another site, as browsers say', { 'sec-fetch-site': 'cross-site' }],
    ['a program that names no site', {}],
  ])('that %s asks for is refused', async (_who, headers) => {
    const site = await startSite();
    await signIn(site);
    const { status } = await site.client.visit(`${site.base}/sign-out`, { method: 'POST', headers });
    expect(status).toBe(403);
    expect(await statusOf(site)).toBe(200);
    expect((await site.client.visit(`${site.base}/sign-out`)).status).toBe(404);
  });

  it('at the provider ends all sessions of that browser here, by the back channel', async () => {
    const site = await startSite();
    await signIn(site);
    const tab = { ...site, client: site.client.copy() };
    const elsewhere = { ...site, client: new CookieClient() };
    await signIn(elsewhere);
    const page = await site.client.visit(`${site.provider.issuer}/session/end`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    await site.client.visit(`${site.provider.issuer}/session/end/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    });
    await pauseUntil(async () => (await statusOf(tab)) === 401);
    expect(await statusOf(tab)).toBe(401);
    expect(await statusOf(elsewhere)).toBe(200);
  });

  it.each(['', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm5hIn0.'])(
    'by the back channel with the token %j is refused',
    async (token) => {
      const site = await startSite();
      await signIn(site);
      const { status } = await site.client.visit(`${site.base}/sign-in/backchannel-logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
      });
      expect(status).toBe(400);
      expect(await statusOf(site)).toBe(200);
    },
  );
});
