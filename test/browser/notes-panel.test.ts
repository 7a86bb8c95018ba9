// @module-tag chromium
import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { fractionOf, openNotesPanel, type Point, startDotApp, waitUntilSettled } from './dot-images.ts';

const session = setUpBrowser(startDotApp);
let page: Page;

const image = 'view/dots/dpi.png';

async function open(address: string, options: BrowserContextOptions = {}): Promise<void> {
  page = await session.open(address, options);
  await waitUntilSettled(page);
}

const openPanel = (key = 'm'): Promise<void> => openNotesPanel(page, key);

const button = (name: string) => page.getByRole('button', { name, exact: true });
async function deleteAll(): Promise<void> {
  await page.getByText('Delete several').click();
  await button('Delete all').click();
}
const markCount = (): Promise<number> => page.locator('.mark-handle').count();
const text = (...points: readonly Point[]): string => points.map(({ x, y }) => `${x}/${y}`).join(',');
const red = fractionOf('red');
const green = fractionOf('green');
const blue = fractionOf('blue');
const mark = `mk=${text(red)}`;
const rectangle = `rg=${green.x}/${green.y}/${blue.x - green.x}/${blue.y - green.y}`;

describe('a file of notes', () => {
  const stored = () => page.evaluate(() => localStorage.getItem('lectern:notes:dots/dpi.png'));

  it('restores what was saved in it, also after everything was deleted', async () => {
    await open(`${image}?${mark}&${rectangle}`);
    await openPanel();
    await page.getByLabel('Text of Mark 1').fill('one “mark” & <more>');
    await page.getByLabel('Text of Region 1').fill('two\nlines');
    const [download] = await Promise.all([page.waitForEvent('download'), button('Save as a file').click()]);
    expect(download.suggestedFilename()).toBe('dpi.png.annotations.json');
    // With the ids that the notes got when they were saved.
    const before = await stored();
    const file = await download.path();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ type: 'AnnotationPage' });
    await deleteAll();
    expect(await stored()).toBeNull();
    await page.locator('.file-chooser').setInputFiles(file);
    await page.getByText('2 notes were added.').waitFor();
    const close = (value: string | null) =>
      JSON.parse(value ?? '{}', (_, one) => (typeof one === 'number' ? Math.round(one * 1e5) : one));
    expect(close(await stored())).toEqual(close(before));
  });

  it('has the tags and the color that the reader gave a note, as annotations and as a table', {
    tags: 'exhaustive',
  }, async () => {
    await open(`${image}?${mark}&${rectangle}`);
    await openPanel();
    await page.getByLabel('Text of Region 1').click();
    const row = page.locator('.note-list > li.chosen');
    await row.getByLabel('Add a tag to Region 1').fill('gold, ink');
    await row.getByLabel('Add a tag to Region 1').press('Enter');
    await row.getByRole('button', { name: 'Red', exact: true }).click();
    await row.getByRole('button', { name: 'Remove the tag “ink”' }).click();
    await expect.poll(() => row.locator('.note-tag').allTextContents()).toEqual(['gold']);
    const stroke = () => page.locator('.lines .core').first();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Text of Mark 1').click();
    expect(await stroke().evaluate((line) => getComputedStyle(line).stroke)).toBe('rgb(213, 48, 62)');
    const [table] = await Promise.all([page.waitForEvent('download'), button('As a table (CSV)').click()]);
    const rows = readFileSync(await table.path(), 'utf8').split('\r\n');
    expect(rows[1]).toMatch(/^dots\/dpi\.png,mark,1,,,,/);
    expect(rows[2]).toMatch(/^dots\/dpi\.png,region,1,,gold,#d5303e,/);
    const [download] = await Promise.all([page.waitForEvent('download'), button('Save as a file').click()]);
    const before = JSON.parse((await stored()) ?? '').rectangles[0];
    expect(before).toMatchObject({ tags: ['gold'], color: '#d5303e' });
    await deleteAll();
    await page.locator('.file-chooser').setInputFiles(await download.path());
    await page.getByText('2 notes were added.').waitFor();
    expect(JSON.parse((await stored()) ?? '').rectangles[0]).toMatchObject({ tags: ['gold'], color: '#d5303e' });
  });

  it('of another image adds nothing unless the reader confirms', { tags: 'exhaustive' }, async () => {
    await open(image);
    await openPanel();
    const target = 'https://other.example/canvas/1#xywh=percent:10,10,20,20';
    const buffer = Buffer.from(JSON.stringify({ type: 'AnnotationPage', items: [{ target, body: 'hello' }] }));
    await page.locator('.file-chooser').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
    await page.getByText('Annotation 1 was left out: it is about another image.').waitFor();
    expect(await stored()).toBeNull();
    await button('Add those of other images here').click();
    await page.getByRole('button', { name: 'Region 1: hello' }).waitFor();
  });

  it('can be dropped', { tags: 'exhaustive' }, async () => {
    await open(image);
    await openPanel();
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['[{ "target": "#xywh=percent:10,10,20,20" }]'], 'a.json'));
      return data;
    });
    await page.dispatchEvent('.drop-area', 'drop', { dataTransfer: transfer });
    await page.getByText('1 note was added.').waitFor();
  });

  it('with another content is reported', { tags: 'exhaustive' }, async () => {
    await open(image);
    await openPanel();
    const buffer = Buffer.from('no JSON');
    await page.locator('.file-chooser').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
    await page.getByText('The file holds no annotations.').waitFor();
    // As an error, which names the file, and not as an item of a list.
    expect(await page.locator('.import-faults.failed .import-fault').textContent()).toBe('“a.json” was not read');
    expect(await page.locator('.import-result ul').count()).toBe(0);
    expect(await page.locator('.import-result[role=status]').count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('of which a part can’t be read says so, beside what was added', { tags: 'exhaustive' }, async () => {
    await open(image);
    await openPanel();
    const items = [{ target: '#xywh=percent:10,10,20,20' }, { target: 'https://other.example/canvas/1#xywh=1,1,2,2' }];
    const buffer = Buffer.from(JSON.stringify({ type: 'AnnotationPage', items }));
    await page.locator('.file-chooser').setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer });
    await page.getByText('1 note was added.').waitFor();
    expect(await page.locator('.import-faults').textContent()).toMatch(/^Not all of “b.json” was readAnnotation 2 was/);
    expect(await page.locator('.import-faults.failed').count()).toBe(0);
  });
});

describe('the panel', () => {
  it('finds notes by text and coordinates', async () => {
    await open(`${image}?mk=0.1/0.1,0.2/0.2,0.3/0.3,0.4/0.4`);
    await openPanel();
    await page.getByLabel('Text of Mark 3').fill('Windmill');
    const rows = page.locator('.note-list > li');
    await page.getByRole('searchbox').fill('wind');
    expect(await rows.count()).toBe(1);
    await page.getByRole('searchbox').fill('0.2,0.2');
    expect(await rows.evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual(['Mark 2']);
    await page.getByRole('searchbox').fill('');
    await button('Mark 2: one number earlier').click();
    expect(await page.locator('.note-positions').first().textContent()).toContain('0.2, 0.2');
    await button('Hide all').click();
    expect(await markCount()).toBe(0);
  });

  it('keeps what deletes apart from what undoes', async () => {
    await open(`${image}?${mark}`);
    await openPanel();
    await button('Undo').waitFor();
    expect(await button('Delete last mark').isVisible()).toBe(false);
    await page.getByText('Delete several').click();
    await button('Delete last mark').click();
    await expect.poll(markCount).toBe(0);
    await button('Undo').click();
    await expect.poll(markCount).toBe(1);
  });

  it('and the notes on the image violate no rule of accessibility, light and dark', {
    tags: 'exhaustive',
  }, async () => {
    await open(`${image}?${mark}&${rectangle}`, { colorScheme: 'light' });
    await openPanel();
    await page.locator('.mark-handle').click();
    await button('Mark').click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is in German', { tags: 'exhaustive' }, async () => {
    await open(`${image}?${mark}`, { locale: 'de-DE' });
    await openPanel();
    expect(await page.locator('.visiting').textContent()).toContain('Diese Marken stammen aus der Adresse.');
    expect(await page.getByRole('button', { name: 'Marke 1', exact: true }).count()).toBe(1);
  });
});
