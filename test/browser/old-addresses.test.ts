// @module-tag chromium
/** Old links in a browser: each opens the same image, region and picture as in digilib, at any context path. */
import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import encode from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatRoute, parseRoute } from '../../web/src/model/address/address.ts';
import type { ViewState } from '../../web/src/model/view-state.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { sampleOf } from '../sweep.ts';
import { type OldAddress, oldAddresses } from '../unit/web/model/address/old-address-rows.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { gradient } from './gradients.ts';
import { differenceInMiddle, scalerPixels, stagePixels, waitUntilSharp } from './stage-pixels.ts';

/** The folders that the old addresses name, with enough pages. */
const folders = ['a', 'm', 'x', 'maps', 'maps/a', 'permanent/library/X1/pageimg', 'experimental/maps', 'Bücher/a'];
const pagesEach = 50;
const singles = ['a/b/c.png', 'who? 100%#.jpg', 'y.png', 'Bücher/Tafel 1.tif'];

/** The context path of the old addresses; some have another one in their path. */
const bases = ['/', '/digitallibrary/', '/libraries/digilib/', '/a/b/c/'];

let browser: TestBrowser;
let folder: string;
const apps = new Map<string, RunningApp>();

const pageOf = (name: string, page: number): string => `${name}/${String(page).padStart(3, '0')}.png`;

async function fill(): Promise<void> {
  const pathOf = (name: string): string => path.join(folder, name);
  for (const name of [...folders, 'a/b']) mkdirSync(pathOf(name), { recursive: true });
  const first = pathOf(pageOf('a', 1));
  await gradient(800, 600).png().toFile(first);
  for (const name of folders) {
    for (let page = name === 'a' ? 2 : 1; page <= pagesEach; page++) linkSync(first, pathOf(pageOf(name, page)));
  }
  for (const name of singles) await gradient(400, 300).toFile(pathOf(name));
  const leaves = await Promise.all(
    [1, 2].map((leaf) =>
      gradient(300 + leaf, 200)
        .png()
        .toBuffer(),
    ),
  );
  await encode(leaves, { join: { animated: true } })
    .tiff()
    .toFile(pathOf('scan.tif'));
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-old-'));
  await fill();
  for (const base of bases) {
    const http = base === '/' ? {} : { contextPath: base.slice(0, -1) };
    apps.set(base, await startApp({ library: { folders: [folder] }, http }));
  }
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const app of apps.values()) await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The file that the viewer shows for a path and a page; undefined if there is none. */
function fileOf({ fn, pn }: ViewState): string | undefined {
  if (folders.includes(fn)) return pn <= pagesEach ? pageOf(fn, pn) : undefined;
  if (fn === '') return ['scan.tif', 'who? 100%#.jpg', 'y.png'][pn - 1];
  const named = [...singles, 'scan.tif', 'scan.tif;2'].find((single) => single === fn || single === `${fn}.png`);
  return named;
}

/** Describes what is wrong with the view that an old address opens; empty if it is right. */
async function faultsOfView(
  page: Page,
  { address, current }: OldAddress,
  state: ViewState,
  base: string,
): Promise<string[]> {
  const app = apps.get(base);
  const file = fileOf(state);
  if (app === undefined) throw new Error(`no app below ${base}`);
  await page.goto(`${app.url}${base}${address.slice(base.length - 1)}`);
  if (file === undefined) {
    await page.getByRole('alert').getByText('There is nothing here').waitFor();
    return [];
  }
  await waitUntilSharp(page);
  const embedded = current.startsWith('embed');
  const wanted = formatRoute({ kind: 'view', state: { ...state, fn: file, pn: 1 }, embedded });
  const shown = page.url().slice(`${app.url}${base}`.length);
  const faults = shown === wanted ? [] : [`${address}: ${shown} instead of ${wanted}`];
  // The new address has the same meaning, so it can be copied.
  const again = parseRoute({ path: shown.split('?')[0] ?? '', query: shown.split('?')[1] ?? '', fragment: '' });
  if (!isDeepStrictEqual(again, { kind: 'view', state: { ...state, fn: file, pn: 1 }, embedded })) {
    faults.push(`${address}: ${shown} reads as ${JSON.stringify(again)}`);
  }
  const count = (kind: string): Promise<number> => page.locator(`.${kind}-handle`).count();
  const [marks, regions] = [await count('mark'), await count('region')];
  if (marks !== state.marks.length || regions !== state.rectangles.length) {
    faults.push(`${address}: ${marks} marks and ${regions} regions are shown`);
  }
  if (state.mode !== 'fit' || embedded) return faults;
  const stage = await stagePixels(page);
  const query = new URLSearchParams(current.split('?')[1] ?? '');
  for (const name of ['pn', 'mk', 'rg', 'ws', 'ddpi', 'ddpix', 'ddpiy']) query.delete(name);
  query.set('mo', `png,${query.get('mo') ?? ''}`);
  const below = { get: (rest: string) => app.get(`${base.slice(0, -1)}${rest}`) };
  const size = `dw=${stage.width}&dh=${stage.height}`;
  const picture = await scalerPixels(below, `fn=${encodeURIComponent(file)}&${size}&${query}`);
  const difference = differenceInMiddle(stage, picture);
  if (difference > 16) faults.push(`${address}: the picture differs by ${difference}`);
  return faults;
}

async function faultsOfTable(page: Page, { address, current }: OldAddress, base: string): Promise<string[]> {
  const app = apps.get(base);
  if (app === undefined) throw new Error(`no app below ${base}`);
  await page.goto(`${app.url}${base}${address.slice(base.length - 1)}`);
  await page.getByRole('grid').or(page.getByRole('listbox')).first().waitFor();
  const folderOf = new Map(new URLSearchParams(current.split('?')[1] ?? ''));
  const operations = [...folderOf].filter(([name]) => !['layout', 'from', 'columns', 'rows'].includes(name));
  const picture = page.locator('main img').first();
  await picture.waitFor();
  const source = new URL((await picture.getAttribute('src')) ?? '', `${app.url}${base}`).searchParams;
  return operations.flatMap(([name, value]) =>
    source.get(name)?.includes(value) ? [] : [`${address}: thumbnails have ${name}=${source.get(name)}`],
  );
}

const baseOf = (address: string): string => bases.find((base) => base !== '/' && `/${address}`.startsWith(base)) ?? '/';

it('opens every old address with its view, and the new address has the same meaning', {
  tags: 'sampled',
  timeout: 240_000,
}, async () => {
  expect(oldAddresses.length).toBeGreaterThanOrEqual(60);
  const waiting = [...sampleOf(oldAddresses, 24)];
  const faults: string[] = [];
  const work = async (): Promise<void> => {
    const context = await browser.newContext({ viewport: { width: 700, height: 500 } });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const base = baseOf(row.address);
      const { route } = row;
      const finding =
        route.kind === 'view' ? faultsOfView(page, row, route.state, base) : faultsOfTable(page, row, base);
      faults.push(...(await finding.catch((error: unknown) => [`${row.address}: ${String(error).slice(0, 300)}`])));
      // Values that one address stored in the browser must not affect the next.
      await page.evaluate(() => localStorage.clear());
    }
    await context.close();
  };
  await Promise.all([work(), work(), work()]);
  expect(faults).toEqual([]);
});
