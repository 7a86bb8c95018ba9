// @module-tag chromium
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pauseIn } from './browser.ts';
import { setUpBrowser } from './browser-pages.ts';
import { fractionOf, middleOf, startDotApp, waitUntilSettled } from './dot-images.ts';

const session = setUpBrowser(startDotApp);
let page: Page;

const image = 'view/dots/dpi.png';
const red = fractionOf('red');
const oneMark = `${image}?mk=${red.x}/${red.y}`;

async function open(address: string, key: 'm' | 'd' | 'a'): Promise<void> {
  page = await session.open(address);
  await waitUntilSettled(page);
  await page.keyboard.press(key);
  await page.locator('.side-panel h3').first().waitFor();
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Two hundred letters, without repetition of any ten of them. */
const long = Array.from({ length: 40 }, (_, at) => `w${String(at).padStart(3, '0')} `)
  .join('')
  .slice(0, 199)
  .concat('.');

/** Zooms in and out by the wheel, which does not move the focus. */
async function keepMoving(): Promise<void> {
  const { x, y } = await middleOf(page, '.stage-image');
  await page.mouse.move(x, y - 200);
  for (let turn = 0; turn < 30; turn += 1) {
    await page.mouse.wheel(0, turn % 6 < 3 ? -120 : 120);
    await page.waitForTimeout(10);
  }
}

const typeWhileMoving = (text: string) => Promise.all([page.keyboard.type(text, { delay: 0 }), keepMoving()]);

async function expectComplete(field: ReturnType<Page['getByLabel']>): Promise<void> {
  expect(await field.inputValue()).toBe(long);
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain(long);
}

describe('text that is typed quickly while the image moves', () => {
  it('is complete in a mark’s note', { tags: 'exhaustive' }, async () => {
    await open(oneMark, 'm');
    const field = page.getByLabel('Text of Mark 1');
    await field.click();
    await typeWhileMoving(long);
    await expectComplete(field);
  });

  it('is complete in a measurement’s note', { tags: 'exhaustive' }, async () => {
    await open(image, 'd');
    await button('Line').focus();
    for (const key of ['Enter', 'Enter', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await pauseIn(page, 600);
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Text of Line 1');
    await field.click();
    await typeWhileMoving(long);
    await expectComplete(field);
  });

  it('is complete in a number that is typed while the picture changes', async () => {
    await open(image, 'a');
    const number = page.getByLabel('Angle: value');
    await number.fill('12');
    await page.keyboard.type('.3');
    // The buttons next to it change the same number, as other keys and messages do.
    await page.evaluate(() => document.querySelector<HTMLButtonElement>('[aria-label="Turn right"]')?.click());
    await pauseIn(page, 100);
    expect(await number.inputValue()).toBe('12.3');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => new URL(page.url()).searchParams.get('rot')).toBe('12.3');
  });
});

describe('a note that another window changes', () => {
  it('is not replaced while it is edited, and shows the other text when the field loses the focus', async () => {
    await open(oneMark, 'm');
    await button('Add them to mine').click();
    const field = page.getByLabel('Text of Mark 1');
    await field.fill('from here');
    const other = await page.context().newPage();
    await other.goto(session.url() + image);
    await waitUntilSettled(other);
    await other.keyboard.press('m');
    await page.bringToFront();
    await field.focus();
    await other.getByLabel('Text of Mark 1').fill('from there');
    await page.getByRole('button', { name: 'Mark 1: from there' }).waitFor();
    expect(await field.inputValue()).toBe('from here');
    await field.press('Tab');
    await expect.poll(() => field.inputValue()).toBe('from there');
  });
});

describe('a new note', () => {
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

  it('set by the pointer can be typed at once, and Escape returns to the image with the tool', async () => {
    await open(image, 'm');
    await button('Mark').click();
    const { x, y } = await middleOf(page, '.stage-image');
    await page.mouse.click(x, y, { delay: 50 });
    await page.keyboard.type('Initial, gilded', { delay: 10 });
    expect(await page.getByLabel('Text of Mark 1').inputValue()).toBe('Initial, gilded');
    await page.keyboard.press('Escape');
    expect(await button('Mark').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await pauseIn(page, 600);
    await page.keyboard.press('Enter');
    await page.keyboard.type('second');
    expect(await page.getByLabel('Text of Mark 2').inputValue()).toBe('second');
  });

  it('drawn as a region by the pointer can be typed at once, also if a search does not match it', async () => {
    await open(`${image}?mk=0.1/0.1,0.2/0.2,0.3/0.3,0.4/0.4`, 'm');
    await page.getByRole('searchbox').fill('0.2,0.2');
    await button('Region').click();
    const { x, y } = await middleOf(page, '.stage-image');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 60, { steps: 4 });
    await page.mouse.up();
    // Readers don't move from the mouse to a key as quickly as a test.
    await page.locator('.side-panel textarea:focus').waitFor();
    await page.keyboard.type('a garden');
    expect(await page.getByLabel('Text of Region 1').inputValue()).toBe('a garden');
  });

  it('leaves the focus on the image if it is a measurement, where keys work, since it gets no text', {
    tags: 'exhaustive',
  }, async () => {
    // With the line, which is the tool at first.
    await open(image, 'd');
    const { x, y } = await middleOf(page, '.stage-image');
    await page.mouse.click(x, y, { delay: 50 });
    expect(await focused()).toContain('dpi');
    expect(await page.locator('.side-panel textarea').count()).toBe(0);
    await page.keyboard.press('r');
    await expect.poll(() => new URL(page.url()).searchParams.get('rot')).toBe('90');
    expect(await page.locator('.side-panel .tool-buttons').count()).toBe(1);
    await page.keyboard.press('+');
    await expect.poll(() => new URL(page.url()).searchParams.get('ww')).not.toBeNull();
  });
});

describe('what is drawn outside of the image', () => {
  const noteCount = () => page.locator('.mark-handle, .region-handle, .value-handle').count();

  it('is not possible on the other page, which is announced with a button to go there', {
    tags: 'exhaustive',
  }, async () => {
    await open(`${image}?pages=2&shift=1`, 'm');
    await button('Mark').click();
    const stage = await page.locator('.stage-image').boundingBox();
    if (stage === null) throw new Error('there is no stage');
    const at = { x: stage.x + stage.width * 0.75, y: stage.y + stage.height / 2 };
    await page.mouse.click(at.x, at.y, { delay: 50 });
    const notice = page.locator('.beside-notice[role="status"]');
    await expect
      .poll(() => notice.textContent())
      .toContain('Notes belong to the main page. Go to page 2 to mark this one.');
    expect(await noteCount()).toBe(0);
    await pauseIn(page, 400);
    await button('Region').click();
    expect(await notice.textContent()).toBe('');
    await page.mouse.move(stage.x + stage.width * 0.25, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y + 40, { steps: 4 });
    await page.mouse.up();
    expect(await noteCount()).toBe(0);
    await button('Go to page 2').click();
    await page.waitForURL(/oblong/);
    await waitUntilSettled(page);
    await button('Mark').click();
    await page.mouse.click(stage.x + stage.width * 0.75, at.y, { delay: 50 });
    expect(await noteCount()).toBe(1);
  });

  it('is not possible without an image', { tags: 'exhaustive' }, async () => {
    await open(`${image}?wx=0.6&wy=0&ww=0.8&wh=1`, 'm');
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await waitUntilSettled(page);
    await button('Mark').click();
    const stage = await page.locator('.stage-image').boundingBox();
    if (stage === null) throw new Error('there is no stage');
    await page.mouse.click(stage.x + 6, stage.y + 200, { delay: 50 });
    await page.mouse.click(stage.x + stage.width - 6, stage.y + 200, { delay: 50 });
    expect(await noteCount()).toBe(0);
  });
});
