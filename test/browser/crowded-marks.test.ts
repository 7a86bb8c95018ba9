// @module-tag chromium
/** Thousands of marks on one image. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import { startDotApp } from './dot-images.ts';
import { changesWhileDragging } from './drag-changes.ts';
import { pixelsOf, waitUntilSettled } from './stage-pixels.ts';

const session = setUpBrowser(startDotApp);
const image = 'dots/dpi.png';

/** Marks spread over the left three quarters of the image, so that the rest can be dragged. */
async function openWith(count: number): Promise<Page> {
  const page = await session.open('browse');
  await page.evaluate(
    ([name, many]) => {
      const marks = Array.from({ length: many }, (_, at) => ({
        x: 0.75 * ((at * 0.618034) % 1),
        y: (at * 0.7548776) % 1,
      }));
      localStorage.setItem(`lectern:notes:${name}`, JSON.stringify({ marks, rectangles: [], measures: [] }));
    },
    [image, count] as const,
  );
  await page.goto(`${session.url()}view/${image}?wx=0.1&wy=0.1&ww=0.85&wh=0.85`);
  await waitUntilSettled(page);
  await pauseIn(page, 500);
  return page;
}

describe('ten thousand marks', () => {
  it('are moved without an element for each of them', async () => {
    const page = await openWith(10_000);
    const changed = await changesWhileDragging(page, { x: 0.9, y: 0.5 }, '.notes-layer');
    expect(changed.frames).toBeGreaterThan(5);
    // With elements there would be ten thousand changes in each frame.
    expect(changed.elements / changed.frames).toBeLessThan(10);
    expect(await page.locator('.notes-layer *').count()).toBeLessThan(20);
  });

  it('are drawn, move with the image, and can be selected and moved one by one', { tags: 'exhaustive' }, async () => {
    const page = await openWith(2000);
    expect(await page.locator('.mark-handle').count()).toBe(0);
    const drawn = await pixelsOf(await page.locator('.crowded-marks').screenshot());
    expect(drawn.width).toBeGreaterThan(300);
    const at = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.crowded-marks');
      const context = canvas?.getContext('2d');
      if (!canvas || !context) return undefined;
      const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
      const first = Array.from({ length: data.length / 4 }, (_, index) => index).find(
        (index) => data[4 * index + 3] === 255 && index % width > 60 && index > 60 * width,
      );
      const box = canvas.getBoundingClientRect();
      return first === undefined ? undefined : { x: box.x + (first % width), y: box.y + Math.floor(first / width) };
    });
    if (at === undefined) throw new Error('no mark is drawn');
    await page.mouse.move(at.x, at.y + 3);
    await page.locator('.mark-handle').waitFor();
    await page.mouse.click(at.x, at.y + 3);
    await page.locator('.mark-handle[aria-pressed="true"]').waitFor();
    const before = await page.locator('.mark-handle[aria-pressed="true"]').boundingBox();
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForFunction(
      (x) => (document.querySelector('.mark-handle[aria-pressed="true"]')?.getBoundingClientRect().x ?? 0) > x + 8,
      before?.x ?? 0,
    );
  });
});
