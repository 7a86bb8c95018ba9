// @module-tag chromium
/** What other sites give out of IIIF: dropped onto any page of the room, and opened from its field and from addresses. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpBrowser } from './browser-pages.ts';
import { type ForeignHost, imageSize, startForeignHost } from './foreign-host.ts';
import { waitUntilSharp } from './stage-pixels.ts';
import { serveFrom } from './temporary-server.ts';

let host: ForeignHost;

/** Two pages, each of which can be had in any size. */
function book(url: string): object {
  const items = (['one', 'two'] as const).map((name, index) => {
    const id = `${url}/3/canvas/${index + 1}`;
    const service = [{ id: `${url}/iiif/3/${name}`, type: 'ImageService3', profile: 'level2' }];
    const body = { id: `${url}/iiif/3/${name}/full/max/0/default.jpg`, type: 'Image', ...imageSize, service };
    const painting = { type: 'Annotation', motivation: 'painting', body, target: id };
    const label = { none: [name === 'one' ? 'cover' : '1r'] };
    return { id, type: 'Canvas', label, ...imageSize, items: [{ type: 'AnnotationPage', items: [painting] }] };
  });
  return {
    '@context': 'http://iiif.io/api/presentation/3/context.json',
    id: `${url}/3/manifest.json`,
    type: 'Manifest',
    label: { none: ['A book'] },
    items,
  };
}

beforeAll(async () => {
  host = await startForeignHost();
  host.add('/3/manifest.json', book(host.url));
});
afterAll(() => host?.close());

const session = setUpBrowser(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-iiif-drop-'));
  mkdirSync(path.join(folder, 'book'));
  const picture = await sharp({ create: { width: 400, height: 600, channels: 3, background: '#c8b890' } })
    .png()
    .toBuffer();
  for (const name of ['p1', 'p2']) writeFileSync(path.join(folder, 'book', `${name}.png`), picture);
  return serveFrom(folder, { library: { folders: [folder] }, readingRoom: { manifests: ['http:'] } });
});

const image = 'book/p1.png';

const manifest = (): string => `${host.url}/3/manifest.json`;

/** Drags a text over an element and drops it there; whether the page shows where it can be dropped. */
async function drop(page: Page, selector: string, type: string, text: string): Promise<boolean> {
  const dataTransfer = await page.evaluateHandle(
    ([kind = '', value = '']) => {
      const data = new DataTransfer();
      data.setData(kind, value);
      return data;
    },
    [type, text],
  );
  await page.locator(selector).first().dispatchEvent('dragover', { dataTransfer });
  const isShown = (await page.locator('.drop-veil').count()) === 1;
  await page.locator(selector).first().dispatchEvent('drop', { dataTransfer });
  expect(await page.locator('.drop-veil').count()).toBe(0);
  return isShown;
}

const opened = (page: Page): Promise<string | null> =>
  page.evaluate(() => new URLSearchParams(location.search).get('manifest'));

describe('a manifest is dropped', () => {
  it.each([
    ['the start page', '', 'main'],
    ['a folder', 'browse/book', 'h1'],
    ['an image', `view/${image}`, '.stage-image'],
    ['a light table', 'browse/book?layout=table', 'main'],
  ])('onto %s', async (_, address, onto) => {
    const page = await session.open(address);
    await page.locator(onto).first().waitFor();
    const link = `https://viewer.example/?manifest=${encodeURIComponent(manifest())}`;
    expect(await drop(page, onto, 'text/uri-list', link)).toBe(true);
    await expect.poll(() => opened(page)).toBe(manifest());
    await page.locator('.stage-label', { hasText: 'cover' }).waitFor();
  });

  it('onto a comparison, where it is one more image', async () => {
    const page = await session.open(`compare?1.fn=${image}&2.fn=${image}`);
    await page.locator('.pane').nth(1).waitFor();
    const foreign = async (): Promise<readonly string[]> =>
      page.evaluate(() =>
        [...new URLSearchParams(location.search)]
          .filter(([, value]) => value.includes('manifest'))
          .map(([name]) => name.split('.')[0] ?? ''),
      );
    await drop(page, '.panes', 'text/plain', manifest());
    await expect.poll(() => page.locator('.pane').count()).toBe(3);
    await expect.poll(foreign).toContain('3');
  });

  it('as a content state and as an address of this library', async () => {
    const page = await session.open('');
    await page.locator('main').waitFor();
    const state = JSON.stringify({
      id: `${host.url}/3/canvas/2`,
      type: 'Canvas',
      partOf: [{ id: manifest(), type: 'Manifest' }],
    });
    await drop(page, 'main', 'text/plain', Buffer.from(encodeURIComponent(state)).toString('base64url'));
    await page.locator('.stage-label', { hasText: '1r' }).waitFor();
    await drop(page, '.stage-image', 'text/uri-list', `${session.url()}view/${image}`);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/view/${image}`);
  });
});

describe('what is not meant to be opened', () => {
  it('is said to be none, and leaves the page as it is', async () => {
    const page = await session.open(`view/${image}`);
    await waitUntilSharp(page);
    const before = page.url();
    await drop(page, '.stage-image', 'text/plain', 'some words');
    await page.getByText('That is no address of a manifest').waitFor();
    expect(page.url()).toBe(before);
  });

  it('comes from the page itself, or goes into a field', async () => {
    const page = await session.open('browse/book');
    await page.locator('.image-card').first().waitFor();
    const before = page.url();
    expect(await drop(page, '.search-field input', 'text/plain', manifest())).toBe(false);
    await page.locator('.image-card a').first().dispatchEvent('dragstart');
    expect(await drop(page, 'h1', 'text/uri-list', manifest())).toBe(false);
    expect(page.url()).toBe(before);
    await page.locator('.image-card a').first().dispatchEvent('dragend');
    expect(await drop(page, 'h1', 'text/uri-list', manifest())).toBe(true);
  });
});

describe('the field of the start page opens', () => {
  it.each([
    ['info.json of version 1', () => `${host.url}/iiif/1/old/info.json`, 'old'],
    ['info.json of version 2', () => `${host.url}/iiif/2/two/info.json`, 'two'],
    ['info.json of version 3', () => `${host.url}/iiif/3/one/info.json`, 'one'],
    ['a content state as JSON', () => JSON.stringify({ id: manifest(), type: 'Manifest' }), 'cover'],
    [
      'an encoded content state',
      () => Buffer.from(JSON.stringify({ id: manifest(), type: 'Manifest' })).toString('base64url'),
      'cover',
    ],
  ])('%s', async (_, text, label) => {
    const page = await session.open('');
    const field = page.getByLabel('IIIF of another library');
    await field.fill(text());
    await field.press('Enter');
    await page.locator('.stage-label', { hasText: label }).waitFor();
    await waitUntilSharp(page);
    expect(host.missing).toEqual([]);
    // The address opens the same again.
    await page.reload();
    await page.locator('.stage-label', { hasText: label }).waitFor();
  });
});

it.each([
  ['a manifest', () => `manifest=${encodeURIComponent(manifest())}`, 'cover'],
  [
    'info.json as a content state',
    () => `iiif-content=${encodeURIComponent(`${host.url}/iiif/3/one/info.json`)}`,
    'one',
  ],
])('the address of the library opens %s', async (_, query, label) => {
  const page = await session.open(`?${query()}`);
  await page.locator('.stage-label', { hasText: label }).waitFor();
  await waitUntilSharp(page);
});
