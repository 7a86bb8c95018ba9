// @module-tag chromium
/** The light table on which images lie freely: by keys and by the pointer, its sizes, its files, and what it requests. */
import { readFileSync } from 'node:fs';
import type { Download, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { pageName, setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

const size = { width: 1200, height: 800 };

/** Two pages, and an image with a scale: 600 pixels at 150 per inch are 101.6 mm. */
const table = `1=0/0/100,,book/${pageName(1)}&2=150/0/100,,/${pageName(2)}&3=300/0/50,,dense.png`;

async function open(query: string, window = size): Promise<Page> {
  const page = await viewer.open('view/colors.png', { size: window });
  await page.goto(`${viewer.url()}light-table${query === '' ? '' : `?${query}`}`);
  await page.getByRole('heading', { name: 'Free light table' }).waitFor();
  if (query !== '') await page.getByRole('option').first().waitFor();
  return page;
}

const options = (page: Page): Locator => page.getByRole('option');
const item = (page: Page, name: string): Locator => page.getByRole('option', { name });

/** The parameters of the address, once one of them is as it is to be. */
async function parameter(page: Page, name: string): Promise<string | null> {
  return new URL(page.url()).searchParams.get(name);
}

const becomes = (page: Page, name: string, value: string | null): Promise<void> =>
  expect.poll(() => parameter(page, name)).toBe(value);

const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Waits until the labels of the images are known, and gives the surface the focus. */
async function focusSurface(page: Page): Promise<void> {
  await item(page, 'p001, book').waitFor();
  await page.getByRole('listbox').focus();
}

async function saved(page: Page, name: string): Promise<Download> {
  await page.getByRole('button', { name: 'Save and share' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  await page.keyboard.press('Escape');
  return download;
}

async function centerOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not seen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2);
  await page.mouse.move(from.x + by.x, from.y + by.y);
  await page.mouse.up();
}

describe('the free light table', () => {
  it('gets images from a folder, which lie beside each other, and whose address says where', async () => {
    const page = await viewer.open('view/colors.png', { size });
    await page.goto(`${viewer.url()}browse/book?layout=table`);
    for (const name of ['p001', 'p003']) await page.getByRole('option', { name, exact: true }).click();
    await page.getByRole('link', { name: 'Lay out freely' }).click();
    await item(page, 'p001, book').waitFor();
    await item(page, 'p003, book').waitFor();
    await expect.poll(() => parameter(page, '2')).toMatch(/^\d[\d.]*\/[\d.]+\/[\d.]+,,\/p003\.png$/);
    expect(await parameter(page, '1')).toMatch(/,,book\/p001\.png$/);
    const [one, other] = await Promise.all([centerOf(item(page, 'p001')), centerOf(item(page, 'p003'))]);
    expect(other.x).toBeGreaterThan(one.x + 50);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('moves, turns, scales, stacks and groups by keys alone, writes notes, and goes back', async () => {
    const page = await open(`${table}&view=150/0/1200`);
    await focusSurface(page);
    // The first key shows where the keyboard is, the next one goes on.
    await press(page, 'ArrowRight', 'ArrowRight', 'Space', 'ArrowDown', 'Shift+ArrowRight');
    await becomes(page, '2', '151/10/100,,/p002.png');
    await press(page, ']', ']', 'r', '.');
    await becomes(page, '2', '151/10/110/100,,/p002.png');
    await press(page, 'PageUp');
    await becomes(page, '3', '151/10/110/100,,book/p002.png');
    await press(page, 'Escape', 'Home', 'Space', 'End', 'Space', 'g');
    await becomes(page, '1', '0/0/100/0/1,,book/p001.png');
    await press(page, 'ArrowUp');
    await becomes(page, '1', '0/-10/100/0/1,,book/p001.png');
    await becomes(page, '3', '151/0/110/100/1,,book/p002.png');
    await item(page, 'p002, book, 110 × 146 mm, turned 100°, group 1').waitFor();
    await press(page, 'n');
    await page.locator('.chosen-bar textarea:focus').waitFor();
    await page.keyboard.type('Same hand?');
    await becomes(page, '4n', '150/0/220,Same hand?');
    await press(page, 'Escape', 'Delete');
    await becomes(page, '4n', null);
    await press(page, 'Control+z');
    await becomes(page, '4n', '150/0/220,Same hand?');
    await press(page, 'Control+Shift+z');
    await becomes(page, '4n', null);
    await press(page, 'Escape', 'End', 'Shift+G');
    await becomes(page, '1', '0/-10/100,,book/p001.png');
    await page.reload();
    await item(page, 'p002, book, 110 × 146 mm, turned 100°').waitFor();
    await expect.poll(() => options(page).count()).toBe(3);
    await press(page, 'Tab');
    await page.getByRole('listbox').press('?');
    await page.getByRole('dialog', { name: 'Keys on the table' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('follows the pointer: items, groups, the view, the handles', async () => {
    const page = await open(`${table}&view=150/0/1200`);
    await item(page, 'p001, book').waitFor();
    await drag(page, await centerOf(item(page, 'p001')), { x: 30, y: 60 });
    await becomes(page, '1', '30/60/100,,book/p001.png');
    await page.getByRole('option', { name: 'p002' }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    await becomes(page, '2', '150/0/100/0/1,,/p002.png');
    await drag(page, await centerOf(item(page, 'p002')), { x: 0, y: -40 });
    await becomes(page, '1', '30/20/100/0/1,,book/p001.png');
    await becomes(page, '2', '150/-40/100/0/1,,/p002.png');
    await item(page, 'dense').click();
    // Around its center by a quarter: from above it to its right.
    const center = await centerOf(item(page, 'dense'));
    const handle = await centerOf(page.locator('[data-handle=turn]'));
    const length = center.y - handle.y;
    await drag(page, handle, { x: length, y: length });
    await becomes(page, '3', '300/0/50/90,,dense.png');
    await page.getByRole('button', { name: 'Undo' }).click();
    await becomes(page, '3', '300/0/50,,dense.png');
    const corner = await centerOf(page.locator('[data-handle=scale]'));
    await drag(page, corner, { x: corner.x - center.x, y: corner.y - center.y });
    await expect.poll(() => parameter(page, '3')).toMatch(/^300\/0\/(99|100|101)/);
    await drag(page, { x: 600, y: 600 }, { x: 100, y: 0 });
    await becomes(page, 'view', '50/0/1200');
    await page.mouse.wheel(0, -200);
    await expect.poll(async () => Number((await parameter(page, 'view'))?.split('/')[2])).toBeLessThan(900);
    await page.getByRole('button', { name: 'Show the whole table' }).click();
    await becomes(page, 'view', null);
    await page.keyboard.down('Shift');
    await drag(page, { x: 40, y: 160 }, { x: 1120, y: 520 });
    await page.keyboard.up('Shift');
    await expect.poll(() => page.getByRole('option', { selected: true }).count()).toBe(3);
  });

  it('shows images at the true size where it is known, and says where it is not', async () => {
    const page = await viewer.open('view/colors.png', { size });
    // PNG files of libvips always have a resolution.
    await page.route(/dlInfo-json\.jsp\?fn=book/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), 'img.dpix': '0', 'img.dpiy': '0' } });
    });
    await page.goto(`${viewer.url()}light-table?${table}&view=150/0/1200`);
    await item(page, 'p001, book').waitFor();
    await item(page, 'dense').click();
    const tools = page.getByRole('region', { name: 'Tools for what is selected' });
    await tools.getByText('49.2% of its true size').waitFor();
    await tools.getByRole('button', { name: 'True size', exact: true }).click();
    await becomes(page, '3', '300/0/101.6,,dense.png');
    await tools.getByText('at its true size').waitFor();
    await item(page, 'p001').click();
    await tools.getByText('its true size is not known').waitFor();
    await tools.getByLabel('Width (mm)').fill('148');
    await press(page, 'Tab');
    await becomes(page, '1', '0/0/148,,book/p001.png');
    await tools.getByLabel('Turn (°)').fill('-15');
    await press(page, 'Tab');
    await becomes(page, '1', '0/0/148/345,,book/p001.png');
    await page.getByRole('listbox').press('Escape');
    await press(page, 'Control+a', 't');
    await tools.getByText('At their true size: 1. Size not known: 2.').waitFor();
    // 96 CSS pixels are an inch, as long as the display is not calibrated.
    await page.getByRole('button', { name: 'Show the table at its true size' }).click();
    await expect.poll(async () => (await item(page, 'dense').boundingBox())?.width).toBeCloseTo(384, 0);
  });

  it('is saved as a file and as a collection of annotations, and opened from either', async () => {
    const page = await open(`${table}&4n=150/120/70/0/2,Same hand?&5=0/200/60/0/2,0.25/0.25/0.5/0.5,wide.png`);
    await item(page, 'p001, book').waitFor();
    await item(page, 'detail of wide').waitFor();
    const file = await (await saved(page, 'Save as a file')).path();
    const download = await saved(page, 'Annotation collection (IIIF, W3C)');
    expect(download.suggestedFilename()).toMatch(/^light-table-.*-annotations\.json$/);
    const annotations = await download.path();
    const collection = JSON.parse(readFileSync(annotations, 'utf8'));
    expect(collection.type).toBe('AnnotationCollection');
    const sources = collection.first.items.flatMap((one: { body?: { source?: { id: string } } }) =>
      one.body?.source ? [one.body.source.id] : [],
    );
    expect(sources).toHaveLength(4);
    for (const source of sources) expect((await fetch(source)).status).toBe(200);
    const { canvas, manifest } = {
      canvas: collection.first.items[0].body.source.partOf[0].id,
      manifest: collection.first.items[0].body.source.partOf[0].partOf[0].id,
    };
    expect(await (await fetch(manifest)).text()).toContain(JSON.stringify(canvas));
    for (const saving of [file, annotations]) {
      await page.goto(`${viewer.url()}light-table`);
      await page.getByRole('heading', { name: 'The table is empty' }).waitFor();
      await page.getByLabel('Open a file').last().setInputFiles(saving);
      await item(page, 'detail of wide, ').waitFor();
      await item(page, 'Note: Same hand?, 70').waitFor();
      await item(page, 'p002, book, 100').waitFor();
      await expect.poll(() => options(page).count()).toBe(5);
    }
    await expect.poll(() => parameter(page, '5')).toMatch(/\/0\/1,0\.25\/0\.25\/0\.5\/0\.5,wide\.png$/);
    await page.goto(`${viewer.url()}light-table`);
    await page
      .getByLabel('Open a file')
      .last()
      .setInputFiles({
        name: 'other.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"type":"Manifest"}'),
      });
    await page.getByText('This file is neither a light table').waitFor();
    await page.getByRole('button', { name: 'Continue with the last table' }).click();
    await item(page, 'detail of wide').waitFor();
  });

  it('requests as many pixels as are seen, of what is in the window alone', async () => {
    const page = await viewer.open('view/colors.png', { size });
    const pictures: URL[] = [];
    page.on('request', (request) => {
      const address = new URL(request.url());
      if (address.pathname.endsWith('/Scaler')) pictures.push(address);
    });
    const asked = (name: string): readonly URL[] =>
      pictures.filter(({ searchParams }) => searchParams.get('fn') === name);
    // The second one lies far away from what is seen.
    await page.goto(`${viewer.url()}light-table?1=0/0/100,,wide.png&2=9000/0/100,,dense.png&view=0/0/1200`);
    await expect.poll(() => asked('wide.png').length).toBe(1);
    expect(asked('wide.png')[0]?.searchParams.get('dw')).toBe('128');
    await page.goto(`${viewer.url()}light-table?1=0/0/100,,wide.png&2=9000/0/100,,dense.png&view=10/10/20`);
    // 100 mm are 6000 pixels: the file's own 1200 are enough, of the part that is seen.
    await expect.poll(() => asked('wide.png').length).toBe(3);
    const [whole, part] = asked('wide.png').slice(1);
    expect(whole?.searchParams.get('dw')).toBe('1024');
    expect(Number(part?.searchParams.get('ww'))).toBeLessThan(0.6);
    expect(Number(part?.searchParams.get('dw'))).toBeLessThan(800);
    await expect
      .poll(() =>
        page
          .locator('.table-item img')
          .evaluateAll((images) => images.map((one) => (one as HTMLImageElement).naturalWidth > 0)),
      )
      .toEqual([true, true]);
    expect(asked('dense.png')).toEqual([]);
  });

  it('takes details from the viewer and from the desk, and opens them there', async () => {
    const page = await viewer.open('view/wide.png?wx=0.25&wy=0.25&ww=0.5&wh=0.5', { size });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Put on the free light table' }).click();
    await item(page, 'detail of wide').waitFor();
    await expect.poll(() => parameter(page, '1')).toMatch(/,0\.25\/0\.25\/0\.5\/0\.5,wide\.png$/);
    await page.getByRole('button', { name: 'Add images' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add images' });
    await dialog.getByLabel('Address or path').fill(`${viewer.url()}view/book/${pageName(4)}?wx=0&wy=0&ww=0.5&wh=0.5`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('On the table: p004.png').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => parameter(page, '2')).toMatch(/,0\/0\/0\.5\/0\.5,book\/p004\.png$/);
    await item(page, 'detail of wide').dblclick();
    await page.waitForURL(/view\/wide\.png\?wx=0\.25&wy=0\.25&ww=0\.5&wh=0\.5$/);
    await page.keyboard.press('Shift+D');
    await page.goto(`${viewer.url()}desk`);
    await page.getByRole('link', { name: 'Lay out freely' }).click();
    await item(page, 'detail of wide').waitFor();
    await expect.poll(() => parameter(page, '1')).toMatch(/,0\.25\/0\.25\/0\.5\/0\.5,wide\.png$/);
  });

  it('says what can’t be shown, and keeps the rest', async () => {
    const page = await open(`${table}&4=0/200/100,,book/nowhere.png`);
    await page.getByText('Images that can’t be shown: 1.').waitFor();
    await item(page, 'nowhere.png, can’t be shown').waitFor();
    await item(page, 'p001, book').waitFor();
  });

  it('keeps in the browser what is too long for the address', async () => {
    const page = await open('');
    const items = Array.from({ length: 20 }, (_, at) => [`${at + 1}n`, `${at * 80}/0/70,${'long '.repeat(100)}`]);
    await page
      .getByLabel('Open a file')
      .last()
      .setInputFiles({
        name: 'table.json',
        mimeType: 'application/json',
        buffer: Buffer.from(
          JSON.stringify({ type: 'lectern-light-table', version: 1, parameters: Object.fromEntries(items) }),
        ),
      });
    await expect.poll(() => options(page).count()).toBe(20);
    await expect.poll(() => page.url().length).toBeGreaterThan(5000);
    expect(page.url().length).toBeLessThan(7100);
    await page.getByRole('button', { name: 'Save and share' }).click();
    await page.getByText('Items that the address has no room for').waitFor();
    await page.reload();
    await expect.poll(() => options(page).count()).toBe(20);
  });

  it('has all its tools on a phone, in forced colors too', async () => {
    const page = await open(table, { width: 390, height: 800 });
    await item(page, 'p001, book').waitFor();
    await item(page, 'p001, book').click();
    await page.getByLabel('Width (mm)').waitFor();
    await page.getByRole('button', { name: 'Select several' }).click();
    await item(page, 'p002, book').click();
    await expect.poll(() => page.getByRole('option', { selected: true }).count()).toBe(2);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    for (const button of await page.locator('.light-table button:visible').all()) {
      const box = await button.boundingBox();
      expect(box && [box.x >= 0, box.x + box.width <= 390, box.y + box.height <= 800]).toEqual([true, true, true]);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    const stroke = (): Promise<string> =>
      page
        .locator('.table-outlines .chosen')
        .first()
        .evaluate((line) => getComputedStyle(line).stroke);
    const before = await stroke();
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await expect.poll(stroke).not.toBe(before);
  });
});
