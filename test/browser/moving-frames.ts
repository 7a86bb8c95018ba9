/** How smoothly an image moves. */
import type { Page } from 'playwright-core';

/** Frames in a second while the image is dragged to and fro from a place, in fractions of the stage. */
export async function framesWhilePanning(page: Page, at: { readonly x: number; readonly y: number }): Promise<number> {
  const box = await page.locator('.stage-image').boundingBox();
  if (box === null) throw new Error('no stage');
  await page.evaluate(() => {
    Object.assign(globalThis, { frames: 0 });
    const count = (): void => {
      (globalThis as unknown as { frames: number }).frames++;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const frames = (): Promise<number> => page.evaluate(() => (globalThis as unknown as { frames: number }).frames);
  const [x, y] = [box.x + box.width * at.x, box.y + box.height * at.y];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const [from, startMs] = [await frames(), performance.now()];
  for (let step = 0; performance.now() - startMs < 1500; step++) {
    await page.mouse.move(x - 60 * Math.sin(step / 10), y + 60 * Math.sin(step / 10));
  }
  const rate = ((await frames()) - from) / ((performance.now() - startMs) / 1000);
  await page.mouse.up();
  return rate;
}
