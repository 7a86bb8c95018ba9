// @module-tag chromium
/** Two pages of a bound book: its openings by pixels, in both directions, and turning them. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../sweep.ts';
import { accessibilityViolations } from './accessibility.ts';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import { type Pixels, pixelsOf, stagePixels, visit, waitUntilSettled } from './stage-pixels.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

type Rgb = readonly [number, number, number];

/** A color for each page, at least 60 apart in a channel. */
const colorOf = (number: number): Rgb => [
  (number % 3) * 100 + 40,
  (Math.floor(number / 3) % 3) * 100 + 40,
  Math.floor(number / 9) * 150 + 40,
];

const fileOf = (number: number): string => `p${String(number).padStart(2, '0')}.png`;
const labelOf = (number: number): string => `${Math.ceil(number / 2)}${number % 2 === 1 ? 'r' : 'v'}`;

const total = 12;
const labels = Array.from(
  { length: total },
  (_, index) => `  - { file: ${fileOf(index + 1)}, label: ${labelOf(index + 1)} }`,
).join('\n');

const metadataOf = (...lines: readonly string[]): string => `behavior: paged\n${lines.join('\n')}\npages:\n${labels}\n`;

const chapters = `contents:
  - { label: Preface, pages: 1-2 }
  - { label: Songs, contents: [{ label: First song, pages: 3-9 }, { label: Last song, pages: 10-12 }] }`;

/** Pages with another size than 400 x 600 pixels. */
type Sizes = Readonly<Record<number, readonly [width: number, height: number]>>;

async function writeBook(folder: string, metadata: string, sizes: Sizes = {}): Promise<void> {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'metadata.yaml'), metadata);
  for (let number = 1; number <= total; number += 1) {
    const [width, height] = sizes[number] ?? [400, 600];
    const [r, g, b] = colorOf(number);
    await sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
      .png()
      .toFile(path.join(folder, fileOf(number)));
  }
}

/** A server of the books. */
async function serveBooks(): Promise<TemporaryServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-openings-'));
  const at = (name: string): string => path.join(folder, name);
  await writeBook(at('ltr'), metadataOf());
  await writeBook(at('rtl'), metadataOf('viewingDirection: right-to-left', chapters));
  await writeBook(at('inserted'), metadataOf('non-paged: [p03, p08]', 'facing-pages: p06'));
  await writeBook(at('sizes'), metadataOf(), { 3: [1200, 600], 5: [200, 300], 7: [1000, 1200], 9: [400, 560] });
  const inside = Array.from({ length: 5 }, (_, index) => {
    const [r, g, b] = colorOf(index + 1);
    return { create: { width: 40, height: 60, channels: 3 as const, background: { r, g, b } } };
  });
  const frames = await Promise.all(inside.map((frame) => sharp(frame).png().toBuffer()));
  mkdirSync(at('file'));
  await sharp(frames, { join: { animated: true } })
    .tiff()
    .toFile(path.join(at('file'), 'b.tif'));
  for (const name of ['a', 'c'])
    await sharp(inside[0])
      .png()
      .toFile(path.join(at('file'), `${name}.png`));
  return serveFrom(folder, { library: { folders: [folder] } });
}

const session = setUpBrowser(serveBooks);
let page: Page;

async function openPlace(address: string, options: BrowserContextOptions = {}): Promise<void> {
  page = await session.open(address, { viewport: { width: 1200, height: 700 }, ...options });
  await waitUntilSettled(page);
}

const open = (address: string): Promise<void> => openPlace(`view/${address}`);

/** Opens an image in a small window, of which many screenshots are taken. */
const openSmall = (address: string): Promise<void> =>
  openPlace(`view/${address}`, { viewport: { width: 800, height: 500 } });

const pathNow = (): string => new URL(page.url()).pathname.replace('/view/', '');
const arrivesAt = (at: string): Promise<void> => expect.poll(pathNow).toBe(at);

const distance = (seen: readonly number[], wanted: Rgb): number =>
  Math.max(...wanted.map((value, channel) => Math.abs((seen[channel] ?? 0) - value)));

/** The page whose color a pixel has; undefined for the stage. */
function pageAt(pixels: Pixels, x: number, y: number): number | undefined {
  const seen = pixels.at(x, y);
  const numbers = Array.from({ length: total }, (_, index) => index + 1);
  return numbers.find((number) => distance(seen, colorOf(number)) < 16);
}

/** The pages on the stage from left to right, as a reader writes them: `2|3`. */
async function seen(): Promise<string> {
  const pixels = await stagePixels(page);
  const middle = pixels.width / 2;
  const pages = [middle - 60, middle + 60].map((x) => pageAt(pixels, x, pixels.height / 2));
  return [...new Set(pages)].join('|');
}

const ltr = ['1', '2|3', '2|3', '4|5', '4|5', '6|7', '6|7', '8|9', '8|9', '10|11', '10|11', '12'];
const mirrored = (pages: string): string => pages.split('|').reverse().join('|');
const shifted = ['1|2', '1|2', '3|4', '3|4', '5|6', '5|6', '7|8', '7|8', '9|10', '9|10', '11|12', '11|12'];
const inserted = ['1', '2|4', '3', '2|4', '5', '6', '7|9', '8', '7|9', '10|11', '10|11', '12'];

describe('an opening', () => {
  const middleOf = async (selector: string): Promise<number> => {
    const box = await page.locator(selector).boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0) / 2;
  };
  const turns = (): Promise<number> =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .filter((one) => 'animationName' in one && one.animationName === 'leaf-turns' && one.playState === 'running')
          .length,
    );

  it('has a fold between its pages, over which a leaf turns', async () => {
    await openPlace('view/ltr/p02.png?pages=2', { reducedMotion: 'no-preference' });
    expect(Math.abs((await middleOf('.book-fold')) - (await middleOf('.stage')))).toBeLessThan(2);
    await page.evaluate(() => {
      Object.assign(window, { leaves: 0 });
      addEventListener('animationstart', ({ animationName }) => {
        if (animationName === 'leaf-turns') Object.assign(window, { leaves: 1 });
      });
    });
    await page.keyboard.press('PageDown');
    await page.waitForFunction(() => 'leaves' in window && window.leaves === 1);
    await arrivesAt('ltr/p04.png');
    await expect.poll(turns).toBe(0);
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('.book-fold').count()).toBe(0);
  });

  it('shows no turning leaf to readers who want less motion', async () => {
    await open('ltr/p02.png?pages=2');
    await page.keyboard.press('PageDown');
    await arrivesAt('ltr/p04.png');
    await page.locator('.turning-leaf').waitFor({ state: 'attached' });
    expect(await turns()).toBe(0);
    expect(await page.locator('.turning-leaf').isVisible()).toBe(false);
  });
});

describe('the opening of each page', () => {
  it.each(
    sampleOf(
      [
        ['from left to right', 'ltr', '?pages=2', ltr],
        ['from right to left', 'rtl', '?pages=2', ltr.map(mirrored)],
        ['from left to right, shifted', 'ltr', '?pages=2&shift=1', shifted],
        ['from right to left, shifted', 'rtl', '?pages=2&shift=1', shifted.map(mirrored)],
        ['with inserted leaves and an image of both pages', 'inserted', '?pages=2', inserted],
      ],
      2,
    ),
  )('%s', { tags: 'sampled' }, async (_, book, query, wanted) => {
    await openSmall(`${book}/${fileOf(1)}${query}`);
    const found: (readonly [number, string])[] = [];
    const openings = sampleOf([...wanted.entries()], 6);
    for (const [index] of openings) {
      await visit(page, `view/${book}/${fileOf(index + 1)}${query}`, 350);
      found.push([index, await seen()]);
    }
    expect(found).toEqual(openings);
  });

  it('is the same picture, whichever of its pages is the main one', async () => {
    await openSmall('ltr/p02.png?pages=2');
    const one = await page.locator('.stage-image').screenshot();
    await visit(page, 'view/ltr/p03.png?pages=2');
    expect(one.equals(await page.locator('.stage-image').screenshot())).toBe(true);
  });

  it('is one of two pages inside of a file that is a book', async () => {
    await openSmall('file/a.png?pages=2');
    const found = [await seen()];
    for (let times = 0; times < 4; times += 1) {
      await page.keyboard.press('PageDown');
      await pauseIn(page, 500);
      found.push(`${pathNow()} ${await seen()}`);
    }
    expect(found).toEqual(['1', 'file/b.tif 1', 'file/b.tif;2 2|3', 'file/b.tif;4 4|5', 'file/c.png 1']);
    await page.keyboard.press('PageUp');
    await arrivesAt('file/b.tif;4');
  });
});

describe('pages of different sizes', () => {
  /** Rows at which a page begins and ends in a column of the stage. */
  function rowsOf(pixels: Pixels, number: number): readonly [number, number] {
    const rows: number[] = [];
    for (let y = 0; y < pixels.height; y += 1) {
      for (let x = 0; x < pixels.width; x += 9) {
        if (pageAt(pixels, x, y) !== number) continue;
        rows.push(y);
        break;
      }
    }
    return [rows[0] ?? Number.NaN, (rows.at(-1) ?? Number.NaN) + 1];
  }

  it.each([
    ['a foldout as high as its page', 2, 3, 1],
    ['a page at half the resolution', 4, 5, 1],
    ['a foldout that is higher', 6, 7, 2],
    ['a page cut lower', 8, 9, 1],
  ])('%s', { tags: 'exhaustive' }, async (_, left, right, ratio) => {
    await open(`sizes/${fileOf(left)}?pages=2`);
    const pixels = await stagePixels(page);
    const [top, bottom] = rowsOf(pixels, left);
    const [otherTop, otherBottom] = rowsOf(pixels, right);
    expect(Math.abs(top - otherTop)).toBeLessThanOrEqual(1);
    expect((otherBottom - otherTop) / (bottom - top)).toBeCloseTo(ratio, 1);
    // Both pages are seen whole.
    expect(top).toBeGreaterThanOrEqual(0);
    expect(pageAt(pixels, 2, 2)).toBeUndefined();
    expect(pageAt(pixels, pixels.width - 2, pixels.height - 2)).toBeUndefined();
  });
});

describe('both pages as one picture', () => {
  async function saved(): Promise<{ readonly name: string; readonly pixels: Pixels }> {
    const button = page.getByRole('button', { name: 'Both pages as one picture' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const name = download.suggestedFilename();
    await page.getByText(`Saved as ${name}`).waitFor();
    return { name, pixels: await pixelsOf(readFileSync(await download.path())) };
  }

  const numberAt = (pixels: Pixels, across: number, down: number): number | undefined =>
    pageAt(pixels, Math.round(across * pixels.width), Math.round(down * pixels.height));

  it('are downloaded in their own pixels, in the order in which they are seen', async () => {
    await openSmall('ltr/p03.png?pages=2');
    await page.keyboard.press('c');
    await page.getByRole('tab', { name: 'Download' }).click();
    const { name, pixels } = await saved();
    expect(name).toBe(`ltr_p02-p03-${pixels.width}x600.jpg`);
    // Two pages with the gap between them.
    expect([pixels.width, pixels.height]).toEqual([807, 600]);
    expect([numberAt(pixels, 0.05, 0.5), numberAt(pixels, 0.95, 0.5)]).toEqual([2, 3]);
    expect([numberAt(pixels, 0.45, 0.02), numberAt(pixels, 0.55, 0.98)]).toEqual([2, 3]);
  });

  it('are turned as they are seen, from right to left', { tags: 'exhaustive' }, async () => {
    await openSmall('rtl/p02.png?pages=2&rot=90');
    await page.keyboard.press('c');
    await page.getByRole('tab', { name: 'Download' }).click();
    const { pixels } = await saved();
    expect([pixels.width, pixels.height]).toEqual([600, 807]);
    expect([numberAt(pixels, 0.5, 0.05), numberAt(pixels, 0.5, 0.95)]).toEqual([3, 2]);
  });

  it('have the colors of the view and the format that was chosen', { tags: 'exhaustive' }, async () => {
    await openSmall('ltr/p02.png?pages=2&colop=INVERT');
    await page.keyboard.press('c');
    await page.getByRole('tab', { name: 'Download' }).click();
    await page.getByRole('radio', { name: 'PNG' }).check();
    const { name, pixels } = await saved();
    expect(name).toBe('ltr_p02-p03-807x600.png');
    const [red, green, blue] = pixels.at(100, 300);
    expect(distance([255 - red, 255 - green, 255 - blue], colorOf(2))).toBeLessThan(16);
  });

  it('are not offered where a page stands alone', { tags: 'exhaustive' }, async () => {
    await openSmall('ltr/p01.png?pages=2');
    await page.keyboard.press('c');
    await page.getByRole('tab', { name: 'Download' }).click();
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Both pages as one picture' }).count()).toBe(0);
  });
});

describe('turning the pages of openings', () => {
  it('goes from opening to opening, and back', async () => {
    await openSmall('ltr/p01.png?pages=2');
    const found: string[] = [];
    for (const key of ['PageDown', 'PageDown', 'PageUp', 'PageUp']) {
      await page.keyboard.press(key);
      await pauseIn(page, 400);
      found.push(await seen());
    }
    expect(found).toEqual(['2|3', '4|5', '2|3', '1']);
  });

  it('passes inserted leaves', async () => {
    await openSmall('inserted/p01.png?pages=2');
    const found: string[] = [];
    for (let times = 0; times < 5; times += 1) {
      await page.keyboard.press('n');
      await pauseIn(page, 400);
      found.push(await seen());
    }
    expect(found).toEqual(['2|4', '3', '5', '6', '7|9']);
    expect(await page.getByLabel('Go to page', { exact: true }).inputValue()).toBe('7, 9');
  });

  it('names both pages everywhere', async () => {
    await open('rtl/p03.png?pages=2');
    expect(await page.getByLabel('Go to page', { exact: true }).inputValue()).toBe('2–3');
    expect(await page.locator('.page-label').textContent()).toBe('1v – 2r');
    expect(await page.title()).toContain('1v – 2r');
    expect(await page.locator('.filmstrip a[aria-current] span').allTextContents()).toEqual(['2r', '1v']);
  });

  it.each(['view', 'embed'])('long labels leave the buttons of /%s free, wide or narrow', async (place) => {
    await openPlace(`${place}/ltr/p02.png?pages=2`, { viewport: { width: 1280, height: 900 } });
    const label = page.locator('.page-label');
    for (const width of [1280, 820]) {
      await page.setViewportSize({ width, height: 900 });
      await label.evaluate((element) => {
        element.textContent = 'Folio 1 verso, with the arms of a family – Folio 2 recto, with an initial';
      });
      const [text, button] = [
        await label.boundingBox(),
        await page.locator('.page-buttons button').first().boundingBox(),
      ];
      expect((text?.x ?? 0) + (text?.width ?? 0)).toBeGreaterThan(0);
      expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
    }
  });

  it('is shifted by a switch, which the address and the browser keep', async () => {
    await open('ltr/p03.png?pages=2');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Shift by one page' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?pages=2&shift=1');
    expect(await seen()).toBe('3|4');
    await page.keyboard.press('b');
    await expect.poll(() => new URL(page.url()).search).toBe('?pages=1');
    await page.goto(`${session.url()}view/ltr/p05.png`);
    await waitUntilSettled(page);
    await page.keyboard.press('b');
    await expect.poll(() => new URL(page.url()).search).toBe('?pages=2&shift=1');
    await expect.poll(seen).toBe('5|6');
    await page.keyboard.press('Shift+B');
    await expect.poll(() => new URL(page.url()).search).toBe('?pages=2');
    await expect.poll(seen).toBe('4|5');
  });
});

describe('the pages of a bound book without `pages` in the address', () => {
  const searchNow = (): string => new URL(page.url()).search;

  it('are openings, which the address then says', async () => {
    await open('ltr/p03.png');
    expect(await seen()).toBe('2|3');
    expect(searchNow()).toBe('?pages=2');
    await open('rtl/p03.png');
    expect(await seen()).toBe('3|2');
  });

  it('are single pages where the address says so, and of folders that are no bound book', async () => {
    await open('ltr/p03.png?pages=1');
    expect(await seen()).toBe('3');
    await page.goto(`${session.url()}browse/ltr`);
    await open('file/a.png');
    expect(searchNow()).toBe('');
  });

  it('are as the reader has last chosen for the book', { tags: 'exhaustive' }, async () => {
    const goOn = async (address: string): Promise<void> => {
      await page.goto(`${session.url()}view/${address}`);
      await waitUntilSettled(page);
    };
    await open('ltr/p03.png');
    await page.keyboard.press('b');
    await expect.poll(searchNow).toBe('?pages=1');
    await goOn('ltr/p05.png');
    expect(await seen()).toBe('5');
    // The choice holds for its book alone.
    await goOn('inserted/p10.png');
    expect(await seen()).toBe('10|11');
    await goOn('ltr/p05.png');
    await page.keyboard.press('b');
    await expect.poll(searchNow).toBe('?pages=2');
    await goOn('ltr/p07.png');
    expect(await seen()).toBe('6|7');
  });

  it.each([
    ['a phone in portrait', 390, 844, '', '3'],
    ['a phone in landscape', 844, 390, '?pages=2', '2|3'],
    ['a tablet in portrait', 820, 1180, '?pages=2', '2|3'],
  ])('on %s', async (_, width, height, search, wanted) => {
    await openPlace('view/ltr/p03.png', { viewport: { width, height } });
    expect(searchNow()).toBe(search);
    expect(await seen()).toBe(wanted);
  });
});

describe('where the whole image is seen', () => {
  it.each([
    ['ltr', 'ArrowRight', 'p07.png', 'ArrowLeft'],
    ['ltr', 'ArrowDown', 'p07.png', 'ArrowUp'],
    ['ltr', ' ', 'p07.png', 'Shift+ '],
    ['rtl', 'ArrowLeft', 'p07.png', 'ArrowRight'],
  ])('%s: the key “%s” turns to %s, and “%s” back, and to the page before', async (book, key, file, keyBack) => {
    await open(`${book}/p06.png?pages=1`);
    await page.keyboard.press(key);
    await arrivesAt(`${book}/${file}`);
    for (const before of ['p06.png', 'p05.png']) {
      await page.keyboard.press(keyBack);
      await arrivesAt(`${book}/${before}`);
    }
  });

  it.each([
    ['ArrowRight', 'x', 1],
    ['ArrowLeft', 'x', -1],
    ['ArrowDown', 'y', 1],
    [' ', 'y', 1],
    ['Shift+ ', 'y', -1],
  ])('not, the key “%s” moves along %s by the sign %d', { tags: 'exhaustive' }, async (key, axis, sign) => {
    await open('ltr/p06.png?wx=0.4&wy=0.4&ww=0.2&wh=0.2&pages=1');
    const middle = (): number => {
      const { searchParams } = new URL(page.url());
      const side = axis === 'x' ? 'w' : 'h';
      return Number(searchParams.get(`w${axis}`)) + Number(searchParams.get(`w${side}`)) / 2;
    };
    await page.keyboard.press(key);
    await expect.poll(() => Math.sign(Math.round((middle() - 0.5) * 1000))).toBe(sign);
    expect(pathNow()).toBe('ltr/p06.png');
  });

  it.each([
    ['ltr', 0.97, 'p07.png', 'right'],
    ['ltr', 0.03, 'p05.png', 'left'],
    ['rtl', 0.97, 'p05.png', 'right'],
    ['rtl', 0.03, 'p07.png', 'left'],
  ])('%s: a click at %d of its width turns to %s, and the pointer shows it', async (book, x, file, side) => {
    await open(`${book}/p06.png?pages=1`);
    const box = await page.locator('.stage').boundingBox();
    if (box === null) throw new Error('there is no stage');
    await page.mouse.move(box.x + box.width * x, box.y + box.height / 2);
    await page.locator(`.page-side.${side}`).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    await arrivesAt(`${book}/${file}`);
  });

  it('a click in the middle, or beside an enlarged image, turns nothing', async () => {
    await open('ltr/p06.png?pages=1');
    const box = await page.locator('.stage').boundingBox();
    if (box === null) throw new Error('there is no stage');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await visit(page, 'view/ltr/p06.png?ww=0.5&wh=0.5&pages=1');
    await page.mouse.click(box.x + box.width - 20, box.y + box.height / 2);
    await page.mouse.move(box.x + box.width - 25, box.y + box.height / 2);
    await pauseIn(page, 700);
    expect(pathNow()).toBe('ltr/p06.png');
    expect(await page.locator('.page-side').count()).toBe(0);
  });

  it('a double click at the side turns twice and does not zoom', async () => {
    await open('ltr/p06.png?pages=1');
    const box = await page.locator('.stage').boundingBox();
    if (box === null) throw new Error('there is no stage');
    await page.mouse.dblclick(box.x + box.width - 20, box.y + box.height / 2);
    await arrivesAt('ltr/p08.png');
    await pauseIn(page, 700);
    expect(new URL(page.url()).search).toBe('?pages=1');
  });

  it('the space bar presses a focused button', async () => {
    await open('ltr/p06.png?pages=1');
    await page.getByRole('button', { name: 'Two pages side by side' }).focus();
    await page.keyboard.press(' ');
    await expect.poll(() => new URL(page.url()).search).toBe('?pages=2');
    expect(pathNow()).toBe('ltr/p06.png');
  });
});

describe.each(['light', 'dark'] as const)('in %s colors', (colorScheme) => {
  it('an opening with its contents and the sign at its side violates no rule of accessibility', async () => {
    await openPlace('view/rtl/p06.png?pages=2&shift=1', { colorScheme });
    await page.keyboard.press('Shift+C');
    await page.getByRole('button', { name: 'Chapters in “Songs”' }).click();
    const box = await page.locator('.stage').boundingBox();
    if (box === null) throw new Error('there is no stage');
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await page.locator('.page-side').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.getByText('First song').count()).toBe(0);
  });
});
