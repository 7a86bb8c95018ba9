import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { openBrowser, problemsOf } from './browser.ts';
import { longFolderImages, type Shelf, startShelf } from './shelf.ts';

let browser: Browser;
let shelf: Shelf;
let page: Page;
let problems: readonly string[];
const foreign: string[] = [];

beforeAll(async () => {
  shelf = await startShelf();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await shelf?.close();
});
afterEach(async () => {
  await page?.close();
  expect(foreign, 'requests to other hosts').toEqual([]);
});

/** Opens an address below the library's and waits until it is there. */
async function open(address: string, options: BrowserContextOptions = {}): Promise<void> {
  page = await browser.newPage({ viewport: { width: 1280, height: 860 }, locale: 'en', ...options });
  problems = problemsOf(page);
  page.on('request', (request) => {
    if (!request.url().startsWith(shelf.url) && !/^(?:blob|data):/.test(request.url())) foreign.push(request.url());
  });
  await page.goto(shelf.url + address);
  await page.locator('h1, .problem').first().waitFor();
}

/** Waits for all pictures that are seen, and gives their widths. */
async function pictureWidths(): Promise<readonly number[]> {
  await page.waitForFunction(() => [...document.images].every((image) => image.complete || image.loading === 'lazy'));
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
  );
  return page.evaluate(() =>
    [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight).map((i) => i.naturalWidth),
  );
}

const texts = (selector: string): Promise<readonly string[]> => page.locator(selector).allInnerTexts();
const pathHere = (): string => page.url().slice(shelf.url.length);
const title = (): Promise<string> => page.locator('h1').innerText();

describe('a folder of the library', () => {
  it('shows the folders of the root with covers and counts', async () => {
    await open('');
    expect(await texts('.folder-card strong')).toEqual(['An atlas', 'long', 'nothing', 'torn']);
    expect(await texts('.folder-card small')).toEqual(['1 folder · 2 images', '250 images', '', '1 image']);
    const widths = await pictureWidths();
    expect(widths.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...widths)).toBeGreaterThan(50);
    expect(await page.title()).toBe('Library – Lectern');
    expect(problems).toEqual([]);
  });

  it('says what the metadata says, in the language of the reader, and folds what is long', async () => {
    await open('browse/atlas');
    expect(await title()).toBe('An atlas');
    expect(await page.title()).toBe('An atlas – Lectern');
    expect(await page.locator('.summary').innerText()).toBe('Maps of nowhere.');
    expect(await texts('.metadata dt')).toEqual(['Date', 'Note', 'Rights']);
    const note = page.locator('.metadata dd').nth(1);
    const folded = (await note.innerText()).length;
    await page.getByRole('button', { name: 'More' }).click();
    expect((await note.innerText()).length).toBeGreaterThan(folded * 1.8);
    const rights = page.getByRole('link', { name: /creativecommons/ });
    expect(await rights.getAttribute('href')).toBe('https://creativecommons.org/publicdomain/mark/1.0/');
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByLabel('Deutsch').check();
    await page.getByRole('heading', { name: 'Ein Atlas' }).waitFor();
    expect(await page.locator('.summary').innerText()).toBe('Karten von nirgendwo.');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    expect(problems).toEqual([]);
  });

  it('shows whole images in the order and with the labels of the metadata, as sharp as the display', async () => {
    await open('browse/atlas', { deviceScaleFactor: 2 });
    expect(await texts('.image-card p > span')).toEqual(['Frontispiece', 'tall page']);
    expect(await texts('.image-card small')).toEqual(['400 × 300 px', '300 × 400 px']);
    expect((await pictureWidths()).slice(1)).toEqual([352, 300]);
    const shapes = await page
      .locator('.image-card img')
      .evaluateAll((images) =>
        images.map((image) => [image.clientWidth, image.clientHeight, getComputedStyle(image).objectFit]),
      );
    expect(shapes).toEqual([
      [176, 132, 'contain'],
      [162, 216, 'contain'],
    ]);
    const link = page.getByRole('link', { name: 'Frontispiece' });
    expect(await link.getAttribute('href')).toBe(`${shelf.url}view/atlas/wide.png`);
  });

  it('leads along the way by links, puts the focus on the title, and comes back to where the reader was', async () => {
    await open('browse/long');
    await page.evaluate(() => scrollTo(0, 700));
    await page.waitForTimeout(100);
    await page.getByRole('link', { name: 'Part 2' }).click();
    await page.getByText('101 to 200 of 250').waitFor();
    expect(pathHere()).toBe('browse/long?from=101');
    expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'H1']);
    await page.goBack();
    await page.getByText('1 to 100 of 250').waitFor();
    await page.waitForFunction(() => scrollY === 700);
    const crumbs = page.getByRole('navigation', { name: 'The way here' });
    expect(await crumbs.locator('[aria-current=page]').innerText()).toBe('long');
    await crumbs.getByRole('link', { name: 'Library' }).click();
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    expect(pathHere()).toBe('');
  });

  it('shows long folders in parts, each at an address of its own', async () => {
    await open('browse/long?from=201');
    expect(await texts('.image-card p > span')).toEqual(
      Array.from({ length: 50 }, (_, index) => `leaf-${String(index + 201)}`),
    );
    const pages = page.getByRole('navigation', { name: 'Parts of this folder' });
    expect(await pages.locator('[aria-current=page]').innerText()).toBe('3');
    expect(
      await pages.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual([
      `${shelf.url}browse/long?from=101`,
      `${shelf.url}browse/long`,
      `${shelf.url}browse/long?from=101`,
      `${shelf.url}browse/long?from=201`,
    ]);
  });

  it.each([
    ['browse/nothing', 'Nothing lies in this folder yet.'],
    ['browse/torn', 'Can’t be read'],
    ['browse/no/such/folder', 'There is nothing here'],
  ])('is calm about %s', async (address, text) => {
    await open(address);
    expect(await page.getByText(text).first().isVisible()).toBe(true);
  });

  it('asks again after a failure', async () => {
    await open('');
    await page.route('**/api/folder.json*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.getByRole('link', { name: /An atlas/ }).click();
    await page.getByText('The server is busy').waitFor();
    await page.unroute('**/api/folder.json*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'An atlas' }).waitFor();
  });
});

describe('the search', () => {
  it('begins by the key "/", finds while the reader types, and marks what was looked for', async () => {
    await open('');
    await page.keyboard.press('/');
    await page.keyboard.type('olb');
    await page.getByText('1 found').waitFor();
    expect(await page.locator('.found mark').innerText()).toBe('Ölb');
    expect(await page.locator('.found small').innerText()).toBe('Library › atlas › plates');
    expect(pathHere()).toBe('?q=olb');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.goBack();
    await page.locator('.folder-cards').waitFor();
    expect(await page.getByRole('textbox', { name: 'Search names' }).inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  it('looks inside of the folder, or in the whole library, by addresses', async () => {
    await open('browse/long?q=a');
    const count = page.locator('.search-results [role=status]');
    await page.getByText(`${longFolderImages} found`).or(page.getByText('There are more.')).first().waitFor();
    expect(await page.locator('.found small').first().innerText()).toBe('Library › long');
    await page.getByRole('link', { name: 'In the whole library' }).click();
    await page.waitForFunction(() => document.querySelector('.found strong')?.textContent === 'An atlas');
    expect(pathHere()).toBe('?q=a');
    await page.getByRole('textbox').fill('no such name');
    await page.getByText('No name holds “no such name”.').waitFor();
    expect(await count.innerText()).toBe('No name holds “no such name”.');
  });

  it('leaves "/" alone where single keys are no shortcuts', async () => {
    await open('');
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByLabel('Single keys as shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  });
});

describe('the light table', () => {
  const cell = (name: string) => page.getByRole('option', { name, exact: true });
  const selected = (): Promise<readonly string[]> => texts('[role=option][aria-selected=true] .cell-label');
  const said = (): Promise<string> => page.locator('.selection-bar p').innerText();

  it('draws and fetches only what is seen, and begins where the address says', async () => {
    const asked: string[] = [];
    await open('browse/long?layout=table&from=201&columns=5');
    page.on('request', (request) => void (request.url().includes('folder.json') && asked.push(request.url())));
    await cell('leaf-201').waitFor();
    const top = await cell('leaf-201').boundingBox();
    expect(top?.y).toBeLessThan(90);
    expect(await cell('leaf-201').getAttribute('aria-posinset')).toBe('201');
    expect(await page.locator('[role=option]').count()).toBeLessThan(60);
    await page.getByRole('listbox').evaluate((list) => list.scrollTo(0, 0));
    await cell('leaf-001').waitFor();
    await page.waitForFunction(() => !location.search.includes('from='));
    expect(asked.map((address) => new URL(address).searchParams.get('from'))).toEqual(['1']);
    expect(problems).toEqual([]);
  });

  it('selects by mouse, with ranges, and keeps the selection while the reader scrolls', async () => {
    await open('browse/long?layout=table&columns=5');
    await cell('leaf-002').click();
    await cell('leaf-006').click({ modifiers: ['Shift'] });
    await cell('leaf-004').click();
    expect(await selected()).toEqual(['leaf-002', 'leaf-003', 'leaf-005', 'leaf-006']);
    const list = page.getByRole('listbox');
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await cell('leaf-250').click();
    expect(await said()).toBe('5 selected');
    await list.evaluate((element) => element.scrollTo(0, 0));
    await cell('leaf-002').waitFor();
    expect(await selected()).toContain('leaf-002');
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await selected()).toEqual([]);
  });

  it('selects by keys, and opens by Enter; the way back finds the selection', async () => {
    await open('browse/long?layout=table&columns=5');
    await cell('leaf-001').waitFor();
    await page.getByRole('listbox').focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'Space', 'Shift+ArrowRight']) await page.keyboard.press(key);
    expect(await selected()).toEqual(['leaf-007', 'leaf-008']);
    await page.keyboard.press('End');
    await cell('leaf-250').waitFor();
    const active = await page.getByRole('listbox').getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-posinset')).toBe('250');
    await page.keyboard.press('Control+a');
    expect(await said()).toBe('250 selected');
    await page.getByRole('button', { name: 'Copy addresses' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.waitForURL(/view\/long\/leaf-001\.png/);
    await page.goBack();
    await cell('leaf-001').waitFor();
    expect(await selected()).toEqual(['leaf-001']);
  });

  it('gives addresses to copy, and a list as a file', async () => {
    await open('browse/atlas?layout=table', { permissions: ['clipboard-read', 'clipboard-write'] });
    await cell('Frontispiece').click();
    await cell('tall page').click();
    await page.getByRole('button', { name: 'Copy info.json addresses' }).click();
    await page.getByText('Copied').waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    expect(lines).toEqual([
      `${shelf.url}iiif/3/atlas!wide.png/info.json`,
      `${shelf.url}iiif/3/atlas!tall%20page.jpg/info.json`,
    ]);
    for (const line of lines) expect((await fetch(line)).status).toBe(200);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download list' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('atlas-images.json');
    const list = JSON.parse(readFileSync(await download.path(), 'utf8')) as readonly { path: string; label: string }[];
    expect(list.map(({ path, label }) => [path, label])).toEqual([
      ['atlas/wide.png', 'Frontispiece'],
      ['atlas/tall page.jpg', 'tall page'],
    ]);
  });

  it('does to every thumbnail what an old contact sheet says', async () => {
    await open('jquery/digicat.html?fn=long&pg=2&rows=2&cols=3&rot=90&mo=hmir');
    await cell('leaf-007').waitFor();
    const sources = await page
      .locator('.cell img')
      .evaluateAll((images) => images.map((image) => image.getAttribute('src')));
    for (const source of sources) expect(source).toMatch(/^Scaler\?.*mo=hmir.*rot=90|^Scaler\?.*rot=90.*mo=hmir/);
    await pictureWidths();
    const shape = await cell('leaf-007')
      .locator('img')
      .evaluate((image) => {
        const { naturalWidth, naturalHeight } = image as HTMLImageElement;
        return naturalWidth / naturalHeight;
      });
    expect(shape).toBeCloseTo(80 / 60, 1);
    const [first, second, fourth] = await Promise.all(
      ['leaf-007', 'leaf-008', 'leaf-010'].map((n) => cell(n).boundingBox()),
    );
    expect(second?.y).toBe(first?.y);
    expect(fourth?.x).toBe(first?.x);
  });
});

describe('"open with"', () => {
  const dialog = () => page.getByRole('dialog');
  const addresses = (): Promise<readonly string[]> => dialog().locator('dd a').allInnerTexts();

  it.each([
    ['', 'Open with', 4],
    ['browse/atlas', 'Open with', 6],
    ['browse/long', 'Open with', 4],
    ['browse/atlas', 'Open tall page with other programs', 7],
  ])('names addresses that answer, for %s by "%s"', async (address, button, count) => {
    await open(address);
    await page.getByRole('button', { name: button, exact: true }).click();
    await dialog().getByRole('tab', { name: 'Addresses' }).waitFor();
    const shown = await addresses();
    expect(shown).toHaveLength(count);
    for (const line of shown) expect([line, (await fetch(line)).status]).toEqual([line, 200]);
    expect(problems).toEqual([]);
  });

  it('has pieces of HTML for other viewers, by tabs that arrow keys go through', async () => {
    await open('browse/atlas');
    await page.getByRole('button', { name: 'Open with', exact: true }).click();
    const text = dialog().locator('pre').first();
    await dialog().getByRole('tab', { name: 'Addresses' }).focus();
    for (const [name, holds] of [
      ['OpenSeadragon', 'OpenSeadragon({'],
      ['Mirador', 'mirador@4'],
      ['Universal Viewer', 'universalviewer@4'],
    ] as const) {
      await page.keyboard.press('ArrowRight');
      expect(await dialog().getByRole('tab', { selected: true }).innerText()).toBe(name);
      expect(await text.innerText()).toContain(holds);
      expect(await text.innerText()).toContain(`"${shelf.url}presentation/3/atlas/manifest.json"`);
    }
    await page.keyboard.press('End');
    expect(await text.innerText()).toMatch(/^<img src="http.*Scaler\?fn=atlas%2Fwide\.png&amp;dw=800/);
    expect(await dialog().locator('pre').nth(1).innerText()).toContain(`<iframe src="${shelf.url}embed/atlas"`);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('has an icon whose link brings the manifest to a viewer', async () => {
    await open('browse/atlas');
    await page.getByRole('button', { name: 'Open with', exact: true }).click();
    const icon = dialog().getByRole('link', { name: 'Drag to a IIIF viewer' });
    const address = new URL((await icon.getAttribute('href')) ?? '');
    expect(address.searchParams.get('manifest')).toBe(`${shelf.url}presentation/3/atlas/manifest.json`);
    const dragged = await icon.evaluate((link) => {
      const dataTransfer = new DataTransfer();
      link.dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true }));
      return dataTransfer.getData('text/uri-list');
    });
    expect(dragged).toBe(address.href);
  });
});

describe('everybody', () => {
  const places = [
    ['the root', '', undefined],
    ['a folder', 'browse/atlas', undefined],
    ['a part of a long folder', 'browse/long?from=101', undefined],
    ['what was found', 'browse/atlas?q=a', undefined],
    ['a torn image', 'browse/torn', undefined],
    ['a light table', 'browse/atlas?layout=table', async () => page.getByRole('option').first().click()],
    ['the menu', '', async () => page.locator('.drop-down > button').click()],
    ['ways to open', 'browse/atlas', async () => page.locator('.folder-actions button').click()],
    [
      'HTML to copy',
      'browse/atlas',
      async () => {
        await page.locator('.folder-actions button').click();
        await page.getByRole('tab').nth(2).click();
      },
    ],
  ] as const;

  for (const [name, address, act] of places) {
    for (const [colorScheme, locale, width] of [
      ['light', 'en', 1280],
      ['dark', 'de', 390],
    ] as const) {
      it(`can use ${name} (${colorScheme}, ${locale}, ${width} px wide)`, async () => {
        await open(address, { colorScheme, locale, viewport: { width, height: 800 } });
        await act?.();
        await pictureWidths();
        expect(await axeFaults(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        expect(problems).toEqual([]);
      });
    }
  }
});
