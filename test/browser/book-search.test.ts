// @module-tag chromium
/** The search in a book: hits across pages, on the strip and on the image, in the address and in the history. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import { marigold, rose, startTextApp, type WrittenPage, wordsOf } from './text-pages.ts';
import { waitForText } from './text-views.ts';

const session = setUpBrowser(startTextApp);

async function open(address: string, options = {}): Promise<Page> {
  const page = await session.open(address, options);
  await waitForText(page);
  return page;
}

const addressOf = (page: Page): string => {
  const { pathname, searchParams } = new URL(page.url());
  return `${pathname.split('/').at(-1)} ${searchParams.get('q') ?? ''}`.trim();
};

const boxOf = (page: WrittenPage, text: string) => {
  const word = wordsOf(page).find((one) => one.text === text);
  if (word === undefined) throw new Error(`the page has no ${text}`);
  return word.box;
};

/** The middle of the current hit on the image, in pixels of the page. */
const currentHit = (page: Page): Promise<readonly [number, number]> =>
  page
    .locator('.text-shapes .hit.current')
    .first()
    .evaluate((element) => {
      const { x, y, width, height } = (element as SVGRectElement).getBBox();
      return [x + width / 2, y + height / 2] as const;
    });

const expectNear = (
  found: readonly [number, number],
  [x, y, width, height]: readonly [number, number, number, number],
) => {
  expect(Math.abs(found[0] - x - width / 2)).toBeLessThan(2);
  expect(Math.abs(found[1] - y - height / 2)).toBeLessThan(2);
};

describe('the search in a book', () => {
  it('goes from hit to hit across pages by keys, with the words in the address, and back by the history', async () => {
    const page = await open('view/herbal/1-marigold.png');
    await page.keyboard.press('/');
    await page.getByRole('textbox', { name: 'Words in this book' }).fill('honey');
    await page.locator('.hits-of-page').first().waitFor();
    await expect.poll(() => addressOf(page)).toBe('1-marigold.png honey');
    expect(await page.locator('.hits-of-page h3').allTextContents()).toEqual(['Page 1: 1-marigold', 'Page 2: 2-rose']);
    expect(await page.locator('.hit-steps').textContent()).toContain('1 of 2 hits');
    expectNear(await currentHit(page), boxOf(marigold, 'honey.'));
    expect(await page.locator('.filmstrip .hit-count').allTextContents()).toEqual(['1', '1']);
    expect(await page.locator('.filmstrip a').first().getAttribute('aria-label')).toBe('Page 1: 1-marigold, 1 hit');
    expect(await accessibilityViolations(page)).toEqual([]);

    // Enter in the field, then keys on the image.
    await page.keyboard.press('Enter');
    await expect.poll(() => addressOf(page)).toBe('2-rose.png honey');
    await expect.poll(() => page.locator('.text-shapes .hit').count()).toBe(1);
    expectNear(await currentHit(page), boxOf(rose, 'Honey'));
    await page.locator('.stage-image [role="application"]').focus();
    await page.keyboard.press('j');
    await expect.poll(() => addressOf(page)).toBe('1-marigold.png honey');
    await page.keyboard.press('k');
    await expect.poll(() => addressOf(page)).toBe('2-rose.png honey');

    for (const address of ['1-marigold.png honey', '2-rose.png honey', '1-marigold.png honey', '1-marigold.png']) {
      await page.goBack();
      await expect.poll(() => addressOf(page)).toBe(address);
    }
    await expect.poll(() => page.locator('.filmstrip .hit-count').count()).toBe(0);
    await page.goForward();
    await expect.poll(() => page.locator('.filmstrip .hit-count').count()).toBe(2);
  });

  it('takes the word that is typed right after its key, or after a click, and shows spaces around what it found', async () => {
    const page = await open('view/herbal/1-marigold.png');
    const field = page.getByRole('textbox', { name: 'Words in this book' });
    // Keys in one task after the other, as a fast typist has them while the panel has never been open.
    await page.keyboard.type('/honey');
    expect(await field.inputValue()).toBe('honey');
    await expect.poll(() => page.locator('.hits-of-page').count()).toBe(2);
    expect(await page.locator('.hits-of-page button').first().textContent()).toContain('smell of honey. The flowers');
    await expect.poll(() => addressOf(page)).toBe('1-marigold.png honey');

    // The focus goes back to where it was, and a click has it in the field at once.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => field.count()).toBe(0);
    await page.locator('.tool-rail').getByRole('button', { name: 'Search in the book' }).click();
    await page.keyboard.type('rose');
    expect(await field.inputValue()).toBe('rose');
  });

  it('opens at its address, also for a parted word, and keeps the scale from page to page', {
    tags: 'exhaustive',
  }, async () => {
    const page = await open('view/herbal/1-marigold.png?q=evening&wx=0&wy=0&ww=0.5&wh=0.5');
    await expect.poll(() => page.locator('.text-shapes .hit.current').count()).toBe(2);
    await page.goto(`${session.url()}view/herbal/1-marigold.png?q=throat&wx=0&wy=0.5&ww=0.4&wh=0.4`);
    await waitForText(page);
    await expect.poll(() => page.locator('.filmstrip .hit-count').count()).toBe(1);
    await page.keyboard.press('j');
    await expect.poll(() => addressOf(page)).toBe('2-rose.png throat');
    await waitForText(page);
    await pauseIn(page, 500);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('ww')).toBe('0.4');
    const [hit, stage] = await Promise.all(
      ['.text-shapes .hit.current', '.stage-image'].map((selector) => page.locator(selector).boundingBox()),
    );
    if (!hit || !stage) throw new Error('the hit is not on the stage');
    expect(hit.x).toBeGreaterThan(stage.x);
    expect(hit.x + hit.width).toBeLessThan(stage.x + stage.width);
    expect(hit.y).toBeGreaterThan(stage.y);
    expect(hit.y + hit.height).toBeLessThan(stage.y + stage.height);
  });

  it('keeps what is typed as soon as the field is there', { tags: 'exhaustive' }, async () => {
    const page = await open('view/herbal/1-marigold.png');
    // Before any later task of the browser, such as the effects after a rendering.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const field = document.querySelector<HTMLInputElement>('.book-search input');
        if (field === null) return;
        observer.disconnect();
        field.value = 'honey';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    await page.keyboard.press('/');
    await expect.poll(() => page.locator('.hits-of-page').count()).toBe(2);
    expect(await page.getByRole('textbox', { name: 'Words in this book' }).inputValue()).toBe('honey');
  });

  it.each([
    ['de', 'Nichts gefunden für „xyz“. xyz* findet Wörter, die so beginnen.'],
    ['fr', 'Rien trouvé pour «\u202fxyz\u202f». xyz* trouve les mots qui commencent ainsi.'],
  ])('says in %s that nothing was found, on a phone', { tags: 'exhaustive' }, async (locale, nothing) => {
    const page = await open('view/herbal/1-marigold.png?q=xyz', { viewport: { width: 390, height: 760 }, locale });
    await page.keyboard.press('/');
    await expect.poll(() => page.locator('.hit-steps p').textContent()).toBe(nothing);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});

describe('letters of early prints', () => {
  it('are the same by a choice, which is in the address', async () => {
    const page = await open('view/herbal/1-marigold.png');
    await page.keyboard.press('/');
    const field = page.getByRole('textbox', { name: 'Words in this book' });
    await field.fill('evening');
    await expect.poll(() => addressOf(page)).toBe('1-marigold.png evening');
    await field.fill('eueninj');
    await expect.poll(() => page.locator('.hit-steps').textContent()).toContain('Nothing found');
    await field.fill('euening');
    await expect.poll(() => page.locator('.hit-steps').textContent()).toContain('Nothing found for “euening”');
    await page.getByLabel('u and v, i and j alike').check();
    await page.locator('.hits-of-page').first().waitFor();
    await expect.poll(() => addressOf(page)).toBe('1-marigold.png euening u=v');
    expect(await page.locator('.hits-of-page mark, .hits-of-page b, .hits-of-page strong').first().textContent()).toBe(
      'evening,',
    );
    await page.getByLabel('u and v, i and j alike').uncheck();
    await expect.poll(() => addressOf(page)).toBe('1-marigold.png euening');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});

describe('words that are not in the book', () => {
  it.each([
    ['short', 'xyzzy'],
    ['longer than the panel is wide', 'honorificabilitudinitatibus'.repeat(3)],
  ])('are said below the ring around the field, and inside of the panel: %s ones', async (_, words) => {
    const page = await open('view/herbal/1-marigold.png');
    await page.keyboard.press('/');
    const field = page.getByRole('textbox', { name: 'Words in this book' });
    await field.fill(words);
    const said = page.locator('.hit-steps p');
    await expect.poll(() => said.textContent()).toContain('Nothing found');
    const ring = await field.evaluate((element) => {
      const { outlineWidth, outlineOffset } = getComputedStyle(element);
      return (
        element.getBoundingClientRect().bottom + Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
      );
    });
    const text = await said.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { top, right } = range.getBoundingClientRect();
      return { top, right, edge: element.getBoundingClientRect().right };
    });
    expect(text.top).toBeGreaterThanOrEqual(ring + 1);
    expect(text.right).toBeLessThanOrEqual(text.edge + 1);
  });
});
