// @module-tag chromium
// @module-tag openssl
/**
 * Universal Viewer, Mirador and a client of Authorization Flow 2.0, as they are published and from another site, show what their reader
 * may see: smaller before the login, whole after it.
 */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, serveFiles, type TestBrowser } from '../browser/browser.ts';
import { authClientFiles, requireAuthClient } from './auth-client.ts';
import { type ClosedBook, height, startClosedBook, width } from './closed-book.ts';
import { versionOf } from './viewer-packages.ts';
import { miradorFiles, screenshot, universalViewerFiles } from './viewer-pages.ts';

/** Version 4.4 asks for pictures without cookies (`crossOriginPolicy`), so that it shows none that needs them. */
const universalViewer = 'universalviewer-4.3';

let book: ClosedBook;
let browser: TestBrowser;
let context: BrowserContext;
let site: { readonly url: string; close(): void };

const canvasOf = (url: string, page: string): object => {
  const canvas = `http://localhost/${page}`;
  const image = `${url}/iiif/2/closed!${page}.png`;
  const resource = {
    '@id': `${image}/full/full/0/default.jpg`,
    '@type': 'dctypes:Image',
    width,
    height,
    service: {
      '@context': 'http://iiif.io/api/image/2/context.json',
      '@id': image,
      profile: 'http://iiif.io/api/image/2/level2.json',
    },
  };
  const images = [{ '@type': 'oa:Annotation', motivation: 'sc:painting', on: canvas, resource }];
  return { '@id': canvas, '@type': 'sc:Canvas', label: page, width, height, images };
};

/** A manifest of another site, with closed images of the library. */
const foreignManifest = (url: string): object => ({
  '@context': 'http://iiif.io/api/presentation/2/context.json',
  '@id': 'http://localhost/manifest.json',
  '@type': 'sc:Manifest',
  label: 'Of another site',
  sequences: [{ '@type': 'sc:Sequence', canvases: ['p1', 'p2'].map((page) => canvasOf(url, page)) }],
});

beforeAll(async () => {
  book = await startClosedBook();
  const manifest = { type: 'application/json', body: JSON.stringify(foreignManifest(book.url)) };
  const served = await serveFiles({
    ...miradorFiles({}),
    ...universalViewerFiles(universalViewer),
    ...authClientFiles(),
    '/manifest.json': manifest,
  });
  // Another site than that of the library: its cookies are those of a third party here.
  site = { ...served, url: served.url.replace('127.0.0.1', 'localhost') };
  browser = await openBrowser('in-software');
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  await book?.close();
});
beforeEach(async () => {
  context = await browser.newContext({
    ignoreHTTPSErrors: true,
    locale: 'en',
    viewport: { width: 1280, height: 860 },
  });
});
afterEach(() => context.close());

/** The machine may have other work. */
const patience = { timeout: 30_000, interval: 300 };

interface Shown {
  readonly red: boolean;
  readonly blue: boolean;
}

/** Whether the left and the right part of an image are on the screen. */
async function shownOn(page: Page): Promise<Shown> {
  const { data } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [red, blue] = [0, 0];
  for (let at = 0; at < data.length; at += 3) {
    const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]];
    if (r > 180 && g < 60 && b < 60) red++;
    if (b > 180 && r < 60 && g < 60) blue++;
  }
  return { red: red > 2000, blue: blue > 2000 };
}

const whole: Shown = { red: true, blue: true };

async function signInWith(popup: Page): Promise<void> {
  await popup.getByLabel('Name').fill('anna');
  await popup.getByLabel('Password').fill('secret');
  await popup.getByRole('button', { name: 'Sign in' }).click();
  await popup.getByRole('heading', { name: /show it\?/ }).waitFor();
  await screenshot(popup, 'auth-consent');
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button', { name: 'Allow' }).click()]);
}

/** The identifiers of image services of which pictures have arrived. */
function picturesOf(page: Page): { readonly arrived: ReadonlySet<string> } {
  const arrived = new Set<string>();
  page.on('response', (response) => {
    const id = /^https:\/\/[^/]+\/iiif\/[23]\/([^/]+)\/.+\.jpg$/.exec(response.url())?.[1];
    if (id !== undefined && response.ok()) arrived.add(decodeURIComponent(id));
  });
  return { arrived };
}

const probeOf = '/iiif-auth/probe/iiif/3/known!p1.png/full/max/0/default.jpg';

const manifestOf = (folder: string, version: number): string =>
  `${book.url}/presentation/${version}/${folder}/manifest.json`;

async function open(viewer: 'mirador' | 'universalviewer', manifest: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${site.url}/${viewer}?manifest=${encodeURIComponent(manifest)}`);
  return page;
}

/** Mirador 4.0 draws the new info.json of a page when it comes to the page: turns to the next one and back. */
async function turn(page: Page, arrived: ReadonlySet<string>, folder: string): Promise<Locator> {
  const out = page.getByRole('button', { name: 'Sign out from The Library' });
  await out.waitFor();
  await page.getByRole('button', { name: 'Next item' }).click();
  await expect.poll(() => [...arrived], patience).toContain(`${folder}!p2.png`);
  await page.getByRole('button', { name: 'Previous item' }).click();
  await expect.poll(() => [...arrived], patience).toContain(`${folder}!p1.png`);
  await expect.poll(() => shownOn(page), patience).toEqual(whole);
  return out;
}

describe(`Mirador ${versionOf('mirador')}`, () => {
  it.each([3, 2])('shows the tier, and after the login the whole, by the manifest of version %d', async (version) => {
    const page = await open('mirador', manifestOf('tiered', version));
    const { arrived } = picturesOf(page);
    await expect.poll(() => shownOn(page), patience).toEqual(whole);
    await screenshot(page, `auth-mirador-${version}-before`);
    expect([...arrived].filter((id) => !id.endsWith(';tier=small'))).toEqual([]);
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in at The Library' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signInWith(await opening);
    const out = await turn(page, arrived, 'tiered');
    await screenshot(page, `auth-mirador-${version}-after`);
    const leaving = context.waitForEvent('page');
    await out.click();
    const left = await leaving;
    if (!left.isClosed()) await left.waitForEvent('close');
    expect((await context.cookies(book.url)).filter(({ name }) => name === 'lectern_session')).toEqual([]);
    await expect.poll(() => page.getByRole('button', { name: 'Sign in at The Library' }).count(), patience).toBe(1);
  });

  it('shows a closed image of another site’s manifest after the login', async () => {
    const page = await open('mirador', `${site.url}/manifest.json`);
    const { arrived } = picturesOf(page);
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in at The Library' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await screenshot(page, 'auth-mirador-closed-before');
    await signInWith(await opening);
    await turn(page, arrived, 'closed');
    await screenshot(page, 'auth-mirador-closed-after');
  });
});

describe(`Universal Viewer ${versionOf(universalViewer)}`, () => {
  it.each([3, 2])('shows the tier, and after the login the whole, by the manifest of version %d', async (version) => {
    const page = await open('universalviewer', manifestOf('tiered', version));
    const { arrived } = picturesOf(page);
    await expect.poll(() => shownOn(page), patience).toEqual(whole);
    await screenshot(page, `auth-universalviewer-${version}-before`);
    const opening = context.waitForEvent('page');
    await page.getByText('Sign in', { exact: true }).first().click();
    await signInWith(await opening);
    await expect.poll(() => [...arrived], patience).toContain('tiered!p1.png');
    await expect.poll(() => shownOn(page), patience).toEqual(whole);
    await screenshot(page, `auth-universalviewer-${version}-after`);
  });

  it('shows a closed image of another site’s manifest after the login', async () => {
    const page = await open('universalviewer', `${site.url}/manifest.json`);
    const { arrived } = picturesOf(page);
    const opening = context.waitForEvent('page');
    await page.getByText('Sign in', { exact: true }).first().click();
    await signInWith(await opening);
    await expect.poll(() => [...arrived], patience).toContain('closed!p1.png');
    await expect.poll(() => shownOn(page), patience).toEqual(whole);
    await screenshot(page, 'auth-universalviewer-closed-after');
  });
});

describe('iiif-auth-client, a client of Authorization Flow 2.0', () => {
  beforeAll(requireAuthClient);

  async function openClient(query: string): Promise<{ readonly page: Page; readonly arrived: ReadonlySet<string> }> {
    const page = await context.newPage();
    // A player of videos, which it loads from elsewhere.
    await page.route(/cdnjs/, (route) => route.abort());
    const { arrived } = picturesOf(page);
    await page.goto(`${site.url}/client/index.html?${query}`);
    return { page, arrived };
  }

  /** What it has said so far. */
  const said = (page: Page): Promise<string | null> => page.locator('#usermessages').textContent();

  // It takes `substitute` for one object, as in drafts, and so shows no tier by itself; in 2.0 it is a list.
  it('shows the tier without a login', async () => {
    const tier = `${book.url}/iiif/3/known!p1.png;tier=known`;
    const probe = await context.request.get(book.url + probeOf);
    expect(await probe.json()).toMatchObject({ status: 401, substitute: [{ id: tier, type: 'ImageService3' }] });
    const { page, arrived } = await openClient(`image=${tier}`);
    await expect.poll(() => [...arrived], patience).toContain('known!p1.png;tier=known');
    await expect.poll(() => shownOn(page), patience).toEqual(whole);
    await screenshot(page, 'auth-client-tier');
  });

  it.each([
    ['an image', () => `image=${book.url}/iiif/3/known!p1.png`],
    ['a manifest', () => `manifest=${book.url}/presentation/3/known/manifest.json`],
  ])('goes through probe, login, token, image and logout of %s', async (_what, query) => {
    const { page, arrived } = await openClient(query());
    const confirm = page.locator('#csConfirm');
    await confirm.getByText('Sign in', { exact: true }).waitFor();
    expect(await page.locator('#csHeader').textContent()).toBe('This needs a login');
    await screenshot(page, 'auth-client-before');
    const opening = context.waitForEvent('page');
    await confirm.click();
    await signInWith(await opening);
    await expect.poll(() => said(page), patience).toContain('info request with token resulted in 200');
    await expect.poll(() => [...arrived], patience).toContain('known!p1.png');
    await expect.poll(() => shownOn(page), patience).toEqual(whole);
    await screenshot(page, 'auth-client-after');
    // It has no button for the logout service.
    const logout = await context.newPage();
    await logout.goto(`${book.url}/iiif-auth/logout`);
    await logout.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await confirm.getByText('Sign in', { exact: true }).waitFor();
    expect(await said(page)).toMatch(/missingAspect|expiredAspect/);
  });
});
