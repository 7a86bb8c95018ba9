/** Looks at what the stage shows: the colors of the picture that is fitted into it. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { decode, type Picture, type Rgb } from '../pixels/pictures.ts';

/** Waits until the image lies still and all of its tiles have come. */
export async function waitForStage(page: Page): Promise<void> {
  await page.locator('.stage-image canvas').first().waitFor({ state: 'attached' });
  await page.locator('.zoom-percent').filter({ hasText: '%' }).waitFor({ state: 'attached' });
  let before: Buffer = Buffer.alloc(0);
  for (let tries = 0; tries < 40; tries += 1) {
    const now = await stagePixels(page);
    if (now.equals(before)) return;
    before = now;
    await page.waitForTimeout(150);
  }
  throw new Error('the stage does not come to rest');
}

/** The stage without what lies over it, as PNG. */
async function stagePixels(page: Page): Promise<Buffer> {
  await page.evaluate(() => {
    for (const over of document.querySelectorAll<HTMLElement>('.zoom-bar, .birds-eye'))
      over.style.visibility = 'hidden';
  });
  return page.locator('.stage-image').screenshot();
}

/** The stage's part that a picture of some shape takes when it is fitted into its middle. */
export async function seenAs(page: Page, shape: { readonly width: number; readonly height: number }): Promise<Picture> {
  const stage = await stagePixels(page);
  const { width = 1, height = 1 } = await sharp(stage).metadata();
  const scale = Math.min(width / shape.width, height / shape.height);
  const size = { width: Math.floor(shape.width * scale), height: Math.floor(shape.height * scale) };
  const left = Math.floor((width - size.width) / 2);
  const top = Math.floor((height - size.height) / 2);
  return decode(
    await sharp(stage)
      .extract({ left, top, ...size })
      .png()
      .toBuffer(),
  );
}

/** Places well inside of a picture's corners, and of its middle edges. */
const places = [0.12, 0.38, 0.62, 0.88].flatMap((y) => [0.12, 0.38, 0.62, 0.88].map((x) => [x, y] as const));

/** The colors of a picture at those places. */
export const colorsOf = (picture: Picture): readonly Rgb[] =>
  places.map(([x, y]) => {
    const [red, green, blue] = picture.at(x, y);
    return [red, green, blue];
  });

/** The greatest difference of a channel between two lists of colors. */
export const farthest = (some: readonly Rgb[], others: readonly Rgb[]): number =>
  Math.max(
    ...some.flatMap((color, index) =>
      color.map((value, channel) => Math.abs(value - (others[index]?.[channel] ?? -999))),
    ),
  );
