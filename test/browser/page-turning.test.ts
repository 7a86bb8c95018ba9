// @module-tag chromium
/** Turning the pages of a folder. */
import { linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startApp } from '../protocol/running-app.ts';
import { problemsOf } from './browser.ts';
import { gradient } from './gradients.ts';
import { stagePixels, waitUntilSettled } from './stage-pixels.ts';
import { pageName, setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

const pathOf = (page: Page): string => new URL(page.url()).pathname.replace('/digilib/', '');

describe('page turning', () => {
  it('works by buttons, keys, the number and thumbnails, and keeps the region and the operations', async () => {
    const page = await viewer.open(`view/book/${pageName(3)}?wx=0.2&ww=0.5&wh=0.5&rot=90&colop=INVERT&mk=0.5/0.5`);
    const problems = problemsOf(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(4)}`);
    expect(new URL(page.url()).search).toBe('?wx=0.2&ww=0.5&wh=0.5&rot=90&colop=INVERT');
    await page.keyboard.press('PageUp');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(3)}`);
    await page.keyboard.press('End');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(12)}`);
    await expect.poll(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await page.keyboard.press('Home');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(1)}`);
    await page.keyboard.press('g');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(7)}`);
    // The image has the focus again, so that the next key is its own, also where the page is the same.
    await page.keyboard.press('n');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(8)}`);
    await page.keyboard.press('g');
    await page.keyboard.press('Enter');
    await page.keyboard.press('p');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(7)}`);
    await page.getByRole('link', { name: 'Page 9: p009' }).click();
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(9)}`);
    await expect.poll(() => page.title()).toBe('p009 – book – Lectern');
    expect(problems).toEqual([]);
  });

  it('turns one page for each key press, however fast they are', async () => {
    const page = await viewer.open('view/book/p003.png');
    await page.evaluate(async () => {
      for (let times = 0; times < 4; times++) {
        dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown' }));
        await Promise.resolve();
      }
    });
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(7)}`);
  });

  it('zooms and pans the page that the address names, also before it is shown', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open('view/book/p003.png');
    await page.evaluate(() => {
      const fetchAtOnce = window.fetch;
      const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));
      // Later than the end of a movement of the page before.
      window.fetch = (...input) => pause(2000).then(() => fetchAtOnce(...input));
      dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
    });
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(12)}`);
    for (const key of ['+', '+', 'ArrowRight']) await page.keyboard.press(key);
    await waitUntilSettled(page);
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('wh'))).toBeCloseTo(1 / 1.4 / 1.4, 2);
    expect(Number(new URL(page.url()).searchParams.get('wy'))).toBeGreaterThan(0);
  });

  it('adds one history entry per image, not one per movement', { tags: 'exhaustive' }, async () => {
    const page = await viewer.browser().newPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(`${viewer.url()}browse/book`);
    await page.getByRole('link', { name: 'p002' }).first().click();
    await waitUntilSettled(page);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.keyboard.press('r');
    await expect.poll(() => new URL(page.url()).searchParams.get('rot')).toBe('90');
    await page.goBack();
    expect(pathOf(page)).toBe('browse/book');
    await page.goForward();
    expect(pathOf(page)).toBe(`view/book/${pageName(2)}`);
    expect(new URL(page.url()).searchParams.get('rot')).toBe('90');
    await page.close();
  });

  it('shows two pages side by side, in either direction', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open('view/book/p003.png?pages=2');
    const beside = await stagePixels(page);
    // Each page is red at its right and not at its left; the gap between them has the color of the stage.
    const [red] = beside.at(beside.width / 2 - 40, beside.height / 2);
    const [notRed] = beside.at(beside.width / 2 + 40, beside.height / 2);
    expect(red).toBeGreaterThan(150);
    expect(notRed).toBeLessThan(90);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Right to left' }).click();
    await waitUntilSettled(page);
    await page.keyboard.press('PageDown');
    await expect.poll(() => pathOf(page)).toBe('view/book/p004.png');
  });

  it('draws only the visible thumbnails of 10,000', { tags: 'exhaustive' }, async () => {
    const many = mkdtempSync(path.join(tmpdir(), 'lectern-many-'));
    const first = path.join(many, '00001.png');
    await gradient(30, 40).png().toFile(first);
    for (let page = 2; page <= 10_000; page++) linkSync(first, path.join(many, `${String(page).padStart(5, '0')}.png`));
    const own = await startApp({ library: { folders: [many] } });
    const page = await viewer.browser().newPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(`${own.url}/view/05000.png`);
    await page.getByRole('link', { name: 'Page 5000: 05000' }).waitFor();
    const strip = page.getByRole('navigation', { name: 'Thumbnails' });
    expect(await strip.getByRole('listitem').count()).toBeLessThan(40);
    await strip.evaluate((element) => {
      element.scrollLeft = element.scrollWidth;
    });
    await page.getByRole('link', { name: 'Page 10000: 10000' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/view/10000.png');
    expect(await strip.getByRole('listitem').count()).toBeLessThan(40);
    await page.close();
    await own.close();
    rmSync(many, { recursive: true });
  });
});
