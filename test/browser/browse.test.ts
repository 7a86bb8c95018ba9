import { describe, expect, it } from 'vitest';
import { readShelf } from './reader.ts';
import { longFolderImages } from './shelf.ts';

const reader = readShelf();
const title = (): Promise<string | null> => reader.page.locator('h1').textContent();

describe('a folder of the library', () => {
  it('shows the folders of the root with covers and counts', async () => {
    await reader.open('');
    expect(await reader.texts('.folder-card strong')).toEqual(['An atlas', 'long', 'nothing', 'torn']);
    expect(await reader.texts('.folder-card small')).toEqual(['1 folder · 2 images', '250 images', '', '1 image']);
    const widths = await reader.pictureWidths();
    expect(widths.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...widths)).toBeGreaterThan(50);
    expect(await reader.page.title()).toBe('Library – Lectern');
    expect(reader.problems).toEqual([]);
  });

  it('says what the metadata says, in the language of the reader, and folds what is long', async () => {
    await reader.open('browse/atlas');
    expect(await title()).toBe('An atlas');
    expect(await reader.page.title()).toBe('An atlas – Lectern');
    expect(await reader.page.locator('.summary').textContent()).toBe('Maps of nowhere.');
    expect(await reader.texts('.metadata dt')).toEqual(['Date', 'Note', 'Rights']);
    const note = reader.page.locator('.metadata dd').nth(1);
    const folded = ((await note.textContent()) ?? '').length;
    await reader.page.getByRole('button', { name: 'More' }).click();
    expect(((await note.textContent()) ?? '').length).toBeGreaterThan(folded * 1.8);
    const rights = reader.page.getByRole('link', { name: /creativecommons/ });
    expect(await rights.getAttribute('href')).toBe('https://creativecommons.org/publicdomain/mark/1.0/');
    await reader.page.getByRole('button', { name: 'Display' }).click();
    await reader.page.getByLabel('Deutsch').check();
    await reader.page.getByRole('heading', { name: 'Ein Atlas' }).waitFor();
    expect(await reader.page.locator('.summary').textContent()).toBe('Karten von nirgendwo.');
    expect(await reader.page.evaluate(() => document.documentElement.lang)).toBe('de');
    expect(reader.problems).toEqual([]);
  });

  it('shows whole images in the order and with the labels of the metadata, as sharp as the display', async () => {
    await reader.open('browse/atlas', { deviceScaleFactor: 2 });
    expect(await reader.texts('.image-card p > span')).toEqual(['Frontispiece', 'tall page']);
    expect(await reader.texts('.image-card small')).toEqual(['400 × 300 px', '300 × 400 px']);
    await reader.page.locator('.image-cards').scrollIntoViewIfNeeded();
    expect(Math.min(...(await reader.pictureWidths()))).toBeGreaterThan(100);
    const sources = await reader.page
      .locator('.image-card img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).currentSrc.split('&dw=')[1]));
    expect(sources, 'two pixels of the image for one of the page, as far as it has them').toEqual([
      '352&dh=264',
      '300&dh=400',
    ]);
    const shapes = await reader.page
      .locator('.image-card img')
      .evaluateAll((images) =>
        images.map((image) => [image.clientWidth, image.clientHeight, getComputedStyle(image).objectFit]),
      );
    expect(shapes).toEqual([
      [176, 132, 'contain'],
      [162, 216, 'contain'],
    ]);
    const link = reader.page.getByRole('link', { name: 'Frontispiece' });
    expect(await link.getAttribute('href')).toBe(`${reader.url}view/atlas/wide.png`);
  });

  it('leads along the way by links, puts the focus on the title, and comes back to where the reader was', async () => {
    await reader.open('browse/long');
    await reader.page.evaluate(() => scrollTo(0, 700));
    await reader.page.waitForTimeout(100);
    // By script, since a mouse would have to scroll there first.
    await reader.page.getByRole('link', { name: 'Part 2' }).evaluate((link: HTMLElement) => link.click());
    await reader.page.getByText('101 to 200 of 250').waitFor();
    expect(reader.pathHere()).toBe('browse/long?from=101');
    expect(await reader.page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'H1']);
    await reader.page.goBack();
    await reader.page.getByText('1 to 100 of 250').waitFor();
    await reader.page.waitForFunction(() => scrollY === 700);
    const crumbs = reader.page.getByRole('navigation', { name: 'The way here' });
    expect(await crumbs.locator('[aria-current=page]').textContent()).toBe('long');
    await crumbs.getByRole('link', { name: 'Library' }).click();
    await reader.page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    expect(reader.pathHere()).toBe('');
  });

  it('comes back from an image to the place in the folder', async () => {
    await reader.open('browse/long');
    await reader.page.evaluate(() => scrollTo(0, 900));
    await reader.page.waitForTimeout(100);
    await reader.page.getByRole('link', { name: 'leaf-030' }).evaluate((link: HTMLElement) => link.click());
    await reader.page.waitForURL(/view\/long\/leaf-030\.png/);
    await reader.page.locator('.image-cards').waitFor({ state: 'detached' });
    await reader.page.goBack();
    await reader.page.waitForFunction(() => scrollY === 900);
    expect(await reader.page.locator('.image-card').count()).toBe(100);
  });

  it('shows long folders in parts, each at an address of its own', async () => {
    await reader.open('browse/long?from=201');
    expect(await reader.texts('.image-card p > span')).toEqual(
      Array.from({ length: 50 }, (_, index) => `leaf-${String(index + 201)}`),
    );
    const pages = reader.page.getByRole('navigation', { name: 'Parts of this folder' });
    expect(await pages.locator('[aria-current=page]').textContent()).toBe('3');
    expect(
      await pages.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual([
      `${reader.url}browse/long?from=101`,
      `${reader.url}browse/long`,
      `${reader.url}browse/long?from=101`,
      `${reader.url}browse/long?from=201`,
    ]);
  });

  it.each([
    ['browse/nothing', 'Nothing lies in this folder yet.'],
    ['browse/torn', 'Can’t be read'],
    ['browse/no/such/folder', 'There is nothing here'],
  ])('is calm about %s', async (address, text) => {
    await reader.open(address);
    expect(await reader.page.getByText(text).first().isVisible()).toBe(true);
  });

  it('asks again after a failure', async () => {
    await reader.open('');
    await reader.page.route('**/api/folder.json*', (route) => route.fulfill({ status: 503, body: '' }));
    await reader.page.getByRole('link', { name: /An atlas/ }).click();
    await reader.page.getByText('The server is busy').waitFor();
    await reader.page.unroute('**/api/folder.json*');
    await reader.page.getByRole('button', { name: 'Try again' }).click();
    await reader.page.getByRole('heading', { name: 'An atlas' }).waitFor();
  });
});

describe('the search', () => {
  it('begins by the key "/", finds while the reader types, and marks what was looked for', async () => {
    await reader.open('');
    await reader.page.keyboard.press('/');
    await reader.page.keyboard.type('olb');
    await reader.page.getByText('1 found').waitFor();
    expect(await reader.page.locator('.found mark').textContent()).toBe('Ölb');
    expect(await reader.page.locator('.found small').textContent()).toBe('Library › atlas › plates · page 1 of 1');
    expect(reader.pathHere()).toBe('browse/?q=olb');
    expect(await reader.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await reader.page.goBack();
    await reader.page.locator('.folder-cards').waitFor();
    expect(await reader.page.getByRole('textbox', { name: 'Search names' }).inputValue()).toBe('');
    expect(reader.problems).toEqual([]);
  });

  it('looks inside of the folder, or in the whole library, by addresses', async () => {
    await reader.open('browse/long?q=a');
    const count = reader.page.locator('.search-results [role=status]');
    await reader.page
      .getByText(`${longFolderImages} found`)
      .or(reader.page.getByText('There are more.'))
      .first()
      .waitFor();
    expect(await reader.page.locator('.found small').first().textContent()).toBe('Library › long · page 1 of 250');
    await reader.page.getByRole('link', { name: 'In the whole library' }).click();
    await reader.page.waitForFunction(() => document.querySelector('.found strong')?.textContent === 'An atlas');
    expect(reader.pathHere()).toBe('browse/?q=a');
    await reader.page.getByRole('textbox').fill('no such name');
    await reader.page.getByText('No name holds “no such name”.').waitFor();
    expect(await count.textContent()).toBe('No name holds “no such name”.');
  });

  it('leaves "/" alone where single keys are no shortcuts', async () => {
    await reader.open('');
    await reader.page.getByRole('button', { name: 'Display' }).click();
    await reader.page.getByLabel('Single keys as shortcuts').uncheck();
    await reader.page.keyboard.press('Escape');
    await reader.page.keyboard.press('/');
    expect(await reader.page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  });
});
