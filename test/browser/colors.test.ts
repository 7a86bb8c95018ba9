// @module-tag chromium
/** Colors in the viewer equal those of the Scaler, pixel by pixel. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../fixtures/files/random.mjs';
import { sampleOf } from '../sweep.ts';
import { openBrowser } from './browser.ts';
import { type Pixels, scalerPixels, stagePixels, visit } from './stage-pixels.ts';
import { setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

const operations = ['', 'GRAYSCALE', 'NTSC_GRAY', 'BITONAL', 'INVERT', 'MAP_GRAY_BGR'];

/** Fifty random color settings as parameters of the address, with all operations among them. */
function randomColors(): readonly string[] {
  const next = randomNumbers(7);
  const between = (low: number, high: number): string => (low + next() * (high - low)).toFixed(2);
  const three = (low: number, high: number): string => [0, 1, 2].map(() => between(low, high)).join('/');
  return Array.from({ length: 50 }, (_, index) =>
    [
      `cont=${between(-2, 2)}`,
      `brgt=${between(-120, 120)}`,
      ...(next() < 0.6 ? [`rgbm=${three(-1.5, 1.5)}`] : []),
      ...(next() < 0.6 ? [`rgba=${three(-90, 90)}`] : []),
      `colop=${operations[index % operations.length]}`,
    ].join('&'),
  );
}

/** The largest difference of a channel between a picture and the middle of the stage, at every third pixel. */
function differencePixelByPixel(stage: Pixels, picture: Pixels): number {
  const [left, top] = [(stage.width - picture.width) / 2, (stage.height - picture.height) / 2];
  let difference = 0;
  for (let y = 0; y < picture.height; y += 3) {
    for (let x = 0; x < picture.width; x += 3) {
      const wanted = picture.at(x, y);
      const seen = stage.at(x + left, y + top);
      for (const channel of [0, 1, 2]) {
        difference = Math.max(difference, Math.abs((wanted[channel] ?? 0) - (seen[channel] ?? 0)));
      }
    }
  }
  return difference;
}

/** The settings whose colors on the page differ from the Scaler's by more than 1. */
async function wrongColors(page: Page, settings: readonly string[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const query of settings) {
    await visit(page, `view/colors.png?mo=clip&${query}`, 100);
    const picture = await scalerPixels(viewer, `fn=colors.png&mo=png,ascale&scale=1&${query}`);
    const difference = differencePixelByPixel(await stagePixels(page), picture);
    if (difference > 1) wrong.push(`${query}: ${difference}`);
  }
  return wrong;
}

/** Without the name of the renderer the page assumes a graphics card. */
const hideRenderer = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { prototype } = WebGL2RenderingContext;
    const own: (name: string) => unknown = prototype.getExtension;
    const nameless = function (this: WebGL2RenderingContext, name: string): unknown {
      return name === 'WEBGL_debug_renderer_info' ? null : own.call(this, name);
    };
    Object.defineProperty(prototype, 'getExtension', { value: nameless });
  });

/** Little larger than the picture, since a screenshot is taken for every setting. */
const size = { width: 520, height: 660 };

describe('colors', () => {
  it('are the Scaler’s within 1 of 255, for 50 random settings', { tags: 'sampled', timeout: 240_000 }, async () => {
    const page = await viewer.open('view/colors.png?mo=clip', { size });
    expect(await wrongColors(page, sampleOf(randomColors(), 14))).toEqual([]);
    // The view differs from the picture without color operations.
    const plain = await scalerPixels(viewer, 'fn=colors.png&mo=png,ascale&scale=1');
    expect(differencePixelByPixel(await stagePixels(page), plain)).toBeGreaterThan(50);
  });

  it('are the same if WebGL computes them', { tags: 'sampled', timeout: 240_000 }, async () => {
    const withWebGl = await openBrowser('in-software');
    const page = await viewer.open('view/colors.png?mo=clip&colop=INVERT', {
      size,
      fresh: { browser: withWebGl, prepare: hideRenderer },
    });
    const isPaintedByCard = await page
      .locator('.color-layer')
      .first()
      .evaluate((canvas) => (canvas as HTMLCanvasElement).getContext('webgl2') !== null);
    expect(isPaintedByCard).toBe(true);
    expect(await wrongColors(page, sampleOf(randomColors().slice(0, 18), 6))).toEqual([]);
    await withWebGl.close();
  });
});
