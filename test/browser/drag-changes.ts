/** What a drag of the image changes in the document, frame by frame. */
import type { Page } from 'playwright-core';

/** Frames that show the image at another place, and the elements of a layer that were changed in all of them together. */
export interface DragChanges {
  readonly frames: number;
  readonly elements: number;
}

/** What a page holds while its changes are counted. */
interface Counting {
  elements: number;
  /** Ends the counting, and runs the timers that were set since it began. */
  end(): void;
}

/** Counts the changed elements below one, and holds timers until the end, so that no rest is seen where the machine is slow. */
function count(selector: string): void {
  const element = document.querySelector(selector);
  if (element === null) throw new Error(`there is no ${selector}`);
  const [set, clear] = [globalThis.setTimeout, globalThis.clearTimeout];
  const held = new Map<number, () => void>();
  const changes = new MutationObserver((records) => {
    counting.elements += new Set(records.map(({ target }) => target)).size;
  });
  const counting: Counting = {
    elements: 0,
    end() {
      changes.disconnect();
      Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
      for (const run of held.values()) run();
    },
  };
  Object.assign(globalThis, {
    counting,
    setTimeout: (run: () => void) => {
      // Not the number of a timer of the browser.
      const id = -1 - held.size;
      held.set(id, run);
      return id;
    },
    clearTimeout: (id: number | undefined) => {
      if (id === undefined || !held.delete(id)) clear(id);
    },
  });
  changes.observe(element, { attributes: true, childList: true, subtree: true, characterData: true });
}

const stepPixels = { x: -6, y: 4 };

/** Drags the image in ten steps from a place, in fractions of the stage, and counts the elements that are changed in a layer. */
export async function changesWhileDragging(
  page: Page,
  at: { readonly x: number; readonly y: number },
  layer: string,
): Promise<DragChanges> {
  const box = await page.locator('.stage-image').boundingBox();
  if (box === null) throw new Error('there is no stage');
  const [x, y] = [box.x + box.width * at.x, box.y + box.height * at.y];
  const shown = (): Promise<string | null> =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.querySelector('.navigator polygon')?.getAttribute('points') ?? null;
    });
  await page.evaluate(count, layer);
  await page.mouse.move(x, y);
  await page.mouse.down();
  const frames = new Set([await shown()]);
  for (let step = 1; step <= 10; step++) {
    await page.mouse.move(x + step * stepPixels.x, y + step * stepPixels.y);
    frames.add(await shown());
  }
  const elements = await page.evaluate(() => {
    const { counting } = globalThis as unknown as { counting: Counting };
    const counted = counting.elements;
    counting.end();
    return counted;
  });
  await page.mouse.up();
  return { frames: frames.size - 1, elements };
}
