// @module-tag chromium
/** How many requests an opening takes, with the thumbnails and the next opening. */
import { expect, it } from 'vitest';
import { waitUntilSharp } from './stage-pixels.ts';
import { setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

it('an opening takes fewer than 40 requests, few of them scripts', async () => {
  const page = await viewer.browser().newPage({ viewport: { width: 1366, height: 768 } });
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url().replace(viewer.url(), '')));
  await page.goto(`${viewer.url()}view/book/p004.png?pages=2`);
  await waitUntilSharp(page);
  // The next opening is requested last.
  await expect.poll(() => addresses.some((address) => /p007\.png\/full\/.*\/default/.test(address))).toBe(true);
  await page.waitForLoadState('networkidle');
  await page.close();
  expect(addresses.filter((address) => address.endsWith('.js')).length).toBeLessThan(8);
  expect(addresses.length, addresses.join('\n')).toBeLessThan(40);
});
