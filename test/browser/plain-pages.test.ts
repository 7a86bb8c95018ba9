// @module-tag chromium
/** The reading room's pages without scripts, and what their heads say while a reader goes on. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { citationFieldsOf } from '../../src/core/image/folder/citation-fields.ts';
import type { PageDescription, PageSite } from '../../src/features/reading-room/pages/description.ts';
import { pageContent, withContent } from '../../src/features/reading-room/pages/page.ts';
import { hostileTexts } from '../fixtures/hostile-texts.ts';
import { quartered } from '../pixels/pictures.ts';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { serveFrom } from './temporary-server.ts';

const metadata = `label: A herbal
summary: Three leaves.
metadata: { Author: Somebody }
rights: https://creativecommons.org/publicdomain/mark/1.0/
pages:
  - b: Cover
  - a: 1r
  - c: 1v
`;

async function startLibrary() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-plain-'));
  mkdirSync(path.join(folder, 'herbal/plates'), { recursive: true });
  for (const name of ['a', 'b', 'c'])
    await quartered(600, 400)
      .jpeg()
      .toFile(path.join(folder, `herbal/${name}.jpg`));
  await quartered(60, 40).jpeg().toFile(path.join(folder, 'herbal/plates/p.jpg'));
  writeFileSync(path.join(folder, 'herbal/metadata.yaml'), metadata);
  return serveFrom(folder, { library: { folders: [folder] }, http: { contextPath: '/books' } });
}

const browser = setUpBrowser(startLibrary);

/** A page says what it is about where that is known within half a second: on a busy machine the first ones don't. */
beforeAll(async () => {
  const isDescribed = async (place: string): Promise<void> =>
    expect(await (await fetch(browser.url() + place)).text()).toContain('A herbal');
  for (const place of ['view/herbal/a', 'view/herbal/b', 'view/herbal/c', 'browse/herbal', 'browse/'])
    await vi.waitFor(() => isDescribed(place), { timeout: 30_000, interval: 200 });
});

const withoutScripts = { javaScriptEnabled: false };

/** Names of images that have loaded, with their widths in pixels. */
const picturesIn = (page: Page): Promise<readonly number[]> =>
  page.locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));

/** Follows a link once the page is painted: before that, Chromium drops clicks. */
async function follow(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => performance.getEntriesByType('paint').length)).toBeGreaterThan(0);
  await page.getByRole('link', { name, exact: true }).click();
}

describe('without scripts', () => {
  it('an image is shown with its metadata, and leads to the pages before and after it', async () => {
    const page = await browser.open('view/herbal/a', withoutScripts);
    expect(await page.locator('h1').allTextContents()).toEqual(['A herbal, 1r']);
    await expect.poll(() => picturesIn(page)).toEqual([600]);
    expect(await page.locator('dt').allTextContents()).toEqual([
      'Author',
      'Rights',
      'IIIF manifest',
      'IIIF image (info.json)',
    ]);
    await follow(page, 'Next: 1v →');
    expect(page.url()).toBe(`${browser.url()}view/herbal/c.jpg`);
    expect(await page.locator('[rel="next"]:not(link)').count()).toBe(0);
    await follow(page, '← Previous: 1r');
    await follow(page, '← Previous: Cover');
    expect(await page.locator('h1').textContent()).toBe('A herbal, Cover');
    await follow(page, 'A herbal');
    expect(page.url()).toBe(`${browser.url()}browse/herbal`);
  });

  it('a folder lists its folders and images, and leads to them', { tags: 'exhaustive' }, async () => {
    const page = await browser.open('browse/herbal', withoutScripts);
    expect(await page.locator('main p').first().textContent()).toBe('Three leaves.');
    expect(await page.locator('.plain-list a').allTextContents()).toEqual(['plates', 'Cover', '1r', '1v']);
    await follow(page, 'plates');
    await follow(page, 'p');
    expect(page.url()).toBe(`${browser.url()}view/herbal/plates/p.jpg`);
    await expect.poll(() => picturesIn(page)).toEqual([60]);
  });

  it('documents of IIIF can be opened from the page', { tags: 'exhaustive' }, async () => {
    const page = await browser.open('view/herbal/a', withoutScripts);
    for (const name of [/manifest\.json$/, /info\.json$/]) {
      const address = await page.getByRole('link', { name }).evaluate((link) => (link as HTMLAnchorElement).href);
      expect((await page.request.get(address)).ok(), address).toBe(true);
    }
  });
});

/** axe needs scripts, so that it gets the page as elements of one that has them. */
it.each(['view/herbal/a', 'browse/herbal', '', 'view/nowhere'])('a plain page is accessible: %s', async (address) => {
  const page = await browser.open('browse/herbal/plates');
  const answer = await page.request.get(browser.url() + address, { headers: { accept: 'text/html' } });
  const html = await answer.text();
  await page.setContent(
    html
      .replace(/<noscript id="plain">([\s\S]*)<\/noscript>/, '$1')
      .replace(/<script type="module"[^>]*><\/script>/, '')
      .replace('<base href="/books/"', `<base href="${browser.url()}"`),
  );
  expect(await page.locator('h1').count()).toBe(1);
  expect(await accessibilityViolations(page)).toEqual([]);
});

describe('with scripts', () => {
  it('nothing of the plain page is shown or loaded', async () => {
    const page = await browser.open('browse/herbal');
    await page.getByRole('heading', { name: 'A herbal' }).waitFor();
    expect(await page.locator('.plain').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  const said = (page: Page) =>
    page.evaluate(() => ({
      canonical: [...document.querySelectorAll<HTMLLinkElement>('link[rel=canonical]')].map((link) => link.href),
      citation: [...document.querySelectorAll<HTMLMetaElement>('meta[name=citation_title]')].map(
        (meta) => meta.content,
      ),
      data: document.querySelectorAll('script[type="application/ld+json"]').length,
    }));

  it('the head follows the reader from page to page, and says nothing false meanwhile', {
    tags: 'exhaustive',
  }, async () => {
    const page = await browser.open('view/herbal/b.jpg');
    const url = browser.url();
    const cover = { canonical: [`${url}view/herbal/b.jpg`], citation: ['A herbal, Cover'], data: 1 };
    await page.locator('.stage-label', { hasText: 'Cover' }).waitFor({ state: 'attached' });
    expect(await said(page)).toEqual(cover);
    await page.keyboard.press('PageDown');
    await page.locator('.stage-label', { hasText: '1r' }).waitFor({ state: 'attached' });
    expect(await said(page)).toEqual({ canonical: [], citation: [], data: 0 });
    await page.waitForFunction(() => document.querySelector('link[rel=canonical]') !== null);
    expect(await said(page)).toEqual({ canonical: [`${url}view/herbal/a.jpg`], citation: ['A herbal, 1r'], data: 1 });
    await page.goBack();
    await page.locator('.stage-label', { hasText: 'Cover' }).waitFor({ state: 'attached' });
    await page.waitForFunction(() => document.querySelector('link[rel=canonical]') !== null);
    expect(await said(page)).toEqual(cover);
  });
});

describe('hostile texts', () => {
  const hostile = hostileTexts('short');

  const site: PageSite = { base: 'https://library.example/', name: '', iiifSlash: '!' };

  const described = fc
    .record({ title: hostile, label: hostile, summary: hostile, name: hostile, value: hostile, file: hostile })
    .map(({ title, label, summary, name, value, file }): PageDescription => {
      const picture = { path: `a/${file}`, width: 9, height: 9 };
      const work = {
        path: 'a',
        title,
        summary: [summary],
        metadata: [{ label: name, value: [value] }],
        attribution: [value],
        rights: 'https://rights.example/"><i>',
        homepage: [{ address: 'https://home.example/', label }],
        citation: citationFieldsOf({ metadata: [{ label: { none: ['Author'] }, value: { none: [value] } }] }, []),
        parents: [{ path: '', title: name }],
      };
      const neighbor = { path: `a/${file}`, label };
      return { kind: 'image', work, picture, label, at: 1, total: 2, before: neighbor, after: neighbor };
    });

  /** As HTML's parser reads them: without NUL and lone surrogates, which it can't have. */
  const parsed = (text: string): string => text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');

  it('are read by the browser as they are, and make no element', async () => {
    const page = await browser.open('browse/herbal');
    const built =
      '<!doctype html><html lang="en"><head><title>x</title></head><body><noscript id="plain"></noscript></body></html>';
    const samples = fc.sample(described, 300);
    const documents = samples.map((one) => withContent(built, pageContent(one, site, 'en')));
    const found = await page.evaluate(
      (texts) =>
        texts.map((text) => {
          // As a browser without scripts reads it: the content of noscript is elements.
          const read = new DOMParser().parseFromString(
            new TextDecoder().decode(new TextEncoder().encode(text)),
            'text/html',
          );
          const textsOf = (selector: string) =>
            [...read.querySelectorAll(selector)].map((node) => node.textContent ?? '');
          return {
            elements: [...new Set([...read.querySelectorAll('*')].map((node) => node.localName))].sort(),
            count: read.querySelectorAll('*').length,
            attributes: [
              ...new Set([...read.querySelectorAll('*')].flatMap((node) => node.getAttributeNames())),
            ].sort(),
            value: textsOf('dd p'),
            label: textsOf('dt')[0],
            alt: read.querySelector('img')?.alt,
            data: JSON.parse(textsOf('script')[0] ?? 'null'),
            rights: read.querySelector('link[rel=license]')?.getAttribute('href'),
          };
        }),
      documents,
    );
    for (const [index, one] of found.entries()) {
      const sample = samples[index];
      if (sample?.kind !== 'image') throw new TypeError('each sample is an image');
      const [line] = sample.work.metadata;
      expect(one.value).toEqual(line?.value.map(parsed));
      expect(one.label).toBe(parsed(line?.label ?? ''));
      expect(one.elements.filter((name) => ['i', 'iframe', 'style', 'object'].includes(name))).toEqual([]);
      expect(one.attributes.filter((name) => name.startsWith('on') || name === 'style')).toEqual([]);
      expect(one.rights).toBe('https://rights.example/"><i>');
      expect(one.data['@graph'][1].isPartOf.name).toBe(sample.work.title || 'a');
    }
    // The number of elements depends on which texts are empty, and on nothing else.
    expect(Math.max(...found.map(({ count }) => count)) - Math.min(...found.map(({ count }) => count))).toBeLessThan(
      16,
    );
  });
});
