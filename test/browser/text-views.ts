/** Where the words of a drawn page are on the screen, and what the pointer selects of them. */
import type { Page } from 'playwright-core';
import { pauseIn } from './browser.ts';
import { type Box, pageSize } from './text-pages.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Waits until the image is sharp and its words lie on it. */
export async function waitForText(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
  await page.locator('.text-of-page [data-word]').first().waitFor({ state: 'attached' });
  await pauseIn(page, 650);
}

interface View {
  /** Degrees clockwise. */
  readonly rotation?: number;
  readonly mirror?: 'horizontal' | 'vertical';
}

/**
 * Where a point of the page, in its pixels, is on the screen: a page that is shown as a whole fits into the stage, in its
 * middle, whichever way it is turned. Calculated here anew, so that it does not depend on what is tested.
 */
export async function onScreen(page: Page, { x, y }: Point, { rotation = 0, mirror }: View = {}): Promise<Point> {
  const stage = await page.locator('.stage-image').boundingBox();
  if (stage === null) throw new Error('there is no stage');
  const { width, height } = pageSize;
  const radians = (rotation * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  const turnedWidth = Math.abs(width * cosine) + Math.abs(height * sine);
  const turnedHeight = Math.abs(width * sine) + Math.abs(height * cosine);
  const scale = Math.min(stage.width / turnedWidth, stage.height / turnedHeight);
  const right = (x - width / 2) * (mirror === 'horizontal' ? -1 : 1) * scale;
  const down = (y - height / 2) * (mirror === 'vertical' ? -1 : 1) * scale;
  return {
    x: stage.x + stage.width / 2 + cosine * right - sine * down,
    y: stage.y + stage.height / 2 + sine * right + cosine * down,
  };
}

/** A point of a box, in fractions of it. */
export const inBox = ([x, y, width, height]: Box, across: number, down: number): Point => ({
  x: x + across * width,
  y: y + down * height,
});

/** Drags the mouse from one point of the screen to another one. */
export async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** What the keys of copying put into the clipboard. */
export async function copied(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('nothing was copied'));
  await page.keyboard.press('Control+C');
  return page.evaluate(() => navigator.clipboard.readText());
}
