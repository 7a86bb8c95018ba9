// @module-tag chromium
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import {
  distance,
  fractionOf,
  middleOf,
  openNotesPanel,
  type Point,
  startDotApp,
  visibleDots,
  waitUntilSettled,
} from './dot-images.ts';

const session = setUpBrowser(startDotApp);
let page: Page;

const image = 'view/dots/dpi.png';

async function open(address: string, options: BrowserContextOptions = {}): Promise<void> {
  page = await session.open(address, options);
  await waitUntilSettled(page);
}

const openPanel = (key = 'm'): Promise<void> => openNotesPanel(page, key);

const button = (name: string) => page.getByRole('button', { name, exact: true });
const markCount = (): Promise<number> => page.locator('.mark-handle').count();
const query = (): URLSearchParams => new URL(page.url()).searchParams;
/** The address is updated after a pause. */
const pause = (): Promise<void> => pauseIn(page, 450);

async function clickAt({ x, y }: Point): Promise<void> {
  await page.mouse.click(x, y, { delay: 400 });
  // Two clicks in quick succession would be a double click.
  await pauseIn(page, 400);
}

async function middleOfStage(): Promise<Point> {
  return middleOf(page, '.stage-image');
}

const text = (...points: readonly Point[]): string => points.map(({ x, y }) => `${x}/${y}`).join(',');
const red = fractionOf('red');
const green = fractionOf('green');
const blue = fractionOf('blue');
const mark = `mk=${text(red)}`;
const rectangle = `rg=${green.x}/${green.y}/${blue.x - green.x}/${blue.y - green.y}`;

/** The corners of the first rectangle on the screen, as drawn. */
async function cornersSeen(): Promise<readonly Point[]> {
  const path = await page.locator('.region-lines .core').first().getAttribute('d');
  const box = await page.locator('.stage-image').boundingBox();
  const numbers = (path ?? '').split(/[MLZ ]/).filter((part) => part !== '');
  return [0, 2, 4, 6].map((at) => ({
    x: Number(numbers[at]) + (box?.x ?? 0),
    y: Number(numbers[at + 1]) + (box?.y ?? 0),
  }));
}

async function expectOnDots(): Promise<void> {
  await waitUntilSettled(page);
  const seen = await visibleDots(page);
  const corners = await cornersSeen();
  const none = { x: Number.NaN, y: Number.NaN };
  expect(distance(await middleOf(page, '.mark-handle'), seen.red ?? none)).toBeLessThan(1);
  expect(distance(corners[0] ?? none, seen.green ?? none)).toBeLessThan(1);
  expect(distance(corners[2] ?? none, seen.blue ?? none)).toBeLessThan(1);
}

describe('a mark and a rectangle', () => {
  it.each([
    [''],
    ['rot=90'],
    ['rot=270&mo=hmir'],
    ['rot=33'],
    ['mo=hmir'],
    ['mo=vmir'],
    ['rot=200.5&mo=vmir,hmir'],
    ['wx=0.2&wy=0.15&ww=0.7&wh=0.7'],
    ['wx=0.2&wy=0.15&ww=0.7&wh=0.7&rot=64&mo=hmir'],
  ])('are at the same positions of the image with %j', { tags: 'exhaustive' }, async (view) => {
    await open(`${image}?${mark}&${rectangle}&${view}`);
    await expectOnDots();
  });

  it('stay there while the image is zoomed, moved, rotated and mirrored by keys', { tags: 'exhaustive' }, async () => {
    await open(`${image}?${mark}&${rectangle}`);
    // A turn keeps the scale of an enlarged image: only of a whole one all dots are seen on their side too.
    for (const key of ['+', 'ArrowRight', '0', 'r', 'h', ']', '-']) {
      await page.keyboard.press(key);
      await expectOnDots();
    }
  });

  it('stay there on a display with two device pixels per CSS pixel', async () => {
    await open(`${image}?${mark}&${rectangle}&rot=15`, { deviceScaleFactor: 2 });
    const seen = await visibleDots(page);
    const box = await page.locator('.stage-image').boundingBox();
    const dot = { x: ((seen.red?.x ?? 0) - (box?.x ?? 0)) / 2, y: ((seen.red?.y ?? 0) - (box?.y ?? 0)) / 2 };
    const middle = await middleOf(page, '.mark-handle');
    expect(distance(middle, { x: dot.x + (box?.x ?? 0), y: dot.y + (box?.y ?? 0) })).toBeLessThan(1);
  });
});

describe('marks that the reader sets', () => {
  it('are where the reader clicks, are in the address, and keep their texts when the page is reloaded', async () => {
    await open(image);
    await openPanel();
    await button('Mark').click();
    const { red: dot } = await visibleDots(page);
    if (dot === undefined) throw new Error('the red dot is not seen');
    await clickAt(dot);
    expect(distance(await middleOf(page, '.mark-handle'), dot)).toBeLessThan(1);
    await page.getByLabel('Text of Mark 1').fill('a red dot ');
    await pause();
    const [x, y] = (query().get('mk') ?? '').split('/').map(Number);
    expect(Math.abs((x ?? 0) - red.x) * 1200).toBeLessThan(2);
    expect(Math.abs((y ?? 0) - red.y) * 900).toBeLessThan(2);
    await page.reload();
    await waitUntilSettled(page);
    expect(await page.getByRole('button', { name: 'Mark 1: a red dot' }).count()).toBe(1);
    expect(await page.locator('.visiting').count()).toBe(0);
  });

  it.each(['', 'mo=hmir', 'mo=vmir&rot=50'])(
    'are where the reader clicks with %j',
    { tags: 'exhaustive' },
    async (view) => {
      await open(`${image}?${view}`);
      await openPanel();
      await button('Mark').click();
      const { green: dot } = await visibleDots(page);
      if (dot === undefined) throw new Error('the green dot is not seen');
      await clickAt(dot);
      expect(distance(await middleOf(page, '.mark-handle'), dot)).toBeLessThan(1);
    },
  );

  it('belong to their image', { tags: 'exhaustive' }, async () => {
    await open(`${image}?${mark}`);
    await openPanel();
    await button('Add them to mine').click();
    await page.keyboard.press('PageDown');
    await waitUntilSettled(page);
    expect(page.url()).toContain('dots/oblong.tif');
    expect(await markCount()).toBe(0);
    expect(query().get('mk')).toBeNull();
    await page.keyboard.press('PageUp');
    await waitUntilSettled(page);
    expect(await markCount()).toBe(1);
  });

  it('are moved by dragging, deleted, and restored', async () => {
    await open(`${image}?${mark}`);
    const from = await middleOf(page, '.mark-handle');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 20, from.y - 30, { steps: 4 });
    await page.mouse.up();
    expect(distance(await middleOf(page, '.mark-handle'), { x: from.x + 20, y: from.y - 30 })).toBeLessThan(0.6);
    await page.keyboard.press('Control+z');
    expect(distance(await middleOf(page, '.mark-handle'), from)).toBeLessThan(0.6);
    await page.keyboard.press('Control+Shift+Z');
    expect(distance(await middleOf(page, '.mark-handle'), from)).toBeGreaterThan(30);
    await openPanel();
    await button('Delete Mark 1').click();
    expect(await markCount()).toBe(0);
    await button('Undo').click();
    expect(await markCount()).toBe(1);
  });

  it('are set, moved and deleted by the keyboard only', async () => {
    await open(image);
    await openPanel();
    await button('Mark').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await pauseIn(page, 600);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    const middle = await middleOfStage();
    const first = await middleOf(page, '.mark-handle');
    expect(distance(first, middle)).toBeLessThan(1);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Mark 1');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowDown');
    const moved = await middleOf(page, '.mark-handle');
    expect([moved.x - first.x, moved.y - first.y].map((value) => Math.round(value * 10) / 10)).toEqual([-1, 10]);
    await page.keyboard.press('Delete');
    expect(await markCount()).toBe(0);
    await page.keyboard.press('Control+z');
    expect(await markCount()).toBe(1);
  });

  it('follow changes of another window of the browser', { tags: 'exhaustive' }, async () => {
    await open(`${image}?${mark}`);
    await openPanel();
    await button('Add them to mine').click();
    const other = await page.context().newPage();
    await other.goto(session.url() + image);
    await waitUntilSettled(other);
    expect(await other.locator('.mark-handle').count()).toBe(1);
    await page.getByLabel('Text of Mark 1').fill('from here');
    await other.getByRole('button', { name: 'Mark 1: from here' }).waitFor();
  });
});

describe('regions', () => {
  it('are drawn by dragging, shown by their number, and changed at their corners', async () => {
    await open(image);
    await openPanel();
    await button('Region').click();
    const seen = await visibleDots(page);
    const [from, to] = [seen.green ?? red, seen.blue ?? red];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x - 40, to.y - 40, { steps: 3 });
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
    await pause();
    const drawn = (query().get('rg') ?? '').split('/').map(Number);
    const expected = [green.x, green.y, blue.x - green.x, blue.y - green.y];
    for (const [at, value] of expected.entries()) expect(Math.abs((drawn[at] ?? 0) - value)).toBeLessThan(0.002);
    // From the text field to the image, and then out of the tool.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const corner = (await cornersSeen())[2] ?? red;
    await page.mouse.move(corner.x, corner.y);
    await page.mouse.down();
    await page.mouse.move(corner.x - 50, corner.y - 25, { steps: 3 });
    await page.mouse.up();
    expect(distance((await cornersSeen())[2] ?? red, { x: corner.x - 50, y: corner.y - 25 })).toBeLessThan(1);
    await page.getByRole('button', { name: 'Region 1', exact: true }).click();
    await waitUntilSettled(page);
    await pause();
    expect(Number(query().get('ww'))).toBeGreaterThan(0.3);
    expect(Number(query().get('ww'))).toBeLessThan(0.65);
  });

  it('are drawn by the keyboard only', { tags: 'exhaustive' }, async () => {
    await open(image);
    await openPanel();
    await button('Region').focus();
    for (const key of ['Enter', 'Enter', 'ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await pauseIn(page, 700);
    await page.keyboard.press('Enter');
    const corners = await cornersSeen();
    expect(Math.abs((corners[2]?.x ?? 0) - (corners[0]?.x ?? 0))).toBeCloseTo(48, 0);
    expect(Math.abs((corners[2]?.y ?? 0) - (corners[0]?.y ?? 0))).toBeCloseTo(24, 0);
  });
});

describe('an address with marks of another reader', () => {
  async function openForeign(): Promise<void> {
    await open(`${image}?${mark}`);
    await openPanel();
    await button('Add them to mine').click();
    await page.getByLabel('Text of Mark 1').fill('my own');
    await page.goto(`${session.url()}${image}?mk=${text(green, blue)}`);
    await waitUntilSettled(page);
    await openPanel();
  }

  it('shows them with a message, and links back to the reader’s own', async () => {
    await openForeign();
    expect(await markCount()).toBe(2);
    expect(await page.locator('.visiting').textContent()).toContain('came with the address');
    await button('Show my own').click();
    expect(await page.getByRole('button', { name: 'Mark 1: my own' }).count()).toBe(1);
    await pause();
    expect(query().get('mk')).toBe(text(red));
  });

  it('adds them to the reader’s own, with the numbers of the address', { tags: 'exhaustive' }, async () => {
    await openForeign();
    await button('Add them to mine').click();
    expect(await page.locator('.mark-handle').evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'Mark 1',
      'Mark 2',
      'Mark 3: my own',
    ]);
  });

  it('loses nothing when one of them is changed', { tags: 'exhaustive' }, async () => {
    await openForeign();
    await page.getByLabel('Text of Mark 2').fill('theirs');
    await page.goto(session.url() + image);
    await waitUntilSettled(page);
    expect(await page.locator('.mark-handle').evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
      'Mark 1',
      'Mark 2: theirs',
      'Mark 3: my own',
    ]);
  });
});

describe('the selected note', () => {
  const chosen = () => page.locator('.notes-layer [aria-pressed="true"]').count();

  it('is deselected by Escape or by a click next to it', async () => {
    await open(`${image}?${mark}`);
    await page.locator('.mark-handle').click();
    expect(await chosen()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await chosen()).toBe(0);
    await page.locator('.mark-handle').click();
    await clickAt(await middleOfStage());
    expect(await chosen()).toBe(0);
  });

  it('moves the focus to the undo button when it is deleted from the list', async () => {
    await open(`${image}?${mark}`);
    await openPanel();
    await button('Delete Mark 1').press('Enter');
    await pauseIn(page, 100);
    await page.keyboard.press('Enter');
    expect(await markCount()).toBe(1);
  });
});
