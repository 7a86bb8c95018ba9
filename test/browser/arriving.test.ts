// @module-tag chromium
/** Arriving: the start page as the library's face, folder pages, and hits that say why they were found; with real pictures. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../src/features/reading-room/pages/accent.ts';
import { paperColors } from '../../src/features/reading-room/pages/paper.ts';
import { quartered } from '../pixels/pictures.ts';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { serveFrom } from './temporary-server.ts';

const longTitle =
  'Micrographia, or some physiological descriptions of minute bodies made by magnifying glasses, with observations and inquiries thereupon';

const book = `label: ${longTitle}
summary: The first book of drawings from the microscope.
metadata:
  Author: Hooke, Robert
  Catalog: See https://catalog.example/hooke?id=1.
  Edition: '<a href="https://editions.example/1665">The first of 1665</a>, <a href="javascript:alert(1)">not this</a>'
rights: http://rightsstatements.org/vocab/NoC-US/1.0/
homepage: { url: https://example.org/hooke, label: In our exhibition }
pages: [ a: Title page, b: The flea ]
contents:
  - { label: Of the point of a needle, pages: a }
  - { label: Of a flea, pages: b }
`;

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" fill="#0a5c8a"/></svg>';

async function startLibrary() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-arriving-'));
  const library = path.join(folder, 'library');
  for (const name of ['book', 'map', 'Scans_of_the_year_1890'])
    mkdirSync(path.join(library, name), { recursive: true });
  for (const name of ['a', 'b'])
    await quartered(600, 800)
      .jpeg()
      .toFile(path.join(library, `book/${name}.jpg`));
  // Red above, blue below: the detail lies in the middle.
  const half = { create: { width: 3000, height: 1000, channels: 3, background: '#c02020' } } as const;
  const blue = await sharp({ create: { ...half.create, background: '#2040c0' } })
    .png()
    .toBuffer();
  await sharp({ create: { ...half.create, height: 2000 } })
    .composite([{ input: blue, top: 1000, left: 0 }])
    .jpeg({ quality: 95 })
    .toFile(path.join(library, 'map/chart.jpg'));
  await quartered(300, 200)
    .png()
    .toFile(path.join(library, 'Scans_of_the_year_1890/Photograph_0001_LeftSide_detail.png'));
  writeFileSync(path.join(library, 'book/metadata.yaml'), book);
  writeFileSync(path.join(library, 'map/metadata.yaml'), 'label: A chart\nsummary: Of a coast.\n');
  writeFileSync(
    path.join(library, 'metadata.yaml'),
    'label: { en: Library of the Coast, de: Bibliothek der Küste }\nsummary: Books and charts.\n',
  );
  writeFileSync(path.join(folder, 'logo.svg'), logo);
  return serveFrom(folder, {
    library: { folders: [library] },
    http: { contextPath: '/books' },
    readingRoom: { logo: path.join(folder, 'logo.svg'), accent: '#ffd23c', paper: '#3c6cff' },
  });
}

const browser = setUpBrowser(startLibrary);

const loaded = async (page: Page): Promise<Page> => {
  await page.locator('h1').waitFor();
  await page.waitForFunction(() => [...document.images].every((image) => image.loading === 'lazy' || image.complete));
  return page;
};

const openPage = async (address: string, options = {}): Promise<Page> => loaded(await browser.open(address, options));

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  if (found === null) throw new TypeError(`${selector} is not shown`);
  return found;
};

describe('the start page', () => {
  it('has the name of the library in its head, its header and its title', async () => {
    const page = await openPage('');
    expect(await page.locator('h1').textContent()).toBe('Library of the Coast');
    expect(await page.locator('.wordmark').textContent()).toBe('Library of the Coast');
    expect(await page.title()).toBe('Library of the Coast');
    expect(await page.locator('.summary').textContent()).toBe('Books and charts.');
    await page.getByRole('link', { name: 'A chart Of a coast. 1 image' }).click();
    await page.getByRole('heading', { name: 'A chart' }).waitFor();
    expect(await page.title()).toBe('A chart – Library of the Coast');
    const german = await openPage('', { locale: 'de' });
    expect(await german.locator('.wordmark').textContent()).toBe('Bibliothek der Küste');
  });

  it('shows a wide detail of the largest cover, which leads to the same region of the scan', {
    tags: 'exhaustive',
  }, async () => {
    const page = await openPage('');
    const picture = await box(page, '.front-picture img');
    expect(picture.width / picture.height).toBeGreaterThan(2);
    // Without the shade under the title.
    await page.evaluate(() => {
      const rule = '.start-head > :not(.front-picture), .front-picture::after { display: none }';
      document.styleSheets[0]?.insertRule(rule, document.styleSheets[0].cssRules.length);
    });
    const { data, info } = await sharp(await page.locator('.front-picture').screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
    const [top, bottom] = [pixel(info.width >> 1, 8), pixel(info.width >> 1, info.height - 60)];
    expect([Math.round((top[0] ?? 0) / 32), Math.round((bottom[2] ?? 0) / 32)]).toEqual([6, 6]);
    await page.locator('.front-picture').click();
    await page.waitForFunction(() => location.pathname.endsWith('/view/map/chart.jpg'));
    const query = new URL(page.url()).searchParams;
    expect(Number(query.get('ww'))).toBeLessThan(0.85);
    expect(Number(query.get('wh'))).toBeLessThan(0.65);
  });

  it('shows few folders large, each with a line', async () => {
    const page = await openPage('');
    expect(await page.locator('.folder-card .card-summary').allTextContents()).toEqual([
      'The first book of drawings from the microscope.',
      'Of a coast.',
    ]);
    expect((await box(page, '.folder-card')).width).toBeGreaterThan(340);
  });

  it('has the logo of the settings, which is no script for the browser', { tags: 'exhaustive' }, async () => {
    const page = await openPage('');
    const image = page.locator('.wordmark img');
    expect(await image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    const address = await image.evaluate((one) => (one as HTMLImageElement).src);
    expect(address).toMatch(/\/books\/room\/logo-[\w]+\.svg$/);
    const answer = await page.request.get(address);
    expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(await answer.text()).toBe(logo);
  });

  it.each(['light', 'dark'] as const)(
    'has the accent of the settings, legible on %s paper',
    { tags: 'exhaustive' },
    async (colorScheme) => {
      const page = await openPage('browse/book', { colorScheme });
      const hex = (color: string): string =>
        `#${(color.match(/\d+/g) ?? [])
          .slice(0, 3)
          .map((part) => Number(part).toString(16).padStart(2, '0'))
          .join('')}`;
      const colors = await page
        .locator('.rights')
        .evaluate((link) => [getComputedStyle(link).color, getComputedStyle(document.body).backgroundColor]);
      const [accent = '', paper = ''] = colors.map(hex);
      expect(contrast(accent, paper)).toBeGreaterThanOrEqual(4.5);
      expect(paper).toBe(paperColors('#3c6cff')[colorScheme]['paper']);
      // The wished yellow is legible on dark paper as it is, and becomes a brown on light paper.
      expect(accent === '#ffd23c').toBe(colorScheme === 'dark');
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );
});

describe('the page of a folder', () => {
  it('has a long title at a readable measure', async () => {
    const page = await openPage('browse/book', { viewport: { width: 1600, height: 1000 } });
    const lines = await page.locator('h1').evaluate((title) => {
      const range = document.createRange();
      range.selectNodeContents(title);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      return { count: tops.size, characters: (title.textContent ?? '').length };
    });
    expect(lines.count).toBeGreaterThanOrEqual(3);
    expect(lines.characters / lines.count).toBeLessThan(45);
  });

  it('says its rights in words, links elsewhere, and links in values, none of them by a script', {
    tags: 'exhaustive',
  }, async () => {
    const page = await openPage('browse/book');
    const links = await page
      .locator('.metadata a')
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
    expect(links).toEqual([
      ['https://catalog.example/hooke?id=1', 'https://catalog.example/hooke?id=1'],
      ['The first of 1665', 'https://editions.example/1665'],
      ['No copyright: United States', 'http://rightsstatements.org/vocab/NoC-US/1.0/'],
      ['In our exhibition', 'https://example.org/hooke'],
    ]);
    expect(await page.locator('.rights svg').count()).toBe(1);
    expect(await page.getByText('not this').count()).toBe(1);
  });

  it('has its contents beside the pages where there is space, and above them on a phone', {
    tags: 'exhaustive',
  }, async () => {
    const wide = await openPage('browse/book');
    const [contents, cards] = [await box(wide, '.folder-chapters'), await box(wide, '.image-cards')];
    expect(contents.x + contents.width).toBeLessThanOrEqual(cards.x);
    expect(Math.abs(contents.y - cards.y)).toBeLessThan(24);
    const phone = await openPage('browse/book', { viewport: { width: 390, height: 844 } });
    expect((await box(phone, '.folder-chapters')).y).toBeLessThan((await box(phone, '.image-cards')).y);
  });

  it('shows an image large that is alone', { tags: 'exhaustive' }, async () => {
    const page = await openPage('browse/map');
    await page.locator('.image-card img').scrollIntoViewIfNeeded();
    await page.waitForFunction(
      () => (document.querySelector<HTMLImageElement>('.image-card img')?.naturalWidth ?? 0) > 0,
    );
    expect((await box(page, '.image-card img')).width).toBeGreaterThan(800);
  });

  it('breaks names between their parts', { tags: 'exhaustive' }, async () => {
    const page = await openPage('browse/Scans_of_the_year_1890', { viewport: { width: 320, height: 700 } });
    const linesOf = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const lines = new Map<number, string>();
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          for (const [index, letter] of [...(node.textContent ?? '')].entries()) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + 1);
            const top = Math.round(range.getBoundingClientRect().top);
            lines.set(top, (lines.get(top) ?? '') + letter);
          }
        }
        return [...lines.values()];
      });
    const lines = await linesOf('h1');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/_$/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
});

describe('the hits of a search', () => {
  const hits = (page: Page) =>
    page
      .locator('.found li')
      .evaluateAll((items) =>
        items.map((item) => [
          item.querySelector('strong')?.textContent,
          item.querySelector('.found-reason')?.textContent ?? null,
          item.querySelector('small')?.textContent,
        ]),
      );

  it.each([
    ['hooke', [[longTitle, 'Author Hooke, Robert', 'Library of the Coast']]],
    [
      'flea',
      [
        ['Of a flea', null, `Chapter · Library of the Coast › ${longTitle} · page 2 of 2`],
        ['The flea', null, `Page · Library of the Coast › ${longTitle} · page 2 of 2`],
      ],
    ],
    ['microscope', [[longTitle, 'Summary The first book of drawings from the microscope.', 'Library of the Coast']]],
    ['a.jpg', [['Title page', 'Name a.jpg', `Library of the Coast › ${longTitle} · page 1 of 2`]]],
  ])('say why they were found, with titles: %s', async (query, expected) => {
    const page = await browser.open(`browse/?q=${query}`);
    await page.locator('.found li').first().waitFor();
    expect(await hits(page)).toEqual(expected);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('are what the field promises', async () => {
    const page = await openPage('');
    const field = page.getByRole('textbox', { name: 'Search titles, chapters, texts' });
    expect(await field.getAttribute('placeholder')).toBe('Search titles, chapters, texts');
  });
});

describe.each(['light', 'dark'] as const)('nothing is inaccessible in %s', (colorScheme) => {
  it.each([
    ['', 'en', { width: 1280, height: 800 }],
    ['', 'de', { width: 390, height: 844 }],
    ['browse/book', 'de', { width: 1280, height: 800 }],
    ['browse/map', 'en', { width: 390, height: 844 }],
  ])('at “%s” in %s', { tags: 'exhaustive' }, async (address, locale, viewport) => {
    const page = await openPage(address, { colorScheme, locale, viewport });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  });
});
