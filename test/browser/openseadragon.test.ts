// @module-tag chromium
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { nameOf, quartered } from '../pixels/pictures.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { sampleOf } from '../sweep.ts';
import { openBrowser, openSeadragonScript, problemsOf, serveFiles, type TestBrowser } from './browser.ts';

const samples = fileURLToPath(new URL('../../samples', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lectern-osd-'));

/** Shows the image of the info.json in the query, and signals when all tiles of the view are drawn. */
const viewerPage = `<!doctype html><title>viewer</title><link rel="icon" href="data:,"><style>html,body,#v{margin:0;width:800px;height:600px;background:#fff}</style>
<div id="v"></div><script src="/osd.js"></script><script>
const viewer = OpenSeadragon({ id: 'v', drawer: 'canvas', crossOriginPolicy: 'Anonymous', showNavigationControl: false,
  immediateRender: true, animationTime: 0, tileSources: new URLSearchParams(location.search).get('info') });
window.failures = [];
viewer.addHandler('open-failed', (event) => window.failures.push(String(event.message)));
viewer.addHandler('tile-load-failed', (event) => window.failures.push('tile ' + event.tile.getUrl()));
window.isComplete = () => viewer.world.getItemCount() === 1 && viewer.world.getItemAt(0).getFullyLoaded() && !viewer.isAnimating?.();
/** The color on the screen at a fraction of the image. */
window.colorAt = (x, y) => {
  const item = viewer.world.getItemAt(0);
  const size = item.getContentSize();
  const point = viewer.viewport.pixelFromPoint(item.imageToViewportCoordinates(x * size.x, y * size.y), true);
  const canvas = viewer.drawer.canvas;
  const ratio = canvas.width / viewer.viewport.getContainerSize().x;
  return [...canvas.getContext('2d').getImageData(Math.round(point.x * ratio), Math.round(point.y * ratio), 1, 1).data];
};
window.zoomTo = (x, y, factor) => {
  const item = viewer.world.getItemAt(0);
  const size = item.getContentSize();
  viewer.viewport.zoomTo(viewer.viewport.getHomeZoom() * factor, undefined, true);
  viewer.viewport.panTo(item.imageToViewportCoordinates(x * size.x, y * size.y), true);
};
</script>`;

declare global {
  interface Window {
    failures: string[];
    isComplete(): boolean;
    colorAt(x: number, y: number): [number, number, number, number];
    zoomTo(x: number, y: number, factor: number): void;
  }
}

let browser: TestBrowser;
let app: RunningApp;
let site: Awaited<ReturnType<typeof serveFiles>>;

beforeAll(async () => {
  const corners = quartered(3073, 1999);
  await corners
    .clone()
    .tiff({ compression: 'jpeg', quality: 90, tile: true, tileWidth: 256, tileHeight: 256, pyramid: true })
    .toFile(path.join(folder, 'pyramid.tif'));
  await corners.clone().jpeg({ quality: 90 }).toFile(path.join(folder, 'photo.jpg'));
  await corners
    .clone()
    .rotate(270)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 90 })
    .toFile(path.join(folder, 'turned.jpg'));
  await quartered(301, 199).png().toFile(path.join(folder, 'small.png'));
  app = await startApp({ library: { folders: [folder] } });
  site = await serveFiles({
    '/viewer': { type: 'text/html', body: viewerPage },
    '/osd.js': { type: 'text/javascript', body: openSeadragonScript() },
  });
  browser = await openBrowser();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  site?.close();
  await app?.close();
  rmSync(folder, { recursive: true });
});

async function show(info: string) {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  const problems = problemsOf(page);
  await page.goto(`${site.url}/viewer?info=${encodeURIComponent(info)}`);
  await page.waitForFunction(() => window.isComplete() || window.failures.length > 0, undefined, { timeout: 20_000 });
  return { page, problems };
}

describe('OpenSeadragon', () => {
  test.each(
    ['pyramid.tif', 'photo.jpg', 'turned.jpg', 'small.png'].flatMap((name) =>
      [2, 3].map((version) => [name, version] as const),
    ),
  )(
    'shows %s through IIIF %d, whole and enlarged, with its colors in the corners',
    { tags: 'exhaustive' },
    async (name, version) => {
      const { page, problems } = await show(`${app.url}/iiif/${version}/${name}/info.json`);
      const corners = [
        [0.02, 0.02, 'red'],
        [0.98, 0.02, 'green'],
        [0.02, 0.98, 'blue'],
        [0.98, 0.98, 'yellow'],
      ] as const;
      // A frame of the old view, whose tiles are complete, may still be drawn.
      const colorAt = (x: number, y: number) => async () =>
        nameOf(await page.evaluate(([px, py]) => window.colorAt(px, py), [x, y] as const), 20);
      for (const [x, y, color] of corners) await expect.poll(colorAt(x, y)).toBe(color);
      for (const [x, y, color] of corners) {
        await page.evaluate(([px, py]) => window.zoomTo(px, py, 6), [x, y] as const);
        await page.waitForFunction(() => window.isComplete());
        await expect.poll(colorAt(x, y)).toBe(color);
      }
      expect(await page.evaluate(() => window.failures)).toEqual([]);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it('shows every sample', { tags: 'sampled', timeout: 120_000 }, async () => {
    const library = await startApp({ library: { folders: [samples] } });
    const names = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(jpg|png|tif)$/.test(name),
    );
    expect(names.length).toBeGreaterThanOrEqual(12);
    for (const name of sampleOf(names, 4)) {
      const identifier = encodeURIComponent(name.split(path.sep).join('/'));
      const { page, problems } = await show(`${library.url}/iiif/3/${identifier}/info.json`);
      const colors = await page.evaluate(() =>
        Array.from({ length: 50 }, (_, i) =>
          window.colorAt(0.1 + (i % 10) * 0.08, 0.1 + Math.floor(i / 10) * 0.16).join(),
        ),
      );
      expect(new Set(colors).size, name).toBeGreaterThan(5);
      expect(await page.evaluate(() => window.failures)).toEqual([]);
      expect(problems).toEqual([]);
      await page.close();
    }
    await library.close();
  });
});
