// @module-tag chromium
import { describe, expect, it } from 'vitest';
import { longFolderImages } from './browse-library.ts';
import { setUpBrowsing } from './browse-pages.ts';
import { pauseIn } from './browser.ts';

const session = setUpBrowsing();
const title = (): Promise<string | null> => session.page.locator('h1').textContent();

describe('a folder of the library', () => {
  it('shows the folders of the root with covers and counts', async () => {
    await session.open('');
    expect(await session.texts('.folder-card strong')).toEqual(['An atlas', 'long', 'nothing', 'torn']);
    expect(await session.texts('.folder-card small')).toEqual(['1 folder · 2 images', '250 images', '', '1 image']);
    const widths = await session.pictureWidths();
    expect(widths.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...widths)).toBeGreaterThan(50);
    expect(await session.page.title()).toBe('Library – Lectern');
    expect(session.problems).toEqual([]);
  });

  it('shows the metadata in the language of the reader, and collapses long values', async () => {
    await session.open('browse/atlas');
    expect(await title()).toBe('An atlas');
    expect(await session.page.title()).toBe('An atlas – Lectern');
    expect(await session.page.locator('.summary').textContent()).toBe('Maps of nowhere.');
    expect(await session.texts('.metadata dt')).toEqual(['Date', 'Note', 'Rights']);
    const note = session.page.locator('.metadata dd').nth(1);
    const folded = ((await note.textContent()) ?? '').length;
    await session.page.getByRole('button', { name: 'More' }).click();
    expect(((await note.textContent()) ?? '').length).toBeGreaterThan(folded * 1.8);
    const rights = session.page.getByRole('link', { name: 'Public domain' });
    expect(await rights.getAttribute('href')).toBe('https://creativecommons.org/publicdomain/mark/1.0/');
    await session.page.getByRole('button', { name: 'Display' }).click();
    await session.page.getByLabel('Language').selectOption('Deutsch');
    await session.page.getByRole('heading', { name: 'Ein Atlas' }).waitFor();
    expect(await session.page.locator('.summary').textContent()).toBe('Karten von nirgendwo.');
    expect(await session.page.evaluate(() => document.documentElement.lang)).toBe('de');
    expect(session.problems).toEqual([]);
  });

  it('shows whole images in the order and with the labels of the metadata, in the resolution of the display', async () => {
    await session.open('browse/atlas', { deviceScaleFactor: 2 });
    expect(await session.texts('.image-card p > span')).toEqual(['Frontispiece', 'tall page']);
    expect(await session.texts('.image-card small')).toEqual(['400 × 300 px', '300 × 400 px']);
    await session.page.locator('.image-cards').scrollIntoViewIfNeeded();
    expect(Math.min(...(await session.pictureWidths()))).toBeGreaterThan(100);
    const sources = await session.page
      .locator('.image-card img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).currentSrc.split('&dw=')[1]));
    expect(sources, 'two pixels of the image for one of the page, as far as it has them').toEqual([
      '352&dh=264&mo=errcode',
      '300&dh=400&mo=errcode',
    ]);
    const shapes = await session.page
      .locator('.image-card img')
      .evaluateAll((images) =>
        images.map((image) => [image.clientWidth, image.clientHeight, getComputedStyle(image).objectFit]),
      );
    expect(shapes).toEqual([
      [176, 132, 'contain'],
      [162, 216, 'contain'],
    ]);
    const link = session.page.getByRole('link', { name: 'Frontispiece', exact: true });
    expect(await link.getAttribute('href')).toBe(`${session.url}view/atlas/wide.png`);
  });

  it('navigates by links, focuses the title, and restores the position on going back', {
    tags: 'exhaustive',
  }, async () => {
    await session.open('browse/long');
    await session.page.evaluate(() => scrollTo(0, 700));
    await pauseIn(session.page, 100);
    // By script, since the mouse would scroll the page first.
    await session.page.getByRole('link', { name: 'Part 2' }).evaluate((link: HTMLElement) => link.click());
    await session.page.getByText('101 to 200 of 250').waitFor();
    expect(session.currentPath()).toBe('browse/long?from=101');
    expect(await session.page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'H1']);
    await session.page.goBack();
    await session.page.getByText('1 to 100 of 250').waitFor();
    await session.page.waitForFunction(() => scrollY === 700);
    const crumbs = session.page.getByRole('navigation', { name: 'The way here' });
    expect(await crumbs.locator('[aria-current=page]').textContent()).toBe('long');
    await crumbs.getByRole('link', { name: 'Library' }).click();
    await session.page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    expect(session.currentPath()).toBe('');
  });

  it('restores the scroll position when the reader returns from an image', { tags: 'exhaustive' }, async () => {
    await session.open('browse/long');
    await session.page.evaluate(() => scrollTo(0, 900));
    await pauseIn(session.page, 100);
    await session.page
      .getByRole('link', { name: 'leaf-030', exact: true })
      .evaluate((link: HTMLElement) => link.click());
    await session.page.waitForURL(/view\/long\/leaf-030\.png/);
    await session.page.locator('.image-cards').waitFor({ state: 'detached' });
    await session.page.goBack();
    await session.page.waitForFunction(() => scrollY === 900);
    expect(await session.page.locator('.image-card').count()).toBe(100);
  });

  it('shows long folders in parts, each with its own address', { tags: 'exhaustive' }, async () => {
    await session.open('browse/long?from=201');
    expect(await session.texts('.image-card p > span')).toEqual(
      Array.from({ length: 50 }, (_, index) => `leaf-${String(index + 201)}`),
    );
    const pages = session.page.getByRole('navigation', { name: 'Parts of this folder' });
    expect(await pages.locator('[aria-current=page]').textContent()).toBe('3');
    expect(
      await pages.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual([
      `${session.url}browse/long?from=101`,
      `${session.url}browse/long`,
      `${session.url}browse/long?from=101`,
      `${session.url}browse/long?from=201`,
    ]);
  });

  it.each([
    ['browse/nothing', 'Nothing lies in this folder yet.'],
    ['browse/torn', 'Can’t be read'],
    ['browse/no/such/folder', 'There is nothing here'],
  ])('shows a message for %s', async (address, text) => {
    await session.open(address);
    expect(await session.page.getByText(text).first().isVisible()).toBe(true);
  });

  it('retries after a failure', { tags: 'exhaustive' }, async () => {
    await session.open('');
    await session.page.route('**/api/folder.json*', (route) => route.fulfill({ status: 503, body: '' }));
    await session.page.getByRole('link', { name: /An atlas/ }).click();
    await session.page.getByText('The server is busy').waitFor();
    await session.page.unroute('**/api/folder.json*');
    await session.page.getByRole('button', { name: 'Try again' }).click();
    await session.page.getByRole('heading', { name: 'An atlas' }).waitFor();
  });
});

describe('the search', () => {
  it('is focused by the key "/", finds while the reader types, and marks the matches', async () => {
    await session.open('');
    await session.page.keyboard.press('/');
    // At once: “o” and “ol” find the image that can’t be read, too, whose picture is 404.
    await session.page.keyboard.insertText('olb');
    await session.page.getByText('1 found').waitFor();
    expect(await session.page.locator('.found mark').textContent()).toBe('Ölb');
    expect(await session.page.locator('.found small').textContent()).toBe(
      'Name · Library › An atlas › plates · page 1 of 1',
    );
    expect(session.currentPath()).toBe('browse/?q=olb');
    expect(await session.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await session.page.goBack();
    await session.page.locator('.folder-cards').waitFor();
    expect(await session.page.getByRole('textbox', { name: 'Search titles' }).inputValue()).toBe('');
    expect(session.problems).toEqual([]);
  });

  it('adds one entry to the history where Enter begins the search before the pause does', async () => {
    await session.open('');
    await session.page.keyboard.press('/');
    await session.page.keyboard.insertText('olb');
    await session.page.keyboard.press('Enter');
    await session.page.getByText('1 found').waitFor();
    await pauseIn(session.page, 500);
    await session.page.goBack();
    await session.page.locator('.folder-cards').waitFor();
    expect(session.currentPath()).toBe('');
  });

  it('searches the folder or the whole library, each with its own address', { tags: 'exhaustive' }, async () => {
    await session.open('browse/long?q=a');
    const count = session.page.locator('.search-results [role=status]');
    await session.page
      .getByText(`${longFolderImages} found`)
      .or(session.page.getByText('There are more.'))
      .first()
      .waitFor();
    expect(await session.page.locator('.found small').first().textContent()).toBe(
      'Name · Library › long · page 1 of 250',
    );
    await session.page.getByRole('link', { name: 'In the whole library' }).click();
    await session.page.waitForFunction(() => document.querySelector('.found strong')?.textContent === 'An atlas');
    expect(session.currentPath()).toBe('browse/?q=a');
    await session.page.getByRole('textbox').fill('no such name');
    await session.page.getByText('Nothing found for “no such name”.').waitFor();
    expect(await count.textContent()).toBe('Nothing found for “no such name”.');
  });

  it('ignores "/" if single keys are not shortcuts', async () => {
    await session.open('');
    await session.page.getByRole('button', { name: 'Display' }).click();
    await session.page.getByLabel('Single keys as shortcuts').uncheck();
    await session.page.keyboard.press('Escape');
    await session.page.keyboard.press('/');
    expect(await session.page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  });
});
