// @module-tag chromium
/** The reading room used only by the keyboard. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { waitUntilSettled } from './stage-pixels.ts';
import { pageName, setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

const pathOf = (page: Page): string => new URL(page.url()).pathname.replace('/digilib/', '');
const queryOf = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

/** The name of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
  });

/** Presses Tab until an element with this name has the focus; fails if none has. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press(key);
    const now = await focused(page);
    if (typeof name === 'string' ? now === name : name.test(now)) return;
  }
  throw new Error(`no way by ${key} to ${name}`);
}

/** Whether the focus is visible: on an element in the window, with an outline. */
const isFocusSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { top, bottom, width, height } = element.getBoundingClientRect();
    const isInWindow = top >= -1 && bottom <= innerHeight + 1 && width > 0 && height > 0;
    return isInWindow && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  });

describe('the keyboard', () => {
  it('can find a page, zoom, adjust and mark it, cite it, go to the next one, and return to the folder', async () => {
    const page = await viewer.browser().newPage({ viewport: { width: 1200, height: 800 } });
    await page.goto(viewer.url());
    // The heading is there before the scripts are.
    await page.locator('[aria-keyshortcuts="/"]').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('p003');
    // The results of the first letters are more.
    await expect.poll(() => page.locator('.found a').count()).toBe(1);
    await tabTo(page, /^p003/);
    await page.keyboard.press('Enter');
    await waitUntilSettled(page);
    expect(pathOf(page)).toBe(`view/book/${pageName(3)}`);
    // The focus is on the image.
    await expect.poll(() => focused(page)).toMatch(/^Image p003/);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('r');
    await expect.poll(() => queryOf(page, 'rot')).toBe('90');
    await expect.poll(() => Number(queryOf(page, 'ww'))).toBeGreaterThan(0);

    await page.keyboard.press('a');
    await tabTo(page, 'Reset Brightness');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => queryOf(page, 'cont')).toBe('0.1');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toMatch(/^Image p003/);

    await page.keyboard.press('m');
    await page.locator('.side-panel .tool-buttons').waitFor();
    await tabTo(page, 'Mark');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => queryOf(page, 'mk')).not.toBeNull();
    await page.keyboard.press('Escape');
    await tabTo(page, 'Text of Mark 1');
    await page.keyboard.type('by keys');
    await page.getByRole('button', { name: 'Mark 1: by keys' }).waitFor();

    // Back to the image, and out of the tool: while it draws, letters have no effect.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('d');
    await page.getByRole('button', { name: 'Line', exact: true }).waitFor();
    await tabTo(page, 'Line');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowRight');
    await pauseIn(page, 500);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Line 1: [0-9]/ }).waitFor();
    await page.keyboard.press('Escape');

    await page.keyboard.press('c');
    await tabTo(page, 'Copy the citation');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.side-panel').textContent()).toContain('Copied');
    await page.keyboard.press('Escape');

    await page.keyboard.press('g');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(7)}`);
    await expect.poll(() => focused(page)).toMatch(/^Image p007/);
    await tabTo(page, 'book', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => pathOf(page)).toBe('browse/book');
    await expect.poll(() => focused(page)).toBe('book');
    await page.close();
  });

  it('reaches everything by Tab and leaves the page again, with a visible focus', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open(`view/book/${pageName(3)}?mk=0.5/0.5`);
    const names: string[] = [];
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement === document.body)) break;
      names.push(await focused(page));
      expect(await isFocusSeen(page), names.at(-1)).toBe(true);
    }
    // The focus left the page at the end, and each row of tools or pages was one stop.
    expect(names.length).toBeLessThan(30);
    expect(names).toContain('Move the image');
    expect(names).toContain('Page 3: p003');
    expect(names).not.toContain('Measure');
  });

  it('moves in a row by arrow keys', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open(`view/book/${pageName(3)}`);
    await page.getByRole('button', { name: 'Move the image' }).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])
      await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toBe('Adjust');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Adjust');
    await page.getByRole('link', { name: 'Page 3: p003' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(4)}`);
    await expect.poll(() => focused(page)).toBe('Page 4: p004');
  });

  it('has the focus where it was after a panel, a dialog and the last page', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open(`view/book/${pageName(11)}`);
    await page.getByRole('button', { name: 'Measure' }).focus();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Close');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Measure');
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Keyboard' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Keyboard');
    await page.getByRole('button', { name: 'Next page' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(12)}`);
    await expect.poll(() => page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await expect.poll(() => focused(page)).toBe('Next page');
  });

  it('reaches the image by the skip link', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open(`view/book/${pageName(1)}`);
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/^Image p001/);
    expect(await isFocusSeen(page)).toBe(true);
  });

  it('shows keys only if they have an effect', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open(`view/book/${pageName(1)}`);
    const keysOf = (name: string): Promise<string | null> =>
      page.getByRole('button', { name, exact: true }).getAttribute('aria-keyshortcuts');
    expect(await keysOf('Measure')).toBe('D');
    expect(await keysOf('Zoom in')).toBe('Plus');
    await page.keyboard.press('?');
    await page.getByLabel('Single keys as shortcuts').uncheck();
    await page.keyboard.press('Escape');
    expect(await keysOf('Measure')).toBeNull();
    expect(await keysOf('Next page')).toBe('PageDown');
    await page.keyboard.press('d');
    expect(await page.locator('.side-panel').count()).toBe(0);
    await page.keyboard.press('PageDown');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(2)}`);
  });

  it('acts on the image as soon as a dialog is closed', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open(`view/book/${pageName(1)}`);
    await page.keyboard.press('?');
    await page.getByLabel('Single keys as shortcuts').focus();
    // In one task, so that the browser has not moved the focus out of the closed dialog.
    await page.evaluate(() => {
      document.querySelector('dialog')?.close();
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true }));
    });
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(2)}`);
  });

  it('announces the new page, and the size', { tags: 'exhaustive' }, async () => {
    const page = await viewer.open(`view/book/${pageName(3)}`);
    const announced = (): Promise<string> =>
      page.evaluate(() => [...document.querySelectorAll('[role="status"]')].map((p) => p.textContent).join('|'));
    expect(await announced()).not.toContain('Page 3');
    await page.keyboard.press('PageDown');
    await expect.poll(announced).toContain('Page 4 of 12: p004');
    await page.keyboard.press('1');
    await expect.poll(announced).toContain('Size 100%');
  });
});
