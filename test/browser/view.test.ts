/** The viewer, by its pixels: what it shows is what the Scaler draws for the same address. */
import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, problemsOf } from './browser.ts';
import { gradient, manyColors } from './gradients.ts';
import { differenceInMiddle, type Pixels, pixelsOf, scalerPixels, settled, stagePixels } from './room.ts';

let browser: Browser;
let app: RunningApp;
let folder: string;
/** The app below its context path. */
let below: Pick<RunningApp, 'get'>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-view-'));
  mkdirSync(path.join(folder, 'book'));
  await gradient(1200, 900).png().toFile(path.join(folder, 'wide.png'));
  await manyColors(640, 480).png().toFile(path.join(folder, 'colors.png'));
  await gradient(600, 400).withMetadata({ density: 150 }).png().toFile(path.join(folder, 'dense.png'));
  for (let page = 1; page <= 12; page++) {
    await gradient(600 + page, 800)
      .png()
      .toFile(path.join(folder, 'book', `p${String(page).padStart(3, '0')}.png`));
  }
  app = await startApp({ folders: [folder], contextPath: '/digilib' });
  below = { get: (address) => app.get(`/digilib${address}`) };
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens an address below the base; tiles come without loss, so that what differs is the viewer's doing. */
async function open(address: string, size = { width: 1000, height: 700 }): Promise<Page> {
  const page = await browser.newPage({ viewport: size });
  await page.route('**/iiif/3/**/default.jpg', (route) =>
    route.continue({ url: route.request().url().replace(/jpg$/, 'png') }),
  );
  await page.goto(`${app.url}/digilib/${address}`);
  await settled(page);
  return page;
}

describe('a view', () => {
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
  ])('shows what the Scaler draws: %s', async (query) => {
    const page = await open(`view/wide.png?${query}`);
    const stage = await stagePixels(page);
    const picture = await scalerPixels(
      below,
      `fn=wide.png&dw=${stage.width}&dh=${stage.height}&${query.replace('mo=', 'mo=png,')}${query.includes('mo=') ? '' : '&mo=png'}`,
    );
    expect(differenceInMiddle(stage, picture)).toBeLessThan(14);
    // Who copies the address at once has the same view.
    const kept = new URLSearchParams(new URL(page.url()).search);
    const asked = new URLSearchParams(query);
    for (const [name, value] of asked) if (value !== '' && value !== '0') expect(kept.get(name), name).toBe(value);
    await page.close();
  });
});

/** Numbers that are the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const operations = ['', 'GRAYSCALE', 'NTSC_GRAY', 'BITONAL', 'INVERT', 'MAP_GRAY_BGR'];

/** Fifty settings of colors as the address says them, all operations among them. */
function randomColors(): readonly string[] {
  const next = chance(7);
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

describe('colors', () => {
  it('are the Scaler’s within 1 of 255, for 50 random settings', async () => {
    const page = await open('view/colors.png?mo=clip');
    const worst: string[] = [];
    for (const query of randomColors()) {
      // As a reader goes through an old list of links: without loading the page anew.
      await page.evaluate((address) => {
        history.pushState(undefined, '', address);
        dispatchEvent(new PopStateEvent('popstate'));
      }, `view/colors.png?mo=clip&${query}`);
      await page.waitForTimeout(150);
      const stage = await stagePixels(page);
      const picture = await scalerPixels(below, `fn=colors.png&mo=png,ascale&scale=1&${query}`);
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
      if (difference > 1) worst.push(`${query}: ${difference}`);
    }
    expect(worst).toEqual([]);
    await page.close();
  });
});

const page12 = (page: number): string => `p${String(page).padStart(3, '0')}.png`;

const pathOf = (page: Page): string => new URL(page.url()).pathname.replace('/digilib/', '');

describe('leafing through', () => {
  it('goes by buttons, keys, the number and thumbnails, and keeps the region and what is done to the picture', async () => {
    const page = await open(`view/book/${page12(3)}?wx=0.2&ww=0.5&wh=0.5&rot=90&colop=INVERT&mk=0.5/0.5`);
    const problems = problemsOf(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => pathOf(page)).toBe(`view/book/${page12(4)}`);
    expect(new URL(page.url()).search).toBe('?wx=0.2&ww=0.5&wh=0.5&rot=90&colop=INVERT');
    await page.keyboard.press('PageUp');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${page12(3)}`);
    await page.keyboard.press('End');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${page12(12)}`);
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await page.keyboard.press('Home');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${page12(1)}`);
    await page.keyboard.press('g');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${page12(7)}`);
    await page.getByRole('link', { name: 'Page 9: p009' }).click();
    await expect.poll(() => pathOf(page)).toBe(`view/book/${page12(9)}`);
    expect(await page.title()).toBe('p009 – book – Lectern');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('leads back to the image before, not through each movement', async () => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(`${app.url}/digilib/browse/book`);
    await page.getByRole('link', { name: 'p002' }).first().click();
    await settled(page);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.keyboard.press('r');
    await expect.poll(() => new URL(page.url()).searchParams.get('rot')).toBe('90');
    await page.goBack();
    expect(pathOf(page)).toBe('browse/book');
    await page.goForward();
    expect(pathOf(page)).toBe(`view/book/${page12(2)}`);
    expect(new URL(page.url()).searchParams.get('rot')).toBe('90');
    await page.close();
  });

  it('shows two pages side by side, in either direction', async () => {
    const page = await open('view/book/p003.png?pages=2');
    const beside = await stagePixels(page);
    // Each page is red at its right and not at its left; the gap between them is the stage's own color.
    const [red] = beside.at(beside.width / 2 - 40, beside.height / 2);
    const [notRed] = beside.at(beside.width / 2 + 40, beside.height / 2);
    expect(red).toBeGreaterThan(150);
    expect(notRed).toBeLessThan(90);
    await page.getByRole('button', { name: 'Right to left' }).click();
    await settled(page);
    await page.keyboard.press('PageDown');
    await expect.poll(() => pathOf(page)).toBe('view/book/p005.png');
    await page.close();
  });

  it('draws only the thumbnails in sight of 10,000', async () => {
    const many = mkdtempSync(path.join(tmpdir(), 'lectern-many-'));
    const first = path.join(many, '00001.png');
    await gradient(30, 40).png().toFile(first);
    for (let page = 2; page <= 10_000; page++) linkSync(first, path.join(many, `${String(page).padStart(5, '0')}.png`));
    const own = await startApp({ folders: [many] });
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(`${own.url}/view/05000.png`);
    await page.getByRole('link', { name: 'Page 5000: 05000' }).waitFor();
    const strip = page.getByRole('navigation', { name: 'Thumbnails' });
    expect(await strip.getByRole('listitem').count()).toBeLessThan(40);
    await strip.evaluate((element) => {
      element.scrollLeft = element.scrollWidth;
    });
    await page.getByRole('link', { name: 'Page 10000: 10000' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/view/10000.png');
    expect(await strip.getByRole('listitem').count()).toBeLessThan(40);
    await page.close();
    await own.close();
    rmSync(many, { recursive: true });
  });
});

/** Where the whole image's edges are on the stage: the first and last column and row that are not the stage's own color. */
function boundsOn(stage: Pixels): { readonly width: number; readonly height: number } {
  const [red, green, blue] = stage.at(1, 1);
  const isStage = (x: number, y: number): boolean => {
    const seen = stage.at(x, y);
    return Math.abs(seen[0] - red) + Math.abs(seen[1] - green) + Math.abs(seen[2] - blue) < 6;
  };
  const middle = { x: Math.floor(stage.width / 2), y: Math.floor(stage.height / 2) };
  const count = (length: number, isInside: (at: number) => boolean): number =>
    Array.from({ length }, (_, at) => at).filter(isInside).length;
  return {
    width: count(stage.width, (x) => !isStage(x, middle.y)),
    height: count(stage.height, (y) => !isStage(middle.x, y)),
  };
}

describe('sizes', () => {
  it('are a pixel for a pixel, the whole and its width, by buttons and keys', async () => {
    const page = await open('view/colors.png');
    await page.getByRole('button', { name: '1:1' }).click();
    await settled(page);
    expect(boundsOn(await stagePixels(page))).toEqual({ width: 640, height: 480 });
    expect(new URL(page.url()).searchParams.get('mo')).toBe('clip');
    await page.keyboard.press('0');
    await settled(page);
    const whole = boundsOn(await stagePixels(page));
    expect(whole.height).toBeGreaterThan(500);
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('w');
    await settled(page);
    expect(boundsOn(await stagePixels(page)).width).toBeGreaterThan(940);
    await page.close();
  });

  it('are true on the reader’s own display, whatever the address says of another', async () => {
    const page = await open('view/dense.png?mo=osize&ddpi=300');
    // 600 pixels at 150 dpi are 4 inches; a display that nobody measured is taken for 96 pixels an inch.
    await settled(page);
    expect(boundsOn(await stagePixels(page)).width).toBeCloseTo(4 * 96, -1);
    await page.getByRole('button', { name: 'True size' }).click();
    const bar = page.locator('.ruler');
    const slider = page.getByLabel('Length of the bar');
    await slider.fill('404.5');
    expect((await bar.boundingBox())?.width).toBeCloseTo(404.5, 0);
    // A card is 85.6 mm long: the display has 120 pixels an inch.
    await page.getByRole('button', { name: 'Show in true size' }).click();
    await settled(page);
    expect(boundsOn(await stagePixels(page)).width / (4 * 120)).toBeCloseTo(1, 2);
    await page.reload();
    await settled(page);
    expect(boundsOn(await stagePixels(page)).width / (4 * 120)).toBeCloseTo(1, 2);
    await page.close();
  });
});

describe('tools', () => {
  it('turn, mirror and color at once, and reset all of it', async () => {
    const page = await open('view/wide.png');
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Turn right' }).click();
    await page.getByRole('button', { name: 'Mirror left to right' }).click();
    await page.getByLabel('Negative').check();
    await page.getByLabel('Brightness', { exact: true }).fill('40');
    await expect.poll(() => new URL(page.url()).search).toBe('?rot=270&mo=hmir&brgt=40&colop=INVERT');
    await page.getByRole('button', { name: 'Reset the view' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.close();
  });

  it('zoom to a drawn area, show where it lies, and move it there', async () => {
    const page = await open('view/wide.png');
    const stage = await page.locator('.stage').boundingBox();
    if (stage === null) throw new Error('no stage');
    const at = (x: number, y: number): readonly [number, number] => [
      stage.x + x * stage.width,
      stage.y + y * stage.height,
    ];
    await page.keyboard.press('z');
    await page.mouse.move(...at(0.3, 0.3));
    await page.mouse.down();
    await page.mouse.move(...at(0.4, 0.4), { steps: 4 });
    await page.mouse.move(...at(0.5, 0.5), { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const query = new URL(page.url()).searchParams;
    expect(Number(query.get('ww'))).toBeLessThan(0.5);
    expect(Number(query.get('wx'))).toBeGreaterThan(0.15);
    const eye = await page.locator('.birds-eye').boundingBox();
    if (eye === null) throw new Error('no bird’s eye');
    await page.mouse.click(eye.x + eye.width * 0.9, eye.y + eye.height * 0.9);
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('wx'))).toBeGreaterThan(0.5);
    await page.close();
  });

  it('magnify what is under the pointer', async () => {
    const page = await open('view/wide.png');
    await page.keyboard.press('l');
    await page.mouse.move(500, 300);
    await page.mouse.move(505, 305);
    const glass = page.locator('.magnifier canvas').first();
    await glass.waitFor();
    await page.waitForTimeout(500);
    const plain = await pixelsOf(await page.locator('.magnifier').screenshot());
    await page.keyboard.press('Escape');
    expect(await page.locator('.magnifier').count()).toBe(0);
    const under = await stagePixels(page);
    // What is in the glass's middle is what lies under it; at its edge it is what lies nearer.
    const stage = await page.locator('.stage').boundingBox();
    const seen = under.at(505 - (stage?.x ?? 0), 305 - (stage?.y ?? 0));
    const middle = plain.at(plain.width / 2, plain.height / 2);
    for (const channel of [0, 1, 2]) expect(Math.abs((seen[channel] ?? 0) - (middle[channel] ?? 0))).toBeLessThan(8);
    const edge = plain.at(plain.width - 20, plain.height / 2);
    const nearer = under.at(505 + 100 / 3 - (stage?.x ?? 0), 305 - (stage?.y ?? 0));
    for (const channel of [0, 1, 2]) expect(Math.abs((edge[channel] ?? 0) - (nearer[channel] ?? 0))).toBeLessThan(8);
    await page.close();
  });
});
