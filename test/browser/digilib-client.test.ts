// @module-tag chromium
/** A page that was written for digilib shows its pictures as before: every parameter, option and form of the Scaler. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { operatorMeanings } from '../../src/core/image/model/color.ts';
import { optionNames, parameterNames, parameters } from '../../src/features/digilib/parameters.ts';
import { nameOf } from '../pixels/pictures.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type DigilibClientApp, startDigilibClientApp } from './digilib-client-app.ts';

const html = readFileSync(new URL('../fixtures/digilib-client/index.html', import.meta.url), 'utf8');

let client: DigilibClientApp;
let browser: TestBrowser;
let page: Page;
beforeAll(async () => {
  client = await startDigilibClientApp();
  browser = await openBrowser();
  page = await browser.newPage();
  await page.route(`${client.app.url}/library/atlas.html`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
  );
  await page.goto(`${client.app.url}/library/atlas.html`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
});
afterAll(async () => {
  await browser?.close();
  await client?.close();
});

/** The size of an image of the page, such as `200x150`; `0x0` if it failed to load. */
const sizeOf = (id: string): Promise<string> =>
  page.evaluate((name) => {
    const image = document.getElementById(name);
    if (!(image instanceof HTMLImageElement)) throw new Error(`the page has no image ${name}`);
    return `${image.naturalWidth}x${image.naturalHeight}`;
  }, id);

type Rgba = readonly [number, number, number, number];

/** The color of an image of the page at fractions of its size. */
async function colorOf(id: string, x: number, y: number): Promise<Rgba> {
  const color = await page.evaluate(
    ([name, fractionX, fractionY]) => {
      const image = document.getElementById(name) as HTMLImageElement;
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const [left, top] = [Math.floor(fractionX * canvas.width), Math.floor(fractionY * canvas.height)];
      return [...(context?.getImageData(left, top, 1, 1).data ?? [])];
    },
    [id, x, y] as const,
  );
  const [red = -1, green = -1, blue = -1, alpha = -1] = color;
  return [red, green, blue, alpha];
}

const sizes = {
  '200x150': [
    ...['named', 'with-extension', 'other-extension', 'path-behind', 'path-and-page', 'servlet', 'servlet-path-behind'],
    ...['escaped', 'escaped-twice', 'semicolons', 'encoded', 'positional-area', 'with-token', 'by-height', 'ws'],
    ...['deny-upscale', 'ascale-alone', 'autores', 'hires', 'old-options'],
  ],
  '150x200': ['paged'],
  '300x400': ['positional'],
  '100x75': [
    ...['area', 'pxarea', 'fit', 'hmir', 'vmir', 'rot-180', 'rgbm', 'rgba', 'cont', 'brgt', 'all-colors', 'file'],
    ...['grayscale', 'ntsc-gray', 'bitonal', 'invert', 'map-gray', 'jpg', 'webp', 'lores'],
  ],
  '75x100': ['rot-90', 'rot-hmir'],
  '50x75': ['area-beyond'],
  '150x150': ['sqarea'],
  '100x100': ['crop', 'squeeze'],
  '100x50': ['fill'],
  '60x40': ['clip'],
  '100x80': ['osize', 'ascale'],
  '100x60': ['osize-axes'],
  '600x450': ['q0', 'q1', 'q2', 'q3'],
  '124x124': ['rot-45', 'rot-45-jpg'],
  '90x120': ['png'],
  '400x300': ['file-hires'],
  '320x280': ['not-found', 'no-size', 'refused-upscale'],
  '0x0': ['errtxt', 'errcode'],
} as const;
const sizedIds: readonly (readonly [string, string])[] = Object.entries(sizes).flatMap(([size, ids]) =>
  ids.map((id) => [id, size] as const),
);

describe('every image has the size by digilib’s rules', () => {
  test.each(sizedIds)('%s: %s', async (id, size) => expect(await sizeOf(id)).toBe(size));

  it('and the table has every image', async () => {
    const ids = await page.evaluate(() => [...document.images].map((image) => image.id));
    expect([...ids].sort()).toEqual(sizedIds.map(([id]) => id).sort());
  });
});

it('the page uses every parameter that a client sets, every option and every color operator', () => {
  const calls = [...html.matchAll(/(?:src|href)="([^"]*Scaler[^"]*)"/g)].map(([, call = '']) => call).join('\n');
  const uses = (pattern: string): boolean => new RegExp(pattern).test(calls);
  const unused = [
    ...parameterNames.filter((name) => parameters[name].scope === 's' && !uses(`[?&;]${name}=`)),
    ...optionNames.filter((name) => !uses(`[=,]${name}(?![a-z0-9_])`)),
    ...Object.keys(operatorMeanings).filter((name) => !uses(`colop=${name}`)),
  ];
  expect(unused).toEqual([]);
});

describe('pixels', () => {
  test.each([
    ['named', 0.2, 0.2, 'red'],
    ['named', 0.8, 0.8, 'yellow'],
    ['paged', 0.8, 0.2, 'green'],
    ['path-and-page', 0.2, 0.8, 'blue'],
    ['positional', 0.2, 0.8, 'blue'],
    ['positional-area', 0.5, 0.5, 'yellow'],
    ['area', 0.5, 0.5, 'green'],
    ['area-beyond', 0.5, 0.5, 'green'],
    ['pxarea', 0.5, 0.5, 'yellow'],
    ['clip', 0.5, 0.5, 'yellow'],
    ['crop', 0.2, 0.8, 'blue'],
    ['hmir', 0.2, 0.2, 'green'],
    ['vmir', 0.2, 0.2, 'blue'],
    ['rot-90', 0.2, 0.2, 'blue'],
    ['rot-180', 0.2, 0.2, 'yellow'],
    ['rot-hmir', 0.2, 0.2, 'yellow'],
    ['rot-45', 0.03, 0.03, 'clear'],
    ['rot-45', 0.5, 0.2, 'red'],
    ['rot-45-jpg', 0.03, 0.03, 'black'],
    ['webp', 0.8, 0.2, 'green'],
  ] as const)('%s at %d, %d is %s', async (id, x, y, color) => expect(nameOf(await colorOf(id, x, y), 16)).toBe(color));

  test.each([
    ['rgbm', [110, 30, 60]],
    ['rgba', [230, 50, 60]],
    ['cont', [255, 60, 60]],
    ['brgt', [240, 50, 50]],
    ['all-colors', [145, 240, 140]],
    ['grayscale', [70, 70, 70]],
    ['ntsc-gray', [87, 87, 87]],
    ['bitonal', [0, 0, 0]],
    ['invert', [35, 225, 225]],
    ['map-gray', [13, 255, 242]],
  ] as const)('%s makes red %j', async (id, expected) => {
    const color = await colorOf(id, 0.2, 0.2);
    for (const [i, value] of expected.entries()) expect(Math.abs(value - (color[i] ?? -9)), `${color}`).toBeLessThan(2);
  });

  it('a border is sharp with nearest-neighbor interpolation, and not by default', async () => {
    const bordersOf = async (id: string): Promise<number> => {
      const colors = await Promise.all([0.495, 0.4975, 0.5025, 0.505].map((x) => colorOf(id, x, 0.2)));
      return colors.filter((color) => !['red', 'green'].includes(nameOf(color, 4))).length;
    };
    expect(await bordersOf('q0')).toBe(0);
    expect(await bordersOf('q2')).toBeGreaterThan(0);
  });
});

it('the link to the original downloads it under its name', async () => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#rawfile')]);
  expect(download.suggestedFilename()).toBe('page1.png');
  expect(readFileSync(await download.path()).equals(client.firstPage)).toBe(true);
});

it('formats and errors have their types and statuses', async () => {
  const answers = await page.evaluate(async () => {
    const ids = ['named', 'paged', 'jpg', 'png', 'webp', 'file-hires', 'not-found', 'no-size', 'errtxt', 'errcode'];
    const ask = async (id: string): Promise<string> => {
      const { status, headers } = await fetch((document.getElementById(id) as HTMLImageElement).src);
      return `${id}: ${status} ${headers.get('content-type')}`;
    };
    return Promise.all(ids.map(ask));
  });
  expect(answers).toEqual([
    'named: 200 image/png',
    'paged: 200 image/jpeg',
    'jpg: 200 image/jpeg',
    'png: 200 image/png',
    'webp: 200 image/webp',
    'file-hires: 200 image/png',
    'not-found: 404 image/png',
    'no-size: 400 image/png',
    'errtxt: 404 text/plain; charset=utf-8',
    'errcode: 404 null',
  ]);
});
