// @module-tag chromium
// @module-tag openssl
/** A page of another site lets its reader sign in here, and reads by a token what that reader may see. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/features/sign-in/passwords.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { type HttpsFront, startHttpsFront } from '../sign-in/https-front.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, serveFiles, type TestBrowser } from './browser.ts';

let folder: string;
let app: RunningApp;
let front: HttpsFront;
let browser: TestBrowser;
let context: BrowserContext;
/** The viewer, and a page of somebody else, each a site of its own beside that of the library. */
let viewer: { readonly url: string; close(): void };
let other: { readonly url: string; close(): void };

/** A small client of Authorization Flow 2.0. */
const clientPage = `<!doctype html><title>Viewer</title><link rel="icon" href="data:,"><h1>Viewer</h1><iframe></iframe><script>
const base = new URLSearchParams(location.search).get('base');
const read = async (address, token) =>
  (await fetch(base + address, token ? { headers: { authorization: 'Bearer ' + token } } : {})).json();
const received = [];
addEventListener('message', ({ data, origin }) => received.push({ data, origin }));
let last = 0;
const askFor = (origin = location.origin) => {
  const messageId = String(++last);
  const query = new URLSearchParams({ messageId, origin });
  document.querySelector('iframe').src = base + '/iiif-auth/token/2?' + query;
  return messageId;
};
const tokenFor = async (origin) => {
  const messageId = askFor(origin);
  while (!received.some(({ data }) => data.messageId === messageId)) await new Promise((done) => setTimeout(done, 20));
  const message = received.find(({ data }) => data.messageId === messageId);
  if (message.origin !== base) throw new Error('from ' + message.origin);
  return message.data;
};
const show = (address) => new Promise((done) => {
  const image = Object.assign(new Image(), { onload: () => done(image.naturalWidth), onerror: () => done(0) });
  image.src = base + address + '?' + ++last;
});
const openWindow = (address) => void open(base + address + '?origin=' + location.origin);
</script>`;

const probe = '/iiif-auth/probe/iiif/3/closed!p1.png/full/max/0/default.jpg';
const picture = '/iiif/3/closed!p1.png/full/60,/0/default.jpg';

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-iiif-auth-'));
  mkdirSync(path.join(folder, 'scans', 'closed'), { recursive: true });
  await sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
    .png()
    .toFile(path.join(folder, 'scans', 'closed', 'p1.png'));
  const keysFile = path.join(folder, 'keys');
  writeFileSync(keysFile, randomBytes(32).toString('base64url'));
  app = await startApp({
    library: { folders: [path.join(folder, 'scans')] },
    http: { trustedProxies: ['127.0.0.1'] },
    readingRoom: { name: 'The Library' },
    access: { paths: [{ path: 'closed', roles: ['members'] }] },
    signIn: {
      keysFile,
      crossSite: true,
      users: [{ name: 'anna', password: await hashPassword('secret'), roles: ['members'] }],
    },
  });
  front = await startHttpsFront(app.port);
  const files = { '/': { type: 'text/html; charset=utf-8', body: clientPage } };
  const [one, two] = [await serveFiles(files), await serveFiles(files)];
  viewer = { ...one, url: one.url.replace('127.0.0.1', 'localhost') };
  other = { ...two, url: two.url.replace('127.0.0.1', 'evil.localhost') };
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  viewer?.close();
  other?.close();
  await front?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en' });
});
afterEach(() => context.close());

async function openAt({ url }: { readonly url: string }): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/?base=${front.url}`);
  return page;
}

const openViewer = () => openAt(viewer);

/** What a client does, in its page. */
const inClient = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression);

const messageOf = (page: Page, origin?: string): Promise<Readonly<Record<string, unknown>>> =>
  inClient(page, `tokenFor(${origin === undefined ? '' : JSON.stringify(origin)})`);

const statusWith = async (page: Page, token: unknown): Promise<unknown> =>
  (await inClient<{ status: number }>(page, `read(${JSON.stringify(probe)}, ${JSON.stringify(token)})`)).status;

const shownWidth = (page: Page): Promise<number> => inClient(page, `show(${JSON.stringify(picture)})`);

async function openedBy(page: Page, address: string): Promise<Page> {
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    inClient(page, `openWindow(${JSON.stringify(address)})`),
  ]);
  return opened;
}

async function signIn(page: Page): Promise<void> {
  const popup = await openedBy(page, '/iiif-auth/login');
  await popup.getByLabel('Name').fill('anna');
  await popup.getByLabel('Password').fill('secret');
  await popup.getByRole('button', { name: 'Sign in' }).click();
  await popup.getByRole('heading', { name: `Let ${viewer.url} show it?` }).waitFor();
  expect(await accessibilityViolations(popup)).toEqual([]);
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name: 'Allow' }).click()]);
}

describe('a viewer of another site', () => {
  it('goes from the probe to the picture, by a window that closes itself and a token', async () => {
    const page = await openViewer();
    expect([await statusWith(page, undefined), await shownWidth(page)]).toEqual([401, 0]);
    expect(await messageOf(page)).toMatchObject({ type: 'AuthAccessTokenError2', profile: 'missingAspect' });
    await signIn(page);
    const { type, accessToken, expiresIn } = await messageOf(page);
    expect([type, expiresIn]).toEqual(['AuthAccessToken2', 1800]);
    expect([await statusWith(page, accessToken), await shownWidth(page)]).toEqual([200, 60]);
    const read = `read('/iiif/3/closed!p1.png/info.json', ${JSON.stringify(accessToken)})`;
    expect(await inClient(page, read)).toMatchObject({ width: 90, height: 60 });
  });

  it('has its token in another tab without a window, and in both none after the logout', async () => {
    const first = await openViewer();
    await signIn(first);
    const second = await openViewer();
    const tokens = [(await messageOf(first))['accessToken'], (await messageOf(second))['accessToken']];
    expect([await statusWith(first, tokens[0]), await statusWith(second, tokens[1])]).toEqual([200, 200]);
    const logout = await openedBy(second, '/iiif-auth/logout');
    if (!logout.isClosed()) await logout.waitForEvent('close');
    for (const page of [first, second]) {
      for (const token of tokens) expect(await statusWith(page, token)).toBe(401);
      expect(await shownWidth(page)).toBe(0);
      expect((await messageOf(page))['type']).toBe('AuthAccessTokenError2');
    }
  });
});

describe('a page of somebody else', () => {
  it('gets no token, and none that is for the viewer', async () => {
    const page = await openViewer();
    await signIn(page);
    const foreign = await openAt(other);
    expect(await messageOf(foreign)).toMatchObject({ profile: 'invalidOrigin' });
    // The browser sends the message for the viewer to no other page; the next one shows that it would have come.
    await inClient(foreign, `askFor(${JSON.stringify(viewer.url)})`);
    await foreign.frameLocator('iframe').locator('body').waitFor({ state: 'attached' });
    await messageOf(foreign);
    const received = await inClient<{ data: { type: string } }[]>(foreign, 'received');
    expect(received.map(({ data }) => data.type)).toEqual(['AuthAccessTokenError2', 'AuthAccessTokenError2']);
    expect(await inClient(foreign, `read('/iiif/3/closed!p1.png/info.json')`)).toMatchObject({ width: 1, height: 1 });
  });
});

describe('a browser that keeps cookies from frames of other sites', () => {
  it('is asked for them by the token’s frame, which leaves a copy for pictures on pages of this site alone', async () => {
    const page = await openViewer();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
    await signIn(page);
    const refused = await messageOf(page);
    expect(refused).toMatchObject({ profile: 'missingAspect' });
    expect(refused['note']).toMatchObject({ en: [expect.stringContaining('does not let The Library use cookies')] });
    await context.grantPermissions(['storage-access']);
    const { accessToken } = await messageOf(page);
    expect(await statusWith(page, accessToken)).toBe(200);
    await context.clearCookies({ name: 'lectern_session' });
    const left = await context.cookies(front.url);
    expect(left.map(({ name, partitionKey }) => [name, partitionKey !== undefined])).toEqual([
      ['lectern_embedded', true],
    ]);
    expect([await shownWidth(page), await shownWidth(await openAt(other))]).toEqual([60, 0]);
  });
});
