// @module-tag chromium
/** The viewer shows what the Scaler renders for the same parameters, pixel by pixel. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { differenceInMiddle, scalerPixels, stagePixels, visit } from './stage-pixels.ts';
import { setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

describe('a view', () => {
  let page: Page;
  beforeAll(async () => {
    page = await viewer.open('view/wide.png');
  });
  afterAll(() => page.close());

  const turns = [0, 90, 180, 270].flatMap((rot) =>
    ['', 'hmir', 'vmir', 'hmir,vmir'].map((mo) => `rot=${rot}&mo=${mo}`),
  );
  it.each([
    ...turns,
    'rot=30',
    'rot=215&mo=hmir',
    'rot=300&mo=vmir',
    'wx=0.2&wy=0.1&ww=0.5&wh=0.4',
    'wx=0.6&wy=0.5&ww=0.3&wh=0.45&rot=90&mo=hmir',
    'wx=0.1&wy=0.6&ww=0.4&wh=0.2&rot=20&mo=vmir&colop=INVERT',
    'cont=0.7&brgt=-30&rgbm=0.2/-0.5/0.1&rgba=5/-20/40',
  ])('shows what the Scaler renders: %s', { tags: 'exhaustive' }, async (query) => {
    await visit(page, `view/wide.png?${query}`);
    const stage = await stagePixels(page);
    const picture = await scalerPixels(
      viewer,
      `fn=wide.png&dw=${stage.width}&dh=${stage.height}&${query.replace('mo=', 'mo=png,')}${query.includes('mo=') ? '' : '&mo=png'}`,
    );
    expect(differenceInMiddle(stage, picture)).toBeLessThan(14);
    // The address can be copied at once and has the same view.
    const shown = new URLSearchParams(new URL(page.url()).search);
    const requested = new URLSearchParams(query);
    for (const [name, value] of requested) if (value !== '' && value !== '0') expect(shown.get(name), name).toBe(value);
  });
});

it('shows an image’s thumbnail until its tiles arrive', async () => {
  const page = await viewer.browser().newPage({ viewport: { width: 1000, height: 700 } });
  // The tiles of this page never arrive.
  await page.route('**/iiif/3/**/default.jpg*', () => undefined);
  const query = 'wx=0.1&wy=0.2&ww=0.6&wh=0.5&rot=90&mo=hmir';
  await page.goto(`${viewer.url()}view/wide.png?${query}`);
  await page.locator('.placeholder').waitFor();
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  await pauseIn(page, 500);
  const stage = await stagePixels(page);
  const size = `dw=${stage.width}&dh=${stage.height}`;
  const picture = await scalerPixels(viewer, `fn=wide.png&${size}&${query},png`);
  expect(differenceInMiddle(stage, picture)).toBeLessThan(30);
  await page.close();
});

/** Collects the widths of the rectangles that are cleared in canvases, apart from whole canvases. */
const collectCleared = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { clearRect } = prototype;
    const cleared: number[] = [];
    Object.assign(globalThis, { cleared });
    prototype.clearRect = function (x, y, width, height) {
      if (width < this.canvas.width) cleared.push(width);
      clearRect.call(this, x, y, width, height);
    };
  });

it('draws the tiles of a turned image without clearing their places, and so the edges of their neighbors', async () => {
  const page = await viewer.open('view/wide.png?rot=30', {
    fresh: { browser: viewer.browser(), prepare: collectCleared },
  });
  expect(await page.evaluate(() => (globalThis as unknown as { cleared: readonly number[] }).cleared)).toEqual([]);
  await page.close();
});
