// @module-tag chromium
/** Touch gestures: one finger turns the page of a whole image, and moves a zoomed one; two fingers zoom. */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { waitUntilSettled } from './stage-pixels.ts';
import { pageName, setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();
const pages: Page[] = [];
afterAll(() => Promise.all(pages.map((page) => page.close())));

const pathOf = (page: Page): string => new URL(page.url()).pathname.replace('/digilib/', '');

async function openPhone(address: string): Promise<{ readonly page: Page; readonly cdp: CDPSession }> {
  const page = await viewer.browser().newPage({
    viewport: { width: 390, height: 760 },
    hasTouch: true,
    isMobile: true,
    locale: 'en',
  });
  pages.push(page);
  await page.goto(viewer.url() + address);
  await waitUntilSettled(page);
  return { page, cdp: await page.context().newCDPSession(page) };
}

type Point = readonly [x: number, y: number];

const at = (points: readonly Point[]) => points.map(([x, y], id) => ({ x, y, id }));

/** Moves fingers from some points to others. */
async function move(cdp: CDPSession, from: readonly Point[], to: readonly Point[]): Promise<void> {
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) });
  for (let step = 1; step <= 10; step += 1) {
    const between = from.map(([x, y], finger): Point => {
      const [toX, toY] = to[finger] ?? [x, y];
      return [x + ((toX - x) * step) / 10, y + ((toY - y) * step) / 10];
    });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(between) });
  }
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

describe('a finger', () => {
  it.each([
    ['to the left', [300, 300], [120, 310], pageName(4)],
    ['to the right', [120, 300], [300, 310], pageName(2)],
    ['hardly', [200, 300], [170, 300], pageName(3)],
    ['upward', [200, 400], [180, 200], pageName(3)],
  ] as const)('goes %s over an image at rest', { tags: 'exhaustive' }, async (_way, from, to, wanted) => {
    const { page, cdp } = await openPhone(`view/book/${pageName(3)}`);
    await move(cdp, [from], [to]);
    await pauseIn(page, 700);
    expect(pathOf(page)).toBe(`view/book/${wanted}`);
    expect(await page.locator('.stage').evaluate((stage) => getComputedStyle(stage).translate)).toMatch(/^(none|0px)$/);
  });

  it('turns pages in the other direction in a book that is read from right to left', {
    tags: 'exhaustive',
  }, async () => {
    const { page, cdp } = await openPhone(`view/book/${pageName(3)}`);
    await page.evaluate(() => {
      localStorage.clear();
    });
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('button', { name: 'Two pages side by side' }).tap();
    await page.getByRole('button', { name: 'Right to left' }).tap();
    await page.getByRole('button', { name: 'Two pages side by side' }).tap();
    await page.keyboard.press('Escape');
    await pauseIn(page, 700);
    await move(cdp, [[120, 300]], [[300, 300]]);
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(4)}`);
  });

  it('moves an image that is larger than the window', { tags: 'exhaustive' }, async () => {
    const { page, cdp } = await openPhone(`view/book/${pageName(3)}?wx=0.3&wy=0.3&ww=0.3&wh=0.3`);
    await move(cdp, [[300, 300]], [[150, 300]]);
    await pauseIn(page, 900);
    expect(pathOf(page)).toBe(`view/book/${pageName(3)}`);
    expect(Number(new URL(page.url()).searchParams.get('wx'))).toBeGreaterThan(0.33);
  });
});

describe('two fingers', () => {
  it('zoom without turning the page', async () => {
    const { page, cdp } = await openPhone(`view/book/${pageName(3)}`);
    await move(
      cdp,
      [
        [180, 300],
        [220, 300],
      ],
      [
        [60, 300],
        [340, 300],
      ],
    );
    await pauseIn(page, 900);
    expect(pathOf(page)).toBe(`view/book/${pageName(3)}`);
    expect(Number(new URL(page.url()).searchParams.get('ww'))).toBeGreaterThan(0);
  });
});

describe('a phone', () => {
  it('opens thumbnails, and closes the panel at its bottom', async () => {
    const { page } = await openPhone(`view/book/${pageName(3)}`);
    expect(await page.getByRole('navigation', { name: 'Thumbnails' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('button', { name: 'Thumbnails' }).tap();
    await page.getByRole('link', { name: 'Page 3: p003' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Adjust' }).tap();
    await page.getByRole('heading', { name: 'Adjust' }).waitFor();
    await page.locator('.panel-head').getByRole('button', { name: 'Close' }).tap();
    expect(await page.locator('.side-panel').count()).toBe(0);
  });
});
