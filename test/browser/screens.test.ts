// @module-tag chromium
/** What small screens, damaged files and transparent images look like in the viewer. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { stagePixels, waitUntilSettled } from './stage-pixels.ts';

let folder: string;
let app: RunningApp;
let browser: TestBrowser;

const plain = (
  width: number,
  height: number,
  channels: 3 | 4,
  background: string | { r: number; g: number; b: number; alpha: number },
) => sharp({ create: { width, height, channels, background } });

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-screens-'));
  const at = (...names: readonly string[]): string => path.join(folder, ...names);
  for (const name of ['book', 'alone', 'torn']) mkdirSync(at(name));
  await plain(900, 1300, 3, '#20a040').jpeg().toFile(at('book', 'tall.jpg'));
  await plain(1600, 700, 3, '#20a040').jpeg().toFile(at('book', 'wide.jpg'));
  const disk = Buffer.from('<svg width="600" height="600"><circle cx="300" cy="300" r="200" fill="#c02020"/></svg>');
  await plain(600, 600, 4, { r: 0, g: 0, b: 0, alpha: 0 })
    .composite([{ input: disk }])
    .png()
    .toFile(at('alone', 'seal.png'));
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const whole = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#fff', noise } })
    .png()
    .toBuffer();
  writeFileSync(at('torn', 'a.png'), whole.subarray(0, whole.length >> 2));
  copyFileSync(at('book', 'tall.jpg'), at('torn', 'b.jpg'));
  app = await startApp({ library: { folders: [folder] } });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, locale: 'en', ...options });
  await page.goto(`${app.url}/${address}`);
  return page;
}

/** Whether two elements cover each other. */
async function overlap(page: Page, one: string, other: string): Promise<boolean> {
  const [a, b] = [await page.locator(one).boundingBox(), await page.locator(other).boundingBox()];
  if (a === null || b === null) throw new Error(`${one} or ${other} is not visible`);
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

describe('on a small screen', () => {
  it.each([
    ['tablet', 820, 1180],
    ['tablet in landscape', 940, 700],
    ['phone', 390, 844],
    ['phone in landscape', 844, 390],
  ])(
    'of a %s, neither the zoom bar nor the title covers the image',
    { tags: 'exhaustive' },
    async (_, width, height) => {
      for (const name of ['tall', 'wide']) {
        const page = await open(`view/book/${name}.jpg`, { viewport: { width, height } });
        await waitUntilSettled(page);
        expect(await overlap(page, '.zoom-bar', '.stage')).toBe(false);
        if (width < 700) expect(await overlap(page, '.stage-label', '.stage')).toBe(false);
        else expect(await page.locator('.view-bar .page-label').textContent()).toBe(name);
        await page.close();
      }
    },
  );

  it('of a phone, the message that an image is not found is seen whole', async () => {
    const name = 'A folder with a title that is longer than the window of a phone is wide';
    writeFileSync(path.join(folder, 'book', 'metadata.yaml'), `label: ${name}\n`);
    const page = await open('view/book/nowhere.jpg', { viewport: { width: 390, height: 844 } });
    const link = page.getByRole('link', { name });
    await link.waitFor();
    for (const part of [link, page.getByRole('heading', { name: 'There is nothing here' })]) {
      const box = await part.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    rmSync(path.join(folder, 'book', 'metadata.yaml'));
    await page.close();
  });

  it('of a phone in landscape, all tools are seen', { tags: 'exhaustive' }, async () => {
    const page = await open('view/book/tall.jpg', { viewport: { width: 844, height: 390 } });
    await waitUntilSettled(page);
    const rail = await page
      .locator('.tool-rail')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(rail).toBeLessThanOrEqual(0);
    await page.close();
  });
});

/** Buttons of the viewer that are cut by an edge of what they are in or of the window, and pairs of bars that cover each other. */
const faultsOfLayout = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const boxOf = (element: Element) => element.getBoundingClientRect();
    const isIn = (inner: DOMRect, outer: DOMRect): boolean =>
      inner.left >= outer.left - 1 &&
      inner.right <= outer.right + 1 &&
      inner.top >= outer.top - 1 &&
      inner.bottom <= outer.bottom + 1;
    const isVisible = (element: Element): boolean => element.checkVisibility() && boxOf(element).width > 0;
    const bars = [...document.querySelectorAll('.view-bar, .tool-rail, .stage, .zoom-bar, .filmstrip')].filter(
      isVisible,
    );
    const buttons = bars.flatMap((bar) => {
      const found = [...bar.querySelectorAll('button, input, a')].filter(isVisible);
      const space = new DOMRect(0, 0, innerWidth, innerHeight);
      return bar.matches('.filmstrip, .stage')
        ? []
        : found
            .filter((one) => !isIn(boxOf(one), boxOf(bar)) || !isIn(boxOf(one), space))
            .map((one) => `${one.getAttribute('aria-label') ?? one.textContent} is cut`);
    });
    const pairs = bars.flatMap((bar, index) =>
      bars.slice(index + 1).flatMap((other) => {
        const [a, b] = [boxOf(bar), boxOf(other)];
        const covers = a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return covers ? [`${bar.className} and ${other.className} cover each other`] : [];
      }),
    );
    return [...buttons, ...pairs];
  });

describe('a window', () => {
  it.each([
    ['of a laptop', 1366, 657],
    ['of a low laptop', 1366, 640],
    ['at 200 %, or with letters of twice the size', 640, 400],
    ['at 400 %', 320, 256],
    ['of a phone in landscape', 812, 375],
    ['of a phone', 390, 760],
  ])('%s (%s x %s) has all tools of a page with a text, and no bar on another', async (_, width, height) => {
    writeFileSync(path.join(folder, 'book', 'tall.txt'), 'Some words');
    const page = await open('view/book/tall.jpg', { viewport: { width, height } });
    await waitUntilSettled(page);
    await page.getByRole('button', { name: 'Text of the page' }).first().waitFor();
    expect(await faultsOfLayout(page)).toEqual([]);
    const isNamed = width > 1000 || (width < 700 && height > 480);
    expect(await page.locator('.tool-rail .first .icon-word').first().isVisible()).toBe(isNamed);
    await page.close();
  });
});

describe('a phone', () => {
  it('shows five tools with their names, and all of them, in three groups, as a sheet', async () => {
    writeFileSync(path.join(folder, 'book', 'tall.txt'), 'Some words');
    const page = await open('view/book/tall.jpg', { viewport: { width: 390, height: 760 } });
    await waitUntilSettled(page);
    const rail = page.locator('.tool-rail');
    const shown = rail.locator('button:visible');
    await expect.poll(() => shown.allTextContents()).toEqual(['Text', 'Adjust', 'Marks', 'Cite', 'All']);
    await page.getByRole('button', { name: 'All tools' }).click();
    await rail.getByRole('button', { name: 'Measure' }).waitFor();
    expect(
      await rail.getByRole('group').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ).toEqual(['Read', 'Study', 'Share']);
    expect(await faultsOfLayout(page)).toEqual([]);
    await rail.getByRole('button', { name: 'Measure' }).click();
    await page.locator('.side-panel').waitFor();
    expect(await shown.count()).toBe(5);
    await page.close();
  });
});

describe('a damaged image', () => {
  it('shows no broken picture at any time, nor in the navigator', async () => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await page.addInitScript(() => {
      const found: string[] = [];
      Object.assign(window, { brokenPictures: found });
      const look = (): void => {
        for (const image of document.images)
          if (image.complete && image.naturalWidth === 0 && image.src !== '' && image.checkVisibility())
            found.push(image.src);
        requestAnimationFrame(look);
      };
      look();
    });
    await page.goto(`${app.url}/view/torn/a.png?ww=0.5&wh=0.5`);
    await page.getByRole('heading', { name: 'This image can’t be read' }).waitFor();
    // One frame may be painted between the failure and its handler.
    const found = await page.evaluate(() => (window as unknown as { brokenPictures: string[] }).brokenPictures);
    expect(Math.max(0, ...found.map((src) => found.filter((one) => one === src).length))).toBeLessThan(3);
    await page.close();
  });

  it('has the error sentence in place of tiles and zoom tools, and no drawing as its thumbnail', async () => {
    const page = await open('view/torn/a.png');
    await page.getByRole('heading', { name: 'This image can’t be read' }).waitFor();
    expect(await page.locator('.zoom-bar').count()).toBe(0);
    await page.locator('.filmstrip [aria-current] svg').waitFor();
    expect(await page.locator('.filmstrip [aria-current] img').count()).toBe(0);
    await page.close();
  });

  it('is not the cover of its folder', async () => {
    const page = await open('');
    const cover = page.locator('.folder-card', { hasText: 'torn' }).locator('img');
    await cover.waitFor();
    expect(await cover.getAttribute('src')).toContain('torn%2Fb.jpg');
    await page.close();
  });
});

describe('a transparent image', () => {
  it.each(['light', 'dark'] as const)(
    'stands on a white grid in the %s theme',
    { tags: 'exhaustive' },
    async (colorScheme) => {
      const page = await open('view/alone/seal.png', { colorScheme });
      await waitUntilSettled(page);
      const pixels = await stagePixels(page);
      const row = Array.from({ length: 60 }, (_, step) =>
        pixels.at(pixels.width / 2 - 40 + step, pixels.height * 0.05),
      );
      const shades = new Set(row.map(([red]) => red));
      expect([...shades].sort()).toEqual([236, 255]);
      const [red, green, blue] = pixels.at(pixels.width / 2, pixels.height / 2);
      expect([red, green, blue]).toEqual([192, 32, 32]);
      await page.close();
    },
  );

  it('alone in its folder has no buttons for other pages', { tags: 'exhaustive' }, async () => {
    const page = await open('view/alone/seal.png');
    await waitUntilSettled(page);
    expect(await page.getByRole('button', { name: 'Next page' }).count()).toBe(0);
    await page.close();
  });
});

describe('two pages side by side', () => {
  it('are not covered by the zoom bar of a laptop', async () => {
    const page = await open('view/torn/b.jpg?pages=2', { viewport: { width: 1280, height: 800 } });
    await waitUntilSettled(page);
    expect(await overlap(page, '.zoom-bar', '.stage')).toBe(false);
    await page.close();
  });
});

describe('the search field', () => {
  it.each(['en', 'de', 'fr'])('says all of what it searches on a phone, in %s', async (locale) => {
    const page = await open('', { locale, viewport: { width: 360, height: 740 } });
    const field = page.getByRole('search').getByRole('textbox');
    await field.waitFor();
    const [text, space] = await field.evaluate((element) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(element);
      const context = document.createElement('canvas').getContext('2d');
      if (!(element instanceof HTMLInputElement) || context === null) throw new Error('no field to measure');
      context.font = font;
      const inside = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return [context.measureText(element.placeholder).width, inside] as const;
    });
    expect(text).toBeGreaterThan(100);
    expect(text).toBeLessThanOrEqual(space);
    await page.close();
  });
});

describe('the embedded viewer', () => {
  it('shows whole icons in a large frame', async () => {
    const page = await open('embed/book/tall.jpg', { viewport: { width: 1280, height: 800 } });
    await waitUntilSettled(page);
    const cut = await page
      .locator('.tool-rail button')
      .evaluateAll((buttons) =>
        buttons
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((button) => button.getAttribute('aria-label')),
      );
    expect(cut).toEqual([]);
    await page.close();
  });
});

describe('the viewer', () => {
  it('enlarges a tiny region up to a sensible scale, and says so', async () => {
    const page = await open('view/book/tall.jpg?wx=0.5&wy=0.5&ww=1e-7&wh=1e-7');
    await waitUntilSettled(page);
    expect(await page.locator('.zoom-percent').textContent()).toBe('1,600%');
    await page.close();
  });

  it('fills the tool of the pointer, and tints what is switched on', { tags: 'exhaustive' }, async () => {
    const page = await open('view/book/tall.jpg');
    await waitUntilSettled(page);
    const colorOf = (name: string): Promise<string> =>
      page
        .getByRole('button', { name })
        .first()
        .evaluate((button) => getComputedStyle(button).backgroundColor);
    const accent = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.backgroundColor = 'var(--accent)';
      return getComputedStyle(probe).backgroundColor;
    });
    expect(await colorOf('Move')).not.toBe(accent);
    await page.getByRole('button', { name: 'Magnifier' }).click();
    await page.mouse.move(5, 5);
    await expect.poll(() => colorOf('Magnifier')).toBe(accent);
    const thumbnails = await colorOf('Thumbnails');
    expect(thumbnails).not.toBe(accent);
    expect(thumbnails).not.toBe(await colorOf('Full screen'));
    await page.close();
  });

  it('takes keys again as soon as Escape has left a field', { tags: 'exhaustive' }, async () => {
    const page = await open('view/book/tall.jpg');
    await waitUntilSettled(page);
    await page.keyboard.press('a');
    await page.getByRole('slider', { name: 'Brightness' }).focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('>');
    await page.waitForFunction(() => location.search.includes('rot=5'));
    await page.close();
  });

  it('selects all of a light table by Ctrl+A wherever the focus is', { tags: 'exhaustive' }, async () => {
    const page = await open('browse/book?layout=table');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Control+a');
    await page.waitForFunction(() => document.querySelectorAll('[role=option][aria-selected=true]').length === 2);
    await page.close();
  });
});
