// @module-tag chromium
/** Folders and finds ordered and chosen by date, author and language, with the address and the keyboard. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { serveFrom } from './temporary-server.ts';

const books = [
  ['a', 'Herbarum icones', 'Brunfels', 'Latin', '1530'],
  ['b', 'Kreuterbuch herbal', 'Bock', 'German', '1539'],
  ['c', 'New herbal', 'Fuchs', 'German', '1543'],
] as const;

const session = setUpBrowser(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-facets-'));
  const picture = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#c8b890' } })
    .png()
    .toBuffer();
  for (const [name, title, author, language, date] of books) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'p1.png'), picture);
    const lines = [
      `label: ${title}`,
      'metadata:',
      `  Author: ${author}`,
      `  Language: ${language}`,
      `  Date: "${date}"`,
    ];
    writeFileSync(path.join(folder, name, 'metadata.yaml'), `${lines.join('\n')}\n`);
  }
  return serveFrom(folder, { library: { folders: [folder] } });
});

const titles = (page: Page): Promise<readonly string[]> =>
  page
    .locator('main a[href*="browse/"] strong, main .folder-cards a')
    .evaluateAll((all) =>
      all.flatMap((one) => /Herbarum icones|Kreuterbuch herbal|New herbal/.exec(one.textContent ?? '')?.[0] ?? []),
    );

const unique = async (page: Page): Promise<readonly string[]> => [...new Set(await titles(page))];

const query = (page: Page): string => new URL(page.url()).search;

describe('folders', () => {
  it('are ordered and chosen, which is in the address and in the history', async () => {
    const page = await session.open('');
    await page.getByText('Order and choose').click();
    await page.getByLabel('Order', { exact: true }).selectOption('date-down');
    await expect.poll(() => query(page)).toBe('?order=date-down');
    await expect.poll(() => unique(page)).toEqual(['New herbal', 'Kreuterbuch herbal', 'Herbarum icones']);
    await page.locator('#content').getByLabel('Language', { exact: true }).selectOption({ label: 'German (2)' });
    await expect.poll(() => unique(page)).toEqual(['New herbal', 'Kreuterbuch herbal']);
    await page.getByLabel('To the year').fill('1540');
    await page.getByLabel('To the year').press('Enter');
    await expect.poll(() => unique(page)).toEqual(['Kreuterbuch herbal']);
    expect(query(page)).toBe('?order=date-down&language=German&before=1540');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.goBack();
    await expect.poll(() => unique(page)).toEqual(['New herbal', 'Kreuterbuch herbal']);
    await page.getByRole('button', { name: 'Show all again' }).click();
    await expect.poll(() => unique(page)).toHaveLength(3);
    expect(query(page)).toBe('');
  });

  it('of an address are shown so at once, and a choice that nothing meets can be taken back', async () => {
    const page = await session.open('?author=Nobody');
    await page.getByText('Nothing here is like that.').waitFor();
    await page.getByLabel('Author', { exact: true }).selectOption({ label: 'Bock (1)' });
    await expect.poll(() => unique(page)).toEqual(['Kreuterbuch herbal']);
  });
});

it('finds are ordered and chosen', async () => {
  const page = await session.open('?q=herbal');
  await expect.poll(() => unique(page)).toHaveLength(2);
  await page.getByText('Order and choose').click();
  await page.getByLabel('Order', { exact: true }).selectOption('date-down');
  await expect.poll(() => unique(page)).toEqual(['New herbal', 'Kreuterbuch herbal']);
  await page.getByLabel('Author', { exact: true }).selectOption({ label: 'Bock (1)' });
  await expect.poll(() => unique(page)).toEqual(['Kreuterbuch herbal']);
  expect(query(page)).toBe('?q=herbal&order=date-down&author=Bock');
  expect(await accessibilityViolations(page)).toEqual([]);
});
