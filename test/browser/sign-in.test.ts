// @module-tag chromium
/** A reader signs in from a closed page, comes back to the exact view, and signs out in one tab for all. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { startProvider, type TestProvider } from '../sign-in/provider.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { waitUntilSettled } from './stage-pixels.ts';

let folder: string;
let app: RunningApp;
let provider: TestProvider;
let browser: TestBrowser;
let context: BrowserContext;

const anna = { id: 'anna', name: 'Anna Muster', groups: ['staff'] };

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-doors-'));
  mkdirSync(path.join(folder, 'scans', 'closed'), { recursive: true });
  mkdirSync(path.join(folder, 'scans', 'open'));
  for (const name of ['closed/p1.png', 'closed/p2.png', 'open/p1.png']) {
    await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
      .png()
      .toFile(path.join(folder, 'scans', name));
  }
  const keysFile = path.join(folder, 'keys');
  writeFileSync(keysFile, randomBytes(32).toString('base64url'));
  provider = await startProvider({ account: anna, asks: true });
  app = await startApp({
    library: { folders: [path.join(folder, 'scans')] },
    access: {
      claims: [{ claim: 'groups', value: 'staff', roles: ['members'] }],
      paths: [{ path: 'closed', roles: ['members'] }],
    },
    signIn: { keysFile, provider: { issuer: provider.issuer, clientId: 'lectern' } },
  });
  await provider.register({
    redirectUris: [`${app.url}/sign-in/callback`],
    logoutUris: [`${app.url}/`],
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await provider?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1100, height: 750 }, locale: 'en' });
});
afterEach(() => context.close());

async function open(address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${app.url}/${address}`);
  return page;
}

async function signInFrom(page: Page): Promise<void> {
  await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Account' }).fill('anna');
  await page.getByRole('button', { name: 'Go on' }).click();
}

describe('a closed page', () => {
  it('offers the sign-in, and is the same view after it', async () => {
    const page = await open('view/closed/p2.png?ww=0.5&wh=0.5&rot=90');
    await page.getByRole('heading', { name: 'This needs a login' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const { href } = new URL(page.url());
    await signInFrom(page);
    await waitUntilSettled(page);
    expect(page.url()).toBe(href);
    expect(await page.title()).toBe('p2 – closed – Lectern');
    await page.getByRole('button', { name: 'Signed in as Anna Muster' }).waitFor();
  });

  it('offers it without scripts too', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false, locale: 'de' });
    const page = await plain.newPage();
    await page.goto(`${app.url}/view/closed/p1.png?pn=1`);
    await page.getByRole('link', { name: 'Anmelden' }).click();
    await page.getByRole('textbox').fill('anna');
    await page.getByRole('button').click();
    expect(page.url()).toBe(`${app.url}/view/closed/p1.png?pn=1`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('closed, p1');
    await plain.close();
  });
});

describe('who is signed in', () => {
  it('is said in the library, where the reader signs out, for all tabs', async () => {
    const page = await open('browse/closed');
    await signInFrom(page);
    await page.getByRole('heading', { name: 'closed', level: 1 }).waitFor();
    const other = await open('view/closed/p1.png');
    await waitUntilSettled(other);
    await page.getByRole('button', { name: 'Signed in as Anna Muster' }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${app.url}/`);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await other.getByRole('heading', { name: 'This needs a login' }).waitFor();
    expect((await context.cookies()).filter(({ name }) => name.startsWith('lectern'))).toEqual([]);
  });

  it('goes on to the provider where another tab has loaded again before that answers', async () => {
    const page = await open('browse/closed');
    await signInFrom(page);
    await page.getByRole('heading', { name: 'closed', level: 1 }).waitFor();
    const other = await open('view/closed/p1.png');
    await waitUntilSettled(other);
    let letGo: () => void = () => undefined;
    const isOtherLoaded = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(`${provider.issuer}/**`, async (route) => {
      await isOtherLoaded;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Signed in as Anna Muster' }).click();
    // A click waits for the page it leads to where that starts soon enough, and this one's is held back.
    await page.getByRole('button', { name: 'Sign out' }).click({ noWaitAfter: true });
    await other.getByRole('heading', { name: 'This needs a login' }).waitFor();
    await other.getByRole('link', { name: 'Sign in' }).first().waitFor();
    letGo();
    await page.waitForURL(`${app.url}/`);
  });

  it('has the same key and session in two tabs that sign in one after the other', async () => {
    const [first, second] = [await open('view/closed/p1.png'), await open('view/closed/p2.png')];
    await first.getByRole('alert').getByRole('link', { name: 'Sign in' }).click();
    await first.getByRole('textbox', { name: 'Account' }).waitFor();
    await signInFrom(second);
    await waitUntilSettled(second);
    await first.getByRole('textbox', { name: 'Account' }).fill('anna');
    await first.getByRole('button', { name: 'Go on' }).click();
    await waitUntilSettled(first);
    expect([first.url(), second.url()].map((one) => new URL(one).pathname)).toEqual([
      '/view/closed/p1.png',
      '/view/closed/p2.png',
    ]);
  });
});
