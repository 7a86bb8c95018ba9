// @module-tag chromium
/** Two and more images beside or over each other. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import {
  type DotName,
  dotIn,
  drag,
  fractionOf,
  type ImageName,
  onPage,
  type Point,
  panePixels,
  papers,
  pathOf,
  startCompareApp,
  waitUntilSharp,
} from './compare-images.ts';
import type { Pixels } from './stage-pixels.ts';

const session = setUpBrowser(startCompareApp);
let page: Page;

/** The address of a comparison of images, with further parameters. */
const comparing = (names: readonly ImageName[], more = ''): string =>
  `compare?${names.map((name, at) => `${at + 1}.fn=${pathOf(name)}`).join('&')}${more}`;

async function open(names: readonly ImageName[], more = '', options: BrowserContextOptions = {}): Promise<void> {
  page = await session.open(comparing(names, more), options);
  await waitUntilSharp(page, names.length);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

const middle = { x: 250, y: 300 };

/** The darkest and the lightest value of any channel. */
function extremes(pixels: Pixels): readonly [darkest: number, lightest: number] {
  let [darkest, lightest] = [255, 0];
  for (let y = 0; y < pixels.height; y += 1) {
    for (let x = 0; x < pixels.width; x += 1) {
      const [red, green, blue] = pixels.at(x, y);
      darkest = Math.min(darkest, red, green, blue);
      lightest = Math.max(lightest, red, green, blue);
    }
  }
  return [darkest, lightest];
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

const points = (name: ImageName, dots: readonly DotName[]): string =>
  dots
    .map((dot) => fractionOf(name, dot))
    .map(({ x, y }) => `${x.toFixed(6)}/${y.toFixed(6)}`)
    .join(',');

const alignedByAddress = `&1.points=${points('first', ['red', 'blue'])}&2.points=${points('second', ['red', 'blue'])}`;

describe('images beside each other', () => {
  it.each(['light', 'dark'] as const)('are told apart by a gap that is seen, %s', async (colorScheme) => {
    await open(['first', 'first'], '', { colorScheme });
    const [one, other] = [
      await page.locator('.pane').first().boundingBox(),
      await page.locator('.pane').last().boundingBox(),
    ];
    const gap = (other?.x ?? 0) - (one?.x ?? 0) - (one?.width ?? 0);
    expect(gap).toBeGreaterThanOrEqual(6);
    const luminance = (element: Element): number => {
      const context = document.createElement('canvas').getContext('2d');
      if (context === null) return 0;
      context.fillStyle = getComputedStyle(element).backgroundColor;
      context.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [between, stage] = [
      await page.locator('.panes').evaluate(luminance),
      await page.locator('.pane').first().evaluate(luminance),
    ];
    expect((Math.max(between, stage) + 0.05) / (Math.min(between, stage) + 0.05)).toBeGreaterThanOrEqual(3);
  });
});

describe('twelve images', () => {
  const twelve = Array.from({ length: 12 }, (_, at): ImageName => (at % 2 === 0 ? 'first' : 'third'));

  const boxes = async () => Promise.all((await page.locator('.pane').all()).map((pane) => pane.boundingBox()));

  it('lie beside each other, and keep their own views in the address', async () => {
    await open(twelve, '&12.rot=90');
    await expect.poll(() => page.locator('.pane').count()).toBe(12);
    for (const box of await boxes()) {
      expect(box?.width).toBeGreaterThan(150);
      expect(box?.height).toBeGreaterThan(100);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    }
    await page.locator('.pane').nth(10).getByRole('button', { name: 'Take image 11 away' }).click();
    await expect.poll(() => page.locator('.pane').count()).toBe(11);
    await expect.poll(() => new URL(page.url()).searchParams.get('11.rot')).toBe('90');
  });

  it('can become thirty, whose address can be opened again', async () => {
    const thirty = Array.from({ length: 30 }, (_, at): ImageName => (at % 2 === 0 ? 'first' : 'third'));
    // Each has three parameters, of which an address can not have so many.
    const query = new URLSearchParams(thirty.map((name, at) => [`${at + 1}`, `fn=${pathOf(name)}&rot=5&mo=hmir`]));
    page = await session.open(`compare?${query}`);
    await expect.poll(() => page.locator('.pane').count()).toBe(30);
    const last = page.locator('.pane').last();
    await last.scrollIntoViewIfNeeded();
    await last.locator('canvas').first().waitFor();
    await button('Add an image').waitFor();
  });

  it('are scrolled through in the window of a phone', async () => {
    await open(twelve, '', { viewport: { width: 390, height: 760 } });
    for (const box of await boxes()) {
      expect(box?.width).toBeGreaterThan(165);
      expect(box?.height).toBeGreaterThan(150);
    }
    const take = page.getByRole('button', { name: 'Take image 1 away' });
    const [button, pane] = [await take.boundingBox(), await page.locator('.pane').first().boundingBox()];
    expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual((pane?.x ?? 0) + (pane?.width ?? 0));
    const last = page.locator('.pane').last();
    await last.scrollIntoViewIfNeeded();
    await expect.poll(async () => ((await last.boundingBox())?.y ?? 9999) < 760).toBe(true);
  });
});

describe('the difference', () => {
  /** Tiles of the one image may come before those of the other; once both are there, all is black. */
  async function staysBlack(): Promise<void> {
    const seen = async () => extremes(await panePixels(page, 1));
    await expect.poll(seen, { timeout: 20_000 }).toEqual([0, 0]);
    await pauseIn(page, 300);
    expect(await seen()).toEqual([0, 0]);
  }

  it.each(['', '&1.rot=30&2.rot=30', '&1.ww=0.31&1.wh=0.31&2.ww=0.31&2.wh=0.31&1.mo=hmir&2.mo=hmir'])(
    'of an image with itself is black, with %j',
    { tags: 'exhaustive' },
    async (view) => {
      await open(['first', 'first'], `&layout=difference${view}`);
      await staysBlack();
    },
  );

  it('of an image with itself stays black when it is moved and zoomed, and does not when one is moved alone', {
    tags: 'exhaustive',
  }, async () => {
    await open(['first', 'first'], '&layout=difference');
    const from = await onPage(page, 2, middle);
    await page.mouse.move(from.x, from.y);
    await page.mouse.wheel(0, -300);
    await pauseIn(page, 600);
    await drag(page, from, { x: from.x + 130, y: from.y - 70 });
    await staysBlack();
    await button('Move together').click();
    await drag(page, from, { x: from.x + 40, y: from.y });
    expect(extremes(await panePixels(page, 1))[1]).toBeGreaterThan(200);
  });

  it('of two images is that of their colors', async () => {
    await open(['first', 'third'], '&layout=difference');
    const pixels = await panePixels(page, 1);
    const [red] = pixels.at(pixels.width / 2, pixels.height / 2);
    expect(Math.abs(red - (papers.first[0] - papers.third[0]))).toBeLessThan(3);
    expect(extremes(pixels)[1]).toBeGreaterThan(100);
  });
});

describe('two images over each other', () => {
  /** The color in the middle of the height, at a fraction of the width. */
  const colorAt = (pixels: Pixels, x: number): readonly number[] =>
    pixels.at(pixels.width * x, pixels.height / 2).slice(0, 3);

  const isPaper = (color: readonly number[], name: 'first' | 'third'): void => {
    for (const [channel, value] of papers[name].entries())
      expect(Math.abs((color[channel] ?? 0) - value)).toBeLessThan(4);
  };

  it('are divided by an edge, which the slider, keys and the pointer move', async () => {
    await open(['first', 'third'], '&layout=slider&position=0.6');
    const before = await panePixels(page, 1);
    isPaper(colorAt(before, 0.57), 'first');
    isPaper(colorAt(before, 0.63), 'third');
    const box = await page.locator('.edge-handle').boundingBox();
    if (box === null) throw new Error('there is no edge');
    const start = { x: box.x + box.width / 2, y: box.y + 80 };
    await drag(page, start, { x: start.x - before.width * 0.2, y: start.y });
    const after = await panePixels(page, 1);
    isPaper(colorAt(after, 0.37), 'first');
    isPaper(colorAt(after, 0.43), 'third');
    await page.getByRole('slider', { name: 'Position of the slider' }).press('End');
    isPaper(colorAt(await panePixels(page, 1), 0.43), 'first');
    await expect.poll(() => page.url()).toContain('position=1');
  });

  it('are blended as opaque as the slider says', async () => {
    await open(['first', 'third'], '&layout=blend&position=0.25');
    const [red = 0] = colorAt(await panePixels(page, 1), 0.5);
    expect(Math.abs(red - (papers.first[0] * 0.75 + papers.third[0] * 0.25))).toBeLessThan(4);
  });

  it('are any two of more, chosen by number', { tags: 'exhaustive' }, async () => {
    await open(['second', 'first', 'third'], '&layout=slider&pair=2/3');
    const before = await panePixels(page, 2);
    isPaper(colorAt(before, 0.45), 'first');
    isPaper(colorAt(before, 0.55), 'third');
    await page.getByLabel('Below').selectOption({ label: '3' });
    await pauseIn(page, 600);
    isPaper(colorAt(await panePixels(page, 2), 0.55), 'first');
    await expect.poll(() => page.url()).toContain('pair=3/2');
  });
});

describe('alignment by two points', () => {
  async function expectAligned(dots: readonly DotName[]): Promise<void> {
    for (const dot of dots) {
      expect(distance(await dotIn(page, 1, dot), await dotIn(page, 2, dot)), dot).toBeLessThan(1);
    }
  }

  it('brings all spots of two images to the same places, within a pixel', { tags: 'exhaustive' }, async () => {
    await open(['first', 'second']);
    expect(distance(await dotIn(page, 1, 'green'), await dotIn(page, 2, 'green'))).toBeGreaterThan(20);
    await button('Align by two points').click();
    for (const number of [1, 2]) {
      for (const dot of ['red', 'blue'] as const) {
        const { x, y } = await onPage(page, number, await dotIn(page, number, dot));
        await page.mouse.click(x, y);
        await pauseIn(page, 450);
      }
    }
    await pauseIn(page, 700);
    expect(await page.locator('.align-hint').count()).toBe(0);
    await expectAligned(['red', 'blue', 'green']);
    const from = await onPage(page, 2, middle);
    await drag(page, from, { x: from.x + 50, y: from.y + 30 });
    await expectAligned(['red', 'green']);
  });

  it('holds when one is zoomed far in, turned and mirrored, and after the address is opened again', {
    tags: 'exhaustive',
  }, async () => {
    await open(['first', 'second'], alignedByAddress);
    await expectAligned(['red', 'blue', 'green']);
    const red = await onPage(page, 1, await dotIn(page, 1, 'red'));
    await page.mouse.click(red.x, red.y);
    await page.mouse.wheel(0, -1100);
    await pauseIn(page, 900);
    await expectAligned(['red']);
    await page.keyboard.press('r');
    await page.keyboard.press('h');
    await pauseIn(page, 700);
    const [before, other] = [await dotIn(page, 1, 'red'), await dotIn(page, 2, 'red')];
    expect(distance(before, other)).toBeLessThan(1);
    await page.goto('about:blank');
    await page.goBack();
    await waitUntilSharp(page, 2);
    expect(distance(await dotIn(page, 1, 'red'), before)).toBeLessThan(1);
    expect(distance(await dotIn(page, 2, 'red'), before)).toBeLessThan(1);
  });

  it('leaves nothing but noise of their difference', { tags: 'exhaustive' }, async () => {
    await open(['first', 'second'], `${alignedByAddress}&layout=difference`);
    // The papers differ by a few values, and the dots would differ by 255.
    const red = await dotIn(page, 1, 'green').catch(() => undefined);
    expect(red).toBeUndefined();
  });

  it('works by keys alone', { tags: 'exhaustive' }, async () => {
    await open(['first', 'second']);
    await page.locator('.pane[data-image="1"] [role="application"]').focus();
    await page.keyboard.press('p');
    await page.locator('.active-layer .crosshair').waitFor();
    for (const number of [1, 2]) {
      await page.locator(`.pane[data-image="${number}"] [role="application"]`).focus();
      await page.keyboard.press('Enter');
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
      await pauseIn(page, 600);
      await page.keyboard.press('Enter');
      await pauseIn(page, 200);
    }
    await expect.poll(() => page.url()).toMatch(/1\.points=[^&]+,[^&]+&.*2\.points=[^&]+,/);
  });

  it('can be taken back, also with a panel opened meanwhile', async () => {
    await open(['first', 'second'], alignedByAddress);
    await page.keyboard.press('p');
    await button('Adjust').click();
    await button('Remove the points').click();
    await button('Done').click();
    await expect.poll(() => page.url()).not.toContain('points');
  });
});

describe('movements', () => {
  const moveOf = async (act: () => Promise<void>): Promise<readonly Point[]> => {
    const where = async () => [await dotIn(page, 1, 'green'), await dotIn(page, 2, 'green')];
    const before = await where();
    await act();
    const after = await where();
    return before.map((one, at) => ({ x: (after[at]?.x ?? 0) - one.x, y: (after[at]?.y ?? 0) - one.y }));
  };

  const drift: Point = { x: 60, y: 45 };

  const dragFirst = async (): Promise<void> => {
    const from = await onPage(page, 1, middle);
    await drag(page, from, { x: from.x + drift.x, y: from.y + drift.y });
  };

  it('are the same in both images, or in one alone', async () => {
    await open(['first', 'second']);
    const [first = drift, second = drift] = await moveOf(dragFirst);
    // The stage lags behind the first pixels of a drag.
    expect(first.x).toBeGreaterThan(40);
    expect(distance(first, second)).toBeLessThan(1);
    await page.keyboard.press('g');
    const [alone = drift, still = drift] = await moveOf(dragFirst);
    expect(alone.x).toBeGreaterThan(40);
    expect(distance(still, { x: 0, y: 0 })).toBeLessThan(0.5);
    await expect.poll(() => page.url()).toContain('move=apart');
  });

  it('by keys and buttons are shared too, also while they last', { tags: 'exhaustive' }, async () => {
    await open(['first', 'second'], '', { reducedMotion: 'no-preference' });
    await page.locator('.pane[data-image="1"] [role="application"]').focus();
    const [first = drift, second = drift] = await moveOf(async () => {
      await page.keyboard.press('ArrowLeft');
      await pauseIn(page, 900);
    });
    expect(first.x).toBeGreaterThan(20);
    expect(distance(first, second)).toBeLessThan(1);
    const between = async (number: number): Promise<number> =>
      distance(await dotIn(page, number, 'green'), await dotIn(page, number, 'red'));
    const spread = async (): Promise<readonly number[]> => [await between(1), await between(2)];
    const before = await spread();
    await button('Zoom in').click();
    await pauseIn(page, 900);
    const [one = 0, other = 0] = (await spread()).map((now, at) => now / (before[at] ?? 1));
    expect(one).toBeGreaterThan(1.2);
    expect(Math.abs(one - other)).toBeLessThan(0.02);
  });
});

describe('the address', () => {
  it('gives the same view again', async () => {
    await open(['first', 'second', 'third'], '&2.rot=25&3.colop=INVERT&move=apart&1.ww=0.4&1.wh=0.5');
    const from = await onPage(page, 2, { x: 150, y: 200 });
    await drag(page, from, { x: from.x + 33, y: from.y + 21 });
    const before: Pixels[] = [];
    for (const number of [1, 2, 3]) before.push(await panePixels(page, number));
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address);
    await waitUntilSharp(page, 3);
    for (const [at, pixels] of before.entries()) {
      const now = await panePixels(page, at + 1);
      let different = 0;
      for (let y = 0; y < pixels.height; y += 2) {
        for (let x = 0; x < pixels.width; x += 2) {
          const [one, other] = [pixels.at(x, y), now.at(x, y)];
          if (one.some((value, channel) => Math.abs(value - (other[channel] ?? 0)) > 40)) different += 1;
        }
      }
      // Edges of dots may be rounded to the other pixel.
      expect(different, `image ${at + 1}`).toBeLessThan(20);
    }
    expect(page.url()).toBe(address);
  });

  it('follows the browser’s back button to the images before', { tags: 'exhaustive' }, async () => {
    await open(['first', 'second']);
    await button('Take image 1 away').click();
    await expect.poll(() => page.locator('.picker-pane').count()).toBe(1);
    expect(page.url()).toContain(`compare?1.fn=${pathOf('second')}`);
    await page.goBack();
    await expect.poll(() => page.locator('.pane:not(.picker-pane)').count()).toBe(2);
  });
});

describe('each image', () => {
  it('has its own turn and colors', async () => {
    await open(['first', 'third']);
    const [before, other] = [await panePixels(page, 1), await panePixels(page, 2)];
    const from = await onPage(page, 2, middle);
    await page.mouse.click(from.x, from.y);
    await page.keyboard.press('a');
    await page.getByRole('radio', { name: 'Negative' }).check();
    await button('Close').click();
    await pauseIn(page, 500);
    const centerColor = (pixels: Pixels) => pixels.at(pixels.width / 2, pixels.height / 2)[0];
    expect(centerColor(await panePixels(page, 1))).toBe(centerColor(before));
    expect(Math.abs(centerColor(await panePixels(page, 2)) - (255 - centerColor(other)))).toBeLessThan(2);
    const green = await dotIn(page, 1, 'green');
    await page.keyboard.press('r');
    await pauseIn(page, 600);
    expect(distance(await dotIn(page, 1, 'green'), green)).toBeLessThan(0.5);
    await expect.poll(() => page.url()).toMatch(/2\.rot=90&2\.colop=INVERT/);
    expect(page.url()).not.toContain('1.rot');
  });

  it('has its own notes, which are seen on both and edited on the selected one', { tags: 'exhaustive' }, async () => {
    await open(['first', 'second']);
    await page.keyboard.press('m');
    await button('Mark').click();
    for (const [number, dot] of [
      [1, 'green'],
      [2, 'red'],
    ] as const) {
      const { x, y } = await onPage(page, number, await dotIn(page, number, dot));
      await page.mouse.click(x, y);
      await pauseIn(page, 450);
      await page.keyboard.type(`text ${number}`);
      await page.keyboard.press('Escape');
    }
    const storedTexts = (name: ImageName) =>
      page.evaluate(
        (key) =>
          (JSON.parse(localStorage.getItem(key) ?? '{"marks":[]}').marks as { text: string }[]).map(({ text }) => text),
        `lectern:notes:${pathOf(name)}`,
      );
    expect(await storedTexts('first')).toEqual(['text 1']);
    expect(await storedTexts('second')).toEqual(['text 2']);
    // That of the image that is not selected is seen, and is no button to press.
    expect(await page.locator('.pane[data-image="1"] .quiet-notes .mark-handle').count()).toBe(1);
    expect(await page.locator('.active-layer .mark-handle').count()).toBe(1);
    expect(await page.locator('.side-panel .note-text').count()).toBe(1);
    const green = await onPage(page, 1, await dotIn(page, 1, 'green'));
    const box = await page.locator('.pane[data-image="1"] .mark-handle').boundingBox();
    expect(distance({ x: (box?.x ?? 0) + 12, y: (box?.y ?? 0) + 12 }, green)).toBeLessThan(1.5);
    await expect.poll(() => page.url()).toMatch(/1\.mk=0\.(4|39\d+|400\d)\/0\.\d+&.*2\.mk=/);
  });

  it('is measured in its own scale', { tags: 'exhaustive' }, async () => {
    await open(['first', 'second']);
    await page.keyboard.press('d');
    await button('Line').click();
    for (const number of [1, 2]) {
      for (const dot of ['red', 'blue'] as const) {
        const { x, y } = await onPage(page, number, await dotIn(page, number, dot));
        await page.mouse.click(x, y);
        await pauseIn(page, 450);
      }
    }
    const [quiet, own] = await Promise.all([
      page.locator('.quiet-notes .value-handle').textContent(),
      page.locator('.active-layer .value-handle').textContent(),
    ]);
    // The first has 300 pixels per inch; the second shows the same line with 0.8 times the pixels, at 150.
    expect(Math.abs(Number.parseFloat(quiet ?? '') / ((726.2 / 300) * 2.54) - 1), quiet ?? '').toBeLessThan(0.01);
    expect(Math.abs(Number.parseFloat(own ?? '') / ((581 / 150) * 2.54) - 1), own ?? '').toBeLessThan(0.01);
  });
});

describe('a comparison begins', () => {
  const paths = (): string => decodeURIComponent(new URL(page.url()).search);

  it('at the light table, with the selected images', async () => {
    page = await session.open('browse/dots?layout=table');
    for (const name of ['first', 'second']) await page.getByRole('option', { name }).click();
    await page.getByRole('link', { name: 'Compare' }).click();
    await waitUntilSharp(page, 2);
    expect(paths()).toBe('?1.fn=dots/first.png&2.fn=dots/second.png');
  });

  it('at an image of a folder, beside one of another folder', { tags: 'exhaustive' }, async () => {
    page = await session.open('browse/dots');
    await page.getByRole('link', { name: 'Compare first with another image' }).click();
    await button('Library').click();
    await button('other').click();
    await page.locator('.picker-image', { hasText: 'third' }).click();
    await waitUntilSharp(page, 2);
    expect(paths()).toBe('?1.fn=dots/first.png&2.fn=other/third.png');
  });

  it('at any view, with its region and turn, beside an image of a digilib link', { tags: 'exhaustive' }, async () => {
    page = await session.open('view/dots/first.png?ww=0.5&wh=0.5&rot=90');
    await waitUntilSharp(page, 1);
    await page.getByRole('link', { name: 'Compare: put another image beside this' }).click();
    await page
      .getByLabel('Address or path of an image')
      .fill(`${session.url()}jquery/digilib.html?fn=other/third.png&pn=1`);
    await page.keyboard.press('Enter');
    await expect.poll(paths).toBe('?1.fn=dots/first.png&1.ww=0.5&1.wh=0.5&1.rot=90&2.fn=other/third.png');
    await waitUntilSharp(page, 3);
    await page.goBack();
    await page.getByLabel('Address or path of an image').fill('https://other.example/image.png');
    await page.keyboard.press('Enter');
    expect(await page.locator('.address-field [role="status"]').textContent()).toContain('not the address');
  });

  it('with pages of its folder, and turns them', async () => {
    await open(['first', 'third']);
    await button('Next page (1)').click();
    await expect.poll(paths).toBe('?1.fn=dots/second.png&2.fn=other/third.png');
  });
});
