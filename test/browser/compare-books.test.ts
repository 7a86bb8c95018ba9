// @module-tag chromium
/** Books in the panes of a comparison: openings of two pages, page turning of each, and whole books. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { pageName, setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

const size = { width: 1300, height: 800 };

const parameter = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

const paneOf = (page: Page, number: number) => page.locator(`[data-image="${number}"]`);

const shows = (page: Page, number: number, label: string): Promise<void> =>
  expect.poll(() => paneOf(page, number).getByRole('heading').textContent()).toContain(label);

/** Whether pictures of a page of the book were requested, which the stage does of what it shows. */
const isDrawn = (page: Page, number: number): Promise<boolean> =>
  page.evaluate(
    (name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(`${name}/`)),
    pageName(number),
  );

describe('books in the panes of a comparison', () => {
  it('show openings, and each turns its own pages, by buttons, keys and a slider', async () => {
    const page = await viewer.open(`compare?1.fn=book/${pageName(2)}&1.pages=2&2.fn=book/${pageName(7)}`, { size });
    await shows(page, 1, 'p002 – p003');
    await shows(page, 2, 'p007');
    await expect.poll(() => isDrawn(page, 3)).toBe(true);
    await page.getByRole('button', { name: 'Next page (1)' }).click();
    await shows(page, 1, 'p004 – p005');
    await expect.poll(() => isDrawn(page, 5)).toBe(true);
    await expect.poll(() => parameter(page, '1.fn')).toBe(`book/${pageName(4)}`);
    expect(parameter(page, '1.pages')).toBe('2');
    expect(parameter(page, '2.fn')).toBe(`book/${pageName(7)}`);
    await paneOf(page, 2).getByRole('application').focus();
    await page.keyboard.press('PageDown');
    await shows(page, 2, 'p008');
    await page.keyboard.press('End');
    await shows(page, 2, 'p012');
    const next = page.getByRole('button', { name: 'Next page (2)' });
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true');
    const slider = page.getByRole('slider', { name: 'Place in the book (1)' });
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('p004 – p005');
    // The cover, then openings.
    await slider.fill('2');
    await shows(page, 1, 'p002 – p003');
    await page.getByRole('button', { name: 'Two pages side by side (1)' }).click();
    await expect.poll(() => paneOf(page, 1).getByRole('heading').textContent()).not.toContain('–');
    await page.goBack();
    await shows(page, 1, 'p004 – p005');
    await shows(page, 2, 'p012');
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('are added whole, and stay beside others of their own', async () => {
    const page = await viewer.open('compare?1.fn=wide.png', { size });
    await page.getByRole('button', { name: 'book', exact: true }).click();
    await page.getByRole('button', { name: 'Add this book' }).click();
    await shows(page, 2, 'p001');
    await expect.poll(() => parameter(page, '2.fn')).toBe(`book/${pageName(1)}`);
    await page.getByRole('button', { name: 'Add an image' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'book', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add this book' }).click();
    await shows(page, 3, 'p001');
    await page.getByRole('button', { name: 'Next page (3)' }).click();
    await shows(page, 3, 'p002');
    await shows(page, 2, 'p001');
    await page.getByRole('button', { name: 'Two pages side by side (3)' }).click();
    await shows(page, 3, 'p002 – p003');
    await expect.poll(() => parameter(page, '3.pages')).toBe('2');
    expect(parameter(page, '2.pages')).toBeNull();
  });
});
