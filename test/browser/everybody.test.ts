import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { readShelf } from './reader.ts';

const reader = readShelf();

describe('everybody', () => {
  const places = [
    ['the root', '', undefined],
    ['a folder', 'browse/atlas', undefined],
    ['a part of a long folder', 'browse/long?from=101', undefined],
    ['what was found', 'browse/atlas?q=a', undefined],
    ['a torn image', 'browse/torn', undefined],
    ['a light table', 'browse/atlas?layout=table', async () => reader.page.getByRole('option').first().click()],
    ['the menu', '', async () => reader.page.locator('.drop-down > button').click()],
    ['ways to open', 'browse/atlas', async () => reader.page.locator('.folder-actions button').click()],
    [
      'HTML to copy',
      'browse/atlas',
      async () => {
        await reader.page.locator('.folder-actions button').click();
        await reader.page.getByRole('tab').nth(2).click();
      },
    ],
  ] as const;

  for (const [name, address, act] of places) {
    for (const [colorScheme, locale, width] of [
      ['light', 'en', 1280],
      ['dark', 'de', 390],
    ] as const) {
      it(`can use ${name} (${colorScheme}, ${locale}, ${width} px wide)`, async () => {
        await reader.open(address, { colorScheme, locale, viewport: { width, height: 800 } });
        await act?.();
        await reader.pictureWidths();
        expect(await axeFaults(reader.page)).toEqual([]);
        expect(await reader.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        expect(reader.problems).toEqual([]);
      });
    }
  }
});
