// @module-tag chromium
/** Small windows, as those of a page at 200 and 400 %, and letters of twice the size: nothing is cut, covered or out of reach. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { setUpBrowser } from './browser-pages.ts';
import { openByKey, type PanelPage, panelPages, startPanelLibrary } from './panel-library.ts';

const session = setUpBrowser(startPanelLibrary);

const withLargeLetters = async (page: Page): Promise<void> => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await page.reload();
};

async function openPanel(
  panel: PanelPage,
  { isLarge, ...size }: { width: number; height: number; isLarge: boolean },
): Promise<Page> {
  const page = await session.open(panel.address, { viewport: size });
  if (isLarge) await withLargeLetters(page);
  await openByKey(page, panel);
  return page;
}

/** What a reader can’t see or press, by the names of controls. */
const faultsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const boxOf = (one: Element): DOMRect => one.getBoundingClientRect();
    const nameOf = (one: Element): string =>
      (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 60);
    const controls = [...document.querySelectorAll('button, a[href], input, select, textarea, summary')].filter(
      (one) =>
        one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        boxOf(one).width > 1 &&
        // Pictures of pages are rendered as they are scrolled to.
        one.closest('.text-layer, .off-screen, .skip-link, .whole-book, :disabled') === null,
    );
    const isHit = (one: Element): boolean => {
      // In the middle of its area, with the bars that stay above it.
      one.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, right, top, bottom } = boxOf(one);
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (hit === null) return false;
      return one.contains(hit) || hit.contains(one) || hit.closest('label')?.contains(one) === true;
    };
    const isBeside = ({ left, right }: DOMRect): boolean => left < -1 || right > innerWidth + 1;
    return [
      ...(document.documentElement.scrollWidth > innerWidth + 1 ? ['the page is wider than the window'] : []),
      ...controls.filter((one) => !isHit(one)).map((one) => `${nameOf(one)} is covered`),
      ...controls.filter((one) => isBeside(boxOf(one))).map((one) => `${nameOf(one)} is beside the window`),
    ];
  });

const windows = [
  ['at 200 %', { width: 640, height: 400, isLarge: false }],
  ['at 400 %', { width: 320, height: 256, isLarge: false }],
  ['with letters of twice the size', { width: 1280, height: 800, isLarge: true }],
] as const;

describe.each(windows)('%s', (_, size) => {
  it.each(panelPages)('all controls of $name can be reached', async (panel) => {
    const page = await openPanel(panel, size);
    await expect.poll(() => faultsOf(page)).toEqual([]);
  });
});

describe('in a low window', () => {
  const low = { width: 640, height: 400, isLarge: false };

  it('the player is seen first, and stays where it is while the transcript follows', async () => {
    const page = await openPanel({ name: '', address: 'view/talk/talk.wav', shown: '.media-lines li' }, low);
    const top = (): Promise<number> => page.locator('.media-player').evaluate(({ scrollTop }) => scrollTop);
    await page.locator('.media-lines [aria-current]').waitFor({ state: 'attached' });
    expect(await top()).toBe(0);
    await page.locator('.media-position:enabled').waitFor({ state: 'attached' });
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('l');
    await page.locator('.media-lines li:nth-child(5) [aria-current]').waitFor({ state: 'attached' });
    expect(await top()).toBe(0);
  });
});

describe('with letters of twice the size', () => {
  it('the rows of all pages do not lie on each other', async () => {
    const page = await openPanel(panelPages.find(({ name }) => name === 'all pages') as PanelPage, {
      width: 900,
      height: 800,
      isLarge: true,
    });
    await page.locator('.gallery-chapter').first().waitFor();
    const gaps = (): Promise<readonly number[]> =>
      page
        .locator('.gallery li')
        .evaluateAll((cells) =>
          cells.map(
            (cell) =>
              cell.getBoundingClientRect().bottom - (cell.lastElementChild?.getBoundingClientRect().bottom ?? 0),
          ),
        );
    await expect.poll(async () => Math.min(...(await gaps()))).toBeGreaterThanOrEqual(0);
  });
});

describe('the scroll', () => {
  it('shows pages whole', async () => {
    const page = await openPanel(panelPages.find(({ name }) => name === 'the scroll') as PanelPage, {
      width: 1280,
      height: 800,
      isLarge: false,
    });
    const cut = (): Promise<readonly number[]> =>
      page
        .locator('.whole-book.scroll img')
        .evaluateAll((images) =>
          images.map(
            (image) =>
              image.getBoundingClientRect().right - (image.closest('span')?.getBoundingClientRect().right ?? 0),
          ),
        );
    await expect.poll(async () => Math.max(...(await cut()).map(Math.abs))).toBeLessThan(1);
  });
});
