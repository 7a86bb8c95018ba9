// @module-tag chromium
/** What a single click improves, by its pixels: levels, faded ink, channels, and lines made level; and the looks that a reader saves. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type Pixels, scalerPixels, stagePixels, waitUntilSettled } from './stage-pixels.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

const [width, height] = [1200, 900];

/** Brown lines on yellow paper that is darker at the right, which slope by 4 degrees. */
const lines = Array.from({ length: 26 }, (_, row) => {
  const words = Array.from({ length: 20 }, (_, at) => {
    const length = 22 + ((row * 7 + at * 11) % 23);
    return `<rect x="${130 + at * 48}" y="${40 + row * 32}" width="${length}" height="12"/>`;
  });
  return words.join('');
}).join('');
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
  <defs><linearGradient id="paper"><stop offset="0" stop-color="#e8d9a8"/><stop offset="1" stop-color="#b8a878"/></linearGradient></defs>
  <rect width="100%" height="100%" fill="url(#paper)"/>
  <g fill="#6a3a10" fill-opacity="0.45" transform="rotate(4 600 450)">${lines}</g>
</svg>`;

let server: TemporaryServer;
let browser: TestBrowser;

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-one-click-'));
  await sharp(Buffer.from(svg)).removeAlpha().png().toFile(path.join(folder, 'faded.png'));
  server = await serveFrom(folder, { library: { folders: [folder] } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function open(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  await page.goto(`${server.url}view/faded.png`);
  await waitUntilSettled(page);
  await page.keyboard.press('a');
  await page.locator('.one-click').waitFor();
  return page;
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

/** The darkest and the brightest tone of a channel at a half of the picture. */
function tones(pixels: Pixels, half: 'left' | 'right', channel = 0): readonly [darkest: number, brightest: number] {
  const across = Math.min(pixels.width, (pixels.height * width) / height);
  const left = (pixels.width - across) / 2;
  const from = half === 'left' ? 0.2 : 0.65;
  const values = Array.from({ length: 400 }, (_, index) => {
    const x = left + across * (from + 0.15 * ((index % 20) / 20));
    const y = pixels.height / 2 + across * 0.2 * (Math.floor(index / 20) / 20 - 0.5);
    return pixels.at(x, y)[channel] ?? 0;
  });
  return [Math.min(...values), Math.max(...values)];
}

describe('one click', () => {
  it('spreads the levels, which the Scaler computes as the page shows them', async () => {
    const page = await open();
    expect(await accessibilityViolations(page)).toEqual([]);
    await press(page, 'Auto levels');
    await page.waitForURL(/rgbm=.*rgba=/);
    await expect.poll(async () => tones(await stagePixels(page), 'left')[1]).toBeGreaterThan(225);
    const query = new URL(page.url()).searchParams;
    const given = ['rgbm', 'rgba'].map((name) => `${name}=${query.get(name)}`).join('&');
    const picture = await scalerPixels(server.app, `fn=faded.png&dw=1200&dh=900&mo=png&${given}`);
    expect(tones(picture, 'left')[1]).toBeGreaterThan(225);
    expect(tones(picture, 'left', 2)[1]).toBeGreaterThan(220);
    await page.close();
  });

  it('makes faded ink dark on paper of any tone, the same in a link', async () => {
    const page = await open();
    const before = await stagePixels(page);
    expect(tones(before, 'right')[1] - tones(before, 'right')[0]).toBeLessThan(60);
    await press(page, 'Faded ink');
    await page.waitForURL(/fx=ink/);
    for (const half of ['left', 'right'] as const) {
      await expect.poll(async () => tones(await stagePixels(page), half)[0]).toBeLessThan(150);
      expect(tones(await stagePixels(page), half)[1]).toBeGreaterThan(225);
    }
    await page.getByText('pictures of the server do not have them').waitFor();
    await page.reload();
    await waitUntilSettled(page);
    await expect.poll(async () => tones(await stagePixels(page), 'right')[0]).toBeLessThan(150);
    await page.close();
  });

  it('shows a channel in gray, one at a time, and sharpens; all are reset together', async () => {
    const page = await open();
    const blue = tones(await stagePixels(page), 'left', 2);
    await press(page, 'Red');
    await press(page, 'Blue');
    await page.waitForURL(/fx=blue(?:&|$)/);
    await expect
      .poll(async () => Math.abs(tones(await stagePixels(page), 'left', 0)[1] - blue[1]))
      .toBeLessThanOrEqual(1);
    await press(page, 'Sharpen');
    await press(page, 'Local contrast');
    await page.waitForURL(/fx=blue,sharp,local/);
    await press(page, 'Reset colors');
    await page.waitForURL((url) => !url.search.includes('fx='));
    await page.close();
  });

  it('makes the lines of a text level', async () => {
    const page = await open();
    await press(page, 'Straighten the text');
    await page.waitForURL(/rot=35[56]/);
    expect(Math.abs(Number(new URL(page.url()).searchParams.get('rot')) - 356)).toBeLessThan(0.4);
    // A second click finds nothing to mend.
    await press(page, 'Straighten the text');
    await waitUntilSettled(page);
    expect(Math.abs(Number(new URL(page.url()).searchParams.get('rot')) - 356)).toBeLessThan(0.6);
    await page.close();
  });

  it('looks the same where WebGL computes it', { tags: 'sampled' }, async () => {
    const withWebGl = await openBrowser('in-software');
    const seen: Pixels[] = [];
    for (const from of [browser, withWebGl]) {
      // Each pixel that is shown costs WebGL in software time.
      const page = await from.newPage({ viewport: { width: 800, height: 600 } });
      if (from === withWebGl) {
        await page.addInitScript(() => {
          const { prototype } = WebGL2RenderingContext;
          const own: (name: string) => unknown = prototype.getExtension;
          const nameless = function (this: WebGL2RenderingContext, name: string): unknown {
            return name === 'WEBGL_debug_renderer_info' ? null : own.call(this, name);
          };
          Object.defineProperty(prototype, 'getExtension', { value: nameless });
        });
      }
      await page.goto(`${server.url}view/faded.png?fx=green,sharp,ink,local&mo=clip&wx=0.2&wy=0.2`);
      await waitUntilSettled(page);
      const isPaintedByCard = await page
        .locator('.color-layer.on')
        .first()
        .evaluate((canvas) => (canvas as HTMLCanvasElement).getContext('webgl2') !== null);
      expect(isPaintedByCard).toBe(from === withWebGl);
      seen.push(await stagePixels(page));
      await page.close();
    }
    const [one, other] = seen;
    let difference = 0;
    for (let y = 60; y < 500; y += 5) {
      for (let x = 100; x < 700; x += 5) {
        difference = Math.max(difference, Math.abs((one?.at(x, y)[0] ?? 0) - (other?.at(x, y)[0] ?? 999)));
      }
    }
    // The steep curve for ink makes two of a difference of one between the averages of two browsers.
    expect(difference).toBeLessThanOrEqual(8);
    await withWebGl.close();
  });
});

it('a look is saved under a name, and applied to an image by a click', async () => {
  const page = await open();
  await press(page, 'Faded ink');
  await press(page, 'Negative');
  await page.getByLabel('Name of this look').fill('Iron gall');
  await press(page, 'Save');
  await press(page, 'Reset colors');
  await page.waitForURL((url) => !url.search.includes('fx='));
  await page.reload();
  await waitUntilSettled(page);
  await page.keyboard.press('a');
  await press(page, 'Iron gall');
  await page.waitForURL(/colop=INVERT.*fx=ink/);
  expect(await accessibilityViolations(page)).toEqual([]);
  await press(page, 'Delete the look “Iron gall”');
  await expect.poll(() => page.getByRole('button', { name: 'Iron gall' }).count()).toBe(0);
  await page.close();
});
