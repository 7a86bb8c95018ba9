/** The pixels of the stage in a browser, and those of pictures of the server to compare with. */
import type { Page } from 'playwright-core';
import decode from 'sharp';
import type { RunningApp } from '../protocol/running-app.ts';
import { pauseIn } from './browser.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha from 0 to 255 at a pixel. */
  at(x: number, y: number): readonly [number, number, number, number];
}

/** The pixels of a picture file. */
export async function pixelsOf(file: Buffer): Promise<Pixels> {
  const { data, info } = await decode(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return {
    width,
    height,
    at(x, y) {
      const start = (Math.round(y) * width + Math.round(x)) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(start, start + 4);
      return [red, green, blue, alpha];
    },
  };
}

/** The ms until animations have ended and the address is updated after a change. */
const pauseMs = 650;

/** Waits until the opened image is sharp, and in the address. */
export async function waitUntilSharp(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
  await pauseIn(page, 300);
}

/** Waits until the image is sharp, animations have ended, and it is in the address. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
  await pauseIn(page, pauseMs);
}

/** Navigates to an address below the base within the page, as the browser's back and forward buttons do. */
export async function visit(page: Page, address: string, waitMs = pauseMs): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(undefined, '', new URL(to, document.baseURI));
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await pauseIn(page, waitMs);
}

/** The pixels of the stage, without the elements on top of it. */
export async function stagePixels(page: Page): Promise<Pixels> {
  const show = (visibility: string): Promise<void> =>
    page.evaluate((value) => {
      for (const element of document.querySelectorAll<HTMLElement>(
        '.zoom-bar, .navigator, .notes-layer, .stage-label, .picture-frame, .book-fold, .turning-leaf',
      )) {
        element.style.visibility = value;
      }
    }, visibility);
  await show('hidden');
  const file = await page.locator('.stage').screenshot({ animations: 'disabled' });
  await show('');
  return pixelsOf(file);
}

/** The pixels of a picture of the Scaler. */
export async function scalerPixels(app: Pick<RunningApp, 'get'>, query: string): Promise<Pixels> {
  const answer = await app.get(`/Scaler?${query}`);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${answer.body.toString()}`);
  return pixelsOf(answer.body);
}

/** The largest difference of a channel between the stage and a picture that is centered in it, at points of a grid. */
export function differenceInMiddle(stage: Pixels, picture: Pixels): number {
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height);
  const left = (stage.width - picture.width * factor) / 2;
  const top = (stage.height - picture.height * factor) / 2;
  const steps = [0.06, 0.2, 0.35, 0.5, 0.65, 0.8, 0.94];
  const differences = steps.flatMap((x) =>
    steps.map((y) => {
      const wanted = picture.at(x * (picture.width - 1), y * (picture.height - 1));
      if (wanted[3] < 255) return 0;
      const seen = stage.at(left + x * (picture.width - 1) * factor, top + y * (picture.height - 1) * factor);
      return Math.max(...[0, 1, 2].map((channel) => Math.abs((seen[channel] ?? 0) - (wanted[channel] ?? 0))));
    }),
  );
  return Math.max(...differences);
}
