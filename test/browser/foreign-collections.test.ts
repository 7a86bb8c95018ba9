// @module-tag chromium
/** Collections of other hosts as pages of the room: what they say, their members as cards, those inside of each other, and in parts. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations, colorRules } from './accessibility.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { type ForeignHost, imageSize, startForeignHost } from './foreign-host.ts';
import { manifest3 } from './foreign-manifests.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSettled } from './stage-pixels.ts';

let host: ForeignHost;
let app: RunningApp;
let browser: TestBrowser;
let pages: ReusedPages;
let page: Page;
let problems: readonly string[];

const viewport = { width: 1280, height: 860 };

beforeAll(async () => {
  host = await startForeignHost();
  app = await startApp({ readingRoom: { manifests: [host.url] } });
  browser = await openBrowser();
  pages = reusePages(browser);
  const body = { id: `${host.url}/pictures/one.png`, type: 'Image', format: 'image/png', ...imageSize };
  host.add('/book.json', manifest3(host.url, { structures: undefined }, [{ label: '1r', body }]));
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await host?.close();
});
beforeEach(async () => {
  page = await pages.open({ viewport, locale: 'en' });
  problems = problemsOf(page);
});
afterEach(() => pages.release());

const addressOf = (name: string, part = 'view', more = ''): string =>
  `${app.url}/${part}?manifest=${encodeURIComponent(host.url + name)}${more}`;

/** Opens a collection, and waits for its title. */
async function open(name: string, title: string, more = ''): Promise<void> {
  await page.goto(addressOf(name, 'view', more));
  await heading(title).waitFor();
}

const heading = (name: string): Locator => page.getByRole('heading', { level: 1, name, exact: true });
const cards = (): Locator => page.locator('.collection-members li');
const titles = (): Promise<readonly string[]> => page.locator('.collection-members strong').allTextContents();
const parameter = (name: string): string | null => new URL(page.url()).searchParams.get(name);

/** Scrolls, and waits until the page knows it. */
const scrollTo = (top: number): Promise<unknown> =>
  page.evaluate(
    (to) =>
      new Promise((resolve) => {
        addEventListener('scroll', () => requestAnimationFrame(resolve), { once: true });
        window.scrollTo(0, to);
      }),
    top,
  );

const service2 = (name: string): object => ({
  '@context': 'http://iiif.io/api/image/2/context.json',
  '@id': `${host.url}/iiif/2/${name}`,
  profile: 'http://iiif.io/api/image/2/level2.json',
});

/** A book of a list; all have the same manifest. */
const book = (number: number, more: object = {}): object => ({
  id: `${host.url}/book.json?n=${number}`,
  type: 'Manifest',
  label: { none: [`Book ${number}`] },
  ...more,
});

/** One of version 2. */
const oldBook = (number: number): object => ({
  '@id': `${host.url}/book.json?n=${number}`,
  '@type': 'sc:Manifest',
  label: `Book ${number}`,
});

const books = (count: number, more: object = {}): readonly object[] =>
  Array.from({ length: count }, (_, index) => book(index + 1, more));

const picture = (name: string): object => ({ id: `${host.url}/pictures/${name}.png`, type: 'Image' });

const rome = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { label: { en: ['Rome'] } },
      geometry: { type: 'Point', coordinates: [12.5, 41.9] },
    },
  ],
};

function addMaps(): void {
  const metadata = ['Extent', 'Made', 'Kept', 'Found', 'Scanned'].map((label) => ({
    label: { en: [label] },
    value: { en: [`<i>${label}</i> here <script>alert(1)</script>`] },
  }));
  host.add('/maps.json', {
    type: 'Collection',
    label: { en: ['Maps & <b>charts</b>'], de: ['Karten'], fr: ['Cartes'] },
    summary: { en: ['Drawn <i>by hand</i>, over two hundred years, of a coast that has moved since.'] },
    requiredStatement: { label: { en: ['Held by'] }, value: { en: ['A library'] } },
    metadata,
    rights: 'http://creativecommons.org/licenses/by/4.0/',
    provider: [{ id: `${host.url}/agent`, type: 'Agent', label: { en: ['The provider'] }, logo: [picture('two')] }],
    thumbnail: [picture('plain')],
    partOf: [{ id: `${host.url}/all.json`, type: 'Collection', label: { en: ['All of it'] } }],
    items: [
      book(1, {
        navDate: '1849-01-01T00:00:00Z',
        navPlace: rome,
        thumbnail: [{ ...picture('one'), service: [service2('one')] }],
        summary: { en: ['The oldest one'] },
      }),
      book(2, { navDate: '1725-01-01T00:00:00Z', thumbnail: [picture('two')] }),
      { id: `${host.url}/inner.json`, type: 'Collection', label: { en: ['Inner'] }, thumbnail: [picture('plain')] },
    ],
  });
  host.add('/inner.json', { type: 'Collection', label: { en: ['Inner'] }, items: books(2) });
}

describe('a collection', () => {
  it('is a page as folders have one: what it says, and its members as cards', async () => {
    addMaps();
    await open('/maps.json', 'Maps & charts');
    expect(await page.title()).toBe('Maps & charts – Lectern');
    const head = page.locator('.folder-head');
    const said = (await head.textContent()) ?? '';
    for (const text of [
      'Drawn by hand, over',
      'A library',
      'CC BY 4.0',
      '1 collection · 2 books',
      new URL(host.url).host,
    ])
      expect(said).toContain(text);
    expect(said).not.toMatch(/<|alert/);
    expect(await head.locator('details').getAttribute('open')).toBeNull();
    await head.getByText('Details').click();
    await head.getByText('The provider').waitFor();
    expect(await titles()).toEqual(['Book 1', 'Book 2', 'Inner']);
    expect(await page.locator('.member-facts').allTextContents()).toEqual([
      'Book · 1849-01-01',
      'Book · 1725-01-01',
      'Collection',
    ]);
    expect(await page.getByRole('link', { name: 'Rome' }).getAttribute('href')).toBe('geo:41.9,12.5');
    const around = (await page.getByRole('link', { name: 'All of it' }).getAttribute('href')) ?? '';
    expect(new URL(around).searchParams.get('manifest')).toBe(`${host.url}/all.json`);
    const images = page.locator('.collection-page img');
    await expect
      .poll(() => images.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length))
      .toBe(5);
    expect(await cards().first().locator('img').getAttribute('src')).toBe(
      `${host.url}/iiif/2/one/full/!520,340/0/default.jpg`,
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityViolations(page, colorRules)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(problems).toEqual([]);
  });

  it.each([
    ['de', 'Karten', 'Sammlung von', 'Buch · 1849-01-01', 'Nach Datum ordnen'],
    ['fr', 'Cartes', 'Collection de', 'Livre · 1849-01-01', 'Trier par date'],
  ])('is in the language of the reader: %s', async (locale, title, kind, facts, order) => {
    page = await pages.open({ viewport, locale });
    addMaps();
    await open('/maps.json', title);
    await page.getByText(kind).first().waitFor();
    await page.getByLabel(order).waitFor();
    expect(await page.locator('.member-facts').first().textContent()).toBe(facts);
  });

  it('has a blank cover where a member has no picture, or none that comes', async () => {
    host.add('/pictures.json', {
      type: 'Collection',
      label: { en: ['Pictures'] },
      items: [
        book(1, { thumbnail: [picture('one')] }),
        book(2),
        book(3, { thumbnail: [picture('no-such')] }),
        book(4, { thumbnail: [{ ...picture('two'), service: [service2('no-such')] }] }),
        book(5, { thumbnail: [{ id: 'https://not-allowed.example/t.png', type: 'Image' }] }),
      ],
    });
    await open('/pictures.json', 'Pictures');
    const shown = (): Promise<readonly string[]> =>
      cards().evaluateAll((all) =>
        all.map(
          (card) =>
            card.querySelector('img')?.src.split('/').at(-1) ?? card.querySelector('.blank-cover')?.className ?? '',
        ),
      );
    await expect
      .poll(shown)
      .toEqual(['one.png', 'blank-cover of-book', 'blank-cover of-book', 'two.png', 'blank-cover of-book']);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('without any picture is a list of titles', async () => {
    host.add('/titles.json', { type: 'Collection', label: { en: ['Titles'] }, items: books(3) });
    await open('/titles.json', 'Titles');
    await expect.poll(titles).toEqual(['Book 1', 'Book 2', 'Book 3']);
    expect(await page.locator('.mat').count()).toBe(0);
    expect(await page.getByLabel('Filter by title').count()).toBe(0);
  });

  it('without members says so', async () => {
    host.add('/empty.json', { type: 'Collection', label: { en: ['Nothing'] }, items: [] });
    await open('/empty.json', 'Nothing');
    await page.getByText('This collection is empty.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('has no place in a comparison, and stays inside of another page', async () => {
    addMaps();
    await page.goto(`${app.url}/compare?1.manifest=${encodeURIComponent(`${host.url}/maps.json`)}`);
    await page.getByRole('heading', { name: 'This is a collection' }).waitFor();
    await page.goto(addressOf('/maps.json', 'embed'));
    await heading('Maps & charts').waitFor();
    expect(await page.locator('.site-header').count()).toBe(0);
    await page.getByRole('link', { name: /^Inner/ }).click();
    await heading('Inner').waitFor();
    expect(new URL(page.url()).pathname).toBe('/embed');
  });
});

describe('collections inside of each other', () => {
  it('are opened by a filter and the keyboard, and Back leads back to the same list and place', async () => {
    const inner = { id: `${host.url}/inner.json`, type: 'Collection', label: { en: ['Inner'] } };
    host.add('/root.json', {
      type: 'Collection',
      label: { en: ['Root'] },
      items: [inner, ...books(30, { thumbnail: [picture('one')] })],
    });
    host.add('/inner.json', { type: 'Collection', label: { en: ['Inner'] }, items: books(2) });
    await open('/root.json', 'Root');
    await expect.poll(() => cards().count()).toBe(31);
    await page.keyboard.press('/');
    await page.keyboard.type('ÍNN');
    await expect.poll(titles).toEqual(['Inner']);
    await page.getByText('1 of 31').waitFor();
    await expect.poll(() => parameter('q')).toBe('ÍNN');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: /^Inner/ }).focus();
    await page.keyboard.press('Enter');
    await heading('Inner').waitFor();
    await expect.poll(titles).toEqual(['Book 1', 'Book 2']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Inner');
    expect(parameter('q')).toBeNull();
    await page.goBack();
    await heading('Root').waitFor();
    const field = page.getByLabel('Filter by title');
    await expect.poll(() => field.inputValue()).toBe('ÍNN');
    await expect.poll(titles).toEqual(['Inner']);
    await field.fill('');
    await expect.poll(() => cards().count()).toBe(31);
    await expect.poll(() => parameter('q')).toBeNull();
    await scrollTo(900);
    await page.getByRole('link', { name: /^Book 12 / }).click();
    await waitUntilSettled(page);
    await page.goBack();
    await heading('Root').waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
    expect(host.requested.filter((one) => one === '/root.json')).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('keep the filter of the address, and say where nothing is found', async () => {
    host.add('/filtered.json', { type: 'Collection', label: { en: ['Filtered'] }, items: books(12) });
    await open('/filtered.json', 'Filtered', '&q=book+7');
    await expect.poll(titles).toEqual(['Book 7']);
    await page.getByLabel('Filter by title').fill('no such');
    await page.getByText('No title has “no such”.').waitFor();
    expect(await cards().count()).toBe(0);
  });

  it('may have their members in the document of the first, which an address names', async () => {
    host.add('/in-place.json', {
      '@id': `${host.url}/in-place.json`,
      '@type': 'sc:Collection',
      label: 'All',
      collections: [
        { '@id': 'urn:volumes', '@type': 'sc:Collection', label: 'Volumes', manifests: [oldBook(1), oldBook(2)] },
        { '@id': `${host.url}/book.json?c`, '@type': 'sc:Collection', label: 'Elsewhere' },
      ],
    });
    await open('/in-place.json', 'All');
    await expect
      .poll(() => page.locator('.member-facts').allTextContents())
      .toEqual(['Collection · 2 entries', 'Collection']);
    await page.getByRole('link', { name: /^Volumes/ }).click();
    await heading('Volumes').waitFor();
    expect(parameter('canvas')).toBe('urn:volumes');
    await page.reload();
    await heading('Volumes').waitFor();
    await page.getByRole('link', { name: /^Book 2/ }).click();
    await waitUntilSettled(page);
    await page.goBack();
    await heading('Volumes').waitFor();
    await page.goto(addressOf('/in-place.json', 'view', '&canvas=urn:none'));
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  });
});

describe('a collection in parts', () => {
  it('loads the next part on demand, and says what does not come until it does', async () => {
    const part = (numbers: readonly number[], more: object): object => ({
      '@type': 'sc:Collection',
      within: `${host.url}/parts.json`,
      manifests: numbers.map(oldBook),
      ...more,
    });
    const first = `${host.url}/part-1.json`;
    host.add('/parts.json', { '@type': 'sc:Collection', label: 'Parts', total: 5, first });
    host.add('/part-1.json', part([1, 2, 3], { next: `${host.url}/part-2.json` }));
    await open('/parts.json', 'Parts');
    await expect.poll(titles).toEqual(['Book 1', 'Book 2', 'Book 3']);
    await page.locator('.counts', { hasText: '5 entries' }).waitFor();
    await page.getByText('3 of 5 have loaded').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('The next part did not come: There is nothing here.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    host.add('/part-2.json', part([4, 5], { next: first }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(titles).toEqual(['Book 1', 'Book 2', 'Book 3', 'Book 4', 'Book 5']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Book 4Book');
    await page.locator('.counts', { hasText: '5 books' }).waitFor();
    await expect.poll(() => page.locator('.collection-end button').count()).toBe(0);
  });

  it('is there where its first part does not come', async () => {
    host.add('/lost.json', { '@type': 'sc:Collection', label: 'Lost', first: `${host.url}/lost-1.json` });
    await open('/lost.json', 'Lost');
    await page.getByText('The next part did not come').waitFor();
    host.add('/lost-1.json', { '@type': 'sc:Collection', manifests: [oldBook(1)] });
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(titles).toEqual(['Book 1']);
  });
});

it('of 10,000 members draws those near the window, more as the reader scrolls, and finds all', async () => {
  host.add('/long.json', { type: 'Collection', label: { en: ['Long'] }, items: books(10_000) });
  await open('/long.json', 'Long');
  await page.locator('.counts', { hasText: '10,000 books' }).waitFor();
  await expect.poll(() => cards().count()).toBeGreaterThanOrEqual(120);
  const before = await cards().count();
  expect(before).toBeLessThan(1000);
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      return cards().count();
    })
    .toBeGreaterThan(before);
  await page.getByLabel('Filter by title').fill('book 9999');
  await expect.poll(titles).toEqual(['Book 9999']);
  await page.getByText('1 of 10,000').waitFor();
  expect(problems).toEqual([]);
});
