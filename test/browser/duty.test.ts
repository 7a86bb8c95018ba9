// @module-tag chromium
/** The page for the person on duty: live, with networks that are held by one click, for everyone who reads it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, type TestBrowser } from './browser.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-duty-page-'));
let app: RunningApp;
let browser: TestBrowser;

/** The client is named by the tests, as a proxy names it; the browser comes from another address, with the role of admins. */
const agents = [
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'python-requests/2.31.0',
];
const ask = (client: string, size: number, agent = agents[0]) =>
  app.get(`/iiif/3/page.jpg/full/${size},/0/default.jpg`, {
    headers: { 'x-forwarded-for': client, 'user-agent': agent },
  });

beforeAll(async () => {
  await sharp({ create: { width: 1200, height: 900, channels: 3, background: 'teal' } })
    .jpeg()
    .toFile(path.join(folder, 'page.jpg'));
  app = await startApp({
    library: { folders: [folder] },
    http: { trustedProxies: ['127.0.0.1'] },
    access: { addresses: [{ address: '10.0.2', roles: ['admin'] }] },
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true });
});

async function open(options: Parameters<TestBrowser['newPage']>[0] = {}, query = ''): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 1100, height: 900 },
    locale: 'en',
    extraHTTPHeaders: { 'X-Forwarded-For': '10.0.2.2' },
    ...options,
  });
  await page.goto(`${app.url}/admin${query}`);
  return page;
}

const rowOf = (page: Page, network: string) =>
  page.getByRole('table', { name: 'Networks', exact: true }).getByRole('row', { name: network });

describe('the page for the person on duty', () => {
  it('shows new costs by itself', async () => {
    const page = await open();
    await ask('198.51.100.7', 600);
    await rowOf(page, '198.51.100.0/24').getByText('GPTBot 1.2').waitFor();
    await ask('198.51.100.8', 601, agents[1]);
    await rowOf(page, '198.51.100.0/24').getByText('python-requests 2.31').waitFor();
    await page.close();
  });

  it('holds a network by one click and releases it, with the focus where it was', async () => {
    await ask('203.0.113.7', 500);
    const page = await open();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.getByRole('button', { name: 'Hold for an hour: 203.0.113.0/24' }).click();
    await page.getByRole('status').getByText('203.0.113.0/24 is held for an hour.').waitFor();
    expect((await ask('203.0.113.9', 501)).status).toBe(429);
    expect((await ask('198.51.100.7', 501)).status).toBe(200);
    const held = page.getByRole('table', { name: 'Held networks' });
    await held.getByText('60 min left').waitFor();
    const again = rowOf(page, '203.0.113.0/24').getByRole('button', { name: 'Release' });
    // The button may be written anew between finding and asking it.
    await expect.poll(() => again.evaluate((button) => document.activeElement === button)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('203.0.113.0/24 is released.').waitFor();
    await held.waitFor({ state: 'detached' });
    expect((await ask('203.0.113.9', 502)).status).toBe(200);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('holds a network that is typed, also without scripts, and says what is none', async () => {
    const page = await open();
    await page.getByLabel('Network, or an address in it').fill('everyone');
    await page.getByRole('button', { name: 'Hold for an hour', exact: true }).click();
    await page.getByRole('status').getByText('must be an address').waitFor();
    await page.close();
    const plain = await open({ javaScriptEnabled: false }, '?over=600');
    await plain.getByLabel('Network, or an address in it').fill('192.0.2.77');
    await plain.getByRole('button', { name: 'Hold for an hour', exact: true }).click();
    await plain.waitForURL('**/admin?over=600&by=ms');
    const held = plain.getByRole('table', { name: 'Held networks' });
    await held.getByRole('button', { name: 'Release: 192.0.2.0/24' }).click();
    await held.waitFor({ state: 'detached' });
    await plain.close();
  });

  it('sorts, and goes to another window', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Last hour' }).click();
    await page.getByRole('table', { name: 'Networks', exact: true }).getByRole('link', { name: 'Sent' }).click();
    await page.waitForURL('**/admin?over=3600&by=bytes');
    const sorted = page.getByRole('table', { name: 'Networks', exact: true }).locator('th[aria-sort=descending]');
    expect(await sorted.textContent()).toContain('Sent');
    expect(await page.locator('nav [aria-current]').textContent()).toBe('Last hour');
    await page.close();
  });

  it('says that the server is gone, and keeps its numbers', async () => {
    const page = await open();
    await page.route('**/admin', (route) => route.abort());
    await page.getByRole('status').getByText('The server does not answer').waitFor();
    await rowOf(page, '198.51.100.0/24').waitFor();
    await page.unroute('**/admin');
    await page.waitForFunction(() => document.getElementById('status')?.textContent === '');
    await page.close();
  });

  it.each([
    ['dark', 1100, 'en'],
    ['light', 1100, 'de'],
    ['light', 360, 'fr'],
    ['dark', 360, 'en'],
  ] as const)('is accessible, and fits: %s, %d pixels, %s', async (colorScheme, width, locale) => {
    await ask('2001:db8:1:2::3', 700, agents[1]);
    for (const size of [610, 611]) await ask('203.0.113.7', size);
    const hold = { network: '192.0.2.0/24', do: 'hold' };
    await app.get('/admin', {
      method: 'POST',
      body: new URLSearchParams(hold).toString(),
      headers: { 'x-forwarded-for': '10.0.2.2', origin: app.url, 'content-type': 'application/x-www-form-urlencoded' },
    });
    const page = await open({ colorScheme, locale, viewport: { width, height: 800 } });
    expect(await accessibilityViolations(page)).toEqual([]);
    const wide = () =>
      [...document.querySelectorAll('main *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.outerHTML);
    expect(await page.evaluate(wide)).toEqual([]);
    if (process.env['SCREENSHOTS'] !== undefined)
      await page.screenshot({
        path: path.join(process.env['SCREENSHOTS'], `${colorScheme}-${width}.png`),
        fullPage: true,
      });
    await page.close();
  });
});
